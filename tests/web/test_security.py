"""Headers, foreign forms, host names, and what an answer must not tell."""

from __future__ import annotations

import logging
import re

import pytest
from flask.testing import FlaskClient

from tests.web.support import Make

LINE = "[ERROR] 2026-11-30 08:29:13 something is wrong\n"
PAGES = ("/", "/knowledge", "/knowledge/articles/node-timed-out",
         "/knowledge/rules/network.node-timed-out", "/nothing", "/healthz", "/static/style.css")


@pytest.mark.parametrize("path", PAGES)
def test_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Set-Cookie" not in headers


def test_pages_hold_no_inline_script_or_style(client: FlaskClient) -> None:
    result = client.post("/check", data={"text": LINE, "kind": "worker"},
                         content_type="multipart/form-data").text
    for text in (*(client.get(path).text for path in PAGES if path.startswith("/know")), result,
                 client.get("/").text):
        assert " style=" not in text
        assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", text))
        for attributes in re.findall(r"<script([^>]*)>", text):
            assert "src=" in attributes or 'type="application/json"' in attributes
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"},
                                     {"Sec-Fetch-Site": "same-site"},
                                     {"Origin": "https://elsewhere.example"},
                                     {"Origin": "null"}])
def test_foreign_forms_are_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    for path in ("/check", "/result", "/api/v1/check"):
        assert client.post(path, data={"text": LINE}, headers=headers).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "same-origin"},
                                     {"Origin": "http://localhost"}])
def test_own_forms_are_not(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/check", data={"text": LINE}, headers=headers,
                         content_type="multipart/form-data")
    assert answer.status_code == 200


def test_a_loopback_server_answers_under_its_own_names_only(make: Make) -> None:
    client = make(allow_host=("triage.example",)).test_client()
    for host in ("localhost:8686", "127.0.0.1:8686", "[::1]:8686", "triage.example"):
        assert client.get("/", headers={"Host": host}).status_code == 200, host
    assert client.get("/", headers={"Host": "attacker.example"}).status_code == 400
    everywhere = make(host="0.0.0.0").test_client()
    assert everywhere.get("/", headers={"Host": "node-a:8686"}).status_code == 200


def test_a_seal_that_is_not_ours(client: FlaskClient) -> None:
    page = client.post("/check", data={"text": LINE}, content_type="multipart/form-data").text
    sealed = re.search(r'name="sealed" value="([^"]+)"', page)
    assert sealed
    good = sealed[1]
    assert client.post("/result", data={"sealed": good}).status_code == 200
    other = "A" if good[50] != "A" else "B"
    for bad in ("", "x", good[:50] + other + good[51:], good[1:], good[:-5]):
        assert client.post("/result", data={"sealed": bad}).status_code == 422


def test_a_defect_tells_nothing(make: Make, monkeypatch: pytest.MonkeyPatch,
                                caplog: pytest.LogCaptureFixture) -> None:
    app = make()
    app.testing = False
    from web.pages import api

    def fail(*_: object) -> None:
        raise RuntimeError("secret words of a log at /srv/secret")

    monkeypatch.setattr(api, "check", fail)
    with caplog.at_level(logging.INFO, "kbtriage.web"):
        answer = app.test_client().post("/api/v1/check", data=LINE, content_type="text/plain")
    assert answer.status_code == 500
    for text in (answer.text, caplog.text):
        assert "secret" not in text
        assert "Traceback" not in text
    assert "RuntimeError" in caplog.text


def test_a_line_a_request_without_content(client: FlaskClient,
                                          caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "kbtriage.web"):
        client.post("/check?lang=zh", data={"text": LINE + "password=hunter2"},
                    content_type="multipart/form-data")
        client.get("/knowledge?q=hunter2")
        client.get("/hunter2")
        client.get("/reports/hunter2")
    assert [record.levelname for record in caplog.records] == ["INFO"] * 4
    assert "POST /check 200" in caplog.text
    assert "hunter2" not in caplog.text


def test_problems_have_one_shape(client: FlaskClient) -> None:
    for path, status in (("/api/v1/nothing", 404), ("/api/v1/check", 405),
                         ("/api/v1/articles/none", 404), ("/api/v1/rules/none", 404),
                         ("/api/v1/articles?lang=fr", 400)):
        answer = client.get(path)
        assert answer.status_code == status
        assert answer.content_type == "application/problem+json"
        assert answer.json
        assert answer.json["status"] == status
        assert answer.json["type"].startswith("urn:kbtriage:problem:")
    assert "POST" in client.get("/api/v1/check").headers["Allow"]
    refused = client.post("/api/v1/check", data=b"x", content_type="application/pdf")
    assert refused.status_code == 415
