"""An account of why a rule was found or not, before it is put into words.

Every sentence is a `Say`: a key of words.py with the values that belong into it, so that
both languages say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.diagnose.match import Subject
from assistant.diagnose.types import Citation

#: How a rule ended. `cause`, `consequence`, `note`: it is reported so; `silenced`: noted only;
#: `hidden`: it holds, and something keeps it out of the report; `missing`: it does not hold;
#: `off`: a site file switches it off; `other-version`: the logs state a version that it is
#: not meant for; `broken`: its file has a mistake.
STATUSES = ("cause", "consequence", "note", "silenced", "hidden", "missing", "off",
            "other-version", "broken")


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence: its key in words.py and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one signal came to on one rank (or fragment, or the job as a whole).

    Attributes:
        subject: whom it is about, None: the job.
        holds: whether the signal holds there.
        say: what there was.
        close: how near it came, larger is nearer; used to show the nearest of many.
        quote: the line that shows it.
        near: what the nearest line lacked, in which `quote` is that line.
    """

    subject: Subject
    holds: bool
    say: Say
    close: float = 0.0
    quote: Citation | None = None
    near: Say | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Ranks on which a signal came to the same.

    Attributes:
        subjects: in order; empty: the job as a whole.
        nearest: the one of them that came nearest.
    """

    subjects: tuple[int | str, ...]
    holds: bool
    nearest: Seen


@dataclass(frozen=True, slots=True)
class SignalWhy:
    """One signal.

    Attributes:
        name: in the rule. spelled: what it looks for, on one line.
        holds: whether it is true in a job-wide condition.
        asked: what `ranks:` asks for and what there was, if that is why it does not hold.
        groups: those on which it holds first.
        elsewhere: lines that match and do not count, and why.
    """

    name: str
    spelled: str
    holds: bool
    asked: Say | None
    groups: tuple[Group, ...]
    elsewhere: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the condition.

    Attributes:
        text: as it would be written.
        holds: asked once for the job; with `each: rank`, whether it holds on any rank.
        on: with `each: rank`: the ranks on which it holds.
        parts: the operands.
    """

    text: str
    holds: bool
    on: tuple[int | str, ...] | None = None
    parts: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """The smallest change after which the condition would hold.

    Attributes:
        subjects: on whom (with `each: rank`); empty: for the job.
        changes: (signal, whether it must hold).
    """

    subjects: tuple[int | str, ...]
    changes: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole account of one rule.

    Attributes:
        rule: its id. source: its pack. place: `file:line`.
        status: one of STATUSES.
        when: the condition, None where it was not asked.
        each_rank: whether the condition is asked for every rank by itself.
        signals: in the rule's order.
        needs: what would make the condition hold, the smallest changes first.
        above: what stands above the condition: what hides it, explains it, changes it.
        ranks: ranks that the finding is about.
    """

    rule: str
    source: str
    place: str
    status: str
    when: Clause | None = None
    each_rank: bool = False
    signals: tuple[SignalWhy, ...] = ()
    needs: tuple[Need, ...] = ()
    above: tuple[Say, ...] = ()
    ranks: tuple[int, ...] = ()
