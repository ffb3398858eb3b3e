"""What makes a rule that works a nuisance: it holds on healthy logs, is slow, or tells of the
same lines as another rule."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from assistant.authoring import healthy
from assistant.evidence.types import FileEvidence
from assistant.job.roles import role_of
from assistant.logtext import prefix
from assistant.patterns import build
from assistant.patterns.confirm import compile_bytes, re2_bytes
from assistant.patterns.nodes import Anchor, Byte, Choice, Node, Repeat
from assistant.patterns.syntax import parse
from assistant.patterns.translate import find_expression
from assistant.rules.expressions import expressions
from assistant.rules.reading import WrittenRule
from assistant.rules.types import And, Condition, LogSignal, Name, Not, Problem, Rule

#: Characters in a row that must be there; an expression that has them is fast.
_LITERAL = 3
#: How many times the time of an ordinary expression is too slow, and what is ordinary.
_SLOW = 4.0
_ORDINARY = "waiting for a mount"
_TIMES = 5


def check_quality(written: Sequence[WrittenRule], others: Sequence[Rule]) -> Iterator[Problem]:
    """Warnings on `written`; `others` are the rules in force beside them."""
    for rule in written:
        yield from _on_healthy_logs(rule)
        yield from _slow(rule)
    yield from _shadowed(written, others)


# ---- healthy logs


def _on_healthy_logs(written: WrittenRule) -> Iterator[Problem]:
    """A rule that a line of the healthy logs makes hold, with no other signal than such lines."""
    rule = written.rule
    if rule.harmless or rule.fallback or rule.severity == "info":
        return
    seen: dict[str, tuple[int, str]] = {}
    for name, signal in rule.signals.items():
        if isinstance(signal, LogSignal) and _plain(signal):
            for number, pattern in enumerate(signal.patterns):
                line = _healthy_line(pattern, signal)
                if line is not None:
                    seen.setdefault(name, (number, line))
    if not seen or not _holds(rule.when, seen):
        return
    name = next(iter(seen))
    number, line = seen[name]
    one = isinstance(written.value["signals"][name]["log"], str)
    yield Problem(written.at("signals", name, "log", *(() if one else (number,))),
                  "matches-healthy", "warning",
                  f"healthy logs print such a line, too: {line[:120]}",
                  "say more of the line, or ask for another signal beside it (`and`)")


def _plain(signal: LogSignal) -> bool:
    """Whether one line that matches is all that the signal asks for."""
    return not (signal.inside or signal.before or signal.after or signal.at_least > 1
                or signal.quantifier.kind != "any")


def _healthy_line(pattern: str, signal: LogSignal) -> str | None:
    """The first line of the healthy logs that the signal would take."""
    finder = find_expression(pattern)
    if finder is None:
        return None
    coarse, exact = compile_bytes(b"(?m)" + finder.encode()), compile_bytes(re2_bytes(pattern))
    for role, content in _corpus():
        if (signal.roles and role not in signal.roles) or not coarse.search(content):
            continue
        for line in content.split(b"\n"):
            if exact.search(line) and _fits(line, signal):
                return line.decode("utf-8", "replace").strip()
    return None


def _fits(line: bytes, signal: LogSignal) -> bool:
    head = prefix.parse(line)
    level = head.level if head is not None else None
    component = head.component if head is not None else None
    return ((not signal.levels or level in signal.levels)
            and (not signal.components or component in signal.components))


def _corpus() -> tuple[tuple[str, bytes], ...]:
    """Kind and content of the healthy logs that kbtriage brings."""
    return _contents(healthy.default_corpus())


@cache
def _contents(folder: Path | None) -> tuple[tuple[str, bytes], ...]:
    if folder is None:
        return ()
    paths = (path for job in healthy.jobs(folder) for path in (
        sorted(job.path.rglob("*.log")) if job.path.is_dir() else [job.path]))
    return tuple((_role(path), path.read_bytes()) for path in paths)


def _role(path: Path) -> str:
    return role_of(FileEvidence(path.name))


def _holds(condition: Condition, true: Iterable[str]) -> bool:
    """Whether a condition holds when the signals of these names do, and no other."""
    if isinstance(condition, Name):
        return condition.name in true
    if isinstance(condition, Not):
        return not _holds(condition.operand, true)
    parts = (_holds(operand, true) for operand in condition.operands)
    return all(parts) if isinstance(condition, And) else any(parts)


# ---- speed


def _slow(written: WrittenRule) -> Iterator[Problem]:
    """Expressions without a few characters in a row that take far longer than an ordinary one."""
    for name, signal in written.value["signals"].items():
        if "log" not in signal:
            continue
        for path, expression in expressions(signal, ("signals", name)):
            if "log" in path and longest_literal(parse(expression).node) < _LITERAL:
                times = _time(expression) / max(_time(_ORDINARY), 1e-9)
                if times > _SLOW:
                    yield Problem(written.at(*path), "slow-pattern", "warning",
                                  f"this expression takes {times:.0f} times as long as others",
                                  f"name {_LITERAL} characters or more in a row that must be there")


def longest_literal(node: Node) -> int:
    """The most characters in a row that whatever matches must hold; either case counts."""
    match node:
        case Byte(mask):
            return 1 if mask.bit_count() <= 2 else 0
        case Anchor(_):
            return 0
        case Choice(parts):
            return min(map(longest_literal, parts), default=0)
        case Repeat(part, low, _):
            return longest_literal(part) * (low if isinstance(part, Byte) else min(low, 1))
        case _:
            best = current = 0
            for part in node.parts:
                if isinstance(part, Byte) and longest_literal(part):
                    current += 1
                else:
                    current = 0
                    best = max(best, longest_literal(part))
                best = max(best, current)
            return best


def _time(expression: str) -> float:
    """Processor seconds that an expression alone takes on the healthy logs, the best of a few
    tries: what else runs on the machine must not make a rule slow."""
    engine = build([expression])
    block = b"\n".join(content for _, content in _corpus())

    def once() -> float:
        start = time.process_time()
        engine.candidates(block)
        return time.process_time() - start

    return min(once() for _ in range(_TIMES))


# ---- other rules


def _shadowed(written: Sequence[WrittenRule], others: Sequence[Rule]) -> Iterator[Problem]:
    """Rules whose own lines, as their tests have them, are all found by another rule, too.

    Only rules that one line makes hold are compared; a rule that is known to the other one
    (`explains`, `unless`) is meant to stand beside it.
    """
    single = [(rule, signals) for rule in (*(one.rule for one in written), *others)
              if (signals := _deciding(rule))]
    matchers = {rule.id: _any_of(signals) for rule, signals in single} if written else {}
    for one in written:
        signals = _deciding(one.rule)
        lines = _own_lines(one.rule, matchers[one.rule.id]) if signals else []
        if not lines:
            continue
        for rule, theirs in single:
            if (rule.id != one.rule.id and not _related(rule, one.rule)
                    and _same_place(signals, theirs)
                    and all(matchers[rule.id](line) for line in lines)):
                yield Problem(one.at("signals", next(iter(one.rule.signals))), "shadowed",
                              "warning", f"`{rule.id}` tells of the same lines",
                              "let one of them explain the other or give way (`unless`), or ask "
                              "for what only this one means")
                break


def _deciding(rule: Rule) -> list[LogSignal]:
    """The signals of a rule for which one line is enough; empty if it is not that simple."""
    signals = [signal for signal in rule.signals.values() if isinstance(signal, LogSignal)]
    if (rule.fallback or rule.harmless or rule.severity == "info" or rule.usually is not None
            or len(signals) != len(rule.signals) or not all(map(_plain, signals))):
        return []
    return signals if all(_holds(rule.when, [name]) for name in rule.signals) else []


def _any_of(signals: Sequence[LogSignal]) -> Callable[[bytes], bool]:
    compiled = [(signal, compile_bytes(re2_bytes(pattern)))
                for signal in signals for pattern in signal.patterns]
    return lambda line: any(expression.search(line) and _fits(line, signal)
                            for signal, expression in compiled)


def _own_lines(rule: Rule, matches: Callable[[bytes], bool]) -> list[bytes]:
    """The lines that the rule finds in the tests in which it is to be found."""
    return [line for test in rule.tests if test.expect is not None
            for text in test.logs.values()
            for line in text.encode("utf-8", "surrogateescape").splitlines() if matches(line)]


def _related(one: Rule, other: Rule) -> bool:
    return any(fnmatch.fnmatchcase(target.id, glob)
               for source, target in ((one, other), (other, one))
               for glob in (*source.unless, *(name for relation in source.explains
                                              for name in relation.rules)))


def _same_place(signals: Sequence[LogSignal], theirs: Sequence[LogSignal]) -> bool:
    """Whether the kinds of file in which two rules look meet."""
    mine = {role for signal in signals for role in signal.roles}
    other = {role for signal in theirs for role in signal.roles}
    return not mine or not other or bool(mine & other)
