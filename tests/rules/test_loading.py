"""Packs to a rule set: layers, site files, the cache, and broken rules left out."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.rules import load
from assistant.rules.changes import Change
from assistant.rules.packs import Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Position

ROOT = Path(__file__).parents[2]


def rule(rule_id: str, log: str = "lost", **keys: str) -> str:
    more = "".join(f"{key}: {value}\n" for key, value in keys.items())
    category = rule_id.split(".")[0]
    return (f"id: {rule_id}\ntitle: {{en: Lost, zh: 丢失}}\ncategory: {category}\n"
            f"severity: error\narticle: lost\nsignals: {{it: {{log: '{log}'}}}}\nwhen: it\n{more}")


def pack(folder: Path, files: dict[str, str]) -> Layer:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Layer(folder.name, folder)


def codes(ruleset: RuleSet) -> list[str]:
    return [problem.code for problem in ruleset.problems]


def test_a_later_layer_replaces_by_id(tmp_path: Path) -> None:
    general = pack(tmp_path / "general", {"rules/a.yaml": rule("network.a", "one"),
                                          "rules/b.yaml": rule("network.b")})
    special = pack(tmp_path / "special", {"a.yaml": rule("network.a", "two")})
    ruleset = load([general, special], cache=False)
    found = {one.id: one for one in ruleset.rules}
    assert sorted(found) == ["network.a", "network.b"]
    assert [spec.expression for spec in ruleset.patterns()
            if spec.key == "network.a/it"] == ["two"]
    assert found["network.a"].source == "special"
    assert found["network.b"].source == "general"
    assert ruleset.problems == ()


def test_a_broken_rule_is_named_and_its_neighbours_load(tmp_path: Path) -> None:
    both = "rules:\n" + "".join(
        "- " + "  ".join(text.splitlines(keepends=True))
        for text in (rule("network.a"), rule("network.b", log="(")))
    layer = pack(tmp_path / "p", {"rules/both.yaml": both, "rules/c.yaml": "id: {a, b",
                                  "rules/d.yaml": rule("network.d")})
    ruleset = load([layer], cache=False)
    assert [one.id for one in ruleset.rules] == ["network.a", "network.d"]
    assert sorted(codes(ruleset)) == ["bad-expression", "unclosed-bracket"]
    problem = next(p for p in ruleset.problems if p.code == "bad-expression")
    assert problem.position.file.endswith("both.yaml")
    assert problem.position.line == 14


def test_two_rules_of_one_pack_with_one_id(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a", "one"),
                                  "b.yaml": rule("network.a", "two")})
    ruleset = load([layer], cache=False)
    assert codes(ruleset) == ["duplicate-id"]
    assert [spec.expression for spec in ruleset.patterns()] == ["one"]


def test_landmarks(tmp_path: Path) -> None:
    general = pack(tmp_path / "g", {"landmarks.yaml": "landmarks: [{name: a, log: one}]\n"})
    special = pack(tmp_path / "s", {
        "marks.yaml": "landmarks: [{name: a, log: two, phase: joined}, {name: b, log: x}]\n"})
    ruleset = load([general, special], cache=False)
    assert [(mark.name, mark.patterns) for mark in ruleset.landmarks] == [
        ("a", ("two",)), ("b", ("x",))]
    assert [spec.key for spec in ruleset.patterns()] == ["landmark/a", "landmark/b"]


SITE = """
site: {ssh: ssh admin@}
overrides:
  network.a: {severity: info, title: {en: Ours}, article: ours}
  storage.*: {enabled: false}
  nobody.knows: {severity: info}
silences:
  - {rule: network.b, until: "2026-03-01", reason: new switch}
