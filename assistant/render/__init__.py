"""Renderers: one report as text for a terminal, as Markdown and as JSON."""

from assistant.render.as_json import json_text

__all__ = ["json_text"]
