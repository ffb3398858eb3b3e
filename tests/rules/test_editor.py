"""What an editor makes of the schemas, asked of the YAML language server itself.

Skipped where it is not installed: `npm install -g yaml-language-server`, or its path in
YAML_LANGUAGE_SERVER.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.authoring.pack_new import create

SERVER = os.environ.get("YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")
pytestmark = pytest.mark.skipif(SERVER is None, reason="yaml-language-server is not installed")


class Client:
    """A language client that opens one file after the other."""

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen([str(SERVER), "--stdio"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._number = 0
        self.ask("initialize", {"processId": os.getpid(), "rootUri": root.as_uri(),
                                "capabilities": {"textDocument": {"hover": {
                                    "contentFormat": ["plaintext"]}}}})
        self._send({"method": "initialized", "params": {}})

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to a request; what the server asks meanwhile is answered with nothing."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def problems(self, path: Path) -> list[str]:
        """The messages of the diagnostics of a file that is opened."""
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": path.as_uri(), "languageId": "yaml", "version": 1,
            "text": path.read_text("utf-8")}}})
        while True:
            message = self._receive()
            params = message.get("params", {})
            if (message.get("method") == "textDocument/publishDiagnostics"
                    and params["uri"] == path.as_uri()):
                return [one["message"] for one in params["diagnostics"]]

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has ended"
        message: dict[str, Any] = json.loads(stream.read(length))
        if "id" in message and "method" in message:
            wanted = message.get("params") or {}
            answer = [{} for _ in wanted.get("items", ())] or None
            self._send({"id": message["id"], "result": answer})
        return message


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editor") / "our-cluster"
    create(folder)
    return folder


@pytest.fixture(scope="module")
def client(pack: Path) -> Iterator[Client]:
    found = Client(pack)
    yield found
    found.close()


def test_the_scaffold_has_no_problem(client: Client, pack: Path) -> None:
    for name in ("pack.yaml", "site.yaml", "rules/storage/scratch-not-mounted.yaml"):
        assert client.problems(pack / name) == []


@pytest.mark.parametrize(("old", "new", "said"), [
    ("severity: error", "severity: eror", "error"), ("when: mount", "wen: mount", "wen"),
    ("in: worker", "in: workers", "worker"), ("article:", "artikel:", "artic"),
])
def test_mistakes_are_shown(client: Client, pack: Path, old: str, new: str, said: str) -> None:
    text = (pack / "rules" / "storage" / "scratch-not-mounted.yaml").read_text("utf-8")
    path = pack / "rules" / "storage" / f"{said}-{len(new)}.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = client.problems(path)
    assert found and any(said in message for message in found)


def test_keys_are_completed_and_described(client: Client, pack: Path) -> None:
    path = pack / "rules" / "storage" / "completed.yaml"
    text = (pack / "rules" / "storage" / "scratch-not-mounted.yaml").read_text("utf-8")
    path.write_text(text + "\n", encoding="utf-8")
    client.problems(path)
    lines = text.splitlines()
    place = {"textDocument": {"uri": path.as_uri()}, "position": {
        "line": len(lines), "character": 0}}
    answer = client.ask("textDocument/completion", place)
    labels = {item["label"] for item in (answer["items"] if isinstance(answer, dict) else answer)}
    assert {"owner", "explains", "confidence"} <= labels
    row = lines.index("severity: error")
    hover = client.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()},
                                              "position": {"line": row, "character": 2}})
    assert "failed" in json.dumps(hover)
