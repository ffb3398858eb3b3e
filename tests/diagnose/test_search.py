"""RE2 over kept text."""

from __future__ import annotations

from assistant.diagnose.search import search


def test_groups_of_the_first_match() -> None:
    assert search(r"port (?P<port>\d+)(?P<more>, .*)?", "a port 81, port 82") == {
        "port": "81", "more": ", port 82"}
    assert search(r"port (?P<port>\d+)(?P<more>;.*)?", "port 81") == {"port": "81"}
    assert search("x", "y") is None


def test_any_text() -> None:
    assert search("内存(?P<what>.*)", "设备内存不足") == {"what": "不足"}
    assert search("a.*b", "a\udc80b") == {}
