from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from assistant.diagnose.types import Citation, Diagnosis, Finding, Unexplained
from assistant.evidence.types import Evidence, FileEvidence, Skipped
from assistant.guide import Library
from assistant.job.types import Job, LogFile, Node, Process
from assistant.report import build, schema_text, to_dict
from assistant.rules.changes import Change
from assistant.rules.types import Name, Position, Problem, Rule
from tests.render import samples

ARTICLE = """---
title: {0}
category: user-code
---
## {1}
{2}
## {3}
1. `less +{{line}} {{file}}` {{site.who|nobody}}
2. rank {{rank}}: {{unknown}}
3. {{ranks}} {{node}} {{time}}
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    for lang, text in (
            ("en", ARTICLE.format("Raised", "What it means", "It {type}.", "What to do")),
            ("zh", ARTICLE.format("抛出异常", "含义", "抛出 {type}。", "处理步骤"))):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "raised.md").write_text(text, encoding="utf-8")
    return Library([tmp_path])


def diagnosis(article: str = "raised") -> Diagnosis:
    rule = Rule("user-code.raised", {
        "en": "Rank {rank} raised {type}", "zh": "rank {rank} 抛出 {type}"}, "user-code", "error",
                article, {}, Name("x"))
    files = (
        LogFile(FileEvidence("worker_0.log", 10), "worker", "a", 0),
        LogFile(FileEvidence("old/worker_0.log", 10), "worker", "a", 0),
        LogFile(FileEvidence("worker_1.log", 0), "worker", "a", 1),
        LogFile(FileEvidence("worker_9.log", 5, notes=("nul-bytes", "read-error: disk")),
                "worker", "a", 9, runs=2, stale=True))
    evidence = Evidence(tuple(file.evidence for file in files), (Skipped("x.bin", "binary"),))
    job = Job(evidence, files,
              (Process("rank 0", 0, "a", ("worker_0.log",), stage=0, phase="training",
                       state="failed", last_step=4, last_time=1.5),
               Process("rank 1", 1, "a", ("worker_1.log",), state="empty"),
               Process("rank 2", 2, None, state="absent"), Process("frag", None)),
              (Node("a", "host-a"),),
              {"world_size": "3", "mode": "pynative", "last_step": 4, "mindspore": "2.10.0"},
              first_time=0.0, last_time=1.5)
    cite = Citation("msrun_log/worker_0.log", 7, 1.25, "ValueError: x")
    return Diagnosis(job, "failed", (
        Finding(rule, "cause", None, 0.91234, (0,), ("a",), ("EI0006",), (cite,),
                {"rank": "0", "type": "ValueError", "line": "7", "file": "msrun_log/worker_0.log"},
                time=1.25, count=2),), (Unexplained("t <n>", 3, cite),))


def test_titles_steps_names_and_times(library: Library) -> None:
    found = diagnosis()
    report = build(found, found.job.evidence, library, "en", site={"who": "Ann"})
    first = report.findings[0]
    assert first.title == "Rank 0 raised ValueError"
    assert first.steps == ("`less +7 worker_0.log` Ann", "rank 0: <unknown>",
                           "0 host-a 1970-01-01 00:00:01")
    assert (first.article_title, first.meaning) == ("Raised", "It ValueError.")
    assert (first.nodes, first.confidence, first.count) == (("host-a",), 0.912, 2)
    assert first.time == "1970-01-01T00:00:01.250"
    assert report.job.world_size == 3
    assert report.job.ranks_seen == 2
    assert report.job.total_steps is None
    assert report.job.versions == {"mindspore": "2.10.0"}
    assert [(row.rank, row.node, row.file, row.state, row.phase) for row in report.ranks] == [
        (0, "host-a", "worker_0.log", "failed", "training"),
        (1, "host-a", "worker_1.log", "empty", None), (2, None, None, "absent", None)]
    assert (report.inputs.files, report.inputs.bytes) == (4, 25)
    assert report.unexplained[0].count == 3


def test_the_same_in_chinese(library: Library) -> None:
    found = diagnosis()
    report = build(found, found.job.evidence, library, "zh")
    assert report.lang == "zh"
    assert report.findings[0].title == "rank 0 抛出 ValueError"
    assert report.findings[0].steps[0] == "`less +7 worker_0.log` nobody"
    assert any("早先运行" in line for line in report.inputs.remarks)


def test_oddities_of_files_are_remarked(library: Library) -> None:
    found = diagnosis()
    report = build(found, found.job.evidence, library, "en")
    assert report.inputs.remarks == (
        "left by an earlier run, not judged: worker_9.log",
        "several runs in one file, only the last is judged: worker_9.log",
        "empty: worker_1.log",
        "more than one log claims rank 0: worker_0.log, old/worker_0.log",
        "NUL bytes: worker_9.log",
        "could be read in part only (disk): worker_9.log")


def test_without_an_article_a_step_points_to_the_proof(library: Library) -> None:
    found = diagnosis(article="nowhere")
    for lang in ("en", "zh"):
        report = build(found, found.job.evidence, library, lang)
        assert len(report.findings[0].steps) == 1
        assert "`less +7 msrun_log/worker_0.log`" in report.findings[0].steps[0]


def test_problems_of_rules_and_articles_are_kept(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "raised.md").write_text("nothing")
    found = diagnosis()
    problem = Problem(Position("x.yaml", 3, 5), "unknown-key", "error", "no such key", "drop it")
    report = build(found, found.job.evidence, Library([tmp_path]), "en", [problem])
    assert report.inputs.problems[0] == "x.yaml:3:5: no such key (drop it)"
    assert any("raised.md:1:1: " in line for line in report.inputs.problems[1:])
    assert report.findings[0].steps  # and the finding still says what to do


# the JSON form

def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_reports_hold_to_the_schema(lang: str, library: Library) -> None:
    found = diagnosis()
    for report in [*samples.all_reports(lang),
                   build(found, found.job.evidence, library, lang)]:
        validator().validate(json.loads(json.dumps(to_dict(report))))


@pytest.mark.parametrize(("path", "value"), [
    (("schema",), "kbtriage.report/2"), (("verdict",), "fine"), (("job", "world_size"), "8"),
    (("findings", 0, "category"), "users"), (("findings", 0, "role"), "root"),
    (("findings", 0, "confidence"), 1.5), (("findings", 0, "title"), "two\nlines"),
    (("findings", 1, "explained_by"), None), (("findings", 0, "evidence", 0, "line"), 0),
    (("findings", 0, "evidence", 0, "time"), "yesterday"), (("ranks", 0, "state"), "dead"),
    (("inputs", "skipped"), [{"file": "x"}])])
def test_the_schema_refuses_what_the_contract_does_not_allow(path: tuple[Any, ...], value: Any
                                                             ) -> None:
    report = to_dict(samples.exception_on_rank2())
    assert validator().is_valid(json.loads(json.dumps(report)))
    place: Any = report
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not validator().is_valid(json.loads(json.dumps(report)))


def test_the_schema_names_every_field_of_the_report() -> None:
    schema = json.loads(schema_text())

    def names(value: Any, part: Any) -> None:
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].rsplit("/", 1)[1]]
        if is_dataclass(value):
            assert {field.name for field in fields(value)} == set(part["properties"])
            for field in fields(value):
                names(getattr(value, field.name), part["properties"][field.name])
        elif isinstance(value, tuple) and value:
            names(value[0], part["items"])

    for report in samples.all_reports():
        names(report, schema)


def test_json_begins_with_its_version() -> None:
    assert next(iter(to_dict(samples.nothing_to_say()))) == "schema"


def test_articles_are_suggested_for_what_stays_unexplained(library: Library) -> None:
    asked: list[str] = []

    def suggest(line: str) -> tuple[str, ...]:
        asked.append(line)
        return ("raised",)

    found = diagnosis()
    report = build(found, Evidence(()), library, suggest=suggest)
    assert [row.see for row in report.unexplained] == [("raised",)]
    assert asked == [found.unexplained[0].evidence.text]
    assert build(found, Evidence(()), library).unexplained[0].see == ()
    assert to_dict(report)["unexplained"][0]["see"] == ["raised"]


@pytest.mark.parametrize(("lang", "shown"), [
    ("en", "silenced by ours until 2026-03-01: a new: switch"),
    ("zh", "已被规则包 ours 屏蔽至 2026-03-01：a new: switch")])
def test_what_a_site_has_silenced_and_the_step(library: Library, lang: str, shown: str) -> None:
    found = diagnosis()
    told = found.findings[0]
    silenced = replace(told, role="note", silenced=Change(
        "silenced", "ours", Position("site.yaml", 1, 1), until="2026-03-01",
        reason="a new: switch"), values={**told.values, "step": "5"})
    made = build(replace(found, findings=(silenced, told)), found.job.evidence, library, lang)
    assert [(one.silenced, one.step) for one in made.findings] == [(shown, 5), (None, None)]
    jsonschema.validate(to_dict(made), json.loads(schema_text()))
