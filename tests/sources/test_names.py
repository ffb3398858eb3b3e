"""Names in reports: short, printable, unique."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.sources.names import Names, labels, member_name, printable


@pytest.mark.parametrize(("paths", "expected"), [
    (["/x/msrun_log"], ["msrun_log"]),
    (["/x/a/msrun_log", "/x/b/msrun_log"], ["a/msrun_log", "b/msrun_log"]),
    (["/x/node-a", "/x/node-b/"], ["node-a", "node-b"]),
    (["/x/msrun_log", "/x/console.log"], ["msrun_log", "console.log"]),
    (["/p/a/l", "/q/a/l"], ["p/a/l", "q/a/l"]),
    (["/l", "/a/l"], ["l", "a/l"]),
    (["/"], [""]),
])
def test_labels(paths, expected):
    assert labels(paths) == expected


def test_labels_of_relative_paths(tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    monkeypatch.chdir(tmp_path / "run")
    assert labels(["."]) == ["run"]
    assert labels(["../a/x.log", "./x.log"]) == ["a/x.log", "run/x.log"]


PATHS = st.lists(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4).map(
    lambda parts: os.sep + os.sep.join(parts)), min_size=1, max_size=5, unique=True)


@given(PATHS)
def test_labels_differ_and_end_their_paths(paths):
    found = labels(paths)
    assert len(set(found)) == len(paths)
    assert all(path.endswith("/" + label) for path, label in zip(paths, found, strict=True))


@pytest.mark.parametrize(("text", "expected"), [
    ("a/b.log", "a/b.log"), ("日志/一 二\u3000三.log", "日志/一 二\u3000三.log"),
    ("a\x1b[31m\n.log", "a\ufffd[31m\ufffd.log"), ("a\u202eb", "a\ufffdb"),
    (os.fsdecode(b"a\xff.log"), "a\ufffd.log"),
])
def test_printable(text, expected):
    assert printable(text) == expected


@pytest.mark.parametrize(("path", "expected"), [
    ("/etc/passwd", "etc/passwd"), ("../../x.log", "x.log"), ("./a//b.log", "a/b.log"),
    ("..", "unnamed"), ("", "unnamed"),
])
def test_member_name(path, expected):
    assert member_name(path) == expected


@given(st.lists(st.sampled_from(["a", "b", "a#2", "a#2#2", "a#3"])))
def test_unique(wanted):
    names = Names()
    given_names = [names.unique(name) for name in wanted]
    assert len(set(given_names)) == len(given_names)
    if "a#2" not in wanted and "a#3" not in wanted:
        assert given_names[:1] == wanted[:1]
