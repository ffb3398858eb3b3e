from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine
from assistant.scan.follow import Following
from assistant.watch import tail as tail_module
from assistant.watch.tail import Tail

SPECS = (PatternSpec("a/line", r"line (?P<n>\d+)"),)


@pytest.fixture(scope="module")
def small() -> Engine:
    return build_engine(SPECS)


def tail_of(path: Path, engine: Engine) -> Tail:
    return Tail(path.stat().st_ino, lambda: Following(engine, SPECS))


def lines(tail: Tail) -> list[str]:
    hits = tail.scan.evidence("x").hits
    return [hit.captures[0][1] for hit in hits["a/line"].hits] if hits else []


def test_only_what_is_new_is_read(tmp_path: Path, small: Engine) -> None:
    path = tmp_path / "x.log"
    path.write_text("line 1\nli")
    tail = tail_of(path, small)
    assert (tail.look(str(path)), lines(tail)) == ("grew", ["1"])
    assert tail.look(str(path)) == "idle"
    with path.open("a") as file:
        file.write("ne 2\n")
    assert (tail.look(str(path)), lines(tail)) == ("grew", ["1", "2"])
    assert tail.scan.size == path.stat().st_size


def test_a_truncated_file_begins_anew(tmp_path: Path, small: Engine) -> None:
    path = tmp_path / "x.log"
    path.write_text("line 1\nline 2\n")
    tail = tail_of(path, small)
    tail.look(str(path))
    with path.open("r+") as file:
        file.truncate(0)
        file.write("line 7\n")
    assert (tail.look(str(path)), lines(tail)) == ("restarted", ["7"])


def test_a_file_that_outgrew_its_truncation_unseen_is_noticed(tmp_path: Path,
                                                              small: Engine) -> None:
    path = tmp_path / "x.log"
    path.write_text("line 1\n")
    tail = tail_of(path, small)
    tail.look(str(path))
    with path.open("r+") as file:
        file.truncate(0)
        file.write("line 7\nline 8\n")
    assert (tail.look(str(path)), lines(tail)) == ("restarted", ["7", "8"])


def test_another_file_under_the_name_is_not_read(tmp_path: Path, small: Engine) -> None:
    path, other = tmp_path / "x.log", tmp_path / "y.log"
    path.write_text("line 1\n")
    other.write_text("line 9\n")
    tail = tail_of(path, small)
    tail.look(str(path))
    os.replace(other, path)
    assert (tail.look(str(path)), lines(tail)) == ("idle", ["1"])


def test_much_is_read_in_several_looks(tmp_path: Path, small: Engine,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail_module, "MOST", 14)
    path = tmp_path / "x.log"
    path.write_text("line 1\nline 2\nline 3\n")
    tail = tail_of(path, small)
    assert (tail.look(str(path)), tail.pending, lines(tail)) == ("grew", True, ["1", "2"])
    assert (tail.look(str(path)), tail.pending, lines(tail)) == ("grew", False, ["1", "2", "3"])
