"""Time stamps."""

from __future__ import annotations

import re
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import stamps

STAMP = re.compile(stamps.STAMP + rb"\Z")


def seconds(text: str) -> float | None:
    match = STAMP.match(text.encode())
    assert match is not None, text
    return stamps.seconds(*match.groups())


def clock(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(("text", "meant"), [
    ("2026-11-30 08:02:33,357", "2026-11-30 08:02:33.357"),
    ("2026-06-09 10:20:30", "2026-06-09 10:20:30"),
    ("2026-11-30-08:03:48.502.785", "2026-11-30 08:03:48.502785"),
    # The Python side of MindSpore does not pad: the joined digits are microseconds.
    ("2026-11-30-08:03:48.478.000", "2026-11-30 08:03:48.478000"),
    ("2026-11-30-08:03:48.190.00", "2026-11-30 08:03:48.019000"),
    ("2026-11-30-08:03:48.800.00", "2026-11-30 08:03:48.080000"),
    ("2026-11-30-08:03:48.0.", "2026-11-30 08:03:48"),
    ("2025-03-18 23:45:17.680613", "2025-03-18 23:45:17.680613"),
    ("2026-02-14-22:07:21", "2026-02-14 22:07:21"),
    ("2026-02-14T22:07:21.5", "2026-02-14 22:07:21.5"),
])
def test_layouts(text: str, meant: str) -> None:
    assert seconds(text) == pytest.approx(clock(meant), abs=1e-6)


@pytest.mark.parametrize("text", ["2026-13-01 00:00:00", "2026-02-30 00:00:00",
                                  "2026-02-01 24:00:00", "2026-02-01 23:60:00",
                                  "0000-00-00 00:00:00"])
def test_no_such_moment(text: str) -> None:
    assert seconds(text) is None


@given(st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 31)))
def test_every_moment_comes_back(moment: datetime) -> None:
    meant = moment.replace(tzinfo=timezone.utc).timestamp()
    assert seconds(f"{moment:%Y-%m-%d %H:%M:%S.%f}") == pytest.approx(meant, abs=1e-5)
    cpp = f"{moment:%Y-%m-%d-%H:%M:%S}.{moment:%f}"
    assert seconds(f"{cpp[:-3]}.{cpp[-3:]}") == pytest.approx(meant, abs=1e-5)
    digits = str(moment.microsecond)
    python = f"{moment:%Y-%m-%d-%H:%M:%S}.{digits[:3]}.{digits[3:]}"
    assert seconds(python) == pytest.approx(meant, abs=1e-5)
