"""One line a request, without anything that was sent: neither text nor query nor file name."""

from __future__ import annotations

import logging
import time

from flask import Flask, Response, g, request

LOGGER = logging.getLogger("kbtriage.web")


def install(app: Flask) -> None:
    """Log every request when its answer is ready."""

    def begin() -> None:
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        took = 1000 * (time.perf_counter() - g.get("began", time.perf_counter()))
        # The route, not the path: a path may hold a link that is a secret, or a foreign word.
        route = request.url_rule.rule if request.url_rule is not None else "(no page)"
        LOGGER.info("%s %s %s %d in %s out %s %.0f ms", request.remote_addr or "-",
                    request.method, route, response.status_code,
                    request.content_length or 0, response.content_length or 0, took)
        return response

    app.before_request(begin)
    app.after_request(end)
