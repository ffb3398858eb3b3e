"""Where rules and articles come from: packs, layered from the general to the special.

    built in · installed packages · system · user · project (.kbtriage/) · --pack

A pack is a folder: `rules/` (or rule files directly in it), `kb/<language>/`, and, if
wanted, `pack.yaml` and `site.yaml`. A later layer replaces rules and articles by id.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from assistant.errors import UsageError

#: Group of entry points by which Python packages ship a pack: a module (whose folder is
#: the pack), a path, or a function that gives a path.
ENTRY_POINT = "kbtriage.packs"
SUFFIXES = (".yaml", ".yml")
#: Files of a pack that hold no rules.
PACK_FILE = "pack.yaml"
SITE_FILE = "site.yaml"
BUILT_IN = "built in"


@dataclass(frozen=True, slots=True)
class Layer:
    """One pack in its place.

    Attributes:
        name: `built in`, `system`, `user`, `project`, or the pack's name.
        root: its folder, or a single file of rules.
        kb: the folder of its articles, None if it has none.
        trouble: why it cannot be used; it is then empty.
    """

    name: str
    root: Path
    kb: Path | None = None
    trouble: str = ""

    def files(self) -> tuple[Path, ...]:
        """Its files of rules and landmarks, sorted."""
        return () if self.trouble else tuple(rule_files(self.root))

    def file(self, name: str) -> Path | None:
        """PACK_FILE or SITE_FILE of the pack, None if it has none."""
        path = self.root / name
        return path if not self.trouble and self.root.is_dir() and path.is_file() else None


def layers(extra: Sequence[str] = (), project_dir: str | Path | None = None, *,
           environ: Mapping[str, str] = os.environ, system_dir: str = "/etc/kbtriage",
           installed: bool = True) -> list[Layer]:
    """All packs in force, the most general first.

    Args:
        extra: folders (or files) given with `--pack`.
        project_dir: folder that may hold `.kbtriage/`; None: the working directory.
        environ: gives XDG_CONFIG_HOME and HOME.
        installed: whether to ask installed Python packages for theirs.

    Raises:
        UsageError: a path of `extra` does not exist or holds no rule.
    """
    found = [built_in()]
    if installed:
        found += _installed()
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(environ.get("HOME", ""), ".config")
    project = Path(project_dir) if project_dir is not None else Path()
    for name, folder in (("system", Path(system_dir)), ("user", Path(config) / "kbtriage"),
                         ("project", project / ".kbtriage")):
        if folder.is_dir():
            found.append(_layer(name, folder))
    return found + [_given(path) for path in extra]


def built_in() -> Layer:
    """The pack that kbtriage brings: in an installed package or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    root = package / "data" if (package / "data" / "rules").is_dir() else package.parent
    return Layer(BUILT_IN, root / "rules", root / "kb")


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
        if "kb" in parts[:-1]:
            continue  # the front matter of articles is no file of its own
        hidden = any(part.startswith(".") for part in parts)
        yield path, ("hidden" if hidden else "reserved" if path.name in (PACK_FILE, SITE_FILE)
                     else "outside")


def _below(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "kb"]
        yield from (path for path in (Path(folder, name) for name in names) if _is_rule(path))


def _is_rule(path: Path) -> bool:
    return (path.suffix in SUFFIXES and not path.name.startswith(".")
            and path.name not in (PACK_FILE, SITE_FILE) and path.is_file())


def _layer(name: str, root: Path) -> Layer:
    kb = root / "kb"
    return Layer(name, root, kb if kb.is_dir() else None)


def _given(path: str) -> Layer:
    root = Path(path)
    if not root.exists():
        raise UsageError(f"--pack {path}: no such folder or file")
    name = root.stem if root.is_file() else root.resolve().name
    if root.is_dir() and root.name == "rules" and (root.parent / "kb").is_dir():
        layer = Layer(root.resolve().parent.name, root, root.parent / "kb")
    else:
        layer = _layer(name, root)
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
        found.append(_layer(point.name, root) if not trouble else
                     Layer(point.name, root, trouble=trouble))
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
