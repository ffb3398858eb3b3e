"""One metric of one process."""

from __future__ import annotations

from dataclasses import replace

from assistant.diagnose.signals.track import Found, match_of, tracks
from assistant.rules.types import MetricSignal
from tests.diagnose.support import T0, series, view, worker


def test_tracks_hold_what_was_printed_after_the_warm_up() -> None:
    seen = view(worker(0, steps=series(loss=[1, None, float("inf"), 4])), worker(1),
                worker(2, steps=series(lr=[1])))
    [track] = tracks(MetricSignal(("loss",), skip_first=1), seen)
    assert (*track.steps, *track.lines) == (2, 3, 4, 11, 12, 13) and track.finite() == [2]
    assert len(tracks(MetricSignal(("loss",), test="absent"), seen)) == 2
    assert tracks(MetricSignal(("loss",), skip_first=9), seen) == []


def test_the_nearest_kept_line_is_quoted() -> None:
    made = series(loss=[float(i) for i in range(10)])
    few = replace(made, texts={12: "step line 12", 18: "step line 18"})
    [track] = tracks(MetricSignal(("loss",)), view(worker(0, steps=few)))
    near = match_of(track, Found(4, 4.0))
    assert near.citation is not None
    assert (near.citation.line, near.citation.text, near.citation.time) == (
        12, "step line 12", T0 + 2)
    assert near.values == {"step": "5", "metric": "loss", "value": "4"}


def test_nothing_is_quoted_where_no_line_was_kept() -> None:
    bare = replace(series(loss=[1.0]), texts={})
    [track] = tracks(MetricSignal(("loss",)), view(worker(0, steps=bare)))
    assert match_of(track, Found(0, None)).citation is None
