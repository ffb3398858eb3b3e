"""Phrases that several forms of the report share."""

from __future__ import annotations

from dataclasses import replace

from assistant.render.phrases import coverage, not_read
from assistant.report.types import SkippedRow
from assistant.report.words import Words
from tests.render import samples


def test_a_file_that_was_not_read_is_named() -> None:
    assert not_read(SkippedRow("a.bin", "it is no text"), Words("en")) == (
        "not read: a.bin (it is no text)")


def test_what_is_said_of_the_whole_folder_needs_no_name() -> None:
    assert not_read(SkippedRow(".", "1 file was passed over"), Words("en")) == (
        "1 file was passed over")


def test_a_problem_of_a_rule_is_told_whole() -> None:
    report = samples.healthy_pipeline()
    problem = "rules/site.yaml:3:5: " + "this is wrong, " * 40 + "(write it so)"
    told = coverage(replace(report, inputs=replace(report.inputs, problems=(problem,))),
                    Words("en"))
    assert any(line.endswith("(write it so)") for line in told)
