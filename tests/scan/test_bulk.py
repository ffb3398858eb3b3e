"""Step lines in bulk: the evidence is that of reading them one by one, whatever is between."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence import rows
from assistant.evidence.types import FileEvidence
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, scan_stream, steplines

SPECS = (PatternSpec("landmark/step", r"step:\[ *\d+/ *\d+\]"),
         PatternSpec("a/retry", r"retry\((?P<count>\d+)"),
         PatternSpec("a/slow", r"per_step_time: +\d{4,}ms"))
ENGINE = build_engine(SPECS, engine="hyperscan")
OTHER = build_engine(SPECS, engine="re2")

HEADS = (b"2026-11-30 08:%02d:%02d,357 - mindformers/log[a.py:337] - INFO - ",
         b"[INFO] 2026-11-30 08:%02d:%02d [a.py:231] _print_log: ")
TAILS = (b"loss: %f, per_step_time: %d ms, grad_norm: NaN }", b"loss: %f, per_step_time: %4dms }",
         b"loss: %f, per_step_time: %4dms, lr: 1.0e-05 } [rank0]")
BETWEEN = (b"2026-11-30 08:00:00,357 - m[a.py:1] - INFO - plain", b"no stamp at all",
           b"[WARNING] A(1,7f,python):2026-11-30-08:00:01.123.456 [a.cc:1] F] retry(3/120)",
           b"ValueError: bad", b"{'loss': 1.5, 'grad_norm': 0.3, 'learning_rate': 1e-05}",
           b'{"step": 3, "micro_step": 0, "local_loss": 7.5}',
           b"Current config: {", b"Traceback (most recent call last):", b"", b"half\rhalf",
           b"2026-11-30 25:99:99,357 - m[a.py:1] - INFO - { step:[    1/  900], loss: 1.0 }")


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Runs of step lines with all kinds of lines among them."""
    lines: list[bytes] = []
    step = 0
    for _ in range(draw(st.integers(1, 6))):
        head, tail = draw(st.sampled_from(HEADS)), draw(st.sampled_from(TAILS))
        every = draw(st.integers(2, 40))
        filler = draw(st.sampled_from(BETWEEN))
        values = draw(st.randoms(use_true_random=False))
        for place in range(draw(st.integers(1, 60))):
            step += draw(st.integers(0, 1)) if place % 7 == 3 else 1
            lines.append(head % (step // 60 % 60, step % 60) + b"{ step:[%5d/  900], " % step
                         + tail % (values.random() * 9, values.choice((310, 320, 9000))))
            if place % every == 1:
                lines.append(filler)
    return b"\n".join(lines) + draw(st.sampled_from((b"", b"\n")))


def scan(content: bytes, engine: object = ENGINE, block_size: int = 1 << 21) -> FileEvidence:
    return scan_stream("x.log", io.BytesIO(content), engine, SPECS,  # type: ignore[arg-type]
                       block_size=block_size)


@settings(deadline=None, max_examples=150)
@given(logs(), st.integers(100, 5000))
def test_bulk_is_the_same_as_one_by_one(content: bytes, block_size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "_BUFFER", 40)  # so that rows are thinned on the way
        found = scan(content)
        assert repr(scan(content, block_size=block_size)) == repr(found)
        assert repr(scan(content, OTHER)) == repr(found)
        patch.setattr(steplines, "RUN", 1 << 40)
        assert repr(scan(content)) == repr(found)


def test_lines_without_a_step_of_their_own_keep_their_place() -> None:
    lines = []
    for step in range(1, 40):
        lines.append(HEADS[1] % (0, step) + b"{ step:[%5d/  900], loss: 0.5 }" % step)
        if step % 3 == 0:
            lines.append(b"{'loss': 1.5, 'grad_norm': 0.3, 'learning_rate': 1e-05}")
    series = scan(b"\n".join(lines)).series
    told = [step for step, line in zip(series.steps, series.lines, strict=True) if line % 4 == 0]
    assert told == [step + 1 for step in range(3, 40, 3)]


def test_a_long_run_is_read_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"\n".join(HEADS[0] % (step // 60 % 60, step % 60)
                         + b"{ step:[%5d/ 9999], " % step + TAILS[1] % (1.0 / step, 310)
                         for step in range(1, 9000))
    alone: list[int] = []
    take = steplines.StepCollector.take
    monkeypatch.setattr(steplines.StepCollector, "take", lambda self, number, *rest: (
        alone.append(number), take(self, number, *rest))[1])
    found = scan(content)
    assert found.series.rows == found.hits["landmark/step"].count == 8999
    assert len(alone) < 20
