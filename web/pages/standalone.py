"""Style and scripts of the result page as text, to be carried inside one file."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

_STATIC = Path(__file__).parent.parent / "static"
_STYLES = ("vendor/uplot/uPlot.min.css", "style.css", "result.css")
_SCRIPTS = ("theme.js", "vendor/uplot/uPlot.iife.min.js", "charts.js", "result.js")


@lru_cache(maxsize=1)
def assets() -> tuple[Markup, Markup]:
    """(style, script), neither of which can end its element early."""
    style = "\n".join(_read(name) for name in _STYLES)
    script = "\n;\n".join(_read(name) for name in _SCRIPTS)
    if "</style" in style.lower() or "</script" in script.lower() or "<!--" in script:
        raise ValueError("a static file cannot be carried inside a page")
    return Markup(style), Markup(script)


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy of the file: this style and this script, nothing else."""
    return (f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
            "base-uri 'none'; form-action 'none'")


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
