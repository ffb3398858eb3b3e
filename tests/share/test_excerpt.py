"""The smallest excerpt in which the same cause is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import pipeline, share
from assistant.share.excerpt import text

LAB = Path(__file__).parent.parent / "cases" / "lab"
HEAD = "2026-11-30 08:29:13,357 - mindformers./output/log[mindformers/core/a.py:3] - INFO - "


def excerpt(path: Path) -> tuple[pipeline.Examined, share.Excerpt | None]:
    examined = pipeline.examine([str(path)], jobs=1)
    return examined, share.smallest(examined, examined.sources)


def test_it_is_the_traceback_alone() -> None:
    examined, found = excerpt(LAB / "exc-rank2")
    assert found is not None
    assert found.shows
    (lines,) = found.pieces.values()
    assert len(lines) <= 10
    assert any("empty batch" in line for line in lines.values())
    assert "RuntimeError" in examined.report("en").findings[0].title


def test_what_it_says_is_true(tmp_path: Path) -> None:
    """The excerpt as files gives the same cause when it is checked."""
    examined, found = excerpt(LAB / "exc-rank2")
    assert found is not None
    for name, lines in found.pieces.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("\n".join(lines.values()) + "\n", "utf-8")
    again = pipeline.check([str(tmp_path)], jobs=1)
    assert again.findings[0].rule == examined.diagnosis.findings[0].rule.id


def test_a_cause_that_no_excerpt_shows() -> None:
    """A rank slower than its peers: the numbers of all of them are the proof."""
    _, found = excerpt(LAB / "straggler-rank3")
    assert found is not None
    assert not found.shows
    assert list(found.pieces) == ["msrun_log/worker_3.log"]


def test_no_cause_no_excerpt(tmp_path: Path) -> None:
    (tmp_path / "worker_0.log").write_text(f"{HEAD}nothing\n", "utf-8")
    assert excerpt(tmp_path)[1] is None


def test_logs_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "worker_0.log").write_text(
        f'{HEAD}start\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n'
        "    f()\nValueError: x\n", "utf-8")
    examined = pipeline.examine([str(tmp_path)], jobs=1)
    found = share.smallest(examined, lambda: iter(()))
    assert found == share.Excerpt({}, False)


def test_its_text_is_what_tail_shows() -> None:
    assert text({"a.log": {3: "x", 4: "y"}, "b.log": {1: "z"}}) == (
        "==> a.log <==\nx\ny\n\n==> b.log <==\nz\n")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_issue_cannot_be_left_by_a_log(tmp_path: Path, lang: str) -> None:
    (tmp_path / "worker_0.log").write_text(
        f'{HEAD}start\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n'
        "    f()\nValueError: ```` </details> <script>x</script> \x1b[2J\n", "utf-8")
    examined = pipeline.examine([str(tmp_path)], jobs=1)
    made = share.issue(examined.report(lang), share.smallest(examined, examined.sources))
    body = made.split("`````text\n")[1].split("\n`````")[0]
    assert "ValueError: ```` </details>" in body
    assert "\x1b" not in made
    assert "<script>" not in made.replace(body, "")
