"""A cache that is damaged, foreign or out of reach costs time and nothing else."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assistant.patterns import build, cache, default_cache_dir, hyperscan_engine

EXPRESSIONS = ("foo", r"ba+r\d", r"^\s*$")
BLOCK = b"a foo\nbar1 foo\n\nbaar2\n"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch):
    """How many databases with all the expressions were compiled."""
    calls = []
    original = hyperscan_engine.HyperscanEngine._compile
    monkeypatch.setattr(hyperscan_engine.HyperscanEngine, "_compile",
                        lambda self: calls.append(1) or original(self))
    return calls


def answer(folder, expressions=EXPRESSIONS):
    return build(expressions, cache_dir=folder, engine="hyperscan").candidates(BLOCK)


EXPECTED = build(EXPRESSIONS, engine="re2").candidates(BLOCK)


def test_the_second_time_nothing_is_compiled(folder, compiled):
    assert answer(folder) == answer(folder) == EXPECTED
    assert len(compiled) == 1
    (file,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_another_order_or_text_is_another_database(folder, compiled):
    answer(folder)
    answer(folder, EXPRESSIONS[::-1])
    answer(folder, ("foob", "a+r"))
    answer(folder, ("foo", "ba+r"))
    assert len(compiled) == 4


def test_the_notice_comes_from_the_cache_too(folder):
    notices = {build(EXPRESSIONS, cache_dir=folder).notice for _ in range(2)}
    assert notices == {r"1 expression(s) cannot be sought with the others and slow the scan "
                       r"down, e.g. '^\\s*$'"}


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:-1], lambda data: data[:40], lambda data: data + b"x",
    lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    lambda data: b"\x00" * len(data), lambda data: b"another program's file",
])
def test_a_damaged_file_is_compiled_anew_and_mended(folder, compiled, damage):
    answer(folder)
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert answer(folder) == EXPECTED
    assert answer(folder) == EXPECTED
    assert len(compiled) == 2


def test_a_sound_file_under_another_name_is_not_taken(folder):
    cache.store(folder, "one", b"content")
    os.rename(folder / "one.patterns", folder / "two.patterns")
    assert cache.load(folder, "two") is None


def test_a_database_of_another_processor_is_compiled_anew(folder, monkeypatch):
    import hyperscan

    answer(folder)

    def refuse(*_):
        raise hyperscan.DatabasePlatformError("other processor")

    monkeypatch.setattr(hyperscan, "loadb", refuse)
    assert answer(folder) == EXPECTED


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_can_write_is_not_used(folder, mode):
    folder.mkdir()
    folder.chmod(mode)
    assert answer(folder) == EXPECTED
    assert list(folder.iterdir()) == []
    folder.chmod(0o700)
    answer(folder)
    folder.chmod(mode)
    (file,) = folder.iterdir()
    assert cache.load(folder, file.stem) is None


def test_what_stands_in_the_way_is_left_alone(folder):
    folder.write_text("a file, no folder")
    assert answer(folder) == EXPECTED
    assert answer(folder / "below") == EXPECTED
    assert folder.read_text() == "a file, no folder"


def test_a_fifo_or_link_in_place_of_a_file_is_not_opened(folder, tmp_path):
    answer(folder)
    (file,) = folder.iterdir()
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert cache.load(folder, file.stem) is None
    file.unlink()
    os.mkfifo(file)
    assert cache.load(folder, file.stem) is None


def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert answer(folder) == EXPECTED
    assert list(folder.iterdir()) == []


def test_writers_at_the_same_time_do_not_disturb_each_other(folder):
    contents = [bytes([number]) * 100_000 for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda content: cache.store(folder, "key", content), contents))
        found = list(pool.map(lambda _: cache.load(folder, "key"), range(16)))
    assert set(found) <= set(contents)
    assert [file.name for file in folder.iterdir()] == ["key.patterns"]


def test_old_databases_go(folder):
    for number in range(cache.KEPT + 5):
        cache.store(folder, f"k{number:02}", b"x")
        os.utime(folder / f"k{number:02}.patterns", (number, number))
    cache.store(folder, "last", b"x")
    names = sorted(file.name for file in folder.iterdir())
    assert len(names) == cache.KEPT
    assert "last.patterns" in names
    assert "k00.patterns" not in names


@pytest.mark.parametrize(("environ", "expected"), [
    ({"HOME": "/h"}, Path("/h/.cache/kbtriage")),
    ({"HOME": "/h", "XDG_CACHE_HOME": "/x"}, Path("/x/kbtriage")),
    ({"HOME": "/h", "XDG_CACHE_HOME": "relative"}, Path("/h/.cache/kbtriage")),
    ({"HOME": "/h", "XDG_CACHE_HOME": "/x", "KBTRIAGE_CACHE_DIR": "/k"}, Path("/k")),
    ({"HOME": "/h", "KBTRIAGE_CACHE_DIR": ""}, None),
    ({}, None), ({"HOME": ""}, None), ({"HOME": "relative"}, None),
])
def test_default_cache_dir(environ, expected):
    assert default_cache_dir(environ) == expected


def test_a_cache_that_cannot_be_kept_is_told(tmp_path):
    file = tmp_path / "file"
    file.touch()
    engine = build(("foo",), cache_dir=file / "below", engine="hyperscan")
    assert engine.candidates(b"a foo\n") == [(0, 0)]
    assert engine.notice == (
        f"compiled patterns cannot be kept in {file / 'below'} (Not a directory), so every call "
        "takes some seconds longer; set KBTRIAGE_CACHE_DIR to a folder that can be written")


def test_a_folder_that_others_can_write_is_told(tmp_path):
    tmp_path.chmod(0o777)
    notice = build(("foo",), cache_dir=tmp_path, engine="hyperscan").notice
    assert notice is not None and "others can write it" in notice
    assert not list(tmp_path.iterdir())


def test_a_cache_that_works_is_not_spoken_of(folder):
    assert [build(("foo",), cache_dir=folder, engine="hyperscan").notice
            for _ in range(2)] == [None, None]
