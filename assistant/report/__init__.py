"""The report: a diagnosis in words, in one language, and its JSON form."""

from assistant.report.build import build
from assistant.report.json_form import schema_text, to_dict
from assistant.report.types import Report

__all__ = ["Report", "build", "schema_text", "to_dict"]
