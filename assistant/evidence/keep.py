"""How much of a file is kept as evidence: less where there are thousands of files.

A job of thousands of ranks prints most of what it has to say thousands of times; what is kept
of one file is a part of what is kept of it in a small job, so evidence that was collected a
node at a time can be thinned later and is then the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.evidence.types import FIRST_HITS, LAST_HITS


@dataclass(frozen=True, slots=True)
class Keep:
    """What is kept of one file.

    Attributes:
        first_hits, last_hits: hits of one pattern, from the start and the end.
        first_rows, last_rows: rows of the series, from the start and the end.
        abnormal_rows: rows of each kind of abnormality of a metric.
        largest_rows: rows with the largest values of a metric.
        stretches: stretches of the run of which the largest value is kept.
        strided_rows: rows that are kept by their step alone.
    """

    first_hits: int
    last_hits: int
    first_rows: int
    last_rows: int
    abnormal_rows: int
    largest_rows: int
    stretches: int
    strided_rows: int


#: `strided_rows` makes all rows together at most series.MAX_ROWS.
FULL = Keep(FIRST_HITS, LAST_HITS, first_rows=8, last_rows=64, abnormal_rows=4, largest_rows=16,
            stretches=48, strided_rows=1024)
LIGHT = Keep(first_hits=8, last_hits=4, first_rows=4, last_rows=16, abnormal_rows=2,
             largest_rows=4, stretches=12, strided_rows=128)
#: From so many files on (a job of thousands of ranks) less is kept of each.
MANY_FILES = 1000


def for_files(count: int) -> Keep:
    """What to keep of each of so many files."""
    return FULL if count < MANY_FILES else LIGHT
