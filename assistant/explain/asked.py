"""One rule, asked for by its id, on the logs under some paths: `kbtriage rules explain`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO

from assistant.errors import UsageError
from assistant.evidence.types import Evidence
from assistant.explain.build import account
from assistant.explain.fate import changes_of
from assistant.explain.types import Explanation, Say
from assistant.pipeline import Knowledge
from assistant.rules.packs import Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Problem, Rule


def explain(rule_id: str, paths: Sequence[str], *, packs: Sequence[str] = (),
            jobs: int | None = None, stdin: Callable[[], BinaryIO] | None = None,
            progress: Callable[[int, int], None] | None = None) -> Explanation:
    """The account of a rule on the logs under some paths.

    Args:
        rule_id: of a rule in force, switched off, or broken.
        paths, packs, jobs, progress: as for pipeline.check.
        stdin: gives standard input from its start; the logs are read twice.

    Raises:
        UsageError: there is no such rule, or the logs cannot be read.
    """
    from assistant import pipeline, scan, sources

    examined = pipeline.examine(paths, packs=packs, jobs=jobs, progress=progress,
                                stdin=stdin() if stdin is not None else None)
    rule = next((rule for rule in examined.knowledge.rules.every() if rule.id == rule_id), None)
    if rule is None:
        return _not_in_force(rule_id, examined.knowledge)

    def again(rules: RuleSet) -> Evidence:
        return scan.scan_all(
            sources.find(paths, stdin=stdin() if stdin is not None else None), rules,
            inputs=tuple(paths), jobs=jobs, progress=progress)

    return account(rule, examined.judged, again if examined.rereadable else None)


def _not_in_force(rule_id: str, knowledge: Knowledge) -> Explanation:
    """Why a rule is not there: switched off, broken, or unknown."""
    off = _off(rule_id, knowledge.layers)
    if off is not None:
        return Explanation(off.id, off.source, _place(off), "off",
                           above=tuple(changes_of(rule_id, knowledge.rules)))
    broken = _broken(rule_id, knowledge.rules.problems)
    if broken:
        place = str(broken[0].position)
        return Explanation(rule_id, "?", place, "broken", above=tuple(
            Say("fate.broken", {"problem": f"{p.position}: {p.message}; {p.cure}"})
            for p in broken))
    from assistant.rules.suggest import closest

    near = closest(rule_id, [rule.id for rule in knowledge.rules.every()])
    raise UsageError(f"there is no rule {rule_id!r}; "
                     + (f"did you mean {near}?" if near else "see kbtriage rules list"))


def _off(rule_id: str, layers: Sequence[Layer]) -> Rule | None:
    """The rule as the layers below the one that switches it off have it."""
    from assistant import rules

    last: Rule | None = None
    for count in range(1, len(layers) + 1):
        found = {rule.id: rule for rule in rules.load(layers[:count]).every()}.get(rule_id)
        if found is None and last is not None:
            return last
        last = found
    return None


def _broken(rule_id: str, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in a file that holds the words `id: RULE`."""
    import re
    from pathlib import Path

    found = []
    for problem in problems:
        try:
            text = Path(problem.position.file).read_text("utf-8", "replace")
        except OSError:
            continue
        if re.search(rf"""^[\s-]*id:\s*['"]?{re.escape(rule_id)}['"]?\s*$""", text, re.MULTILINE):
            found.append(problem)
    return found


def _place(rule: Rule) -> str:
    return f"{rule.position.file}:{rule.position.line}"
