"""What the result page shows, and what it becomes as a file."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.rules.types import LANGUAGES
from tests.render import samples
from tests.web.support import LAB, files_of
from web.answer import Answer


@pytest.fixture(scope="module")
def answers(app: object) -> dict[str, str]:
    """Case to its result page."""
    client = app.test_client()  # type: ignore[attr-defined]
    found = {}
    for name in ("exc-rank2", "nanloss", "ok-pp2", "straggler-rank3", "kill-rank3"):
        folder = LAB / name
        found[name] = client.post("/check", data={"folder": files_of(folder, f"{name}/")},
                                  content_type="multipart/form-data").text
    return found


def sealed(page: str) -> str:
    match = re.search(r'name="sealed" value="([^"]+)"', page)
    assert match
    return match[1]


def test_the_verdict_comes_first(answers: dict[str, str]) -> None:
    page = answers["exc-rank2"]
    head = re.search(r"<h1[^>]*>(.*?)</h1>", page)
    assert head
    assert "Data loader returned an empty batch at sample 137" in head[1]
    assert 'class="verdict v-failed"' in page
    assert 'class="verdict v-healthy"' in answers["ok-pp2"]


def test_proof_is_marked_and_has_context(answers: dict[str, str]) -> None:
    page = answers["exc-rank2"]
    assert "worker_2.log:53" in page
    assert "<mark>RuntimeError:</mark>" in page
    context = re.search(r'<details class="context">(.*?)</details>', page, re.S)
    assert context
    numbers = [int(n) for n in re.findall(r'class="number">(\d+)<', context[1])]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert {49, 53, 54} <= set(numbers)
    lines = (LAB / "exc-rank2" / "msrun_log" / "worker_2.log").read_text().split("\n")
    assert lines[53].split("]")[0].replace("'", "&#39;")[:20] in context[1]


def test_what_is_missing_is_told(app: Flask, client: FlaskClient) -> None:
    report = samples.exception_on_rank2()
    first = replace(report.findings[0], absent=("Running MindFormers in <mode>",))
    answer = Answer({lang: replace(report, lang=lang, findings=(first,)) for lang in LANGUAGES},
                    [], None, {})
    page = client.post("/result", data={"sealed": app.extensions["kbtriage"].seal.close(answer)})
    assert 'class="absent small">absent: Running MindFormers in &lt;mode&gt;' in page.text


def test_words_of_a_metric_are_marked(answers: dict[str, str]) -> None:
    assert re.search(r"<mark>loss: +nan</mark>", answers["nanloss"])


def test_consequences_are_folded(answers: dict[str, str]) -> None:
    part = answers["exc-rank2"].split('id="consequences"')[1]
    assert '<details class="fold">' in part
    assert "<details open" not in part.split("</section>")[0]


def test_steps_are_boxes_with_names(answers: dict[str, str]) -> None:
    page = answers["exc-rank2"]
    steps = re.search(r'<ol class="steps"[^>]*>(.*?)</ol>', page, re.S)
    assert steps
    assert 'aria-label="Step 1"' in steps[1]
    assert re.search(r'<code class="run">less \+\d+ [^<]*worker_2\.log</code>', steps[1])


@pytest.mark.parametrize(("case", "metric", "step"), [
    ("nanloss", "loss", "5"), ("nanloss", "grad_norm", "5"), ("nanloss", "lr", None),
    ("exc-rank2", "loss", None), ("ok-pp2", "grad_norm", None)])
def test_the_first_bad_step(answers: dict[str, str], case: str, metric: str,
                            step: str | None) -> None:
    figure = re.search(rf'<figure[^>]*data-metric="{metric}"[^>]*>', answers[case])
    assert figure
    found = re.search(r'data-first-bad="(\d+)"', figure[0])
    assert (found[1] if found else None) == step


def test_the_tables_hold_what_the_charts_show(answers: dict[str, str]) -> None:
    page = answers["nanloss"]
    data = json.loads(re.search(r'id="chart-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    loss = next(chart for chart in data if chart["metric"] == "loss")
    assert [line["label"] for line in loss["lines"]] == ["rank 0", "rank 1", "rank 2", "rank 3"]
    table = page.split('data-metric="loss"')[1].split("</table>")[0]
    rows = re.findall(r"<tr[^>]*><th[^>]*>(\d+)</th>((?:<td>[^<]*</td>)+)</tr>", table)
    assert [int(step) for step, _ in rows] == loss["steps"]
    for index, (_, cells) in enumerate(rows):
        shown = re.findall(r"<td>([^<]*)</td>", cells)
        for text, line in zip(shown, loss["lines"], strict=True):
            value = line["values"][index]
            assert text == value if isinstance(value, str) else float(text) == value


def test_stages_without_a_loss_have_no_line(answers: dict[str, str]) -> None:
    page = answers["ok-pp2"]
    data = json.loads(re.search(r'id="chart-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    loss = next(chart for chart in data if chart["metric"] == "loss")
    assert [line["key"] for line in loss["lines"]] == [2, 3]


def test_the_rank_map_says_all_without_colour(answers: dict[str, str]) -> None:
    page = answers["exc-rank2"]
    cells = re.findall(r'<li class="cell s-(\w+)([^"]*)"[^>]*><span aria-hidden="true">(.)</span>'
                       r'<span class="cell-number"[^>]*>(\d+)<', page)
    assert [(state, sign, int(rank)) for state, _, sign, rank in cells] == [
        ("killed", "–", 0), ("killed", "–", 1), ("failed", "✕", 2), ("killed", "–", 3)]
    assert [rank for _, more, _, rank in cells if "is-blamed" in more] == ["2"]
    assert "stage 1" in answers["ok-pp2"]


def test_the_time_line_is_in_order(answers: dict[str, str]) -> None:
    part = answers["kill-rank3"].split('id="timeline"')[1]
    times = re.findall(r'<tr class="k-[\w-]+"><td class="num">([^<]+)<', part)
    assert len(times) > 5
    assert times == sorted(times)
    assert "process ended with -9" in part or "process ended" in part


def test_the_other_language_without_script(client: FlaskClient, answers: dict[str, str]) -> None:
    page = client.post("/result", data={"sealed": sealed(answers["exc-rank2"]), "lang": "zh"}).text
    assert '<html lang="zh-CN">' in page
    assert "处理步骤" in page
    assert "worker_2.log:53" in page
    back = client.post("/result", data={"sealed": sealed(page), "lang": "en"}).text
    assert "What to do" in back


def test_a_page_to_send_to_others_keeps_names_back(client: FlaskClient) -> None:
    log = ("2026-11-30 08:29:13,357 - mindformers[core/a.py:3] - INFO - bind 10.3.2.1\n"
           'Traceback (most recent call last):\n  File "/home/jroe/train.py", line 9, in f\n'
           "    f()\nRuntimeError: no answer from 10.3.2.1\n")
    answer = client.post("/check", data={"text": log, "kind": "worker"})
    for form, shown in (("html", False), ("html-whole", True)):
        text = client.post("/result", data={"sealed": sealed(answer.text), "as": form}).text
        assert ("10.3.2.1" in text, "jroe" in text) == (shown, shown)
        assert ("&lt;ip-1&gt;" in text) is not shown


def test_downloads(client: FlaskClient, answers: dict[str, str]) -> None:
    for form, mimetype in (("json", "application/json"), ("markdown", "text/markdown"),
                           ("html", "text/html")):
        answer = client.post("/result", data={"sealed": sealed(answers["exc-rank2"]), "as": form})
        assert answer.mimetype == mimetype
        assert "attachment" in answer.headers["Content-Disposition"]
        assert "Data loader returned an empty batch" in answer.text
    wrong = client.post("/result", data={"sealed": sealed(answers["exc-rank2"]), "as": "exe"})
    assert wrong.status_code == 400


def test_the_html_file_needs_nothing_else(client: FlaskClient, answers: dict[str, str]) -> None:
    text = client.post("/result", data={"sealed": sealed(answers["nanloss"]), "as": "html"}).text
    assert not re.search(r"<(?:link|img|iframe|form|script[^>]* src)", text)
    assert not re.search(r' (?:src|href)="(?!#)', text)
    assert "Content-Security-Policy" in text
    assert "uPlot" in text
    assert 'id="chart-data"' in text


def test_a_page_of_ten_thousand_ranks_stays_small() -> None:
    from assistant.report.types import InputsRow, JobRow, RankRow, Report
    from web.view.rank_grid import blocks

    rows = tuple(RankRow(n, f"node-{n // 8}", f"worker_{n}.log", n // 2500,
                         "failed" if n == 4321 else "killed", 10, None) for n in range(10_000))
    report = Report("failed", JobRow((), 10_000, 10_000, 4, None, None, None, 10, 10), (), rows,
                    (), InputsRow(10_000, 1, ()))
    found = blocks(report)
    assert [block.count for block in found] == [2500] * 4
    assert sum(run.width for block in found for run in block.runs) == 10_000
    assert [(run.first, run.width) for block in found for run in block.runs
            if run.state == "failed"] == [(4321, 1)]
    assert sum(len(block.runs) for block in found) < 250
