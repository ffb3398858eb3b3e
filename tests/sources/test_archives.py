"""Archives as streams, well-meant and hostile."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.sources import archives, find, zip_directory

MEMBERS = {"job/msrun_log/worker_0.log": b"zero\n" * 5000, "job/msrun_log/scheduler.log": b"s\n",
           "job/console.log": b""}
PACK = {".tar": bytes, ".tar.gz": gzip.compress, ".tgz": gzip.compress, ".tar.bz2": bz2.compress,
        ".tar.xz": lzma.compress, ".tar.zst": zstandard.ZstdCompressor().compress}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tar_bytes(members, **kwargs) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", **kwargs) as archive:
        for name, content in (members.items() if isinstance(members, dict) else members):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 1_000_000
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def zip_bytes(members, method=zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def read(*paths, stdin=None):
    contents, skipped = {}, {}
    for item in find(list(paths), stdin=stdin):
        if isinstance(item, Skipped):
            skipped[item.file] = item.why
        else:
            assert item.name not in contents
            with item.open() as stream:
                contents[item.name] = stream.read()
    return contents, skipped


def put(name: str, data: bytes) -> str:
    with open(name, "wb") as file:
        file.write(data)
    return name


@pytest.mark.parametrize("ending", PACK)
def test_tar(ending):
    put("job" + ending, PACK[ending](tar_bytes(MEMBERS)))
    assert read("job" + ending) == (MEMBERS, {})
    assert read("-", stdin=io.BytesIO(Path("job" + ending).read_bytes())) == (MEMBERS, {})


def test_zip():
    put("job.zip", zip_bytes(MEMBERS))
    assert read("job.zip") == (MEMBERS, {})
    assert read("-", stdin=io.BytesIO(Path("job.zip").read_bytes())) == (MEMBERS, {})


def test_the_ending_does_not_matter():
    put("a.log", gzip.compress(tar_bytes(MEMBERS)))
    put("b.txt", zip_bytes({"x.log": b"x"}))
    assert read("a.log")[0] == MEMBERS
    assert read("b.txt")[0] == {"x.log": b"x"}


def test_beside_other_inputs_the_archive_is_named(here):
    put("a.tar.gz", gzip.compress(tar_bytes({"worker_0.log": b"a"})))
    put("b.zip", zip_bytes({"worker_1.log": b"b"}))
    put("c.log", b"c")
    expected = {"a.tar.gz!/worker_0.log": b"a", "b.zip!/worker_1.log": b"b", "c.log": b"c"}
    assert read("a.tar.gz", "b.zip", "c.log")[0] == expected
    assert read(".")[0] == expected


def test_members_tell_size_and_time():
    put("a.tar", tar_bytes({"x.log": b"12345"}))
    (source,) = find(["a.tar"])
    assert (source.size, source.mtime, source.path) == (5, 1_000_000.0, None)
    put("a.zip", zip_bytes({"x.log": b"12345"}))
    (source,) = find(["a.zip"])
    assert source.size == 5
    info = zipfile.ZipInfo("x.log", (2026, 1, 2, 3, 4, 6))
    info.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1_700_000_001)
    with zipfile.ZipFile("b.zip", "w") as archive:
        archive.writestr(info, b"x")
    (source,) = find(["b.zip"])
    assert source.mtime == 1_700_000_001.0


def test_members_that_are_not_drawn_are_passed():
    put("a.tar.gz", gzip.compress(tar_bytes(MEMBERS)))
    assert [source.name for source in find(["a.tar.gz"])] == list(MEMBERS)


def test_a_member_is_gone_when_the_next_is_drawn():
    put("a.tar.gz", gzip.compress(tar_bytes({"a.log": os.urandom(99_999), "b.log": b"b" * 999})))
    first, _ = find(["a.tar.gz"])
    with first.open() as stream, pytest.raises(OSError, match="damaged"):
        stream.read()


def test_which_members_are_read():
    members = {"run/worker_0.log": b"w", "run/worker_1.log.gz": gzip.compress(b"packed\n"),
               "run/nohup": b"text\n", "run/tool": b"\x7fELF\x00", "run/a.py": b"x",
               "run/core.trace": b"text", "run/.git/x.log": b"x", "__MACOSX/x.log": b"x",
               "run/in.zip": zip_bytes({"x.log": b"x"}), "run/in.tgz": b"x", "run/j.7z": b"x",
               "run/hidden.log": gzip.compress(tar_bytes({"x.log": b"x"}))}
    for path in (put("a.tar", tar_bytes(members)), put("a.zip", zip_bytes(members))):
        contents, skipped = read(path)
        assert contents == {"run/worker_0.log": b"w", "run/worker_1.log.gz": b"packed\n",
                            "run/nohup": b"text\n"}
        for nested in ("run/in.zip", "run/in.tgz", "run/hidden.log"):
            assert "archive inside an archive" in skipped.pop(nested)
        assert "not that of a log" in skipped.pop("run/core.trace")
        assert ".tar.gz" in skipped.pop("run/j.7z")
        assert skipped == {path: "2 files of other kinds were passed over: .py 1, "
                                 "without extension 1"}


def test_paths_are_only_names():
    hostile = {"/etc/worker_0.log": b"a", "../../worker_1.log": b"b", "./x//worker_2.log": b"c",
               "a\x1b[2J\n.log": b"d"}
    expected = {"etc/worker_0.log": b"a", "worker_1.log": b"b", "x/worker_2.log": b"c",
                "a\ufffd[2J\ufffd.log": b"d"}
    put("a.tar", tar_bytes(hostile))
    assert read("a.tar")[0] == expected
    put("a.zip", zip_bytes(hostile))
    assert read("a.zip")[0] == expected
    assert set(os.listdir(".")) == {"a.tar", "a.zip"}


def test_double_names_are_kept_apart():
    put("a.tar", tar_bytes([("x.log", b"old"), ("./x.log", b"new"), ("x.log", b"newest")]))
    assert read("a.tar")[0] == {"x.log": b"old", "x.log#2": b"new", "x.log#3": b"newest"}


@pytest.mark.parametrize(("name", "raw"), [
    ("错误.log", "错误.log".encode("gbk")), ("日志.log", "日志.log".encode())])
def test_chinese_names_without_a_declared_encoding(name, raw):
    data = zip_bytes({"?" * len(raw): b"x"}).replace(b"?" * len(raw), raw)
    assert read(put("a.zip", data))[0] == {name: b"x"}


def test_backslashes_part_folders():
    data = zip_bytes({"job/x.log": b"x"}).replace(b"job/x.log", b"job\\x.log")
    assert read(put("a.zip", data))[0] == {"job/x.log": b"x"}


def test_links_and_devices_are_no_logs():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE,
                     tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"x{kind!r}.log")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("y.log")
        archive.addfile(info)
    assert read(put("a.tar", file.getvalue())) == ({"y.log": b""}, {})
    info = zipfile.ZipInfo("link.log")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("y.log", b"")
    assert read("a.zip") == ({"y.log": b""}, {})


def test_encrypted_and_unknown_members_are_said():
    data = bytearray(zip_bytes({"a.log": b"x", "b.log": b"y", "c.log": b"z", "p.py": b""},
                               zipfile.ZIP_STORED))
    entries = [at for at in range(len(data)) if data[at:at + 4] == b"PK\x01\x02"]
    data[entries[0] + 8] |= 1
    data[entries[1] + 10:entries[1] + 12] = struct.pack("<H", 99)
    data[entries[3] + 8] |= 1
    contents, skipped = read(put("a.zip", bytes(data)))
    assert contents == {"c.log": b"z"}
    assert set(skipped) == {"a.log", "b.log"}
    assert "encrypted" in skipped["a.log"]
    assert "method that is not read (99)" in skipped["b.log"]


def test_zip_bombs_are_refused(monkeypatch):
    data = bytearray(zip_bytes({"a.log": b"x", "b.log": b"y"}))
    at = data.index(b"PK\x01\x02")
    data[at + 24:at + 28] = struct.pack("<I", 3 << 30)
    contents, skipped = read(put("a.zip", bytes(data)))
    assert contents == {"b.log": b"y"}
    assert "expand beyond" in skipped["a.log"]
    monkeypatch.setattr(archives, "MAX_EXPANDED", 10)
    put("b.zip", zip_bytes({"a.log": b"x" * 8, "b.log": b"y" * 8}))
    assert set(read("b.zip")[1]) == {"b.log"}


@pytest.mark.parametrize("comment", [b"", b"a comment"])
def test_a_directory_of_any_length_is_refused(monkeypatch, comment):
    members = {f"{n}.log": b"x" for n in range(300)}
    file = io.BytesIO(zip_bytes(members))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = comment
    size = zip_directory.directory_size(file)
    assert 300 * (46 + 5) < size < 300 * (46 + 12)
    assert len(read(put("a.zip", file.getvalue()))[0]) == 300
    monkeypatch.setattr(archives, "MAX_DIRECTORY", size - 1)
    with pytest.raises(UsageError, match="directory is longer"):
        read(put("a.zip", file.getvalue()))


def test_the_directory_of_a_large_zip():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(66_000):  # more than fit without Zip64
            archive.writestr(zipfile.ZipInfo(f"{number}.bin"), b"")
    assert zip_directory.directory_size(file) == sum(46 + len(f"{n}.bin") for n in range(66_000))


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"x" * 100, b"PK\x06\x07" * 30])
def test_what_has_no_directory(data):
    assert zip_directory.directory_size(io.BytesIO(data)) == 0


def test_a_header_of_any_length_is_refused():
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 200 << 20
    data = tar_bytes({"a.log": b"a"})[:1024] + info.tobuf() + bytes(10_000)
    contents, skipped = read(put("a.tar", data))
    assert contents == {"a.log": b"a"}
    assert "header is too long" in skipped["a.tar"]


def test_sparse_files_are_said():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("sparse.log")
        info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0",
                            "GNU.sparse.name": "sparse.log", "GNU.sparse.realsize": "99999999"}
        archive.addfile(info)
    data = tar_bytes({"a.log": b"a"})[:1024] + file.getvalue()
    contents, skipped = read(put("a.tar", data))
    assert contents == {"a.log": b"a"}
    assert "sparse" in skipped["a.tar"]


def test_old_sparse_files_are_said():
    info = tarfile.TarInfo("sparse.log")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 5
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    # One piece of 5 bytes at 0 of a file that is said to hold 2 GiB.
    head[386:410] = b"00000000000\x0000000000005\x00"
    head[483:495] = b"20000000000\x00"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    contents, skipped = read(put("a.tar", bytes(head) + b"piece".ljust(512, b"\0")
                                 + tar_bytes({"a.log": b"a"})))
    assert contents == {"a.log": b"a"}
    assert "sparse" in skipped["sparse.log"]


def test_an_archive_that_is_cut_off_gives_what_stands_before():
    members = {f"worker_{rank}.log": random.Random(rank).randbytes(50_000) for rank in range(4)}
    whole = gzip.compress(tar_bytes(members))
    put("a.tar.gz", whole[:len(whole) * 5 // 8])
    read_names, said = [], {}
    for item in find(["a.tar.gz"]):
        if isinstance(item, Skipped):
            said[item.file] = item.why
            continue
        read_names.append(item.name)
        with item.open() as stream:
            if item.name == "worker_2.log":
                start = stream.read(1 << 20)
                with pytest.raises(OSError, match="cut off inside it"):
                    stream.read(1 << 20)
                assert len(start) > 10_000
                assert members[item.name].startswith(start)
            else:
                assert stream.read() == members[item.name]
    assert read_names == ["worker_0.log", "worker_1.log", "worker_2.log"]
    assert "cannot be read to its end" in said["a.tar.gz"]


def test_a_damaged_zip_is_said():
    data = zip_bytes(MEMBERS)
    with pytest.raises(UsageError, match="cannot be read to its end"):
        read(put("a.zip", data[:-30]))


def test_an_archive_without_logs():
    with pytest.raises(UsageError, match=r"no log was found in a\.tar"):
        read(put("a.tar", tar_bytes({"a.py": b"x"})))
    with pytest.raises(UsageError, match=r"no log was found in b\.tar"):
        read(put("b.tar", bytes(10_240)))


def test_a_zip_from_a_pipe_cannot_be_read():
    receiver, sender = os.pipe()
    with open(sender, "wb") as file:
        file.write(zip_bytes({"a.log": b"x"}))
    with open(receiver, "rb") as pipe, pytest.raises(UsageError, match="give its path"):
        read("-", stdin=pipe)


def test_what_is_named_as_an_archive_and_is_none(here):
    put("a.tar.gz", b"a line\n")
    assert read("a.tar.gz")[0] == {"a.tar.gz": b"a line\n"}
    put("worker_0.log", b"")
    assert read(".")[1] == {"a.tar.gz": "it is named as an archive, and is none"}


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["a.tar", "a.zip", "a.tar.gz"]), st.data())
def test_any_damage_is_survived(name, data):
    members = {"a.log": b"a" * 700, "b/c.log.gz": gzip.compress(b"x" * 99), "d": b"text"}
    whole = {"a.tar": tar_bytes(members), "a.zip": zip_bytes(members),
             "a.tar.gz": gzip.compress(tar_bytes(members), mtime=0)}[name]
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    put(name, bytes(broken[:data.draw(st.integers(0, len(broken)))]))
    try:
        for item in find([name]):
            if not isinstance(item, Skipped):
                try:
                    with item.open() as stream:
                        stream.read()
                except OSError:
                    pass
    except UsageError:
        pass
