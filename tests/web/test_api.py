"""The API against its own description."""

from __future__ import annotations

import io
import re
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient

from tests.web.support import LAB, files_of

CASE = LAB / "exc-rank2" / "msrun_log"


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/openapi.json").json
    return found


def validate(document: dict[str, Any], path: str, method: str, status: int,
             media: str, value: object) -> None:
    """A value against what the description says an answer looks like."""
    answers = document["paths"][path][method]["responses"]
    assert str(status) in answers, f"{method} {path} does not describe {status}"
    schema = answers[str(status)]["content"][media]["schema"]
    whole = {**schema, "components": document["components"]}
    report = whole["components"]["schemas"]["Report"]
    if schema.get("$ref", "").endswith("/Report"):
        whole = report  # its own references count from its own root
    jsonschema.Draft202012Validator(whole).validate(value)


def test_every_route_is_described_and_every_description_is_a_route(
        client: FlaskClient, document: dict[str, Any]) -> None:
    routes = {(re.sub(r"<[^>]+>", "{id}", rule.rule), method.lower())
              for rule in client.application.url_map.iter_rules()
              if rule.endpoint.startswith("api.")
              for method in rule.methods or () if method not in ("HEAD", "OPTIONS")}
    described = {(path, method) for path, item in document["paths"].items() for method in item}
    assert routes == described
    assert document["openapi"].startswith("3.1")


@pytest.mark.parametrize(("path", "url"), [
    ("/api/v1/articles", "/api/v1/articles"),
    ("/api/v1/articles", "/api/v1/articles?q=port&lang=zh"),
    ("/api/v1/articles/{id}", "/api/v1/articles/node-timed-out?lang=zh"),
    ("/api/v1/articles/{id}", "/api/v1/articles/none"),
    ("/api/v1/articles/{id}", "/api/v1/articles/node-timed-out?lang=xx"),
    ("/api/v1/rules", "/api/v1/rules?category=network"),
    ("/api/v1/rules/{id}", "/api/v1/rules/network.node-timed-out"),
    ("/api/v1/rules/{id}", "/api/v1/rules/none"),
    ("/api/v1/healthz", "/api/v1/healthz"),
    ("/healthz", "/healthz"),
])
def test_answers_are_as_described(client: FlaskClient, document: dict[str, Any], path: str,
                                  url: str) -> None:
    answer = client.get(url)
    validate(document, path, "get", answer.status_code, answer.mimetype, answer.json)


def test_checks_are_as_described(client: FlaskClient, document: dict[str, Any]) -> None:
    text = (CASE / "worker_2.log").read_bytes()
    sent: list[dict[str, Any]] = [
        {"data": text, "content_type": "text/plain"},
        {"data": {"text": text.decode(), "kind": "worker", "rank": "2"},
         "content_type": "multipart/form-data"},
        {"data": {"files": files_of(CASE)}, "content_type": "multipart/form-data"},
        {"data": text, "content_type": "application/octet-stream"},
        {"data": b"", "content_type": "text/plain"},
        {"data": b"x", "content_type": "image/png"},
        {"data": {"text": "x", "rank": "x"}, "content_type": "multipart/form-data"},
    ]
    statuses = []
    for request in sent:
        answer = client.post("/api/v1/check", **request)
        statuses.append(answer.status_code)
        validate(document, "/api/v1/check", "post", answer.status_code, answer.mimetype,
                 answer.json)
    assert statuses == [200, 200, 200, 200, 422, 415, 400]


def test_text_with_kind_and_rank_in_the_query(client: FlaskClient) -> None:
    answer = client.post("/api/v1/check?kind=worker&rank=5&lang=zh",
                         data=(CASE / "worker_2.log").read_bytes(), content_type="text/plain")
    assert answer.json
    assert answer.json["lang"] == "zh"
    assert answer.json["findings"][0]["evidence"][0]["file"] == "worker_5.log"


def test_a_file_by_name(client: FlaskClient) -> None:
    import gzip

    packed = io.BytesIO(gzip.compress((CASE / "worker_2.log").read_bytes()))
    answer = client.post("/api/v1/check?name=worker_2.log.gz", data=packed.getvalue(),
                         content_type="application/gzip")
    assert answer.json
    assert answer.json["verdict"] == "failed"


def test_rank_and_kind_of_a_file_without_a_name(client: FlaskClient) -> None:
    answer = client.post("/api/v1/check?kind=worker&rank=5",
                         content_type="application/octet-stream",
                         data=(CASE / "worker_2.log").read_bytes())
    assert answer.json
    assert answer.json["findings"][0]["evidence"][0]["file"] == "worker_5.log"


