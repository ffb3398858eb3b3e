"""Holds a report against what a case expects (`expect.yaml` beside its logs)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from assistant.diagnose.types import Finding

Json = dict[str, Any]


def cases(folder: Path) -> list[Path]:
    """Folders below this one that hold an expect.yaml, by name."""
    return sorted(path.parent for path in folder.rglob("expect.yaml"))


def expectation(case: Path) -> Json:
    """What a case expects, and under `input` which path of it to check."""
    loaded: Json = yaml.safe_load((case / "expect.yaml").read_text(encoding="utf-8"))
    return loaded


def blamed_twice(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Pairs of rules, and the line that both of them give as a cause: two causes that rest on
    one line are one cause, or one explains the other."""
    blamed = [(finding.rule.id, {f"{quote.file}:{quote.line}" for quote in finding.evidence})
              for finding in findings
              if finding.role == "cause" and finding.rule.severity in ("error", "warning")]
    return [(one, other, sorted(lines & others)[0])
            for (one, lines), (other, others) in combinations(blamed, 2)
            if one != other and lines & others]


def faults(expect: Json, report: Json) -> Iterator[str]:
    """Each way in which the report falls short of the expectation."""
    if report["verdict"] not in _list(expect["verdict"]):
        yield f"verdict {report['verdict']}, expected {expect['verdict']}"
    blamed = [f for f in report["findings"]
              if f["role"] == "cause" and f["severity"] in ("error", "warning")]
    if _list(expect["verdict"]) == ["healthy"]:
        yield from (f"blames {f['rule']} on a healthy job" for f in blamed)
    if "cause" in expect:
        yield from _cause(expect["cause"], report["findings"])
    banned = expect.get("not_cause", {})
    for finding in blamed:
        if set(finding["ranks"]) & set(banned.get("ranks", ())):
            yield f"{finding['rule']} blames ranks {finding['ranks']}"
        if finding["category"] in banned.get("categories", ()):
            yield f"{finding['rule']} is of category {finding['category']}"
    for wanted in expect.get("also", ()):
        if not any(f["category"] in _list(wanted["category"]) for f in report["findings"]):
            yield f"nothing of category {wanted['category']}"


def _cause(wanted: Json, findings: list[Json]) -> Iterator[str]:
    first = next((f for f in findings if f["role"] == "cause"), None)
    if first is None:
        yield "no cause"
        return
    name = first["rule"]
    if "category" in wanted and first["category"] not in _list(wanted["category"]):
        yield f"{name} is of category {first['category']}, expected {wanted['category']}"
    if "ranks" in wanted and first["ranks"] != sorted(wanted["ranks"]):
        yield f"{name} is about ranks {first['ranks']}, expected {wanted['ranks']}"
    missing = {str(c) for c in wanted.get("codes", ())} - set(first["codes"])
    if missing:
        yield f"{name} lacks codes {sorted(missing)}"
    for cite in wanted.get("cites", ()):
        if not any(e["file"].endswith(cite.get("file", "")) and cite.get("text", "") in e["text"]
                   for e in first["evidence"]):
            yield f"{name} does not quote {cite}"
    if not first["steps"]:
        yield f"{name} gives no steps"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
