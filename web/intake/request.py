"""A request's form or body -> uploads."""

from __future__ import annotations

import io
from functools import partial
from typing import IO, BinaryIO, cast

from flask import Request, g
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from assistant.sources.names import member_name
from assistant.sources.sections import SHOWN_IN
from web.intake.paste import name_of, read_kind, read_rank, split
from web.intake.upload import Upload, lent
from web.problems import ProblemError
from web.settings import Settings

#: Parts of a form beside its files.
_FIELDS = 16
_NO_LOGS = ("image/", "audio/", "video/", "font/", "application/pdf")
FORM_TYPES = ("multipart/form-data", "application/x-www-form-urlencoded")
#: The fields of a form; `file` is what many programs call it.
FIELDS = ("text", "kind", "rank", "files", "file", "folder")
#: Bodies that are one file: a compressed log or an archive.
FILE_TYPES = ("application/octet-stream", "application/gzip", "application/x-gzip",
              "application/zip", "application/x-tar", "application/zstd", "application/x-xz",
              "application/x-bzip2")


class UploadRequest(Request):
    """A request whose uploaded files are closed with it, also when reading them fails."""

    def _get_file_stream(self, total_content_length: int | None, content_type: str | None,
                         filename: str | None = None,
                         content_length: int | None = None) -> IO[bytes]:
        stream = super()._get_file_stream(total_content_length, content_type, filename,
                                          content_length)
        g.setdefault("uploaded", []).append(stream)
        return stream

    def make_form_data_parser(self) -> FormDataParser:
        parser = super().make_form_data_parser()
        parser.silent = False  # a form that is cut off is no empty one
        return parser

    def _load_form_data(self) -> None:
        try:
            super()._load_form_data()
        except ValueError as error:
            raise BadRequest from error


def close_uploads(_: BaseException | None = None) -> None:
    """Close what was uploaded with the current request."""
    for stream in g.pop("uploaded", ()):
        stream.close()


def admit_size(request: Request, settings: Settings) -> None:
    """Refuse what says to be too large before any of it is read. Raises ProblemError."""
    request.max_content_length = settings.max_bytes
    request.max_form_memory_size = settings.max_text
    request.max_form_parts = settings.max_files + _FIELDS
    if (request.content_length or 0) > settings.max_bytes:
        raise ProblemError("too-many-bytes", limit=settings.max_bytes, unit="bytes")


def read_form(request: Request, settings: Settings) -> list[Upload]:
    """What a form holds: `text` with `kind` and `rank`, `files`, and `folder`.

    Raises ProblemError for fields that cannot be read; an empty list: nothing was given.
    """
    try:
        kind = read_kind(request.form.get("kind"))
    except RequestEntityTooLarge as error:  # the whole is small enough, so a part of it is not
        if (request.content_length or 0) > settings.max_text:
            raise ProblemError("too-much-text", limit=settings.max_text, unit="bytes") from error
        raise ProblemError("too-many-files", limit=settings.max_files, unit="files") from error
    rank = read_rank(request.form.get("rank"))
    # A browser sends CR LF in text fields, whatever was pasted.
    text = request.form.get("text", "").replace("\r\n", "\n").encode("utf-8", "surrogatepass")
    if len(text) > settings.max_text:
        raise ProblemError("too-much-text", limit=settings.max_text, unit="bytes")
    found = [_upload(part, chosen)
             for field, chosen in (("files", True), ("file", True), ("folder", False))
             for part in request.files.getlist(field) if part.filename]
    if len(found) > settings.max_files:
        raise ProblemError("too-many-files", limit=settings.max_files, unit="files")
    return found + _pasted(text, kind, rank)


def is_form(request: Request) -> bool:
    """Whether the body is a form. `curl --data-binary` calls any body one, unless it is told
    otherwise: without the name of a field at its start it is a log."""
    if request.mimetype == "application/x-www-form-urlencoded":
        start = request.get_data(cache=True)[:64]
        return not start or start.split(b"=")[0].decode("ascii", "replace") in FIELDS
    return request.mimetype in FORM_TYPES


def read_body(request: Request, settings: Settings) -> list[Upload]:
    """What a request without a form holds: text, or one file, whatever its type is called, so
    long as it does not say to be no log. Raises ProblemError."""
    if request.mimetype.startswith(_NO_LOGS):
        raise ProblemError("media-type", expected=", ".join(
            ("multipart/form-data", "text/plain", *FILE_TYPES)))
    content = request.get_data(cache=False)
    kind, rank = read_kind(request.args.get("kind")), read_rank(request.args.get("rank"))
    if request.mimetype in FILE_TYPES or request.args.get("name") or _is_binary(content):
        name = member_name(request.args.get("name", "")) if request.args.get("name") else ""
        return [_memory(name or name_of(kind, rank), content)] if content else []
    if len(content) > settings.max_text:
        raise ProblemError("too-much-text", limit=settings.max_text, unit="bytes")
    return _pasted(content, kind, rank)


def _is_binary(content: bytes) -> bool:
    """Whether a body is no text: a compressed log or an archive."""
    return b"\0" in content[:4096] or content[:2] in (b"\x1f\x8b", b"PK", b"BZ")


def _upload(part: FileStorage, chosen: bool) -> Upload:
    stream = cast(BinaryIO, part.stream)
    size = stream.seek(0, io.SEEK_END)
    name = (part.filename or "").replace("\\", "/")
    return Upload(member_name(name), size, partial(lent, stream), chosen or "/" not in name)


def _pasted(text: bytes, kind: str, rank: int | None) -> list[Upload]:
    parts = split(text, kind, rank)
    several = [name for name, _ in parts] != [name_of(kind, rank)]
    notes = (f"{SHOWN_IN}: {name_of(kind, rank)}",) if several else ()
    return [_memory(name, content, notes) for name, content in parts]


def _memory(name: str, content: bytes, notes: tuple[str, ...] = ()) -> Upload:
    return Upload(name, len(content), partial(io.BytesIO, content), shared=True, notes=notes)
