"""What each pack brings and what it changes in those before it: for `kbtriage pack list`."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.rules.content import pack_content
from assistant.rules.packs import Layer, Place
from assistant.rules.types import LANGUAGES


@dataclass(frozen=True, slots=True)
class PackRow:
    """One pack in force.

    Attributes:
        name, version, requires, languages: as its pack.yaml says, else the layer's name and "".
        place: by what it was found.
        path: its folder or file, or the archive or repository that it was unpacked from.
        rules, codes, landmarks, articles: how many it brings (an article once, whatever its
            languages).
        replaces: (`rule`, `code`, `landmark` or `article`, id, name of the pack that had it).
        overrides: (id or glob, number of rules that it meets, keys that it changes).
        silences: (id or glob, number of rules that it meets, until, reason).
        site: names of the site variables that it sets.
        problems: how many mistakes were found in it. trouble: why it is not used at all.
    """

    name: str
    place: Place
    path: str
    version: str = ""
    requires: str = ""
    languages: tuple[str, ...] = ()
    rules: int = 0
    codes: int = 0
    landmarks: int = 0
    articles: int = 0
    replaces: tuple[tuple[str, str, str], ...] = ()
    overrides: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    silences: tuple[tuple[str, int, str, str], ...] = ()
    site: tuple[str, ...] = ()
    problems: int = 0
    trouble: str = ""


def overview(layers: Sequence[Layer]) -> list[PackRow]:
    """The packs in force, the most general first, each with what it changes."""
    owner: dict[tuple[str, str], str] = {}
    rows: list[PackRow] = []
    for layer in layers:
        content = pack_content(layer)
        about = content["pack"]
        name = str(about.get("name", layer.name))
        trouble = layer.trouble or _refused(content)
        articles = [] if trouble else _articles(layer)
        brought = [*(("rule", values["id"]) for values, _ in content["rules"]),
                   *(("code", name) for name in content["codes"]),
                   *(("landmark", values["name"]) for values in content["landmarks"]),
                   *(("article", article) for article in articles)]
        replaced = tuple((*key, owner[key]) for key in brought if key in owner)
        owner.update((key, name) for key in brought)
        known = [name for kind, name in owner if kind in ("rule", "code")]
        site = content["site"]
        rows.append(PackRow(
            name=name, place=layer.place, path=layer.origin or str(layer.root),
            version=str(about.get("version", "")), requires=str(about.get("requires", "")),
            languages=tuple(about.get("languages", ())) or _languages(layer),
            rules=len(content["rules"]), codes=len(content["codes"]),
            landmarks=len(content["landmarks"]), articles=len(articles), replaces=replaced,
            overrides=tuple((glob, _met(known, glob), tuple(change))
                            for glob, change in site.get("overrides", {}).items()),
            silences=tuple((one["rule"], _met(known, one["rule"]), one["until"], one["reason"])
                           for one in site.get("silences", ())),
            site=tuple(site.get("site", ())), problems=len(content["problems"]),
            trouble=trouble))
    return rows


def _refused(content: Mapping[str, Any]) -> str:
    """Why a pack that can be read is left out: it wants another kbtriage."""
    return next((str(message) for _, code, _, message, _ in content["problems"]
                 if code == "other-version"), "")


def _met(known: Iterable[str], glob: str) -> int:
    return len(fnmatch.filter(known, glob))


def _articles(layer: Layer) -> list[str]:
    """The ids of the articles of a layer, sorted."""
    if layer.kb is None:
        return []
    return sorted({path.stem for lang in LANGUAGES for path in (layer.kb / lang).glob("*.md")})


def _languages(layer: Layer) -> tuple[str, ...]:
    """The languages in which a layer has articles."""
    return () if layer.kb is None else tuple(
        lang for lang in LANGUAGES if any((layer.kb / lang).glob("*.md")))
