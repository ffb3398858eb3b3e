"""Plain values that fit the schema -> the Rule, Signal and Landmark dataclasses.

The values have been checked before (see reading.py), so that nothing here looks for
mistakes. It runs at every start, on values that come from the cache; it must stay light.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assistant.rules import condition
from assistant.rules.types import (
    STATES,
    CodeSignal,
    ConfigSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    Family,
    FileSignal,
    Landmark,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    Position,
    Quantifier,
    ReachedSignal,
    Relation,
    Rule,
    RuleTest,
    Signal,
    Spike,
    StateSignal,
)

Values = Mapping[str, Any]

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9.]+)(ms|s|m|h)")


def build_rule(value: Values, position: Position, source: str,
               tests: Sequence[RuleTest] = ()) -> Rule:
    """The rule that `value` spells. Raises ConditionError if `when` cannot be read."""
    return Rule(
        id=value["id"],
        title=dict(value["title"]),
        category=value["category"],
        severity=value["severity"],
        article=value["article"],
        signals={name: build_signal(signal) for name, signal in value["signals"].items()},
        when=condition.parse(value["when"]),
        each=value.get("each", "job"),
        blame=words(value.get("blame")),
        optional=tuple(name for name, signal in value["signals"].items()
                       if signal.get("optional")),
        fallback=value.get("fallback", False),
        harmless=value.get("harmless", False),
        explains=build_relations(value.get("explains")),
        unless=words(value.get("unless")),
        verdict=value.get("verdict"),
        confidence=float(value.get("confidence", 0.9)),
        group_by=words(value.get("group_by")),
        applies_to=dict(value.get("applies_to", {})),
        references=tuple(value.get("references", ())),
        owner=value.get("owner"),
        tests=tuple(tests),
        usually=value.get("usually"),
        name=value.get("name"),
        meaning=dict(value.get("meaning", {})),
        causes={lang: tuple(lines) for lang, lines in value.get("causes", {}).items()},
        steps={lang: tuple(lines) for lang, lines in value.get("steps", {}).items()},
        source=source,
        position=position,
    )


def build_signal(value: Values) -> Signal:
    """The signal that `value` spells: its kind is that of the one head key it has."""
    for head, make in _MAKERS.items():
        if head in value:
            return make(value)
    raise KeyError("a signal without a head key")


def build_relations(value: Any) -> tuple[Relation, ...]:
    """The entries of `explains:`; ids that stand by themselves share one relation."""
    entries = value if isinstance(value, list) else [] if value is None else [value]
    plain = tuple(entry for entry in entries if isinstance(entry, str))
    related = [Relation(words(entry["rules"]), entry.get("ranks", "any"))
               for entry in entries if not isinstance(entry, str)]
    return (*([Relation(plain)] if plain else []), *related)


def build_landmark(value: Values) -> Landmark:
    """The landmark that an entry of landmarks.yaml spells."""
    return Landmark(value["name"], words(value["log"]), value.get("phase"),
                    words(value.get("in")))


def build_family(value: Values, position: Position, source: str) -> Family:
    """The family of codes that an entry of `families:` in a catalogue spells."""
    return Family(words(value["codes"]), dict(value["title"]), dict(value.get("meaning", {})),
                  value["article"], value.get("usually"), source, position)


def build_tests(values: Any, positions: Sequence[Position]) -> tuple[RuleTest, ...]:
    """The tests of a rule, each with its position; time lines are written out."""
    from assistant.rules.timeline import render  # only for whoever wants the tests

    return tuple(
        RuleTest(value["name"], {name: render(name, text)
                                 for name, text in value["logs"].items()},
                 None if value["expect"] == "none" else dict(value["expect"]), position)
        for value, position in zip(values or (), positions, strict=True))


def quantifier(value: Any) -> Quantifier:
    """The quantifier that `ranks:` spells: a word, a number, or a share such as `50%`."""
    if value is None:
        return Quantifier()
    if isinstance(value, int):
        return Quantifier("count", float(value))
    if value.endswith("%"):
        return Quantifier("share", float(value[:-1]) / 100.0)
    return Quantifier(value)


def seconds(value: Any) -> float | None:
    """Seconds of a duration such as `30s`; a bare number is seconds."""
    if value is None:
        return None
    if isinstance(value, (int, float)):
        return float(value)
    found = _DURATION.fullmatch(value)
    if found is None:
        raise ValueError(f"not a duration: {value!r}")
    return float(found[1]) * _UNITS[found[2]]


def words(value: Any) -> tuple[str, ...]:
    """A value that may be one word or a list of words, as a tuple."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _log(value: Values) -> Signal:
    return LogSignal(
        patterns=words(value["log"]), roles=words(value.get("in")),
        levels=words(value.get("level")), components=words(value.get("component")),
        inside=words(value.get("inside")), outside=words(value.get("outside")),
        at_least=value.get("at_least", 1), quantifier=quantifier(value.get("ranks")),
        before=value.get("before"), after=value.get("after"),
        within=seconds(value.get("within")), rank_from=value.get("rank_from"),
        rank_base=value.get("rank_base", 0), rank_stride=value.get("rank_stride", 1),
        earliest=seconds(value.get("earliest")),
        pid_from=value.get("pid_from"), device_from=value.get("device_from"),
        host_from=value.get("host_from"), missing_from=value.get("missing_from"),
        group_from=value.get("group_from"), differs=value.get("differs"),
        same=words(value.get("same")), waits_for=value.get("waits_for"),
        waits_for_device=value.get("waits_for_device"))


