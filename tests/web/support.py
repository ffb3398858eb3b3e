"""Helpers that send the application what people send it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from flask import Flask

ROOT = Path(__file__).parent.parent.parent
LAB = ROOT / "tests" / "cases" / "lab"

Make = Callable[..., Flask]


def files_of(folder: Path, prefix: str = "") -> list[tuple[io.BytesIO, str]]:
    """The files below a folder as a browser sends a chosen folder."""
    return [(io.BytesIO(path.read_bytes()), f"{prefix}{path.relative_to(folder).as_posix()}")
            for path in sorted(folder.rglob("*")) if path.is_file()]


def cases() -> Iterator[Path]:
    """The folders of the lab's cases."""
    yield from sorted(path.parent for path in LAB.glob("*/expect.yaml"))
