"""In which language to answer: the one just chosen, the one chosen before, the browser's."""

from __future__ import annotations

from flask import Flask, Request, Response, g, request

from assistant.rules.types import LANGUAGES

COOKIE = "lang"
_YEAR = 365 * 24 * 3600


def chosen(incoming: Request) -> str:
    """`en` or `zh`."""
    asked = incoming.args.get("lang")  # a form's field is read by the page that wants it
    if asked in LANGUAGES:
        return asked
    kept = incoming.cookies.get(COOKIE)
    if kept in LANGUAGES:
        return kept
    return incoming.accept_languages.best_match(("zh-cn", "zh-tw", *LANGUAGES), "en")[:2]


def install(app: Flask) -> None:
    """Decide before each request (`g.lang`), and remember a choice made by `?lang=`."""

    def decide() -> None:
        g.lang = chosen(request)

    def remember(response: Response) -> Response:
        asked = request.args.get("lang")
        if asked in LANGUAGES and not request.path.startswith(("/api/", "/static/")):
            response.set_cookie(COOKIE, asked, max_age=_YEAR, httponly=True, samesite="Lax",
                                secure=request.is_secure,
                                path=(request.root_path or "") + "/")
        return response

    app.before_request(decide)
    app.after_request(remember)

