"""A catalogue of error codes (rules/codes/*.yaml): one row a code, one rule a row.

Hundreds of codes differ in nothing but the code and its words; so they are data, and the
rule that recognises each of them is made here. Such a rule is a fallback: a rule that
knows the very line comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assistant.rules.yaml_source import Path

#: Keys of a row that its rule carries as they stand.
_KEPT = ("title", "category", "severity", "usually", "name", "meaning", "causes", "steps",
         "references")
_CONFIDENCE = {"cause": 0.75, "either": 0.6, "consequence": 0.5}


def rows(value: Mapping[str, Any],
         usable: Callable[[Path], bool]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """(where the row stands, its rule as plain values) for each usable row of a catalogue."""
    codes, article = value.get("codes"), value.get("article")
    if isinstance(codes, list) and isinstance(article, str):
        explains = value.get("explains") if usable(("explains",)) else None
        for number, row in enumerate(codes):
            path: Path = ("codes", number)
            if usable(path):
                yield path, _rule(row, article, explains)


def families(value: Mapping[str, Any],
             usable: Callable[[Path], bool]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """(where it stands, plain values) of each usable family of codes of a catalogue."""
    entries, article = value.get("families"), value.get("article")
    if isinstance(entries, list) and isinstance(article, str):
        for number, entry in enumerate(entries):
            path: Path = ("families", number)
            if usable(path):
                yield path, {"article": article, **entry}


def _rule(row: Mapping[str, Any], article: str, explains: Any) -> dict[str, Any]:
    code = row["code"]
    return {
        **{key: row[key] for key in _KEPT if key in row},
        "id": f"{row['category']}.code-{code.lower()}",
        "article": row.get("article", article),
        "fallback": True,
        "confidence": _CONFIDENCE[row["usually"]],
        "signals": {"code": {"code": code}},
        "when": "code",
        **({} if explains is None else {"explains": explains}),
        "tests": [*_tests(row, "printed", {"codes": [code]}), *_tests(row, "not_printed", "none"),
                  {"name": "a healthy line", "logs": {"worker_0.log": _HEALTHY},
                   "expect": "none"}],
    }


_HEALTHY = ("2026-11-30 08:02:33,357 - mindformers./output/log[mindformers/pynative/callback/"
            "loss_callback.py:337] - INFO - { step:[    1/   10], loss:  10.006040, "
            "per_step_time:   2978ms, lr: 1.000000e-05, grad_norm:   1.210000 }\n")


def _tests(row: Mapping[str, Any], key: str, expect: Any) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(row.get(key, ()), 1):
        yield {"name": f"{key} {number}", "logs": {"worker_0.log": line + "\n"}, "expect": expect}
