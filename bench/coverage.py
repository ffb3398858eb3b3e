"""Which abnormal facts the built-in rules know: writes docs/coverage.yaml and coverage.md.

    python bench/coverage.py FACTS [--check]

FACTS is a folder of facts (see facts.py). Each entry is put into small logs and the whole
engine is run over them; it is covered if a rule or a row of a catalogue rests on its line.
What is covered in another way, and what is left out on purpose, stands in
bench/coverage_notes.yaml. With --check nothing is written; exit status 1 if an entry is open.
"""

from __future__ import annotations

import argparse
import dataclasses
import fnmatch
import io
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from facts import Fact, read  # noqa: E402

from assistant.authoring.bench import Bench  # noqa: E402
from assistant.rules import load, packs  # noqa: E402
from assistant.rules.types import (  # noqa: E402
    CodeSignal,
    ErrorSignal,
    EventSignal,
    MetricSignal,
    Rule,
)

NOTES = ROOT / "bench" / "coverage_notes.yaml"
DOCS = ROOT / "docs"
#: A signal that matches more entries than this says nothing on any of them.
_TELLING = 12


class Coverage:
    """The rules in force, asked for one entry after another."""

    def __init__(self) -> None:
        loaded = load([packs.built_in()])
        # What is known to be harmless is known, too.
        self.rules: Mapping[str, Rule] = {rule.id: rule for rule in loaded.every()}
        self._bench = Bench(dataclasses.replace(loaded, rules=tuple(
            dataclasses.replace(rule, harmless=False) for rule in loaded.rules)))

    def of(self, fact: Fact) -> tuple[set[str], set[str]]:
        """Rules that hold on what an entry prints, and signals (`rule/name`) that it matches:
        one of several lines that a rule waits for."""
        found: set[str] = set()
        touched: set[str] = set()
        for name, text in fact.logs:
            evidence = self._bench.evidence({name: text})
            diagnosis = self._bench.diagnosis(self._bench.job(evidence))
            keys = {key for file in evidence.files for key in file.hits}
            found |= {finding.rule.id for finding in diagnosis.findings
                      if _is_specific(finding.rule) and _by_text(finding.rule, keys)}
            touched |= {key for key in keys if key.split("/")[0] in self.rules
                        and _is_specific(self.rules[key.split("/")[0]])}
        return found, touched


def _by_text(rule: Rule, keys: set[str]) -> bool:
    """Whether a rule that holds does so because of a text, not of how a log ends."""
    return any(f"{rule.id}/{name}" in keys or isinstance(
        signal, (EventSignal, CodeSignal, ErrorSignal, MetricSignal))
        for name, signal in rule.signals.items())


def _is_specific(rule: Rule) -> bool:
    return not rule.fallback or rule.usually is not None


def main() -> int:
    """See above."""
    import yaml

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    notes = yaml.safe_load(NOTES.read_text("utf-8"))
    tables = tabulate(list(read(arguments.facts)), Coverage(), notes)
    for name, table in tables.items():
        print(f"{name}: {len(table['covered'])} covered, {len(table['left_out'])} left out, "
              f"{len(table['open'])} open: {' '.join(table['open'])}")
    if not arguments.check:
        (DOCS / "coverage.yaml").write_text(_yaml(tables), encoding="utf-8")
        (DOCS / "coverage.md").write_text(_markdown(tables), encoding="utf-8")
    return int(any(table["open"] for table in tables.values()))


def tabulate(facts: Sequence[Fact], coverage: Coverage,
             notes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By table: `covered` (id to rules), `left_out` (id to reason), `open` (ids)."""
    known = [coverage.of(fact) for fact in facts]
    times = Counter(key for _, touched in known for key in touched)
    tables: dict[str, dict[str, Any]] = {}
    for fact, (found, touched) in zip(facts, known, strict=True):
        table = tables.setdefault(fact.table, {"covered": {}, "left_out": {}, "open": []})
        name = f"{fact.table}/{fact.id}"
        by_hand = {rule for glob, rules in notes["covered"].items()
                   if fnmatch.fnmatch(name, glob) for rule in rules}
        if unknown := by_hand - coverage.rules.keys():
            raise SystemExit(f"{NOTES.name}: {name}: there is no rule {', '.join(sorted(unknown))}")
        # What matches everything tells nothing.
        parts = {key.split("/")[0] for key in touched if times[key] <= _TELLING}
        reason = next((text for glob, text in notes["left_out"].items()
                       if fnmatch.fnmatch(name, glob)), None)
        if rules := sorted(found | by_hand) or sorted(parts):
            table["covered"][fact.id] = rules
        elif reason is not None:
            table["left_out"][fact.id] = " ".join(reason.split())
        else:
            table["open"].append(fact.id)
    return tables


def _yaml(tables: Mapping[str, Any]) -> str:
    import yaml

    text = io.StringIO()
    text.write("# Written by bench/coverage.py: abnormal facts and the rules that know them.\n"
               "# covered: entry -> rules and rows of catalogues; left_out: entry -> why; open: "
               "not yet.\n")
    yaml.safe_dump(dict(tables), text, allow_unicode=True, sort_keys=False, width=100)
    return text.getvalue()


def _markdown(tables: Mapping[str, Any]) -> str:
    lines = ["# What the rules cover", "",
             "Written by `bench/coverage.py`; `coverage.yaml` holds the same for programs.", "",
             "| facts | entries | covered | left out | open |", "|---|---|---|---|---|"]
    for name, table in tables.items():
        sizes = [len(table[key]) for key in ("covered", "left_out", "open")]
        lines.append(f"| {name} | {sum(sizes)} | {sizes[0]} | {sizes[1]} | {sizes[2]} |")
    lines += ["", "## Left out on purpose", "", "| facts | entries | why |", "|---|---|---|"]
    for name, table in tables.items():
        for reason in dict.fromkeys(table["left_out"].values()):
            ids = [entry for entry, why in table["left_out"].items() if why == reason]
            lines.append(f"| {name} | {', '.join(ids)} | {reason} |")
    lines += ["", "## Open", ""]
    lines += [f"- {name}: {', '.join(table['open'])}"
              for name, table in tables.items() if table["open"]] or ["Nothing."]
    lines += ["", "## Which rule knows what", ""]
    for name, table in tables.items():
        lines += [f"### {name}", "", "| entry | rules |", "|---|---|"]
        lines += [f"| {entry} | {_listed(rules)} |" for entry, rules in table["covered"].items()]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _listed(rules: Sequence[str]) -> str:
    return ", ".join(f"`{rule}`" for rule in rules)


if __name__ == "__main__":
    sys.exit(main())
