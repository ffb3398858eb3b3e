"""A pack written for an earlier version loads in this one, and means what it meant.

`frozen-0.1` uses every key that version 0.1 knew. It is never edited (its fingerprint is kept
here); a version that adds keys gets a frozen pack of its own beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant import pipeline
from assistant.authoring.bench import suite
from assistant.authoring.lint import lint, text_of
from assistant.authoring.rule_tests import run_suite
from assistant.rules import history, load, packs, schema_text, yaml_source
from assistant.rules.schema import KINDS

FROZEN = Path(__file__).parent / "frozen-0.1"
FINGERPRINT = "d1d977ac5fc665192603f73f1e3366f4320e853d7c2581512a6a07f013122b0e"


@pytest.fixture(scope="module")
def layers() -> list[packs.Layer]:
    return [packs.built_in(), packs.given(str(FROZEN))]


def test_it_is_as_it_was() -> None:
    digest = hashlib.sha256()
    for path in sorted(path for path in FROZEN.rglob("*") if path.is_file()):
        digest.update(path.relative_to(FROZEN).as_posix().encode() + b"\0" + path.read_bytes())
    assert digest.hexdigest() == FINGERPRINT, "a frozen pack is never edited: freeze a new one"


def test_it_loads(layers: list[packs.Layer]) -> None:
    ruleset = load(layers)
    assert ruleset.problems == ()
    own = {rule.id: rule for rule in ruleset.every() if rule.source == "frozen-0.1"}
    assert {"network.every-key", "numeric.spike", "network.code-ex0001",
            "storage.scratch-quota"} <= set(own)
    assert "crash.exit-77" not in own
    assert len(own) == 15
    assert own["user-code.tokenizer-version"].severity == "warning"
    assert any(mark.name == "frozen-formed" for mark in ruleset.landmarks)
    assert ruleset.silenced


def test_nothing_is_wrong_with_it(layers: list[packs.Layer]) -> None:
    linted = lint([str(FROZEN)], layers=layers)
    assert not linted.failed, text_of(linted)


def test_its_tests_pass(layers: list[packs.Layer], tmp_path: Path) -> None:
    results = run_suite(suite([str(FROZEN / "rules" / "kinds")], layers=layers,
                              cache_dir=tmp_path))
    assert len(results) == 20
    assert [one for one in results if one.status != "passed"] == []


def test_a_job_is_diagnosed_with_it(tmp_path: Path) -> None:
    (tmp_path / "worker_0.log").write_text(
        'Traceback (most recent call last):\n  File "/home/user/job/train.py", line 92, in '
        "<module>\n    main()\nValueError: tokenizer version 1 is not supported\n", "utf-8")
    report = pipeline.check([str(tmp_path)], packs=[str(FROZEN)], jobs=1)
    (finding,) = (one for one in report.findings if one.category == "user-code")
    assert (finding.rule, finding.title, finding.severity, finding.steps) == (
        "user-code.tokenizer-version", "Old tokenizer 1", "warning",
        ("Install the newer one.", "Call +86 10 5555 0100."))


def keys(value: Any) -> Iterator[str]:
    """Every key that a schema knows, wherever it stands."""
    if isinstance(value, dict):
        yield from value.get("properties", {})
        for inner in value.values():
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_no_key_that_the_pack_uses_is_gone(kind: str) -> None:
    known = set(keys(json.loads(schema_text(kind))))
    gone = {name.partition(".")[2] for name in history.table()["removed"]}
    assert not gone & known
    assert {name.partition(".")[2] for name in history.table()["added"]
            if name.startswith(f"{kind}.")} <= known


def test_the_pack_is_read_without_a_trap() -> None:
    for path in FROZEN.rglob("*.yaml"):
        assert yaml_source.read_bytes(path.read_bytes(), path.name).problems == ()
