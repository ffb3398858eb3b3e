"""The page of kbtriage: the same engine for whoever has a browser only.

    app = create_app(Settings())        # any WSGI server can run it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.settings import Settings

if TYPE_CHECKING:
    from flask import Flask

__all__ = ["Settings", "create_app"]


def create_app(settings: Settings | None = None) -> Flask:
    """The application. Raises assistant.errors.UsageError for settings that cannot be used."""
    from web.app import create_app as create

    return create(settings or Settings())
