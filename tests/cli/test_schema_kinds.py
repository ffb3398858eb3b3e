"""`kbtriage schema` knows every kind of file that has a schema."""

from __future__ import annotations

import json

import pytest

from assistant.cli.main import main
from assistant.rules.schema import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_it_prints_the_schema(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out)["$id"].startswith("urn:kbtriage:")
