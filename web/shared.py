"""What the features of the application have in common."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from web.admission import Gate, Rate
from web.answer import Seal
from web.engine import Engine
from web.settings import Settings
from web.store import Store
from web.workers import Workers


@dataclass(frozen=True, slots=True)
class Shared:
    """Made once for an application; everything in it may be used by several threads."""

    settings: Settings
    engine: Engine
    gate: Gate
    rate: Rate
    workers: Workers
    seal: Seal
    store: Store | None


def shared() -> Shared:
    """That of the application that answers the current request."""
    found: Shared = current_app.extensions["kbtriage"]
    return found
