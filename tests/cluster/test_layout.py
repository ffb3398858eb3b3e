from __future__ import annotations

import pytest

from assistant.cluster.layout import lay_out
from assistant.cluster.tasks import Place, Seen, Survey
from assistant.errors import UsageError
from assistant.sources.walk import Found


def place(path: str, *files: str, folder: bool = True) -> Place:
    """A folder with files; those of one identity (behind a colon) are one."""
    seen = tuple(Seen(Found(f"{path}/{name}", name, 9, 1.0), identity or name)
                 for name, _, identity in (file.partition(":") for file in files))
    return Place(path, True, folder, seen)


def names(paths: list[str], **surveys: Survey) -> dict[str, frozenset[str]]:
    return {item.name: item.workers for item in lay_out(paths, surveys).items}


def test_a_shared_file_system() -> None:
    same = place("/s/logs", "w0.log", "w1.log")
    assert names(["/s/logs"], a=Survey("h1", (same,)), b=Survey("h2", (same,))) == {
        "w0.log": frozenset("ab"), "w1.log": frozenset("ab")}


def test_nodes_that_keep_their_own() -> None:
    one, two = place("/d/logs", "w0.log:x"), place("/d/logs", "w0.log:y")
    surveys = {"a": Survey("h1", (one,)), "b": Survey("h2", (two,)), "c": Survey("h2", (two,))}
    found = lay_out(["/d/logs"], surveys)
    assert {item.name: item.workers for item in found.items} == {
        "h1/w0.log": frozenset("a"), "h2/w0.log": frozenset("bc")}
    assert found.places == (("h1/", "/d/logs/"), ("h2/", "/d/logs/"))


def test_paths_tell_working_directories_apart() -> None:
    surveys = {"a": Survey("h", (place("/n/node-0/logs", "w.log:x"),)),
               "b": Survey("h", (place("/n/node-1/logs", "w.log:y"),))}
    assert list(names(["logs"], **surveys)) == ["node-0/logs/w.log", "node-1/logs/w.log"]


def test_addresses_are_the_last_resort() -> None:
    surveys = {"tcp://10.0.0.1:5": Survey("h", (place("/d", "w.log:x"),)),
               "tcp://10.0.0.2:5": Survey("h", (place("/d", "w.log:y"),))}
    assert list(names(["/d"], **surveys)) == ["10.0.0.1_5/w.log", "10.0.0.2_5/w.log"]


def test_a_file_that_came_while_the_others_were_asked() -> None:
    surveys = {"a": Survey("h", (place("/d", "w0.log"),)),
               "b": Survey("h", (place("/d", "w0.log", "w1.log"),))}
    assert names(["/d"], **surveys) == {"w0.log": frozenset("ab"), "w1.log": frozenset("b")}


def test_several_paths() -> None:
    surveys = {"a": Survey("h1", (place("/d/logs", "w.log:x"), place("/e/plog", "p.log:1"))),
               "b": Survey("h2", (place("/d/logs", "w.log:y"), Place("/e/plog")))}
    assert list(names(["/d/logs", "/e/plog"], **surveys)) == [
        "h1/logs/w.log", "h2/logs/w.log", "plog/p.log"]


def test_what_nobody_sees() -> None:
    with pytest.raises(UsageError, match="no worker of the cluster sees /x"):
        lay_out(["/x"], {"a": Survey("h", (Place("/x"),))})
    with pytest.raises(UsageError, match="see no log under /x"):
        lay_out(["/x"], {"a": Survey("h", (place("/x"),))})
