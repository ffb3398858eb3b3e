from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assistant.render import json_text, markdown
from assistant.report.json_form import to_dict
from assistant.report.types import Quote
from tests.render import samples

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def test_json_is_the_report_and_chinese_stays_readable() -> None:
    for lang in ("en", "zh"):
        for report in samples.all_reports(lang):
            text = json_text(report)
            assert json.loads(text) == json.loads(json.dumps(to_dict(report)))
            assert text.endswith("}\n")
    assert "抛出" in json_text(samples.exception_on_rank2("zh"))


@given(st.text(st.characters()))
def test_json_never_holds_a_character_that_does_not_print(text: str) -> None:
    report = samples.exception_on_rank2()
    hostile = replace(report, findings=(replace(report.findings[0], title=text),))
    shown = json_text(hostile)
    assert all(line.isprintable() for line in shown.split("\n"))
    shown.encode()
    title = json.loads(shown)["findings"][0]["title"]
    assert title.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


def test_markdown_holds_everything() -> None:
    text = markdown.render(samples.ten_thousand_ranks())
    for part in ("# kbtriage report", "**HUNG**", "worker_143.log:88263", "hccl.collective-timeout",
                 "| **136-143** | stopped |", "## Not explained by any rule", "worker_56.log:70007",
                 "## What was read", "2. More"):
        assert part in text
    assert markdown.render(samples.nothing_to_say("zh")).startswith("# kbtriage 诊断报告")


@given(st.text(st.characters()) | st.sampled_from(
    ["```", "`", "``\n```", "|", "[a](http://x)", "![a](http://x)", "<script>", "&lt;", "# a",
     "`[a](b)", "a`b`<b>", "https://x.org", "- a", "1. a", "====", "a\n\nb", "---", "+ a"]))
def test_text_of_logs_makes_no_markup(text: str) -> None:
    report = samples.exception_on_rank2()
    cause = replace(report.findings[0], title=text, evidence=(Quote("w.log", 1, None, text),),
                    codes=(text,), steps=(text,))
    tokens = MARKDOWN.parse(markdown.render(replace(report, findings=(cause,))))
    kinds = {child.type for token in tokens for child in token.children or ()}
    kinds |= {token.type for token in tokens}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "blockquote_open", "hr"}
    assert sum(token.type == "fence" for token in tokens) == 1
    assert sum(token.type == "heading_open" for token in tokens) == 5
