"""What the tests of a rule have shown: each signal both ways, and each branch of an `or` alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.authoring.bench import Bench, Suite
from assistant.diagnose.drafts import asked_of
from assistant.diagnose.evaluate import Evaluator, holds, holds_on
from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject
from assistant.diagnose.view import View
from assistant.diagnose.waits import chain_ends
from assistant.explain.clauses import spelled
from assistant.rules.condition import names
from assistant.rules.types import And, Condition, Name, Not, Or, Position, Rule, RuleTest


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that no test of a rule shows."""

    rule: str
    position: Position
    what: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the tests of some rules show.

    Attributes:
        rules: how many rules were looked at. tested: of these, those with tests.
        shown, all: of the things that can be shown (a signal true, a signal false, a branch
            of an `or` alone), how many were, and how many there are.
        gaps: those that were not, in the order of the files.
    """

    rules: int
    tested: int
    shown: int
    all: int
    gaps: tuple[Gap, ...]


#: A condition asked in one place: of the job, or of one rank.
_Asked = Callable[[Condition], bool]


def measure(tested: Suite, wanted: Callable[[Rule], bool] = lambda rule: True) -> Coverage:
    """What the tests of the wanted rules of a suite show; rows of catalogues are left out,
    since they have no condition."""
    rules = [written for written in tested.written
             if wanted(written.rule) and written.rule.usually is None]
    gaps: list[Gap] = []
    shown = total = 0
    for written in rules:
        rule = written.rule
        things = _things(rule)
        missing = [thing for thing, seen in _seen(rule, things, tested.bench).items() if not seen]
        places = {name: written.at("signals", name) for name in rule.signals}
        total += len(things)
        shown += len(things) - len(missing)
        gaps += [Gap(rule.id, places.get(what.signal, written.at("when")), what.said)
                 for what in missing]
    return Coverage(len(rules), sum(bool(written.rule.tests) for written in rules), shown, total,
                    tuple(gaps))


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something that can be shown of a rule: its words where nothing does, and the signal that
    it is about, "" for the condition."""

    said: str
    signal: str = ""


def _things(rule: Rule) -> dict[_Thing, Callable[[_Asked], bool]]:
    """All that can be shown of a rule, and whether one place shows it."""
    found: dict[_Thing, Callable[[_Asked], bool]] = {}
    for name in names(rule.when):
        # A signal that is alone in the condition is as the rule is.
        found[_Thing(f"the signal `{name}` is never true", name)] = _is(Name(name), True)
        found[_Thing(f"the signal `{name}` is never false", name)] = _is(Name(name), False)
    for branches in _choices(rule.when):
        for branch in branches:
            others = [other for other in branches if other is not branch]
            said = (f"`{spelled(branch)}` never holds without "
                    + " and ".join(f"`{spelled(other)}`" for other in others))
            found[_Thing(said)] = _alone(rule.when, branch, others)
    return found


def _is(condition: Condition, wanted: bool) -> Callable[[_Asked], bool]:
    return lambda asked: asked(condition) == wanted


def _alone(whole: Condition, branch: Condition,
           others: Sequence[Condition]) -> Callable[[_Asked], bool]:
    return lambda asked: asked(whole) and asked(branch) and not any(map(asked, others))


def _choices(condition: Condition, sign: bool = True) -> Iterator[tuple[Condition, ...]]:
    """The branches of every place where one of several parts is enough."""
    if isinstance(condition, Not):
        yield from _choices(condition.operand, not sign)
    elif isinstance(condition, (And, Or)):
        if isinstance(condition, Or) and sign:
            yield condition.operands
        for part in condition.operands:
            yield from _choices(part, sign)


def _seen(rule: Rule, things: Mapping[_Thing, Callable[[_Asked], bool]],
          bench: Bench) -> dict[_Thing, bool]:
    seen = dict.fromkeys(things, False)
    for test in rule.tests:
        for asked in _places(rule, test, bench):
            for thing, shows in things.items():
                seen[thing] = seen[thing] or shows(asked)
    return seen


def _places(rule: Rule, test: RuleTest, bench: Bench) -> Iterator[_Asked]:
    """The job of a test, or each of its ranks, as the rule asks about them."""
    view = View(bench.job(bench.evidence(test.logs)))
    holdings = Evaluator(view, chain_ends([rule], Evaluator(view))).holdings(rule)
    if rule.each != "rank":
        yield lambda condition: holds(condition, holdings)
        return
    for subject in asked_of(holdings, view):
        yield _on(subject, holdings)


def _on(subject: Subject, holdings: Mapping[str, Holding]) -> _Asked:
    return lambda condition: holds_on(condition, holdings, subject)
