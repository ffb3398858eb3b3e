"""An account as text, of at most so many cells a line, whatever the number of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.diagnose.types import Citation
from assistant.explain.types import Clause, Explanation, Group, Need, Seen, SignalWhy
from assistant.explain.words import Speech
from assistant.guide.printable import printable
from assistant.render.cells import width as cells
from assistant.render.cells import wrap
from assistant.render.quote import gist
from assistant.report.ranges import short_ranges

#: Groups of ranks shown of one signal, lines that its spelling may take, and cells that a list
#: of ranks may.
_GROUPS, _SPELLED, _RANKS = 6, 3, 28
_YES, _NO = "+", "-"


def text(account: Explanation, lang: str = "en", width: int = 80) -> str:
    """The account for a terminal, ending with a line end."""
    return "\n".join(_Page(account, Speech(lang), max(width, 40)).lines()) + "\n"


class _Page:
    """One account laid out: each method gives the lines of one part."""

    def __init__(self, account: Explanation, speech: Speech, width: int) -> None:
        self.account = account
        self.speech = speech
        self.width = width
        self.everyone = frozenset(
            subject for signal in account.signals for group in signal.groups
            for subject in group.subjects)

    def lines(self) -> Iterator[str]:
        account, speech = self.account, self.speech
        status = speech(f"status.{account.status}")
        if account.ranks:
            ranks = self.listed(account.ranks)
            status += f" ({speech('on.ranks', n=len(account.ranks), ranks=ranks)})"
        yield from self.wrapped(f"{account.rule}: {status}")
        yield from self.wrapped(f"{account.source}, {account.place}", 2)
        if account.above:
            yield speech("head.above")
            for said in account.above:
                yield from self.wrapped(speech(said), 2, "* ")
        if account.when is not None:
            each = f" ({speech('head.each')})" if account.each_rank else ""
            yield speech("head.when") + each
            yield from self.clause(account.when, 2)
        if account.signals:
            yield speech("head.signals")
            for signal in account.signals:
                yield from self.signal(signal)
        if account.needs:
            yield speech("head.needs")
            for need in account.needs:
                yield from self.need(need)

    def clause(self, clause: Clause, indent: int) -> Iterator[str]:
        where = ""
        if clause.on is not None and clause.holds:
            where = f"  ({self.who(clause.on)})"
        yield from self.wrapped(clause.text + where, indent, self.mark(clause.holds))
        for part in clause.parts:
            yield from self.clause(part, indent + 2)

    def signal(self, signal: SignalWhy) -> Iterator[str]:
        yield from self.wrapped(printable(f"{signal.name}: {signal.spelled}"), 2,
                                self.mark(signal.holds), _SPELLED)
        if signal.asked is not None:
            yield from self.wrapped(self.speech(signal.asked), 6)
        for group in signal.groups[:_GROUPS]:
            yield from self.group(group)
        left = len(signal.groups) - _GROUPS
        if left > 0:
            yield " " * 6 + self.speech.words("more.of-these", n=left)
        for seen in signal.elsewhere:
            yield from self.wrapped(self.speech(seen.say), 6, "! ")
            yield from self.quote(seen.quote, 8)

    def group(self, group: Group) -> Iterator[str]:
        nearest = group.nearest
        who = self.who(group.subjects)
        said = self.speech(nearest.say)
        one_of_many = len(group.subjects) > 1 and nearest.subject is not None
        yield from self.wrapped(f"{who}: {said}", 4, self.mark(group.holds))
        if nearest.near is not None:
            near = self.speech(nearest.near)
            if one_of_many:
                near = f"{near} ({self.nearest(nearest)})"
            yield from self.wrapped(near, 6, "~ ")
        elif one_of_many and not group.holds and nearest.close:
            yield from self.wrapped(self.nearest(nearest), 6, "~ ")
        yield from self.quote(nearest.quote, 8)

    def nearest(self, seen: Seen) -> str:
        subject = seen.subject if seen.subject is not None else ""
        return self.speech("on.nearest", who=self.who((subject,)))

    def need(self, need: Need) -> Iterator[str]:
        changes = self.speech("need.and").join(
            self.speech("need.hold" if wanted else "need.not", name=name)
            for name, wanted in need.changes)
        text = (self.speech("need.on", who=self.who(need.subjects), changes=changes)
                if need.subjects else self.speech("need.job", changes=changes))
        yield from self.wrapped(text, 2, "* ")

    def quote(self, quote: Citation | None, indent: int) -> Iterator[str]:
        """`file:line` and the message: on one line where both fit, else on two more."""
        if quote is None:
            return
        where, text = printable(f"{quote.file}:{quote.line}"), gist(quote.text)
        if cells(where) + 2 + cells(text) <= self.width - indent:
            yield f"{' ' * indent}{where}  {text}"
        else:
            yield from self.wrapped(where, indent)
            yield from self.wrapped(text, indent + 2, lines=2)

    def who(self, subjects: Sequence[int | str]) -> str:
        """`rank 3`, `all 8 ranks`, `the job`, or the names of fragments."""
        ranks = [s for s in subjects if isinstance(s, int)]
        names = [printable(s) for s in subjects if isinstance(s, str)]
        if not subjects:
            return self.speech("on.job")
        parts = []
        if ranks:
            everyone = len(ranks) > 1 and frozenset(subjects) >= self.everyone
            parts.append(self.speech("on.all" if everyone else "on.ranks", n=len(ranks),
                                     ranks=self.listed(ranks)))
        return self.speech.words.comma.join([*parts, *names[:3]])

    def listed(self, ranks: Sequence[int]) -> str:
        return short_ranges(ranks, _RANKS)

    def mark(self, holds: bool) -> str:
        return f"{_YES if holds else _NO} "

    def wrapped(self, text: str, indent: int = 0, mark: str = "",
                lines: int | None = None) -> Iterator[str]:
        room = self.width - indent - len(mark)
        for number, line in enumerate(wrap(printable(text), room, lines=lines) or [""]):
            yield " " * indent + (mark if number == 0 else " " * len(mark)) + line
