"""The locks hold what pyproject.toml asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


def direct(section: str) -> set[str]:
    """Names of the packages that a list in pyproject.toml asks for, as pip spells them."""
    found = re.search(rf"^{section} = \[(.*?)\]\s*$", PROJECT, re.M | re.S)
    assert found
    names = re.findall(r'^\s*"([A-Za-z0-9_.-]+)|\["([A-Za-z0-9_.-]+)', "[" + found[1], re.M)
    return {re.sub(r"[-_.]+", "-", one or other).lower() for one, other in names} - {"kbtriage"}


def locked(file: str) -> dict[str, str]:
    """Package to version."""
    text = (ROOT / "requirements" / file).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([\w.]+)", text, re.M))


def test_what_an_installation_needs_is_locked() -> None:
    assert direct("dependencies") <= locked("runtime.lock").keys()
    assert direct("dependencies") <= locked("minimum.txt").keys()


def test_the_locks_agree() -> None:
    dev = locked("dev.lock")
    assert all(dev.get(name) == version for name, version in locked("runtime.lock").items())


def test_everything_for_the_tests_is_locked() -> None:
    wanted = direct("dev") | direct("dependencies")
    assert wanted <= locked("dev.lock").keys()


@pytest.mark.parametrize("file", ["dev.lock", "runtime.lock"])
def test_every_version_has_hashes(file: str) -> None:
    text = (ROOT / "requirements" / file).read_text("utf-8")
    for block in re.split(r"\n(?=[a-z0-9])", text.strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_the_minimum_is_what_pyproject_says() -> None:
    oldest = locked("minimum.txt")
    for name, version in re.findall(r'^\s*"([A-Za-z0-9_.-]+)>=([\w.]+)', PROJECT, re.M):
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in oldest and key in direct("dependencies"):
            assert oldest[key].startswith(version) or version.startswith(oldest[key])
