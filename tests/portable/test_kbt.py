from __future__ import annotations

import hashlib
import io
import json
from dataclasses import replace

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import UsageError
from assistant.evidence import serial
from assistant.evidence.types import Evidence, FileEvidence, Hit, PatternHits, Skipped
from assistant.portable import kbt
from assistant.portable.kbt import Collection

HIT = Hit(3, "错误 rank 7", 1.5, (("rank", "7"),))
EVIDENCE = Evidence(
    (FileEvidence("a/worker_0.log", 10, 1, hits={"r.s/x": PatternHits(1, (HIT,), (HIT,))}),
     FileEvidence("b.log")),
    (Skipped("c", "it is a pipe"),), ("logs",), (("", "/data/logs/"),))
COLLECTION = Collection(EVIDENCE, {"r.s": "0123", "landmark/rank": "4567"}, "node-3")


def written(collection: Collection = COLLECTION) -> bytes:
    out = io.BytesIO()
    kbt.write(collection, out)
    return out.getvalue()


def read(data: bytes) -> Collection:
    return kbt.read(io.BytesIO(data))


def made(body: bytes, **head: object) -> bytes:
    """A whole file with a body of one's own."""
    about = {"kbtriage.collected": 1, "evidence": kbt.EVIDENCE_VERSION, "program": "0.1",
             "node": None, "files": 1}
    data = json.dumps(about | head, separators=(",", ":")).encode() + b"\n"
    data += zstandard.compress(body)
    return data + hashlib.sha256(data).digest()


def test_round_trip() -> None:
    assert read(written()) == COLLECTION
    assert written(read(written())) == written()


def test_its_first_line_says_what_it_is() -> None:
    head = json.loads(written().split(b"\n")[0])
    assert head["kbtriage.collected"] == 1 and head["node"] == "node-3"
    assert (head["files"], head["bytes"]) == (2, 10)


def test_it_ends_with_a_checksum_of_the_rest() -> None:
    data = written()
    assert hashlib.sha256(data[:-32]).digest() == data[-32:]


@settings(max_examples=300)
@given(st.integers(0, 10_000), st.integers(1, 255))
def test_every_damage_is_found(place: int, change: int) -> None:
    data = bytearray(written())
    place %= len(data)
    data[place] ^= change
    with pytest.raises(UsageError):
        read(bytes(data))
    with pytest.raises(UsageError):
        read(bytes(data[:place]))


@pytest.mark.parametrize("data", [b"", b"not json", b"[]", b"{}", b"\xff" * 100, b"x" * 100_000])
def test_other_content_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="no file of collected evidence"):
        read(data)


@pytest.mark.parametrize(("old", "new", "told"), [
    (b'"kbtriage.collected":1', b'"kbtriage.collected":2', "newer kbtriage"),
    (b'"kbtriage.collected":1', b'"kbtriage.collected":0', "older kbtriage"),
    (b'"evidence":%d' % kbt.EVIDENCE_VERSION, b'"evidence":999', "newer kbtriage"),
    (b'"evidence":%d' % kbt.EVIDENCE_VERSION, b'"evidence":0', "older kbtriage"),
    (b'"kbtriage.collected":1', b'"kbtriage.collected":"?"', "first line cannot be read")])
def test_another_version_is_refused_with_the_cure(old: bytes, new: bytes, told: str) -> None:
    with pytest.raises(UsageError, match=told) as raised:
        read(written().replace(old, new))
    assert "collect it again" in str(raised.value)


@pytest.mark.parametrize("body", [
    b"", b"{}\n", b"[]\n{}\n{}\n", b'{"a":"b"}\n{"name":"a"}\n', b'{}\n{"name":1}\n{"files":[]}\n',
    b'{}\n{"name":"a"}\n{"files":[]}'])
def test_a_body_of_other_content_is_refused(body: bytes) -> None:
    with pytest.raises(UsageError, match="no usable evidence"):
        read(made(body))


def test_logs_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="no usable evidence"):
        read(made(b'{}\n{"name":"a"}\n{"name":"a"}\n{"files":[]}\n', files=2))


def test_a_body_that_says_nothing_wrong_is_read() -> None:
    assert read(made(b'{}\n{"name":"a"}\n{"files":[]}\n')).evidence.files[0].name == "a"


def test_what_expands_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no usable evidence"):  # one endless line
        read(made(b"{}\n" + b" " * (1 << 29)))
    monkeypatch.setattr(kbt, "_FREE", 1 << 16)
    monkeypatch.setattr(kbt, "_RATIO", 2)
    many = b'{"name":"a"}\n' * 100_000
    with pytest.raises(UsageError, match="no usable evidence"):
        read(made(b"{}\n" + many + b'{"files":[]}\n', files=100_000))


def test_a_claim_of_countless_files_costs_nothing() -> None:
    with pytest.raises(UsageError, match="no usable evidence"):
        read(made(b'{}\n{"name":"a"}\n{"files":[]}\n', files=1 << 60))


def test_the_size_is_that_of_the_evidence_not_of_the_logs() -> None:
    big = replace(EVIDENCE.files[0], size=1 << 40, lines=1 << 33)
    small = len(written(replace(COLLECTION, evidence=replace(EVIDENCE, files=(big,)))))
    assert small < len(serial.dump(EVIDENCE)) + 1000
