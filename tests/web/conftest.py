"""An application for the tests."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.support import Make
from web import Settings, create_app


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs Debian's chromium and Playwright")


class Client(FlaskClient):
    """Closes the temporary file in which it makes up a large form."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **{"buffered": True, **kwargs})
        response.request.environ["wsgi.input"].close()
        return response


@pytest.fixture(scope="session")
def make() -> Make:
    """Makes an application with some settings."""

    def made(**settings: object) -> Flask:
        app = create_app(Settings(**{"rate": 0, "isolate": False, **settings}))  # type: ignore[arg-type]
        app.testing = True
        app.test_client_class = Client
        return app

    return made


@pytest.fixture(scope="session")
def app(make: Make) -> Flask:
    return make()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
