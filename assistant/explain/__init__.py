"""Why a rule was found or not: clause by clause, rank by rank, with the nearest miss."""

from __future__ import annotations

from assistant.explain.types import Explanation, Say

__all__ = ["Explanation", "Say"]
