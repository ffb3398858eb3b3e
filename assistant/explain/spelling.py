"""A signal on one line, nearly as its rule spells it."""

from __future__ import annotations

from typing import Any

from assistant.rules.types import (
    CodeSignal,
    ConfigSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    Quantifier,
    ReachedSignal,
    Signal,
    StateSignal,
)

#: Attributes that are spelled otherwise in a rule.
_KEYS = {"roles": "in", "levels": "level", "components": "component", "codes": "code",
         "steps": "for", "is_": "is", "exit_codes": "exit_code", "test": "is"}
#: What is told by the head already, or by no key.
_HEADS = ("patterns", "kind", "title", "metric", "states", "phase", "name", "condition",
          "keys")
_DEFAULTS: dict[str, Any] = {"at_least": 1, "rank_stride": 1, "steps": 1, "skip_first": 0,
                             "by": 1.5}


def spelled_signal(signal: Signal) -> str:
    """Head key and value, then the other keys that are given."""
    parts = [_head(signal)]
    for name in signal.__dataclass_fields__:
        value = getattr(signal, name)
        if name in _HEADS and not (name == "title" and isinstance(signal, EventSignal)
                                   and signal.kind != "traceback"):
            continue
        if name == "codes" and isinstance(signal, CodeSignal):
            continue
        if name in ("within", "earliest"):
            parts += [f"{name}: {value:g}s"] if value is not None else []
        elif name == "quantifier":
            if value != Quantifier():
                parts.append(f"ranks: {_quantifier(value)}")
        elif value not in (None, (), False, _DEFAULTS.get(name)):
            parts.append(f"{_KEYS.get(name, name)}: {_plain(value)}")
    return ", ".join(parts)


def _head(signal: Signal) -> str:
    match signal:
        case LogSignal():
            return f"log: {_plain(signal.patterns)}"
        case EventSignal():
            return (f"exception: {signal.title}" if signal.kind == "traceback"
                    else f"block: {signal.kind}")
        case ErrorSignal():
            return "error"
        case CodeSignal():
            return f"code: {_plain(signal.codes)}"
        case MetricSignal():
            return f"metric: {_plain(signal.metric)}"
        case StateSignal():
            return f"state: {_plain(signal.states) or 'any'}"
        case ReachedSignal():
            return f"reached: {signal.phase}"
        case LandmarkSignal():
            return f"landmark: {signal.name}"
        case FileSignal():
            return f"file: {signal.condition}"
        case FactSignal():
            return f"fact: {signal.name}"
        case ConfigSignal():
            return f"config: {_plain(signal.keys)}"


def _quantifier(quantifier: Quantifier) -> str:
    if quantifier.kind == "count":
        return f"{quantifier.value:g}"
    return f"{quantifier.value:.0%}" if quantifier.kind == "share" else quantifier.kind


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        texts = [str(one) for one in value]
        return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]" if texts else ""
    if hasattr(value, "__dataclass_fields__"):
        inner = ", ".join(f"{name}: {getattr(value, name)}" for name in value.__dataclass_fields__)
        return f"{{{inner}}}"
    return f"{value:g}" if isinstance(value, float) else str(value)
