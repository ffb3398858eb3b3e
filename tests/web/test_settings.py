"""Settings from a file, the environment and flags; prefix and proxy."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from assistant.cli import serve_command
from assistant.errors import UsageError
from tests.web.support import Make
from web.settings import Settings, load


def test_flags_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "serve.yaml"
    file.write_text(f"port: 1\nmax_text: 2M\nrate: 7\nroot: [{tmp_path}]\n")
    environ = {"KBTRIAGE_CONFIG": str(file), "KBTRIAGE_PORT": "2", "KBTRIAGE_RATE": "8"}
    made = load({"port": "3", "host": None, "root": []}, environ)
    assert (made.port, made.rate, made.max_text, made.host) == (3, 8, 2 << 20, "127.0.0.1")
    assert made.root == (str(tmp_path),)


def test_lists_and_flags_in_the_environment(tmp_path: Path) -> None:
    made = load({}, {"KBTRIAGE_ROOT": f"{tmp_path}:{tmp_path}", "KBTRIAGE_BEHIND_PROXY": "yes",
                     "KBTRIAGE_LIST_REPORTS": "0"})
    assert made.root == (str(tmp_path), str(tmp_path))
    assert made.behind_proxy is True
    assert made.list_reports is False


@pytest.mark.parametrize(("flags", "message"), [
    ({"port": "x"}, "--port: `x` is not a whole number"),
    ({"port": "70000"}, "--port 70000"),
    ({"max_bytes": "3X"}, "with K, M or G"),
    ({"max_checks": "0"}, "at least 1"),
    ({"root": ["/dev/null/folder"]}, "no such folder"),  # can never exist
    ({"prefix": "kbtriage"}, "with `/` in front"),
    ({"behind_proxy": "perhaps"}, "neither true nor false")])
def test_what_is_wrong_is_said(flags: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load(flags, {})


def test_an_unknown_key_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.yaml"
    file.write_text("prot: 1\n")
    with pytest.raises(UsageError, match="there is no setting `prot`"):
        load({}, {}, str(file))


def test_every_setting_has_a_flag() -> None:
    parser = argparse.ArgumentParser()
    serve_command.add(parser.add_subparsers())
    arguments = parser.parse_args(["serve", "--port", "9", "--root", "/tmp", "--no-list-reports"])
    made = load(vars(arguments), {})
    assert (made.port, made.root, made.list_reports) == (9, ("/tmp",), False)
    assert load(vars(parser.parse_args(["serve"])), {}) == Settings()


def test_a_prefix_in_all_links(make: Make) -> None:
    client = make(prefix="/kbtriage").test_client()
    for path in ("/kbtriage/", "/"):  # the proxy may take the prefix away, or not
        text = client.get(path).text
        assert 'href="/kbtriage/static/style.css?v=' in text
        assert 'action="/kbtriage/check"' in text
    chosen = client.get("/kbtriage/?lang=zh")
    assert "Path=/kbtriage/" in chosen.headers["Set-Cookie"]
    assert client.get("/kbtriage/healthz").status_code == 200


def test_a_proxy_is_believed_only_if_said_so(make: Make) -> None:
    headers = {"X-Forwarded-Prefix": "/there", "X-Forwarded-Host": "triage.example",
               "X-Forwarded-Proto": "https"}
    assert 'action="/check"' in make().test_client().get("/", headers=headers).text
    client = make(behind_proxy=True).test_client()
    assert 'action="/there/check"' in client.get("/", headers=headers).text
    chosen = client.get("/?lang=zh", headers=headers)
    assert "Secure" in chosen.headers["Set-Cookie"]
    answer = client.post("/check", data={"text": "x"}, content_type="multipart/form-data",
                         headers={**headers, "Origin": "https://triage.example"})
    assert answer.status_code != 403