def _event(value: Values, kind: str, title: str | None) -> Signal:
    return EventSignal(
        kind=kind, title=title, message=value.get("message"), text=value.get("text"),
        frame=value.get("frame"), where=value.get("where"), codes=words(value.get("code")),
        roles=words(value.get("in")), at_least=value.get("at_least", 1),
        quantifier=quantifier(value.get("ranks")), before=value.get("before"),
        after=value.get("after"), within=seconds(value.get("within")),
        rank_from=value.get("rank_from"), waits_for=value.get("waits_for"))


def _exception(value: Values) -> Signal:
    types = words(value["exception"])
    # That the whole name must match is the evaluation's business.
    title = types[0] if len(types) == 1 else "|".join(f"(?:{name})" for name in types)
    return _event(value, "traceback", title)


def _block(value: Values) -> Signal:
    return _event(value, value["block"], value.get("title"))


def _error(value: Values) -> Signal:
    text = value["error"]
    return ErrorSignal(
        text=None if text == "any" else text, components=words(value.get("component")),
        levels=words(value.get("level")), codes=words(value.get("code")),
        roles=words(value.get("in")), quantifier=quantifier(value.get("ranks")))


def _code(value: Values) -> Signal:
    return CodeSignal(words(value["code"]), words(value.get("in")),
                      quantifier(value.get("ranks")))


def _metric(value: Values) -> Signal:
    spike = value.get("spike")
    return MetricSignal(
        metric=words(value["metric"]), test=value.get("is"), above=value.get("above"),
        below=value.get("below"), spike=None if spike is None else Spike(**spike),
        slower_than=value.get("slower_than"), unlike=value.get("unlike"),
        by=float(value.get("by", 1.5)), steps=value.get("for", 1),
        skip_first=value.get("skip_first", 0), quantifier=quantifier(value.get("ranks")))


def _state(value: Values) -> Signal:
    codes = value.get("exit_code", ())
    return StateSignal(
        states=STATES if value["state"] == "any" else words(value["state"]),
        behind=value.get("behind"), without=value.get("without"),
        exit_codes=(codes,) if isinstance(codes, int) else tuple(codes),
        named_by=value.get("named_by"), quantifier=quantifier(value.get("ranks")))


def _reached(value: Values) -> Signal:
    return ReachedSignal(value["reached"], value.get("from_start", False),
                         quantifier(value.get("ranks")))


def _landmark(value: Values) -> Signal:
    return LandmarkSignal(value["landmark"], quantifier(value.get("ranks")))


def _file(value: Values) -> Signal:
    return FileSignal(value["file"], words(value.get("in")), quantifier(value.get("ranks")))


def _fact(value: Values) -> Signal:
    return FactSignal(value["fact"], value.get("is"), value.get("above"), value.get("below"),
                      value.get("differs_from"))


def _config(value: Values) -> Signal:
    return ConfigSignal(words(value["config"]), value.get("is"), value.get("above"),
                        value.get("below"), value.get("differs_from"))


_MAKERS: Mapping[str, Callable[[Values], Signal]] = {
    "log": _log, "exception": _exception, "block": _block, "error": _error,
    "metric": _metric, "state": _state, "reached": _reached, "landmark": _landmark,
    "file": _file, "fact": _fact, "config": _config,
    # Last: `code` is also a modifier of the others.
    "code": _code,
}
