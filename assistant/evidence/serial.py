"""Evidence <-> bytes: a line of JSON in UTF-8, so that it can travel between nodes.

The fields go by name, nested as in types.py. Tuples are arrays; fields that hold their
default are left out; bytes are base64; nan and the infinities are the strings `nan`, `inf`,
`-inf`, which only the values of a column may hold.
"""

from __future__ import annotations

import base64
import json
import math
from array import array
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.evidence.packed import Numbers

if TYPE_CHECKING:
    import msgspec

_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

Kind = TypeVar("Kind")


def dump(value: Any) -> bytes:
    """One of the types of evidence as a line without its end; equal values give equal bytes.

    What is no text in Unicode (half a surrogate pair, from a path that is not UTF-8) becomes `?`.
    """
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False,
                      separators=(",", ":")).encode("utf-8", "replace")


def load(kind: Callable[..., Kind], data: bytes) -> Kind:
    """The value of this type that `dump` wrote.

    Raises:
        ValueError: the bytes are nothing of that kind.
    """
    import msgspec  # late: a check of logs needs none of it

    try:
        value: Kind = _decoder(kind).decode(data)
    except (msgspec.MsgspecError, RecursionError) as why:
        raise ValueError(str(why)) from None
    return value


def _plain(value: Any) -> Any:
    """The value in the types that JSON has."""
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, array):
        items = list(value)
        return items if math.isfinite(sum(filter(None, items))) else list(map(_plain, items))
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {spec.name: _plain(content) for spec in fields(value)
                if (content := getattr(value, spec.name)) != _default(spec)}
    return value


def _default(spec: Any) -> Any:
    return spec.default_factory() if spec.default_factory is not MISSING else spec.default


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """What reads values of this type, and checks them on the way."""
    import msgspec

    return msgspec.json.Decoder(kind, dec_hook=_numbers)


def _numbers(kind: type, value: Any) -> Numbers:
    """The values of a column. Raises TypeError or ValueError where they are no numbers."""
    if kind is not Numbers or not isinstance(value, list):
        raise TypeError(f"{value!r:.40} is no list of numbers")
    try:
        return Numbers("d", value)
    except TypeError:
        return Numbers("d", [_ODD.get(item, item) if isinstance(item, str) else item
                             for item in value])
