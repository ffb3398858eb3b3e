"""Who reads thousands of rules for the first time is told how far that is."""

from __future__ import annotations

from pathlib import Path

from assistant.rules import load
from assistant.rules.packs import given
from tests.rules.test_loading import rule


def test_files_are_counted_once(tmp_path: Path) -> None:
    pack = tmp_path / "p"
    pack.mkdir()
    for name in ("a", "b", "c"):
        (pack / f"{name}.yaml").write_text(rule(f"network.{name}"), "utf-8")
    told: list[tuple[int, int]] = []
    for _ in range(2):  # the second time they come from the cache
        load([given(str(pack))], cache_dir=tmp_path / "cache",
             progress=lambda done, whole: told.append((done, whole)))
        whole = sum((pack / f"{name}.yaml").stat().st_size for name in ("a", "b", "c"))
        assert [done for done, _ in told] == [0, whole // 3, 2 * whole // 3]
        assert {all_ for _, all_ in told} == {whole}
