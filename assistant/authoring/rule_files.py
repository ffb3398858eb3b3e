"""The rules under some paths, with what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.authoring import beside
from assistant.errors import UsageError
from assistant.rules import packs
from assistant.rules.layer import read_pack, read_site
from assistant.rules.packs import PACK_FILE, SITE_FILE
from assistant.rules.paths import show_path
from assistant.rules.reading import Content, WrittenRule, read_content
from assistant.rules.unpack import is_packed


def read_rules(paths: Sequence[str]) -> list[WrittenRule]:
    """The rules under some paths that work. Raises UsageError as `lint` does."""
    return [rule for path, shown in files_below(paths).items()
            for rule in read_file(path, shown).rules]


def files_below(paths: Sequence[str], reserved: Sequence[Path] = ()) -> dict[Path, str]:
    """The files to read below the paths, and how to call each; a folder may hold nothing but
    `reserved` ones. `ours.zip!/rules/a.yaml` is a file of a pack that has to be unpacked."""
    found: dict[Path, str] = {}
    for text in paths:
        origin, inside, _ = text.partition("!/")
        if is_packed(origin):
            layer = packs.given(origin)
            files = [*(file for name in (PACK_FILE, SITE_FILE) if (file := layer.file(name))),
                     *layer.files()]
            found.update((file, layer.shown(file)) for file in files
                         if not inside or layer.shown(file) == text)
            continue
        path = Path(text)
        if not path.exists():
            raise UsageError(f"{text}: no such file or folder")
        files = list(packs.rule_files(path))
        files += [path / name for name in (PACK_FILE, SITE_FILE)
                  if path.is_dir() and (path / name).is_file()]
        if not files and not any(path in other.parents for other in reserved):
            raise UsageError(f"{text}: no *.yaml file in it; rules are YAML files")
        found.update((file, show_path(file)) for file in files)
    return found


def read_file(path: Path, shown: str) -> Content:
    """What one file holds, with the tests beside it; a pack.yaml or site.yaml gives problems
    only. Raises UsageError: it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read: {error.strerror or error}") from error
    if path.name in (PACK_FILE, SITE_FILE):
        from assistant.rules import yaml_source

        reader = read_pack if path.name == PACK_FILE else read_site
        return Content(yaml_source.read_bytes(data, shown), problems=tuple(reader(data, shown)[-1]))
    return beside.with_tests(read_content(data, shown), path, shown)
