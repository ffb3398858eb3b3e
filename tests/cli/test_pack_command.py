"""`kbtriage pack`: a scaffold that works at once, and the list of what is in force."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assistant import pipeline
from assistant.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def scaffold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["pack", "new", "Our Cluster"]) == 0
    return tmp_path / "Our Cluster"


def test_the_scaffold_passes_lint_and_its_tests(scaffold: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["rules", "lint", "--strict", str(scaffold)]) == 0
    assert "no problems" in capsys.readouterr().out
    assert main(["rules", "test", "--strict", str(scaffold)]) == 0
    out = capsys.readouterr().out
    assert "2 passed, 0 failed" in out and "0 blamed" in out and "0 survived" in out


def test_what_a_scaffold_holds(scaffold: Path) -> None:
    names = {path.relative_to(scaffold).as_posix() for path in scaffold.rglob("*")}
    assert {"pack.yaml", "site.yaml", "rules/storage/scratch-not-mounted.yaml",
            "kb/en/our-cluster-scratch-not-mounted.md", "kb/zh/our-cluster-scratch-not-mounted.md",
            ".github/workflows/pack.yml", ".vscode/settings.json",
            ".schema/rule.schema.json"} <= names
    for name in ("pack.yaml", "site.yaml", "rules/storage/scratch-not-mounted.yaml"):
        path = scaffold / name
        first = path.read_text("utf-8").splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        assert (path.parent / first.partition("=")[2]).is_file()
    settings = json.loads((scaffold / ".vscode" / "settings.json").read_text("utf-8"))
    assert all((scaffold / name).is_file() for name in settings["yaml.schemas"])
    assert "NAME" not in "".join(path.read_text("utf-8") for path in scaffold.rglob("*.[ym]*"))


def test_nothing_is_overwritten(scaffold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scaffold / "site.yaml").write_text("mine", encoding="utf-8")
    (scaffold / "README.md").unlink()
    capsys.readouterr()
    assert main(["pack", "new", str(scaffold)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (scaffold / "site.yaml").read_text("utf-8") == "mine"
    assert not (scaffold / "README.md").exists()


@pytest.mark.parametrize("words", [["组"], ["x", "--name", "Our Pack"], ["file/x"]])
def test_a_folder_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                      words: list[str],
                                      capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["pack", "new", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["pack", "list", "--format", "json", *words]) == 0
    packs: list[dict[str, object]] = json.loads(capsys.readouterr().out)["packs"]
    return packs


def test_the_list_says_what_overrides_what(scaffold: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    other = scaffold.parent / "other"
    rule = scaffold / "rules" / "storage" / "scratch-not-mounted.yaml"
    (other / "rules").mkdir(parents=True)
    (other / "rules" / "a.yaml").write_bytes(rule.read_bytes())
    (other / "site.yaml").write_text(
        "site: {oncall: us}\noverrides: {storage.our-*: {severity: info}}\n"
        "silences: [{rule: no.such, until: '2999-01-01', reason: x}]\n", encoding="utf-8")
    found = listed(capsys, "--pack", str(scaffold), "--pack", str(other))
    assert [row["name"] for row in found] == ["built in", "our-cluster", "other"]
    assert [row["place"] for row in found] == ["built in", "given", "given"]
    assert found[1]["version"] == "0.1.0" and found[1]["languages"] == ["en", "zh"]
    assert found[2]["replaces"] == [{
        "kind": "rule", "id": "storage.our-cluster-scratch-not-mounted", "from": "our-cluster"}]
    assert found[2]["overrides"] == [{"rules": "storage.our-*", "met": 1, "keys": ["severity"]}]
    assert found[2]["silences"] == [{"rules": "no.such", "met": 0, "until": "2999-01-01",
                                     "reason": "x"}]
    assert main(["pack", "list", "--pack", str(scaffold), "--pack", str(other)]) == 0
    text = capsys.readouterr().out
    assert "replaces the rule storage.our-cluster-scratch-not-mounted of our-cluster" in text
    assert "silences no.such (no rule of this name) until 2999-01-01: x" in text
    assert "sets site.oncall" in text


def test_a_pack_for_another_version_is_named(scaffold: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    path = scaffold / "pack.yaml"
    path.write_text(path.read_text("utf-8").replace('">=0.1.0"', '">=99"'), encoding="utf-8")
    row = listed(capsys, "--pack", str(scaffold))[-1]
    assert "wants kbtriage >=99" in str(row["trouble"])
    log = scaffold.parent / "worker_0.log"
    log.write_text("scratch /scratch is not mounted\n", encoding="utf-8")
    report = pipeline.check([str(log)], packs=[str(scaffold)], jobs=1)
    assert any("wants kbtriage >=99" in problem for problem in report.inputs.problems)
    assert not any("our-cluster" in finding.rule for finding in report.findings)


def test_a_broken_pack_never_stops_check(scaffold: Path) -> None:
    rules = scaffold / "rules" / "storage"
    rule = (rules / "scratch-not-mounted.yaml").read_text("utf-8")
    (rules / "second.yaml").write_text(
        rule.replace("scratch-not-mounted\n", "b\n", 1).replace("scratch (", "other ("),
        encoding="utf-8")
    (rules / "broken.yaml").write_text("id: [", encoding="utf-8")
    (rules / "bytes.yaml").write_bytes(b"\xff\xfe\0")
    (rules / "site.yaml").write_text(rule, encoding="utf-8")
    (rules / "severity.yaml").write_text(rule.replace("error", "eror", 1), encoding="utf-8")
    (rules / "dir.yaml").mkdir()
    (scaffold / "site.yaml").write_text("sites: {}\n", encoding="utf-8")
    (scaffold / "kb" / "en" / "our-cluster-scratch-not-mounted.md").write_text("", "utf-8")
    log = scaffold.parent / "worker_0.log"
    log.write_text("scratch /scratch is not mounted\n", encoding="utf-8")
    report = pipeline.check([str(log)], packs=[str(scaffold)], jobs=1)
    assert report.findings[0].rule == "storage.our-cluster-scratch-not-mounted"
    told = " ".join(report.inputs.problems)
    for name in ("broken.yaml:1:", "bytes.yaml:1:1", "storage/site.yaml:1:1", "severity.yaml:",
                 "Our Cluster/site.yaml:1:1", "kb/en/our-cluster-scratch-not-mounted.md:1:1"):
        assert name in told


def test_a_pack_of_an_installed_package(scaffold: Path, tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    """Built and installed by the ordinary client, found by a fresh interpreter."""
    pytest.importorskip("hatchling")
    project = tmp_path / "project"
    (project / "their_pack").mkdir(parents=True)
    (project / "their_pack" / "__init__.py").write_text("", encoding="utf-8")
    for name in ("pack.yaml", "rules", "kb"):
        (scaffold / name).rename(project / "their_pack" / name)
    (project / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "their-pack"\nversion = "1.0"\n'
        '[project.entry-points."kbtriage.packs"]\ntheirs = "their_pack"\n', encoding="utf-8")
    target = tmp_path / "site-packages"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps",
         "--no-index", "--target", str(target), str(project)],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    code = (f"import sys; sys.path[:0] = [{str(target)!r}, {str(ROOT)!r}]\n"
            "from assistant.cli.main import main; sys.exit(main(['pack', 'list']))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "our-cluster 0.1.0  (a Python package: " in done.stdout
    assert "1 rule, 1 article (en, zh)" in done.stdout
