from __future__ import annotations

import io
import sys

import pytest

from assistant.cli.language import chosen


@pytest.mark.parametrize(("environment", "lang"), [
    ({}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
    ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN"}, "zh"),
    ({"LANG": "en", "LC_MESSAGES": "en", "LC_ALL": "zh_CN.GBK"}, "zh"),
    ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
    ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:zh"}, "zh"),
    ({"LANG": "C.UTF-8", "LANGUAGE": "fr:zh:en"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_GB"}, "en"),
    ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "fr"}, "zh"),
    ({"LC_ALL": "C", "LANGUAGE": "zh_CN"}, "en"), ({"LANGUAGE": "zh_CN"}, "en")])
def test_the_locale_decides(environment: dict[str, str], lang: str) -> None:
    assert chosen(None, environment) == lang


def test_what_is_asked_for_wins() -> None:
    assert chosen("en", {"LANG": "zh_CN"}) == "en"
    assert chosen("zh", {}) == "zh"


def test_english_where_chinese_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "latin-1"))
    assert chosen(None, {"LANG": "zh_CN"}) == "en"
    assert chosen("zh", {"LANG": "zh_CN"}) == "zh"
