"""The job model: nodes, ranks, stages, lives and clocks, built from evidence."""

from __future__ import annotations

from assistant.job.build import build

__all__ = ["build"]
