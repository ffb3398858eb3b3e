"""A report in which nothing but silenced findings hold says so, and who has silenced them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.render import markdown, terminal
from tests.render import samples


@pytest.mark.parametrize(("lang", "said", "cure"), [
    ("en", "What was found is silenced, and nobody is blamed: A slow link [silenced by ours until "
           "2026-03-01: a new switch]", "take the silence out of site.yaml of that pack"),
    ("zh", "发现的问题已被屏蔽，因此不作追究：A slow link（已被规则包 ours 屏蔽至 2026-03-01：新）",
     "请从该规则包的 site.yaml 中删除这条屏蔽")])
def test_nothing_but_a_silenced_finding(lang: str, said: str, cure: str) -> None:
    silenced = {"en": "silenced by ours until 2026-03-01: a new switch",
                "zh": "已被规则包 ours 屏蔽至 2026-03-01：新"}[lang]
    note = samples.finding("network.slow", "A slow link", role="note", severity="info",
                           silenced=silenced)
    report = replace(samples.exception_on_rank2(lang), verdict="inconclusive", findings=(note,))
    glue = "" if lang == "zh" else " "
    for text in (terminal.render(report, 80, False), markdown.render(report)):
        shown = glue.join(text.replace("\\", "").split())
        assert said.replace(" ", glue) in shown
    assert cure.replace(" ", glue) in glue.join(terminal.render(report, 80, False).split())
