"""What was sent -> logs that the engine can open, within limits, nothing left on disk."""

from web.intake.limits import Budget
from web.intake.request import is_form, read_body, read_form
from web.intake.upload import Upload, sources

__all__ = ["Budget", "Upload", "is_form", "read_body", "read_form", "sources"]
