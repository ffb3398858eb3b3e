"""A new pack: a first rule with tests, its article in both languages, settings for the editor
and for CI. Every file is a start that works, and nothing that exists is overwritten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from assistant import __version__
from assistant.errors import UsageError
from assistant.rules import schema_text

#: File of the pack, and the template it is made from.
_FILES = (
    ("pack.yaml", "pack.yaml"),
    ("site.yaml", "site.yaml"),
    ("rules/storage/scratch-not-mounted.yaml", "rule.yaml"),
    ("kb/en/NAME-scratch-not-mounted.md", "article.en.md"),
    ("kb/zh/NAME-scratch-not-mounted.md", "article.zh.md"),
    ("README.md", "README.md"),
    (".github/workflows/pack.yml", "workflow.yml"),
    (".vscode/settings.json", "settings.json"),
)
#: Schemas that the editor needs, in the hidden folder SCHEMAS of the pack.
SCHEMAS = ".schema"
_KINDS = ("rule", "tests", "case", "catalogue", "landmarks", "pack", "site")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def create(folder: Path, name: str = "") -> list[Path]:
    """Writes a new pack into a folder and gives its files, in the order of reading.

    Args:
        name: of the pack; "": that of the folder, in lower case with `-` between words.

    Raises:
        UsageError: the name cannot be used, a file exists already, or nothing can be written.
    """
    chosen = name or "-".join(re.findall(r"[a-z0-9]+", folder.resolve().name.lower()))
    if not _NAME.fullmatch(chosen):
        raise UsageError(f"{name or folder}: not a name for a pack; give one with --name: words in "
                         "lower case joined by `-`, such as our-cluster")
    texts = [(folder / target.replace("NAME", chosen), text)
             for target, text in _texts(chosen)]
    write_new(texts)
    return [path for path, _ in texts]


def write_new(texts: list[tuple[Path, str]]) -> None:
    """Writes files that do not exist yet: all of them, or none.

    Raises:
        UsageError: one exists already, or cannot be written.
    """
    taken = [str(path) for path, _ in texts if path.exists()]
    if taken:
        raise UsageError(f"{taken[0]}: exists already, and nothing is overwritten"
                         + (f" ({len(taken) - 1} more)" if len(taken) > 1 else "")
                         + "; nothing was written")
    written: list[Path] = []
    try:
        for path, text in texts:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:
                written.append(path)
                stream.write(text)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        # A write names no file.
        raise UsageError(f"{error.filename or written[-1]}: cannot be written: "
                         f"{error.strerror or error}") from error


def _texts(name: str) -> Iterator[tuple[str, str]]:
    templates = resources.files("assistant.authoring") / "scaffold"
    for target, template in _FILES:
        text = (templates / template).read_text("utf-8")
        yield target, text.replace("NAME", name).replace("VERSION", __version__)
    for kind in _KINDS:
        yield f"{SCHEMAS}/{kind}.schema.json", schema_text(kind).rstrip("\n") + "\n"
