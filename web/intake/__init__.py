"""What was sent -> logs that the engine can open, within limits, nothing left on disk."""

from web.intake.limits import Budget
from web.intake.request import read_body, read_form
from web.intake.upload import Upload, sources

__all__ = ["Budget", "Upload", "read_body", "read_form", "sources"]
