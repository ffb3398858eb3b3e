"""Markdown of articles -> HTML: no HTML of their own, no links but to safe places."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

from assistant.guide import fill

#: Links may lead there and nowhere else.
_SCHEMES = ("", "http", "https", "mailto")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable("table")
    parser.disable("image")  # a picture would be fetched from wherever an article says
    parser.validateLink = _is_safe  # type: ignore[method-assign]  # its way to be told
    return parser


def html(text: str) -> Markup:
    """An article's section; its placeholders read as a person should see them."""
    shown = "\n".join(fill(line, {}) for line in text.split("\n"))
    return Markup(_parser().render(shown))


def _is_safe(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in _SCHEMES and not (parts.scheme == "" and ":" in parts.path)
