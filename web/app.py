"""The application put together: what is shared, which features there are, how errors look."""

from __future__ import annotations

import hashlib
import logging
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, g, jsonify, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response as AnyResponse

from web import language, request_log, security
from web.admission import Gate, Rate
from web.answer import Seal
from web.engine import Engine
from web.intake.request import UploadRequest, close_uploads
from web.problems import MEDIA_TYPE, ProblemError, document, from_status
from web.settings import Settings
from web.shared import Shared
from web.store import Store
from web.words import PageWords
from web.workers import Processes, Threads

LOGGER = logging.getLogger("kbtriage.web")


def create_app(settings: Settings) -> Flask:
    """The application for some settings.

    Raises UsageError: a pack, the engine or the store cannot be used.
    """
    app = Flask("web", root_path=str(Path(__file__).parent))
    app.request_class = UploadRequest
    app.teardown_request(close_uploads)
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_bytes, MAX_FORM_MEMORY_SIZE=settings.max_text,
        SEND_FILE_MAX_AGE_DEFAULT=365 * 24 * 3600)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]  # of Flask's own provider
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    engine = Engine(settings.pack, settings.engine, settings.cache)
    app.extensions["kbtriage"] = Shared(
        settings=settings,
        engine=engine,
        gate=Gate(settings.max_checks, settings.max_waiting, settings.max_wait),
        rate=Rate(settings.rate),
        workers=Processes(settings) if settings.isolate else Threads(settings, engine),
        seal=Seal(settings.secret or secrets.token_hex(32)),
        store=Store(settings) if settings.store else None)
    _behind_proxy(app, settings)
    request_log.install(app)
    language.install(app)
    security.install(app, settings)
    _register(app)
    app.register_error_handler(ProblemError, _answer_problem)
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(Exception, _answer_defect)
    app.context_processor(_template_values)
    return app


def _register(app: Flask) -> None:
    from web.pages import api, browse, knowledge, reports, result, triage

    for module in (triage, result, knowledge, browse, reports, api):
        app.register_blueprint(module.blueprint)


def _behind_proxy(app: Flask, settings: Settings) -> None:
    inner: Any = app.wsgi_app
    if settings.prefix:
        inner = _Prefixed(inner, settings.prefix)
    if settings.behind_proxy:
        inner = ProxyFix(inner, x_for=1, x_proto=1, x_host=1, x_prefix=1)
    app.wsgi_app = inner  # type: ignore[method-assign]  # the documented way


class _Prefixed:
    """Shows the application below a path, whether or not the proxy takes that path away."""

    def __init__(self, inner: Any, prefix: str) -> None:
        self._inner = inner
        self._prefix = prefix

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        path = environ.get("PATH_INFO", "")
        if path == self._prefix or path.startswith(self._prefix + "/"):
            environ["PATH_INFO"] = path[len(self._prefix):] or "/"
        environ["SCRIPT_NAME"] = self._prefix
        return self._inner(environ, start_response)


def _template_values() -> dict[str, Any]:
    lang = g.get("lang", "en")
    shared: Shared = current_app.extensions["kbtriage"]
    return {"t": PageWords(lang), "lang": lang, "other_lang": "en" if lang == "zh" else "zh",
            "asset": _asset, "settings": shared.settings, "switch_url": _switch_url(lang),
            "keeps": shared.store is not None}


def _switch_url(lang: str) -> str | None:
    """This page in the other language, None where it is the answer to a form."""
    if request.method != "GET" or request.endpoint is None:
        return None
    values: dict[str, Any] = {**(request.view_args or {}), **request.args.to_dict()}
    return url_for(request.endpoint, **{**values, "lang": "en" if lang == "zh" else "zh"})


def _asset(name: str) -> str:
    """Address of a static file that changes with its content, so that it may be kept."""
    return url_for("static", filename=name, v=_digest(name))


@lru_cache(maxsize=64)
def _digest(name: str) -> str:
    content = (Path(__file__).parent / "static" / name).read_bytes()
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def _answer_problem(problem: ProblemError) -> Response:
    words = PageWords(g.get("lang", "en"))
    title, detail = words.problem(problem.kind, problem.values)
    if request.path.startswith("/api/") or request.path == "/healthz":
        english = PageWords("en").problem(problem.kind, problem.values)
        response = jsonify(document(problem, *english))
        response.mimetype = MEDIA_TYPE
    else:
        response = Response(render_template("problem.html", title=title, detail=detail,
                                            status=problem.status), mimetype="text/html")
    response.status_code = problem.status
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def _answer_http_error(error: HTTPException) -> AnyResponse:
    if error.code is not None and error.code < 400:  # a redirection
        return error.get_response()
    response = _answer_problem(from_status(error.code or 500))
    if error.code == 405 and getattr(error, "valid_methods", None):
        response.headers["Allow"] = ", ".join(error.valid_methods)  # type: ignore[attr-defined]
    return response


def _answer_defect(error: Exception) -> Response:
    # The kind of error and where it rose, but not its words, which may hold what was sent.
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    where = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last is not None else "?"
    LOGGER.error("defect: %s at %s", type(error).__name__, where)
    if current_app.testing or current_app.debug:
        raise error
    return _answer_problem(ProblemError("defect"))
