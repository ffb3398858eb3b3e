"""The report as the JSON object that the contract fixes, and the schema that holds it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from assistant.report.types import Report


def to_dict(report: Report) -> dict[str, Any]:
    """The report in values that JSON knows, its `schema` first."""
    plain: dict[str, Any] = _plain(report)
    return {"schema": plain.pop("schema"), **plain}


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of a report, as text."""
    import pkgutil

    data = pkgutil.get_data("assistant.report", "schema/report.schema.json")
    if data is None:  # only an importer that cannot read data files
        raise FileNotFoundError("schema/report.schema.json is missing from the installation")
    return data.decode("utf-8")


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
