"""`kbtriage serve` as it runs: it starts, says limits, and ends when asked to."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import UsageError
from tests.web.support import ROOT
from web.server import serve
from web.settings import Settings


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server with small limits, and its port."""
    settings = tmp_path / "serve.yaml"
    settings.write_text("max_bytes: 1M\nport: 0\nmax_checks: 1\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", "serve"], stderr=subprocess.PIPE, text=True,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT),
                           "KBTRIAGE_CONFIG": str(settings),
                           # no setting of the page, though it begins like one
                           "KBTRIAGE_CACHE_DIR": str(tmp_path / "cache")})
    assert process.stderr
    try:
        line = process.stderr.readline()
        while "listening" not in line:
            assert line, "the server ended"
            line = process.stderr.readline()
        port = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert port
        yield process, int(port[1])
    finally:
        process.kill()
        process.wait(10)
        process.stderr.close()


def post(port: int, body: bytes, announced: int | None = None) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest("POST", "/api/v1/check")
    connection.putheader("Content-Type", "text/plain")
    connection.putheader("Content-Length", str(announced or len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers["Content-Type"], text


def test_it_checks_logs_says_limits_and_ends(
        serving: tuple[subprocess.Popen[str], int]) -> None:
    process, port = serving
    status, _, text = post(port, b"[ERROR] 2026-11-30 08:29:13 something is wrong\n")
    assert status == 200
    assert json.loads(text)["schema"] == "kbtriage.report/1"
    for announced in ((1 << 20) + 1, 1 << 40):  # the application refuses, and the server
        body = b"x" * announced if announced < 1 << 30 else b"x"
        status, media, text = post(port, body, announced)
        assert (status, media) == (413, "application/problem+json")
        assert json.loads(text)["limit"] == 1 << 20
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert process.stderr
    log = process.stderr.read()
    assert "POST /api/v1/check 200" in log
    assert "something is wrong" not in log


def test_a_port_that_is_taken(serving: tuple[subprocess.Popen[str], int], tmp_path: Path) -> None:
    port = serving[1]
    second = subprocess.run(
        [sys.executable, "-m", "assistant", "serve", "--port", str(port)],
        capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert second.returncode == 2
    assert "choose another --port" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_host_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"999\.1\.1\.1:0: .*; choose another --host"):
        serve(Settings(host="999.1.1.1", port=0, isolate=False))
