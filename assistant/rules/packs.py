"""Where rules and articles come from: packs, layered from the general to the special.

    built in · installed packages · system · user · project (.kbtriage/) · --pack

A pack is a folder: `rules/` (or rule files directly in it), `kb/<language>/`, and, if
wanted, `pack.yaml` and `site.yaml`; or a zip file or git repository of such a folder (see
unpack.py). A later layer replaces rules and articles by id.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

from assistant.errors import UsageError

#: Group of entry points by which Python packages ship a pack: a module (whose folder is
#: the pack), a path, or a function that gives a path.
ENTRY_POINT = "kbtriage.packs"
SUFFIXES = (".yaml", ".yml")
#: Files of a pack that hold no rules.
PACK_FILE = "pack.yaml"
SITE_FILE = "site.yaml"
BUILT_IN: Final = "built in"
#: A folder of a pack that holds logs with what must be found in them, and what the name of a
#: file of tests ends with, before its suffix: `quota.test.yaml` beside `quota.yaml`.
CASES, TESTS = "cases", ".test"
#: By what a pack is found, in the order of layers; `given` is `--pack`.
Place = Literal["built in", "package", "system", "user", "project", "given"]


@dataclass(frozen=True, slots=True)
class Layer:
    """One pack in its place.

    Attributes:
        name: `built in`, `system`, `user`, `project`, or the pack's name.
        root: its folder, or a single file of rules.
        kb: the folder of its articles, None if it has none.
        trouble: why it cannot be used; it is then empty.
        place: by what it was found.
        origin: the archive or repository from which `root` was unpacked.
    """

    name: str
    root: Path
    kb: Path | None = None
    trouble: str = ""
    place: Place = "given"
    origin: str = ""

    def files(self) -> tuple[Path, ...]:
        """Its files of rules and landmarks, sorted."""
        return () if self.trouble else tuple(rule_files(self.root))

    def odd(self) -> tuple[tuple[Path, str], ...]:
        """Where rules may lie that are not read, with the reason: `reserved` (a file called
        pack.yaml or site.yaml below the top) or `unreadable` (a folder)."""
        return () if self.trouble or self.place == BUILT_IN else tuple(_odd(self.root))

    def shown(self, path: Path) -> str:
        """How to call a file of the pack: `ours.zip!/rules/a.yaml` for one that was unpacked."""
        if not self.origin:
            return str(path)
        return f"{self.origin}!/{path.relative_to(self.root).as_posix()}"

    def file(self, name: str) -> Path | None:
        """PACK_FILE or SITE_FILE of the pack, None if it has none."""
        path = self.root / name
        return path if not self.trouble and self.root.is_dir() and path.is_file() else None


def layers(extra: Sequence[str] = (), project_dir: str | Path | None = None, *,
           environ: Mapping[str, str] = os.environ, system_dir: str = "/etc/kbtriage",
           installed: bool = True, cache: bool = True) -> list[Layer]:
    """All packs in force, the most general first.

    Args:
        extra: folders, files, archives or repositories given with `--pack`.
        project_dir: folder that may hold `.kbtriage/`; None: the working directory.
        environ: gives XDG_CONFIG_HOME and HOME.
        installed: whether to ask installed Python packages for theirs.
        cache: whether what an archive holds may be kept in the user's cache folder.

    Raises:
        UsageError: a path of `extra` does not exist, is broken, or holds no rule.
    """
    found = [built_in()]
    if installed:
        found += _installed()
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(environ.get("HOME", ""), ".config")
    project = Path(project_dir) if project_dir is not None else Path()
    usual: tuple[tuple[Place, Path], ...] = (
        ("system", Path(system_dir)), ("user", Path(config) / "kbtriage"),
        ("project", project / ".kbtriage"))
    found += [_layer(place, folder, place) for place, folder in usual if os.path.isdir(folder)]
    return found + [given(path, cache=cache) for path in extra]


def built_in() -> Layer:
    """The pack that kbtriage brings: in an installed package or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    root = package / "data" if (package / "data" / "rules").is_dir() else package.parent
    return Layer(BUILT_IN, root / "rules", root / "kb", place=BUILT_IN)


def kb_roots(found: Sequence[Layer]) -> list[Path]:
    """The folders of articles of the layers, the most general first."""
    return [layer.kb for layer in found if layer.kb is not None]


def rule_files(root: Path) -> Iterator[Path]:
    """The YAML files of rules below a folder (or the one file), sorted by path.

    Where there is a `rules/` folder it is taken, with the files beside it; else all files
    below. Hidden folders, `kb/`, pack.yaml and site.yaml are passed over.
    """
    if root.is_file():
        yield root
        return
    inner = root / "rules"
    if inner.is_dir():
        yield from sorted([*_below(inner), *(path for path in root.iterdir() if _is_rule(path))])
    else:
        yield from sorted(_below(root))


