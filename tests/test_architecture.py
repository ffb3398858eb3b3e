"""Imports go one way only, as docs/architecture.md draws them, and nowhere in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = ("errors", "atomic", "processes", "evidence", "logtext", "patterns", "rules", "sources",
         "scan", "portable", "cluster", "job", "diagnose", "guide", "report", "redact", "render",
         "pipeline", "watch", "explain", "share", "authoring", "cli")
MODULES = sorted((ROOT / "assistant").rglob("*.py"))


def room(module: str) -> str | None:
    """The room of a dotted module name below `assistant`, None for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "assistant" else None


def imported(path: Path) -> set[str]:
    """Rooms that a module imports, late imports included."""
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            rooms |= {found for alias in node.names if (found := room(alias.name))}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if room(node.module) else [
                f"{node.module}.{alias.name}" for alias in node.names]
            rooms |= {found for name in names if (found := room(name))}
    return rooms


def dotted(path: Path) -> str:
    """The name by which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path, known: Collection[str]) -> set[str]:
    """Those of the known modules that a module imports, late imports included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {name if (name := f"{node.module}.{alias.name}") in known else node.module
                      for alias in node.names}
    return (found & set(known)) - {dotted(path)}


def own_room(path: Path) -> str:
    parts = path.relative_to(ROOT / "assistant").parts
    return parts[0].removesuffix(".py")


def test_every_room_is_drawn() -> None:
    found = {own_room(path) for path in MODULES} - {"__init__", "__main__"}
    assert found == set(ORDER)
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = text.split("only what stands left of it:")[1].split("\n\n")[0]
    assert tuple(re.findall(r"`(\w+)`", listed)) == ORDER


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_rooms_to_the_left(path: Path) -> None:
    own = own_room(path)
    if own in ("__init__", "__main__"):
        return
    place = ORDER.index(own)
    wrong = {name for name in imported(path) if name not in ORDER[:place + 1]
             and name != "__version__"}
    assert not wrong, f"{own} imports {sorted(wrong)}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither across rooms nor inside one, late imports and those for types included."""
    modules = {dotted(path): path for path in (*MODULES, *(ROOT / "web").rglob("*.py"))}
    graph = {name: imported_modules(path, modules) for name, path in modules.items()}
    assert sum(map(len, graph.values())) > len(graph)  # imports were found at all
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("imports go round: " + " <- ".join(error.args[1]))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
