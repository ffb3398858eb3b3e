"""What every answer carries for the browser's sake, and which requests are refused outright."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from web.problems import ProblemError
from web.settings import Settings

#: Nothing but the application's own files; no inline script, no inline style, no frames.
CONTENT_SECURITY_POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"))
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # The Origin header of a form, by which a foreign one is told, needs `same-origin` here.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def install(app: Flask, settings: Settings) -> None:
    """Refuse foreign names and forms, and put the headers on every answer."""
    names = trusted_hosts(settings)

    def refuse_foreign_names() -> None:
        if names is not None and _name_in(request.environ.get("HTTP_HOST", "")) not in names:
            raise ProblemError("untrusted-host")

    app.before_request(refuse_foreign_names)
    app.before_request(_refuse_foreign_forms)
    app.after_request(_add_headers)


def trusted_hosts(settings: Settings) -> list[str] | None:
    """Names that the Host header may hold, None for any. A page that listens on a loopback
    address answers to no other, or a foreign page could reach it under a name of its own
    (DNS rebinding)."""
    if not settings.loopback or settings.behind_proxy:
        return list(settings.allow_host) or None
    return ["localhost", "127.0.0.1", "::1", *settings.allow_host]


def _name_in(host: str) -> str | None:
    """The name or address in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def is_foreign(incoming: Request) -> bool:
    """Whether another site's page sent this: what browsers say about it, believed in the order
    in which it is hard to forge. Programs other than browsers say nothing and are no danger."""
    site = incoming.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = incoming.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != incoming.host


def _refuse_foreign_forms() -> None:
    if request.method not in ("GET", "HEAD", "OPTIONS") and is_foreign(request):
        raise ProblemError("cross-site")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
