"""The API's description as an OpenAPI 3.1 document."""

from __future__ import annotations

import json
from typing import Any

from assistant import __version__
from assistant.report import schema_text
from assistant.rules.types import CATEGORIES, LANGUAGES, SEVERITIES
from web.intake.paste import KINDS, MAX_RANK
from web.intake.request import FILE_TYPES
from web.problems import MEDIA_TYPE, STATUS
from web.settings import Settings

_TEXT = {"type": "string"}


def openapi(settings: Settings, server: str) -> dict[str, Any]:
    """The document; `server` is the path below which the API lies."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "kbtriage", "version": __version__, "license": {
            "name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "Finds out from the logs of a job what happened first, and what to do."},
        "servers": [{"url": server or "/"}],
        "paths": {
            "/api/v1/check": {"post": _check(settings)},
            "/api/v1/articles": {"get": _get(
                "Articles, all or those that are found", _list("articles", "ArticleEntry"),
                [_query("q", _TEXT), _query("category", {"enum": list(CATEGORIES)})])},
            "/api/v1/articles/{id}": {"get": _get("One article", _ref("Article"), [_path()],
                                                  ("not-found",))},
            "/api/v1/rules": {"get": _get(
                "Rules, all or those that are found or recognise a message",
                _list("rules", "Rule"),
                [_query("q", _TEXT), _query("category", {"enum": list(CATEGORIES)})])},
            "/api/v1/rules/{id}": {"get": _get("One rule", _ref("Rule"), [_path()],
                                               ("not-found",))},
            "/api/v1/healthz": {"get": _get("Whether the server can check logs", _ref("Health"))},
            "/healthz": {"get": _get("The same", _ref("Health"))},
            "/api/v1/openapi.json": {"get": _get("This document", {"type": "object"})},
        },
        "components": {"schemas": _schemas()},
    }


def _check(settings: Settings) -> dict[str, Any]:
    file = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
    form = {"type": "object", "properties": {
        "text": {**_TEXT, "description": "Pasted log text; the output of tail or more with "
                                         "the names of several files is taken apart by file."},
        "kind": {"enum": list(KINDS), "default": "unknown"},
        "rank": {"type": "string", "pattern": "^[0-9]*$",
                 "description": "Rank of a pasted worker log."},
        "files": {"type": "array", "items": {"type": "string"},
                  "description": "Logs, compressed logs and archives."},
        "file": {"type": "array", "items": {"type": "string"}, "description": "As `files`."},
        "folder": {"type": "array", "items": {"type": "string"},
                   "description": "Files of a folder, their names being paths in it; those "
                                  "that are no logs are passed over."}}}
    kinds = ("bad-field", "cross-site", "too-many-bytes", "media-type", "nothing-given",
             "too-often", "too-busy", "store-failed")
    operation = _get("Check logs", _ref("Report"), [
        _query("kind", {"enum": list(KINDS)}),
        _query("rank", {"type": "integer", "minimum": 0, "maximum": MAX_RANK}),
        _query("name", _TEXT), _query("keep", {"enum": ["yes", "no"]}),
        _query("format", {"enum": ["json", "markdown", "text"]})], kinds)
    operation["responses"]["200"]["content"] |= {
        media: {"schema": _TEXT} for media in ("text/markdown", "text/plain")}
    operation["description"] = (
        f"At most {settings.max_bytes} bytes, {settings.max_text} bytes of text, "
        f"{settings.max_files} files, {settings.max_expanded} bytes after unpacking, "
        f"{settings.max_seconds} seconds. Archives inside archives are not opened.")
    operation["requestBody"] = {"required": True, "content": {
        "text/plain": {"schema": _TEXT}, "multipart/form-data": {"schema": form},
        **dict.fromkeys(FILE_TYPES, file)}}
    return operation


def _get(summary: str, schema: dict[str, Any], parameters: list[dict[str, Any]] | None = None,
         kinds: tuple[str, ...] = ()) -> dict[str, Any]:
    wanted = [*(parameters or []), _query("lang", {"enum": list(LANGUAGES), "default": "en"})]
    statuses = sorted({STATUS[kind] for kind in (*kinds, "bad-field", "unknown-parameter")})
    problem = {"description": "A problem (RFC 9457)",
               "content": {MEDIA_TYPE: {"schema": _ref("Problem")}}}
    return {"summary": summary, "parameters": wanted, "responses": {
        "200": {"description": summary, "content": {"application/json": {"schema": schema}}},
        **{str(status): problem for status in statuses}}}


def _schemas() -> dict[str, Any]:
    report = json.loads(schema_text())
    entry = {"id": _TEXT, "title": _TEXT, "category": _TEXT, "url": _TEXT}
    return {
        "Report": report,
        "ArticleEntry": _object({**entry, "languages": {
            "type": "array", "items": {"enum": list(LANGUAGES)}}}),
        "Article": _object({**entry, "lang": {"enum": list(LANGUAGES)}, "meaning": _TEXT,
                            "steps": {"type": "array", "items": _TEXT}, "otherwise": _TEXT,
                            "sections": {"type": "object", "additionalProperties": _TEXT}}),
        "Rule": _object({**entry, "severity": {"enum": list(SEVERITIES)}, "article": _TEXT,
                         "source": _TEXT, "owner": {"type": ["string", "null"]},
                         "signals": {"type": "array", "items": _TEXT},
                         "references": {"type": "array", "items": _TEXT}}),
        "Health": _object({"status": {"const": "ok"}, "version": _TEXT,
                           "rules": {"type": "integer"}, "engine": _TEXT}),
        "Problem": {**_object({"type": _TEXT, "title": _TEXT, "status": {"type": "integer"},
                               "detail": _TEXT}),
                    "properties": {"type": _TEXT, "title": _TEXT, "status": {"type": "integer"},
                                   "detail": _TEXT, "limit": {"type": "integer"},
                                   "unit": _TEXT}},
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(name: str, item: str) -> dict[str, Any]:
    return _object({name: {"type": "array", "items": _ref(item)}})


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _query(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _path() -> dict[str, Any]:
    return {"name": "id", "in": "path", "required": True, "schema": _TEXT}
