"""What can go wrong with a request, and the one shape in which every face says it (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

MEDIA_TYPE = "application/problem+json"
#: Kind of problem to its status. A kind is the last part of `type` and a key of words.py.
STATUS: Mapping[str, int] = {
    "bad-request": 400,
    "bad-field": 400,
    "untrusted-host": 400,
    "cross-site": 403,
    "not-found": 404,
    "no-such-page": 404,
    "method": 405,
    "too-many-bytes": 413,
    "too-much-text": 413,
    "too-many-files": 413,
    "expands-too-far": 413,
    "media-type": 415,
    "unknown-parameter": 422,
    "nothing-given": 422,
    "no-log": 422,
    "expands-suspiciously": 422,
    "seal-broken": 422,
    "too-often": 429,
    "defect": 500,
    "too-busy": 503,
    "too-long": 503,
    "store-failed": 507,
}


class ProblemError(Exception):
    """A request that cannot be answered.

    Attributes:
        kind: a key of STATUS.
        values: what the words of the kind are filled with; `limit` and `unit`, where a
            limit was exceeded, are told to programs, too.
        retry_after: seconds after which the same request may succeed, None if never.
    """

    def __init__(self, kind: str, *, retry_after: int | None = None, **values: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.values = values
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.kind, self.retry_after, self.values)

    @property
    def status(self) -> int:
        return STATUS[self.kind]


def _remade(kind: str, retry_after: int | None, values: Mapping[str, Any]) -> ProblemError:
    """A problem that another process found."""
    return ProblemError(kind, retry_after=retry_after, **values)


def document(problem: ProblemError, title: str, detail: str) -> dict[str, Any]:
    """The problem as `application/problem+json`."""
    members: dict[str, Any] = {
        "type": f"urn:kbtriage:problem:{problem.kind}",
        "title": title,
        "status": problem.status,
        "detail": detail,
    }
    for name in ("limit", "unit"):
        if name in problem.values:
            members[name] = problem.values[name]
    return members


def from_status(code: int) -> ProblemError:
    """The problem for a status that the framework itself answered with."""
    kinds = {400: "bad-request", 404: "no-such-page", 405: "method", 413: "too-many-bytes",
             415: "media-type"}
    if code in kinds:
        return ProblemError(kinds[code])
    return ProblemError("bad-request" if 400 <= code < HTTPStatus.INTERNAL_SERVER_ERROR
                        else "defect")
