"""The rows of catalogues: built when wanted, changed by site files, kept apart in the cache."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from pathlib import Path

from assistant.rules import load
from assistant.rules.codebook import CodeBook
from assistant.rules.packs import Layer
from assistant.rules.types import CodeSignal, Name, Rule

CATALOGUE = "catalogue: ours\nabout: {en: Ours, zh: 我们的}\narticle: our-codes\ncodes:\n"


def row(code: str, title: str = "It broke") -> str:
    return (f"  - code: {code}\n    category: hccl\n    severity: error\n    usually: cause\n"
            f"    title: {{en: {title}, zh: 坏了}}\n    meaning: {{en: Broken., zh: 坏。}}\n"
            f"    causes: {{en: [A fault], zh: [故障]}}\n    steps: {{en: [Mend it], zh: [修]}}\n"
            f'    printed: ["{code}: broken"]\n')


def rule(name: str) -> Rule:
    return Rule(f"hccl.code-{name.lower()}", {"en": name}, "hccl", "error", "a",
                {"code": CodeSignal((name,))}, Name("code"), usually="cause")


def layer(folder: Path, *codes: str, site: str = "", title: str = "It broke",
          **files: str) -> Layer:
    folder.mkdir(parents=True, exist_ok=True)
    if codes:
        (folder / "codes.yaml").write_text(
            CATALOGUE + "".join(row(code, title) for code in codes), encoding="utf-8")
    for name, text in {"site": site, **files}.items():
        if text:
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return Layer(folder.name, folder)


def test_only_what_is_asked_for_is_built_and_once() -> None:
    asked: list[Collection[str]] = []

    def build(ids: Collection[str]) -> Mapping[str, Rule]:
        asked.append(ids)
        return {name: rule(name.removeprefix("hccl.code-").upper()) for name in ids}

    book = CodeBook({"hccl.code-a": "A", "hccl.code-b": "B", "hccl.code-c": "C"}, build)
    assert book.rules_for(["X"]) == () and asked == []
    assert [one.id for one in book.rules_for(["C", "A", "X"])] == ["hccl.code-a", "hccl.code-c"]
    assert [one.id for one in book.all()] == ["hccl.code-a", "hccl.code-b", "hccl.code-c"]
    assert book.rules_for(["A"])[0] is book.all()[0]
    assert asked == [["hccl.code-a", "hccl.code-c"], ["hccl.code-b"]]


def test_a_book_of_rules_and_one_without_a_rule() -> None:
    book = CodeBook.of([rule("A"), rule("B")])
    assert book.codes == {"hccl.code-a": "A", "hccl.code-b": "B"}
    assert book.without("hccl.code-a").all() == (rule("B"),)
    assert book.without("hccl.code-a").rules_for(["A"]) == ()
    assert book == CodeBook.of([rule("A"), rule("B")]) != CodeBook.of([rule("A")])


def test_rows_lie_in_a_file_of_their_own_that_most_starts_do_not_read(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    pack = layer(tmp_path / "p", "EX0001", "EX0002")
    cold = load([pack], cache_dir=cache)
    assert cold.rules == () and len(cold.codes) == 2
    whole = {path: path.read_bytes() for path in cache.glob("*.json")}
    rows, = (path for path in whole if path.stem.endswith("-rows"))
    assert len(whole) == 2
    rows.unlink()
    warm = load([pack], cache_dir=cache)
    assert warm.codes.codes == cold.codes.codes and not rows.exists()
    assert warm == cold  # all rules are wanted, and the file is made again
    assert rows.read_bytes() == whole[rows]
    rows.write_bytes(b"damaged")
    assert load([pack], cache_dir=cache).codes.rules_for(["EX0002"]) == cold.codes.all()[1:]


def test_later_packs_replace_rows_by_id(tmp_path: Path) -> None:
    first = layer(tmp_path / "a", "EX0001", "EX0002", "EX0003")
    written = ("id: hccl.code-ex0002\ntitle: {en: Ours, zh: 我们的}\ncategory: hccl\n"
               "severity: error\narticle: ours\nsignals: {it: {log: lost}}\nwhen: it\n")
    second = layer(tmp_path / "b", "EX0001", title="Ours", written=written)
    both = load([first, second], cache=False)
    assert [one.id for one in both.rules] == ["hccl.code-ex0002"]
    assert {one.id: (one.title["en"], one.source) for one in both.codes.all()} == {
        "hccl.code-ex0001": ("Ours", "b"), "hccl.code-ex0003": ("It broke", "a")}
    again = load([second, first], cache=False)
    assert again.rules == () and len(again.codes) == 3


def test_site_files_change_rows(tmp_path: Path) -> None:
    pack = layer(tmp_path / "p", "EX0001", "EX0002", "EX0003")
    site = layer(tmp_path / "site", site=(
        "overrides:\n  hccl.code-ex0001: {severity: warning, title: {en: Ours}}\n"
        "  hccl.code-ex0003: {enabled: false}\n"
        "silences:\n  - {rule: hccl.code-ex0002, until: '2026-03-01', reason: known}\n"))
    loaded = load([pack, site], cache=False, today=datetime.date(2026, 3, 1))
    assert not loaded.problems
    assert {one.id: (one.severity, one.title["en"], one.verdict)
            for one in loaded.codes.all()} == {
        "hccl.code-ex0001": ("warning", "Ours", None),
        "hccl.code-ex0002": ("info", "It broke", "none")}
    assert {name: (one.pack, one.until, one.reason) for name, one in loaded.silenced.items()} == {
        "hccl.code-ex0002": (site.name, "2026-03-01", "known")}
