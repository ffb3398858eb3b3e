"""Packs that are no plain folders: zip files and git repositories."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest

from assistant.errors import UsageError
from assistant.rules import load, packs, unpack

RULE = ("id: storage.ours\ntitle: {en: Lost, zh: 丢失}\ncategory: storage\nseverity: error\n"
        "article: disk-full\nsignals: {it: {log: 'scratch lost'}}\nwhen: it\n")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def zipped(path: Path, files: dict[str, str]) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return str(path)


def ids(layer: packs.Layer) -> list[str]:
    return [rule.id for rule in load([layer], cache=False).rules]


@pytest.mark.parametrize("top", ["", "ours-main/"])
def test_a_zip_file(tmp_path: Path, top: str) -> None:
    path = zipped(tmp_path / "ours.zip", {
        f"{top}rules/a.yaml": RULE, f"{top}kb/en/a.md": "x", f"{top}pack.yaml":
        'name: ours\nversion: "1"\n', f"{top}.github/x.yml": "y", f"{top}run.sh": "echo"})
    layer = packs.given(path)
    assert (layer.name, layer.origin, ids(layer)) == ("ours", path, ["storage.ours"])
    assert layer.kb is not None and (layer.kb / "en" / "a.md").is_file()
    assert sorted(p.name for p in layer.root.rglob("*.*")) == ["a.md", "a.yaml", "pack.yaml"]
    assert layer.shown(layer.files()[0]) == f"{path}!/rules/a.yaml"
    assert packs.given(path).root == layer.root


def test_problems_name_the_file_in_the_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path / "ours.zip", {"rules/a.yaml": RULE.replace("error", "eror"),
                                          "rules/x/pack.yaml": RULE})
    found = load([packs.given(path)], cache=False).problems
    assert [(p.position.file, p.code) for p in found] == [
        (f"{path}!/rules/x/pack.yaml", "reserved-name"),
        (f"{path}!/rules/a.yaml", "unknown-severity")]


def test_without_a_cache_a_temporary_folder_serves(tmp_path: Path, own_cache: Path) -> None:
    path = zipped(tmp_path / "ours.zip", {"rules/a.yaml": RULE})
    layer = packs.given(path, cache=False)
    assert ids(layer) == ["storage.ours"]
    assert not own_cache.exists()


def test_names_that_lead_outside_are_not_taken(tmp_path: Path) -> None:
    path = zipped(tmp_path / "ours.zip", {"rules/a.yaml": RULE, "../../evil.yaml": RULE,
                                          "/etc/evil.yaml": RULE})
    link = zipfile.ZipInfo("rules/link.yaml")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    root = packs.given(path).root
    assert [p.name for p in root.rglob("*.yaml")] == ["a.yaml"]
    assert not list(tmp_path.rglob("evil.yaml"))


@pytest.mark.parametrize("content", [b"", b"PK\3\4 cut", b"no zip at all"])
def test_a_broken_zip_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ours.zip").write_bytes(content)
    with pytest.raises(UsageError, match=r"ours\.zip: not a usable zip file"):
        packs.given(str(tmp_path / "ours.zip"))


def test_an_archive_that_grows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          own_cache: Path) -> None:
    monkeypatch.setattr(unpack, "MAX_CONTENT", 1000)
    path = zipped(tmp_path / "bomb.zip", {"rules/a.yaml": "x" * 2000})
    with pytest.raises(UsageError, match=r"bomb\.zip"):
        packs.given(path)
    assert list((own_cache / "packs").iterdir()) == []
    monkeypatch.setattr(unpack, "MAX_FILES", 3)
    path = zipped(tmp_path / "many.zip", {f"rules/{n}.yaml": RULE for n in range(5)})
    with pytest.raises(UsageError, match="more than 3 files"):
        packs.given(path)


def test_an_empty_zip_file_is_told(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    (tmp_path / "ours.zip").write_bytes(buffer.getvalue())
    with pytest.raises(UsageError, match="holds no rules"):
        packs.given(str(tmp_path / "ours.zip"))


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), "-c", "user.name=a", "-c",
                    "user.email=a@example.org", *words], check=True, capture_output=True)


@needs_git
def test_git_repositories(tmp_path: Path) -> None:
    work = tmp_path / "ours"
    (work / "rules").mkdir(parents=True)
    git(work, "init", "-q")
    for version in ("one", "two"):
        (work / "rules" / "a.yaml").write_text(RULE.replace("ours", version), encoding="utf-8")
        git(work, "add", "-A")
        git(work, "commit", "-qm", version)
        git(work, "tag", version)
    git(tmp_path, "clone", "-q", "--bare", str(work), str(tmp_path / "ours.git"))
    assert ids(packs.given(str(work))) == ["storage.two"]
    assert ids(packs.given(str(tmp_path / "ours.git"))) == ["storage.two"]
    assert ids(packs.given(f"{work}@one")) == ["storage.one"]
    assert ids(packs.given(f"{tmp_path / 'ours.git'}@one")) == ["storage.one"]
    with pytest.raises(UsageError, match="git cannot read it"):
        packs.given(f"{work}@nowhere")
    with pytest.raises(UsageError, match="no such folder"):
        packs.given(f"{work}@--output=x")


@needs_git
@pytest.mark.parametrize("form", ["{}.git", "{}@HEAD"])
def test_a_repository_runs_nothing_and_fetches_nothing(tmp_path: Path, form: str) -> None:
    """Whatever its own configuration asks for."""
    work, mark = tmp_path / "ours", tmp_path / "ran"
    (work / "rules").mkdir(parents=True)
    (work / "rules" / "a.yaml").write_text(RULE, encoding="utf-8")
    git(work, "init", "-q")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "x")
    git(tmp_path, "clone", "-q", "--bare", str(work), f"{work}.git")
    repository = Path(form.format(work).removesuffix("@HEAD"))
    for name, value in (("tar.zip.command", f"touch {mark}; cat"), ("core.pager", f"touch {mark}"),
                        ("core.fsmonitor", f"touch {mark}"), ("core.sshCommand", f"touch {mark};"),
                        ("remote.origin.url", f"ext::touch {mark}"),
                        ("protocol.ext.allow", "always"), ("remote.origin.promisor", "true"),
                        ("remote.origin.partialclonefilter", "blob:none"),
                        ("extensions.partialClone", "origin"), ("alias.ls-tree", f"!touch {mark}")):
        git(repository, "config", name, value)
    assert ids(packs.given(form.format(work))) == ["storage.ours"]
    for loose in repository.rglob("objects/??/*"):
        if b"storage" in zlib.decompress(loose.read_bytes()):  # what is missing would be fetched
            loose.unlink()
    with pytest.raises(UsageError, match="git cannot read it"):
        packs.given(form.format(work))
    assert not mark.exists()


@needs_git
def test_within_a_hook_of_another_repository(tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "ours"
    (work / "rules").mkdir(parents=True)
    (work / "rules" / "a.yaml").write_text(RULE, encoding="utf-8")
    git(work, "init", "-q")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "x")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another"))
    assert ids(packs.given(f"{work}@HEAD")) == ["storage.ours"]


def test_a_repository_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD", "objects", "refs"):
        (tmp_path / "ours.git" / name).mkdir(parents=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="git cannot be run"):
        packs.given(str(tmp_path / "ours.git"))


@pytest.mark.parametrize("url", ["https://example.org/ours.git", "git@example.org:ours.git"])
def test_nothing_is_fetched(url: str) -> None:
    with pytest.raises(UsageError, match="never fetched"):
        packs.given(url)
