from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.render import markdown
from assistant.render.cells import width
from assistant.render.phrases import first_seen, sentence
from assistant.render.terminal import render
from assistant.report.types import Quote, RankRow, Report, UnexplainedRow
from assistant.report.words import Words
from tests.render import samples

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("cells", [40, 80, 100])
def test_every_line_fits(lang: str, verbose: bool, cells: int) -> None:
    for report in samples.all_reports(lang):
        text = render(report, cells, verbose=verbose)
        assert max(map(width, text.splitlines())) <= cells
        assert text.endswith("\n") and not text.endswith("\n\n")
        assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_simple_failure_fits_one_screen_in_reading_order(lang: str) -> None:
    text = render(samples.exception_on_rank2(lang))
    assert text.count("\n") <= 30
    order = ["Data loader returned an empty batch", "2026-11-30 08:29:13", "worker_2.log:53",
             "msrun", " 1. ", "less +50", "> 2 ", "  0-1, 3  ", "41 KB"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_the_quoted_line_is_its_message_not_its_prefix() -> None:
    text = render(samples.rank3_never_joined())
    assert "WARNING: The new node: 2(role: MS_WORKER)" in text
    assert "DISTRIBUTED(" not in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_healthy_job_takes_twelve_lines_and_blames_nothing(lang: str) -> None:
    report = samples.healthy_pipeline(lang)
    text = render(report)
    assert text.count("\n") <= 12
    assert text.startswith("HEALTHY" if lang == "en" else "正常")
    assert ">" not in text
    assert "kbtriage kb" not in text


def unfinished(states: str, step: int | None = 7, world: int = 4) -> Report:
    """A healthy job by the states of its ranks: r running, f finished, a absent, e empty."""
    names = {"r": "running", "f": "finished", "a": "absent", "e": "empty"}
    healthy = samples.healthy_pipeline()
    rows = tuple(RankRow(rank, None, None if state == "a" else f"worker_{rank}.log", 0,
                         names[state], step, None) for rank, state in enumerate(states))
    return replace(healthy, ranks=rows, job=replace(
        healthy.job, last_step=step, total_steps=10, world_size=world,
        last_time="2026-11-30T08:04:41.000"))


@pytest.mark.parametrize(("report", "said"), [
    (unfinished("ffff", 10), "All 4 ranks finished."),
    (unfinished("ffff", 6), "All 4 ranks finished; the last step printed is step 6 of 10."),
    (unfinished("rrrr"), "No fault so far, up to 2026-11-30 08:04:41; no rank has finished, "
                         "step 7 of 10."),
    (unfinished("rrra", None), "No fault so far, up to 2026-11-30 08:04:41; no rank has finished; "
                               "no log of rank 3."),
    (unfinished("frrr"), "No fault so far, up to 2026-11-30 08:04:41; 1 of 4 ranks finished, "
                         "step 7 of 10."),
    (unfinished("ffea", 10), "All 2 ranks with a log finished; no log of ranks 2-3."),
    (unfinished("f", 10), "The job's only rank finished; no log of 3 of the 4 ranks."),
    (unfinished(""), "No fault so far, up to 2026-11-30 08:04:41; step 7 of 10."),
])
def test_healthy_says_up_to_when_and_of_which_ranks(report: Report, said: str) -> None:
    assert sentence(report, Words("en")) == said
    chinese = sentence(replace(report, lang="zh"), Words("zh"))
    assert chinese.endswith("。") and chinese.count("；") == said.count(";")


def test_what_is_missing_is_said_behind_the_line_that_made_it_due() -> None:
    report = samples.exception_on_rank2()
    cause = replace(report.findings[0], absent=("Running in PYNATIVE_MODE.",))
    for shown in (render(replace(report, findings=(cause,))),
                  markdown.render(replace(report, findings=(cause,)))):
        assert "absent: " in shown and "Running in PYNATIVE" in shown


def crowded() -> Report:
    """A healthy job with as much to tell as there can be."""
    healthy = samples.healthy_pipeline()
    quote = Quote("a.log", 3, None, "[ERROR] x")
    note = replace(healthy.findings[0], title="a long note " * 20)
    return replace(
        healthy, findings=(note,) * 9, unexplained=(UnexplainedRow("x", 2, quote),) * 5,
        ranks=tuple(RankRow(rank, f"n{rank}", None, rank, "running", rank, None)
                    if rank % 2 else RankRow(rank, "m", "f", rank, "finished", None, None, "joined")
                    for rank in range(64)),
        inputs=replace(healthy.inputs, remarks=("odd " * 60,) * 7, problems=("bad " * 60,) * 3))


def test_even_a_crowded_healthy_report_takes_twelve_lines() -> None:
    assert render(crowded()).count("\n") <= 12
    full = render(crowded(), verbose=True)
    assert full.count("\n") > 60
    assert full.count("rule or article left out") == 3


def test_a_rank_map_of_ten_thousand_stays_short() -> None:
    text = render(samples.ten_thousand_ranks())
    assert text.count("\n") <= 45
    assert re.search(r"^> 136-143 +stopped +step 5812/20000 +all of node-17 +0 +03:12:40$", text,
                     re.MULTILINE)
    assert text.index("> 136-143") < text.index("> 7777") < text.index("9000-9015")
    assert "1-4, ... (7,980)" in text


def test_what_is_left_out_is_counted_and_verbose_shows_it() -> None:
    report = samples.ten_thousand_ranks()
    short, full = render(report), render(report, verbose=True)
    assert "and 2 more, add --verbose for all" in short
    assert "worker_143.log" not in short
    assert "worker_143.log:88263" in full
    assert "--verbose" not in full
    assert "hccl.collective-timeout" in full


def test_colour_changes_nothing_but_colours_and_backticks() -> None:
    report = samples.exception_on_rank2()
    assert "\x1b" not in render(report)
    coloured = render(report, colour=True)
    assert "\x1b[1;31mFAILED\x1b[0m" in coloured
    plain = COLOUR.sub("", coloured)
    assert "\x1b" not in plain
    assert max(map(len, plain.splitlines())) <= 80
    assert "".join(plain.split()) == "".join(render(report).replace("`", "").split())


def test_a_doubtful_cause_is_said_to_be_one() -> None:
    report = samples.exception_on_rank2()
    doubtful = replace(report, findings=(replace(report.findings[0], confidence=0.4),))
    assert "Perhaps: Rank 2 raised" in render(doubtful)
    assert "confidence 40%" in render(doubtful)


def test_a_failure_that_no_rule_explains_says_so() -> None:
    report = replace(samples.rank3_never_joined(), findings=())
    text = render(report)
    assert text.startswith("FAILED  The job failed, and no rule knows why")
    assert "worker_1.log:44" in text


def test_a_pack_is_named_as_the_source() -> None:
    report = samples.exception_on_rank2()
    assert "of site-x" in render(replace(report, findings=(
        replace(report.findings[0], source="site-x"),)))


@given(st.text(st.characters(), min_size=1))
def test_text_of_logs_cannot_leave_its_line(text: str) -> None:
    report = samples.exception_on_rank2()
    cause = replace(report.findings[0], title=text, steps=(f"do {text}",),
                    evidence=(Quote(text, 1, None, text),))
    hostile = replace(report, findings=(cause,), unexplained=(
        UnexplainedRow(text, 1, Quote("a", 1, None, text)),))
    for verbose in (False, True):
        shown = render(hostile, verbose=verbose)
        assert all(line.isprintable() for line in shown.split("\n"))
        assert max(map(width, shown.split("\n"))) <= 80


def test_the_nearest_article_stands_below_an_unexplained_line() -> None:
    quote = Quote("worker_0.log", 7, None, "something odd")
    report = replace(samples.exception_on_rank2(), unexplained=(
        UnexplainedRow("x", 1, quote, ("port-taken", "other")),
        UnexplainedRow("y", 1, quote)))
    lines = render(report, 80).splitlines()
    at = lines.index("            perhaps: kbtriage kb show port-taken")
    assert lines[at - 1].endswith("something odd")
    assert sum("perhaps:" in line for line in lines) == 1


SILENCED = {"en": "silenced until 2026-03-01: a new switch", "zh": "已屏蔽至 2026-03-01：换交换机"}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verbose", [False, True])
def test_what_a_site_has_silenced_is_told_among_the_notes(lang: str, verbose: bool) -> None:
    report = samples.healthy_pipeline(lang)
    silenced = samples.finding("network.slow", "A slow link", role="note", severity="info",
                               silenced=SILENCED[lang])
    report = replace(report, findings=(*report.findings * 3, silenced))
    text = " ".join(render(report, 100, verbose=verbose).split())
    assert "A slow link" in text
    assert SILENCED[lang] in text
    assert SILENCED[lang] not in render(samples.healthy_pipeline(lang), 100, verbose=verbose)


def test_silenced_in_markdown() -> None:
    report = samples.healthy_pipeline()
    silenced = replace(report.findings[0], silenced=SILENCED["en"])
    assert SILENCED["en"] in markdown.render(replace(report, findings=(silenced,)))


@pytest.mark.parametrize(("verdict", "step", "shown"), [
    ("failed", None, "step 4 of 10"), ("hung", None, "step 4 of 10"), ("failed", 3, "step 3 of 10"),
    ("degraded", 3, "step 3 of 10"), ("degraded", None, None), ("healthy", None, None)])
def test_the_step_is_that_of_the_finding(verdict: str, step: int | None,
                                         shown: str | None) -> None:
    report = replace(samples.exception_on_rank2(), verdict=verdict)
    words = Words("en")
    first = first_seen(replace(report.findings[0], step=step), report, words)
    assert first.endswith(shown or "rank 2 on node-0")
    assert first.count("step") == (shown is not None)
