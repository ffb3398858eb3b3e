"""Serving the application with a production server (waitress)."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import logging
import signal
import socket
import sys

from assistant.errors import UsageError
from web.app import create_app
from web.problems import MEDIA_TYPE, ProblemError, document
from web.security import HEADERS
from web.settings import Settings
from web.words import PageWords

#: Threads beside those that check or wait for their turn: for pages that cost nothing.
_SPARE = 4
#: glibc's M_ARENA_MAX.
_ARENA_MAX = -8
#: The server's own limit is a little wider, so that the application can say what is wrong.
_SLACK = 1 << 20


def serve(settings: Settings) -> None:
    """Serve until interrupted. Raises UsageError if it cannot start."""
    try:
        create_server = importlib.import_module("waitress.server").create_server
    except ImportError as error:
        raise UsageError("the package waitress is needed: pip install waitress") from error
    _log_to_standard_error()
    _keep_memory_together()
    _say_the_limit(settings)
    app = create_app(settings)
    try:
        server = create_server(
            app, host=settings.host, port=settings.port, ident=None,
            threads=settings.max_checks + settings.max_waiting + _SPARE,
            max_request_body_size=settings.max_bytes + _SLACK,
            # What is uploaded is kept in a temporary file without a name from here on.
            inbuf_overflow=1 << 20, connection_limit=1000, channel_timeout=60,
            clear_untrusted_proxy_headers=not settings.behind_proxy)
    except (OSError, ValueError) as error:  # waitress says ValueError of a name that is none
        cause = error if isinstance(error, OSError) else error.__context__
        why = getattr(cause, "strerror", None) or str(error)
        other = "--host" if isinstance(cause, (socket.gaierror, ValueError)) else "--port"
        raise UsageError(f"cannot listen on {settings.host}:{settings.port}: {why}; "
                         f"choose another {other}") from error
    app.extensions["kbtriage"].workers.start()
    port = getattr(server, "effective_port", settings.port)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    logging.getLogger("kbtriage.web").info("listening on http://%s:%s%s/", host, port,
                                           settings.prefix)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.close()


def _say_the_limit(settings: Settings) -> None:
    """Have the server refuse what is far too large, before it is read, in the application's
    words and shape."""
    problem = ProblemError("too-many-bytes", limit=settings.max_bytes, unit="bytes")
    told = document(problem, *PageWords("en").problem(problem.kind, problem.values))
    body = json.dumps(told).encode()

    def to_response(*_: object) -> tuple[str, list[tuple[str, str]], bytes]:
        return "413 Content Too Large", [
            ("Content-Type", MEDIA_TYPE), ("Content-Length", str(len(body))),
            ("Connection", "close"), *HEADERS.items()], body

    importlib.import_module("waitress.utilities").RequestEntityTooLarge.to_response = to_response


def _stop(*_: object) -> None:
    """End in order, what is under way first."""
    raise SystemExit


def _keep_memory_together() -> None:
    """Let the threads share two heaps: glibc would give each its own and return little."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 2)


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger("kbtriage.web")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logging.getLogger("waitress").addHandler(handler)