@pytest.mark.parametrize("url", ["/api/v1/articles?category=x", "/api/v1/rules?category=x",
                                 "/api/v1/rules?lang=x"])
def test_a_value_that_nobody_knows_is_refused(client: FlaskClient, document: dict[str, Any],
                                              url: str) -> None:
    answer = client.get(url)
    assert answer.status_code == 400 and answer.json
    assert "must be" in answer.json["detail"]
    validate(document, url.partition("?")[0], "get", 400, answer.mimetype, answer.json)


def test_keep_is_yes_or_no(client: FlaskClient) -> None:
    text = (CASE / "worker_2.log").read_bytes()
    assert client.post("/api/v1/check?keep=maybe", data=text).status_code == 400
    assert client.post("/api/v1/check?keep=no", data=text).status_code == 200


@pytest.mark.parametrize("body", [
    b"no form", b"--x\r\nContent-Disposition: form-data; name=files; filename=a.log\r\n\r\nabc"])
@pytest.mark.parametrize("path", ["/api/v1/check", "/check"])
def test_a_form_that_is_cut_off_is_told(client: FlaskClient, body: bytes, path: str) -> None:
    answer = client.post(path, data=body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 400
    assert "cannot be read" in answer.get_data(as_text=True)


def test_rules_that_recognise_a_message(client: FlaskClient) -> None:
    message = "The node: 1 is timed out. It may exit with exception, please check this node's log."
    found = client.get("/api/v1/rules", query_string={"q": message}).json
    assert found
    assert "network.node-timed-out" in [rule["id"] for rule in found["rules"]]
    assert len(found["rules"]) < 40


@pytest.mark.parametrize("kind", [None, "application/x-www-form-urlencoded", "application/json"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_raw_body_of_any_type(client: FlaskClient, kind: str | None, packed: bool) -> None:
    import gzip

    text = (CASE / "worker_2.log").read_bytes()
    answer = client.post("/api/v1/check", data=gzip.compress(text) if packed else text,
                         content_type=kind)
    assert answer.json
    assert answer.json["verdict"] == "failed"


def test_a_form_sent_urlencoded_is_a_form(client: FlaskClient) -> None:
    answer = client.post("/api/v1/check", data={"rank": "x", "text": "y"})
    assert answer.status_code == 400


def test_files_may_be_called_file(client: FlaskClient) -> None:
    (content, name), *_ = files_of(CASE)
    answer = client.post("/api/v1/check", data={"file": (content, name)})
    assert answer.status_code == 200
    (content, name), *_ = files_of(CASE)
    refused = client.post("/api/v1/check", data={"logs": (content, name)})
    assert refused.status_code == 422
    assert refused.json
    assert "logs" in refused.json["detail"] and "files" in refused.json["detail"]


@pytest.mark.parametrize("url", ["/api/v1/articles?query=x", "/api/v1/rules?lan=zh",
                                 "/api/v1/rules/network.node-timed-out?q=x"])
def test_unknown_parameters(client: FlaskClient, document: dict[str, Any], url: str) -> None:
    answer = client.get(url)
    assert answer.status_code == 422
    assert answer.json
    assert url.split("?")[1].split("=")[0] in answer.json["detail"]


@pytest.mark.parametrize(("url", "accept", "media", "start"), [
    ("", "*/*", "application/json", "{"),
    ("", "text/markdown", "text/markdown", "# "),
    ("", "text/plain", "text/plain", "FAILED"),
    ("?format=markdown", "*/*", "text/markdown", "# "),
    ("?format=text", "application/json", "text/plain", "FAILED"),
    ("?format=json", "text/plain", "application/json", "{"),
])
def test_the_form_of_the_report(client: FlaskClient, url: str, accept: str, media: str,
                                start: str) -> None:
    answer = client.post(f"/api/v1/check{url}", data=(CASE / "worker_2.log").read_bytes(),
                         headers={"Accept": accept})
    assert answer.mimetype == media
    assert answer.text.startswith(start)


def test_a_format_that_nobody_knows(client: FlaskClient) -> None:
    assert client.post("/api/v1/check?format=pdf", data=b"x").status_code == 400


def test_a_paste_that_lost_its_line_ends(client: FlaskClient) -> None:
    text = (CASE / "worker_2.log").read_bytes()
    for sent, told in ((text, False), (text.replace(b"\n", b""), True)):
        answer = client.post("/api/v1/check", data=sent, content_type="text/plain")
        assert answer.json
        assert any("--data-binary" in line for line in answer.json["inputs"]["remarks"]) is told
