"""Where packs are found, and in which order."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from assistant.errors import UsageError
from assistant.rules import load, packs


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# nothing\n", encoding="utf-8")


def names(found: list[packs.Layer]) -> list[str]:
    return [layer.name for layer in found]


def test_the_order_of_layers(tmp_path: Path) -> None:
    touch(tmp_path / "etc/rules/a.yaml", tmp_path / "config/kbtriage/rules/b.yaml",
          tmp_path / "work/.kbtriage/c.yaml", tmp_path / "mine/rules/d.yaml",
          tmp_path / "one.yaml")
    found = packs.layers([str(tmp_path / "mine"), str(tmp_path / "one.yaml")], tmp_path / "work",
                         environ={"XDG_CONFIG_HOME": str(tmp_path / "config")},
                         system_dir=str(tmp_path / "etc"), installed=False)
    assert names(found) == ["built in", "system", "user", "project", "mine", "one"]
    assert [file.name for layer in found[1:] for file in layer.files()] == [
        "a.yaml", "b.yaml", "c.yaml", "d.yaml", "one.yaml"]


def test_the_user_folder_without_xdg(tmp_path: Path) -> None:
    touch(tmp_path / ".config/kbtriage/rules/b.yaml")
    found = packs.layers((), tmp_path / "work", environ={"HOME": str(tmp_path)},
                         system_dir=str(tmp_path / "etc"), installed=False)
    assert names(found) == ["built in", "user"]


def test_the_built_in_pack_is_there() -> None:
    layer = packs.built_in()
    assert len(layer.files()) > 10
    assert layer.kb is not None
    assert layer.kb.is_dir()
    assert packs.kb_roots([layer]) == [layer.kb]


def test_which_files_are_rules(tmp_path: Path) -> None:
    touch(tmp_path / "a.yaml", tmp_path / "b.yml", tmp_path / "pack.yaml", tmp_path / "site.yaml",
          tmp_path / "notes.md", tmp_path / "rules/x/c.yaml", tmp_path / "rules/.hidden/d.yaml",
          tmp_path / "other/e.yaml", tmp_path / "kb/en/f.yaml", tmp_path / ".g.yaml")
    found = [path.relative_to(tmp_path).as_posix() for path in packs.rule_files(tmp_path)]
    assert found == ["a.yaml", "b.yml", "rules/x/c.yaml"]
    inner = [path.relative_to(tmp_path).as_posix()
             for path in packs.rule_files(tmp_path / "other")]
    assert inner == ["other/e.yaml"]


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_pack_that_is_asked_for_must_be_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=name):
        packs.layers([str(tmp_path / name)], installed=False)


def test_articles_beside_a_folder_of_rules(tmp_path: Path) -> None:
    touch(tmp_path / "ours/rules/a.yaml", tmp_path / "ours/kb/en/a.md")
    layer = packs.layers([str(tmp_path / "ours" / "rules")], installed=False)[-1]
    assert (layer.name, layer.kb) == ("ours", tmp_path / "ours" / "kb")


def test_packs_of_installed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "their_pack/__init__.py", tmp_path / "their_pack/rules/a.yaml")
    (tmp_path / "their_more.py").write_text(
        f"def folder():\n    return {str(tmp_path / 'their_pack')!r}\n", encoding="utf-8")
    info = tmp_path / "their-1.0.dist-info"
    touch(info / "RECORD")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their\nVersion: 1.0\n",
                                   encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[kbtriage.packs]\nbroken = not_there_at_all\nfunction = their_more:folder\n"
        "module = their_pack\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    found = packs.layers((), tmp_path, environ={}, system_dir=str(tmp_path / "etc"))
    monkeypatch.delitem(sys.modules, "their_pack")
    monkeypatch.delitem(sys.modules, "their_more")
    assert names(found) == ["built in", "broken", "function", "module"]
    assert [len(layer.files()) for layer in found[1:]] == [0, 1, 1]
    assert "not_there_at_all" in found[1].trouble
    problem = load(found[1:2], cache=False).problems[0]
    assert problem.code == "bad-pack"


def test_what_is_passed_over_and_why(tmp_path: Path) -> None:
    touch(tmp_path / "a.yaml", tmp_path / "pack.yaml", tmp_path / "rules/x/site.yaml",
          tmp_path / "rules/x/c.yaml", tmp_path / "rules/.hidden/d.yaml", tmp_path / "other/e.yaml",
          tmp_path / "kb/en/f.yaml", tmp_path / "notes.md")
    found = {path.relative_to(tmp_path).as_posix(): why
             for path, why in packs.passed_over(tmp_path)}
    assert found == {"other/e.yaml": "outside", "rules/.hidden/d.yaml": "hidden",
                     "rules/x/site.yaml": "reserved"}
    assert list(packs.passed_over(tmp_path / "a.yaml")) == []
