from __future__ import annotations

import json

import jsonschema
import pytest

from assistant.cli.main import main


@pytest.mark.parametrize("kind", ["rule", "landmarks", "pack", "site", "report"])
def test_every_schema_is_one(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", kind]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