def passed_over(root: Path) -> Iterator[tuple[Path, str]]:
    """The YAML files below a folder that are not read, sorted, each with the reason why:
    `reserved` (it is called pack.yaml or site.yaml and does not stand at the top), `hidden`,
    or `outside` (it lies beside `rules/`, in a folder of its own)."""
    if root.is_file():
        return
    read = {*rule_files(root), root / PACK_FILE, root / SITE_FILE}
    for path in sorted(root.rglob("*")):
        if path in read or path.suffix not in SUFFIXES or not path.is_file():
            continue
        parts = path.relative_to(root).parts
        if "kb" in parts[:-1] or CASES in parts[:-1] or path.stem.endswith(TESTS):
            continue  # the front matter of articles is no file of its own; tests are no rules
        if any(part.startswith(".") for part in parts):
            if not _of_a_tool(root, parts):
                yield path, "hidden"
        else:
            yield path, "reserved" if path.name in (PACK_FILE, SITE_FILE) else "outside"


def _of_a_tool(root: Path, parts: Sequence[str]) -> bool:
    """Whether a hidden file was never meant to be a rule: settings of git, CI or an editor."""
    beside = (root / "rules").is_dir() and parts[0] != "rules"
    return beside or parts[0].startswith((".git", ".vscode", ".pre-commit"))


def _below(root: Path) -> Iterator[Path]:
    yield from (path for path in _walk(root) if _is_rule(path))


def _odd(root: Path) -> Iterator[tuple[Path, str]]:
    if not root.is_dir():
        return
    inner = root / "rules"
    failed: list[OSError] = []
    for path in sorted(_walk(inner if inner.is_dir() else root, failed.append)):
        if path.name in (PACK_FILE, SITE_FILE) and path.parent != root:
            yield path, "reserved"
    for error in failed:
        yield Path(error.filename), "unreadable"


def _walk(root: Path, failed: Callable[[OSError], object] | None = None) -> Iterator[Path]:
    for folder, folders, names in os.walk(root, onerror=failed):
        folders[:] = [name for name in folders
                      if not name.startswith(".") and name not in ("kb", CASES)]
        yield from (Path(folder, name) for name in names)


def _is_rule(path: Path) -> bool:
    return (path.suffix in SUFFIXES and not path.name.startswith(".")
            and not path.stem.endswith(TESTS)
            and path.name not in (PACK_FILE, SITE_FILE) and path.is_file())


def _layer(name: str, root: Path, place: Place = "given", origin: str = "") -> Layer:
    kb = root / "kb"
    trouble = ""
    try:
        if root.is_dir():
            os.listdir(root)
    except OSError as error:
        trouble = f"it cannot be read: {error.strerror or error}"
    has = not trouble and kb.is_dir()
    return Layer(name, root, kb if has else None, trouble, place, origin)


def given(path: str, *, cache: bool = True) -> Layer:
    """The layer of a pack that somebody names.

    Raises:
        UsageError: it does not exist, is broken, or holds nothing.
    """
    from assistant.rules import unpack

    root = Path(path)
    if unpack.is_packed(path):
        from assistant.patterns import default_cache_dir

        folder = unpack.unpack(path, default_cache_dir() if cache else None)
        layer = _layer(root.name.partition("@")[0].removesuffix(".zip").removesuffix(".git"),
                       folder, origin=path)
    elif not root.exists():
        remote = "://" in path or path.startswith("git@")
        raise UsageError(f"--pack {path}: " + (
            "a pack is never fetched from the network; clone it, and give the folder" if remote
            else "no such folder or file"))
    elif root.is_dir() and root.name == "rules" and (root.parent / "kb").is_dir():
        layer = Layer(root.resolve().parent.name, root, root.parent / "kb")
    else:
        layer = _layer(root.stem if root.is_file() else root.resolve().name, root)
    if layer.trouble:
        raise UsageError(f"--pack {path}: {layer.trouble}")
    if not (layer.files() or layer.kb or layer.file(SITE_FILE)):
        raise UsageError(f"--pack {path}: it holds no rules/*.yaml, no kb/ and no site.yaml")
    return layer


def _installed() -> list[Layer]:
    if not _any_declared():
        return []
    from importlib.metadata import entry_points

    found = []
    for point in sorted(entry_points(group=ENTRY_POINT), key=lambda point: point.name):
        try:
            root = _folder(point.load())
            trouble = "" if root.is_dir() else f"{root} is not a folder"
        except Exception as error:  # a foreign package may fail in any way
            root, trouble = Path(point.value), f"{type(error).__name__}: {error}"
        found.append(_layer(point.name, root, "package") if not trouble else
                     Layer(point.name, root, trouble=trouble, place="package"))
    return found


def _any_declared() -> bool:
    """Whether any installed package has an entry point of ours; asking importlib.metadata
    takes ten times as long, at every start."""
    wanted = ENTRY_POINT.encode()
    return any(wanted in text for folder in sys.path for text in _entry_points(folder or "."))


def _entry_points(folder: str) -> Iterator[bytes]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # an archive, or nothing
        return
    for name in names:
        with contextlib.suppress(OSError), open(
                os.path.join(folder, name, "entry_points.txt"), "rb") as stream:
            yield stream.read()


def _folder(thing: str | Path | ModuleType | Callable[[], str | Path]) -> Path:
    """The folder that an entry point means."""
    if isinstance(thing, ModuleType):
        return Path(next(iter(thing.__path__))) if hasattr(thing, "__path__") else Path(
            str(thing.__file__)).parent
    return Path(thing) if isinstance(thing, (str, Path)) else Path(thing())