"""


def test_site_files(tmp_path: Path) -> None:
    general = pack(tmp_path / "g", {f"{name}.yaml": rule(name) for name in (
        "network.a", "network.b", "storage.c")})
    site = pack(tmp_path / "site", {"site.yaml": SITE})
    ruleset = load([general, site], cache=False, today=datetime.date(2026, 3, 1))
    found = {one.id: one for one in ruleset.rules}
    assert sorted(found) == ["network.a", "network.b"]
    changed = found["network.a"]
    assert (changed.severity, changed.title, changed.article) == (
        "info", {"en": "Ours", "zh": "丢失"}, "ours")
    assert ruleset.site == {"ssh": "ssh admin@"}
    file = f"{site.root}/site.yaml"
    assert ruleset.changes == {
        "network.a": (Change("overridden", site.name, Position(file, 4, 3),
                             keys=("severity", "title", "article")),),
        "storage.c": (Change("off", site.name, Position(file, 5, 3)),),
        "network.b": (Change("silenced", site.name, Position(file, 8, 5), until="2026-03-01",
                             reason="new switch"),)}
    assert list(ruleset.silenced) == ["network.b"]
    assert (found["network.b"].severity, found["network.b"].verdict) == ("info", "none")
    assert codes(ruleset) == ["unknown-rule"]
    assert "nobody.knows" in ruleset.problems[0].message
    # The day after, it speaks again.
    after = load([general, site], cache=False, today=datetime.date(2026, 3, 2))
    assert after.silenced == {}
    assert {one.severity for one in after.rules if one.id == "network.b"} == {"error"}


def test_a_broken_site_file_changes_nothing(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a"), "site.yaml":
                                  "overrides: {network.a: {enabled: no}}\n"})
    ruleset = load([layer], cache=False)
    assert codes(ruleset) == ["yaml-trap"]
    assert [one.id for one in ruleset.rules] == ["network.a"]


def test_a_pack_for_another_version_is_left_out(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a"), "pack.yaml":
                                  'name: p\nversion: "1"\nrequires: ">=99"\n'})
    ruleset = load([layer], cache=False)
    assert codes(ruleset) == ["other-version"]
    assert ruleset.rules == ()


def test_a_pack_that_cannot_be_used(tmp_path: Path) -> None:
    ruleset = load([Layer("their", tmp_path, trouble="ImportError: no")], cache=False)
    assert codes(ruleset) == ["bad-pack"]
    assert "their" in ruleset.problems[0].message


def test_the_cache_gives_the_same_and_mends_itself(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a"), "b.yaml": rule("network.b", "("),
                                  "site.yaml": "site: {x: y}\n"})
    cache = tmp_path / "cache"
    cold = load([layer], cache_dir=cache)
    assert cold.rules
    assert cold.problems
    kept = list(cache.glob("*.json"))
    assert len(kept) == 1
    whole = kept[0].read_bytes()
    assert load([layer], cache_dir=cache) == cold
    for damaged in (b"", whole[:-5], whole.replace(b"lost", b"last"), b"\xff" * 100,
                    b"{}", whole[:70]):
        kept[0].write_bytes(damaged)
        assert load([layer], cache_dir=cache) == cold
        assert kept[0].read_bytes() == whole
    (layer.root / "a.yaml").write_text(rule("network.z"), encoding="utf-8")
    assert [one.id for one in load([layer], cache_dir=cache).rules] == ["network.z"]


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a")})
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    assert load([layer], cache_dir=blocked / "cache") == load([layer], cache=False)


def test_a_warm_start_imports_no_parser(tmp_path: Path) -> None:
    code = ("import sys\nfrom assistant.rules import load, packs\n"
            "ruleset = load(packs.layers())\n"
            "assert len(ruleset.rules) > 20, len(ruleset.rules)\n"
            "print(*sorted({'yaml', 'jsonschema', 'hyperscan', 're2', 'importlib.metadata'}"
            " & set(sys.modules)))")
    environ = {**os.environ, "KBTRIAGE_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT),
               "XDG_CONFIG_HOME": str(tmp_path)}
    cold, warm = (subprocess.run([sys.executable, "-c", code], env=environ, cwd=tmp_path,
                                 capture_output=True, text=True, check=True).stdout
                  for _ in range(2))
    assert "yaml" in cold
    assert warm.split() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    layer = pack(tmp_path / "p", {"a.yaml": rule("network.a"), "b.yaml": rule("network.b")})
    (tmp_path / "p" / "a.yaml").chmod(0)
    ruleset = load([layer], cache=False)
    assert codes(ruleset) == ["unreadable"]
    assert [one.id for one in ruleset.rules] == ["network.b"]
