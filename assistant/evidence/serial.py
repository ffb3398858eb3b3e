"""Evidence <-> bytes: a line of JSON in UTF-8, so that it can travel between nodes.

The fields go by name, nested as in types.py. Tuples are arrays; fields that hold their
default are left out; a column's kinds are a string of digits; nan and the infinities are the
strings `nan`, `inf`, `-inf`.
"""

from __future__ import annotations

import json
import math
import types
import typing
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from assistant.evidence.packed import Numbers

_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

_DIGITS = bytes.maketrans(b"0123456789", bytes(range(10)))

Kind = TypeVar("Kind")


def dump(value: Any) -> bytes:
    """One of the types of evidence as a line without its end; equal values give equal bytes."""
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False,
                      separators=(",", ":")).encode("utf-8", "surrogatepass")


def load(kind: Callable[..., Kind], data: bytes) -> Kind:
    """The value of this type that `dump` wrote.

    Raises:
        ValueError: the bytes are nothing of that kind.
    """
    try:
        value: Kind = _reader(kind)(json.loads(data.decode("utf-8", "surrogatepass")))
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as why:
        raise ValueError(f"{type(why).__name__}: {why}") from None
    return value


def _plain(value: Any) -> Any:
    """The value in the types that JSON has."""
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, bytes):
        return "".join(map(str, value))
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
def _reader(kind: Any) -> Callable[[Any], Any]:
    """A function that reads a value of this type from what JSON gave, and checks it."""
    if is_dataclass(kind) and isinstance(kind, type):
        return _object_reader(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is Sequence:
        return _array_reader(arguments[0])
    if origin in (types.UnionType, typing.Union):
        return _optional_reader(next(a for a in arguments if a is not type(None)))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_reader(*arguments)
    return {str: _text, int: _integer, float: _number, bool: _truth, bytes: _digits}[kind]


def _object_reader(kind: type) -> Callable[[Any], Any]:
    hints = typing.get_type_hints(kind)
    readers = {spec.name: _reader(hints[spec.name]) for spec in fields(kind)}

    def read(value: Any) -> Any:
        return kind(**{name: readers[name](content) for name, content in value.items()})

    return read


def _tuple_reader(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if arguments[-1] is Ellipsis:
        item = _reader(arguments[0])

        def read_all(value: Any) -> Any:
            return tuple([item(content) for content in _list(value)])

        return read_all
    readers = [_reader(argument) for argument in arguments]

    def read(value: Any) -> Any:
        return tuple([reader(content)
                      for reader, content in zip(readers, _list(value), strict=True)])

    return read


def _array_reader(kind: Any) -> Callable[[Any], Any]:
    """Of many numbers, all at once where they are what they should be."""
    slowly = _tuple_reader((kind, Ellipsis))
    code = {int: "q", float: "d"}.get(kind)

    def read(value: Any) -> Any:
        try:
            return slowly(value) if code is None else Numbers(code, _list(value))
        except (TypeError, OverflowError):  # `nan`, or a number too large for an array
            return slowly(value)

    return read


def _optional_reader(kind: Any) -> Callable[[Any], Any]:
    reader = _reader(kind)
    return lambda value: None if value is None else reader(value)


def _mapping_reader(key: Any, item: Any) -> Callable[[Any], Any]:
    reader = _reader(item)
    # JSON has only texts as keys.
    convert = int if key is int else str
    return lambda value: {convert(name): reader(content) for name, content in value.items()}


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r:.40} is not a list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is not a text")
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is not an integer")
    return value


def _number(value: Any) -> float:
    if isinstance(value, str):
        return _ODD[value]
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is not a number")
    return float(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is not true or false")
    return value


def _digits(value: Any) -> bytes:
    raw = _text(value).encode()
    if raw.strip(b"0123456789"):
        raise ValueError(f"{value!r:.40} is not a string of digits")
    return raw.translate(_DIGITS)
