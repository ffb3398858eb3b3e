"""Keys by version: what another kbtriage knows is told with its version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.authoring.lint import lint
from assistant.rules import history
from assistant.rules.packs import Layer

ROOT = Path(__file__).parent
GOOD = Layer("good", ROOT / "good", ROOT / "kb")


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later kbtriage, in which `owner` is new, and `team` is gone; `shift` is newer still."""
    table: dict[str, Any] = {"first": "0.1", "added": {"rule.owner": "0.4", "rule.shift": "99.0"},
                             "removed": {"rule.team": {"in": "0.3", "instead": "write `owner`"}}}
    monkeypatch.setattr(history, "table", lambda: table)


@pytest.mark.parametrize(("key", "cure"), [
    ("team", "kbtriage knew it before 0.3; write `owner`"),
    ("shift", "kbtriage 99.0 knows it, and this is"),
    ("ownr", "did you mean `owner`?"),
])
def test_an_unknown_key_names_the_version_that_knows_it(tmp_path: Path, ahead: None, key: str,
                                                        cure: str) -> None:
    text = (ROOT / "good" / "single.yaml").read_text("utf-8") + f"{key}: us\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    (problem,) = lint([str(tmp_path)], layers=[GOOD]).problems
    assert problem.code == "unknown-key"
    assert problem.cure.startswith(cure)


@pytest.mark.parametrize(("requires", "told"), [('">=0.1"', True), ('">=0.4"', False),
                                                ('"<9"', True)])
def test_a_pack_that_admits_older_versions(tmp_path: Path, ahead: None, requires: str,
                                           told: bool) -> None:
    (tmp_path / "rules").mkdir()
    text = (ROOT / "good" / "single.yaml").read_text("utf-8") + "owner: us\n"
    (tmp_path / "rules" / "a.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "pack.yaml").write_text(
        f'name: ours\nversion: "1"\nrequires: {requires}\n', encoding="utf-8")
    found = lint([str(tmp_path / "rules")], layers=[GOOD]).problems
    assert found == ()
    found = lint([str(tmp_path)], layers=[GOOD]).problems
    wanted = [("newer-key", "warning", 'write `requires: ">=0.4"` in pack.yaml')] if told else []
    assert [(p.code, p.level, p.cure) for p in found if p.code != "other-version"] == wanted
