"""`kbtriage rules new`: drafts in a pack, and what lint and their own tests say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant import guide
from assistant.authoring.bench import Bench, suite
from assistant.authoring.draft import Draft, draft
from assistant.authoring.lint import Linted, lint
from assistant.authoring.pack_new import SCHEMAS, write_new
from assistant.authoring.place import Place
from assistant.authoring.rule_tests import Result, run_suite
from assistant.errors import UsageError
from assistant.patterns import default_cache_dir
from assistant.rules import load, packs


@dataclass(frozen=True)
class Written:
    """What was written and how it fares.

    Attributes:
        drafts: the drafts. files: what was written. refused: places of which no draft could
            be made, each with the reason.
        linted, results: what lint and the tests of the new rules say.
    """

    drafts: tuple[Draft, ...]
    files: tuple[Path, ...]
    refused: tuple[str, ...]
    linted: Linted | None
    results: tuple[Result, ...]

    @property
    def failed(self) -> bool:
        """Whether a draft does not work as it stands."""
        return self.linted is None or self.linted.failed or any(
            result.status != "passed" for result in self.results)


def write_drafts(places: Sequence[Place], pack: Path, *, rule_id: str = "",
                 category: str = "") -> Written:
    """Drafts a rule for every place and writes all of them, or none, into a pack.

    Args:
        pack: a folder; it need not exist.
        rule_id, category: see draft.draft; an id can be given for one place only.

    Raises:
        UsageError: no draft can be made, or a file exists already.
    """
    layers = packs.layers([str(pack)] if _holds_something(pack) else [])
    bench = Bench(load(layers), default_cache_dir())
    library = guide.library(layers)
    schema = pack / SCHEMAS / "rule.schema.json"
    drafts: list[Draft] = []
    refused: list[str] = []
    for place in places:
        taken = {name for one in drafts for name in (one.rule, one.article)}
        made = _tried(place, bench, library, rule_id, category, taken,
                      f"../../{SCHEMAS}/rule.schema.json" if schema.is_file() else "")
        if isinstance(made, Draft):
            drafts.append(made)
        elif len(places) == 1:
            raise made
        else:
            refused.append(f"{place.name}:{place.number}: {made}")
    texts = [(pack / name, text) for one in drafts for name, text in one.files]
    write_new(texts)
    rules = [str(path) for path, _ in texts if path.suffix == ".yaml"]
    if not rules:
        return Written((), (), tuple(refused), None, ())
    in_force = packs.layers([str(pack)])
    return Written(tuple(drafts), tuple(path for path, _ in texts), tuple(refused),
                   lint(rules, layers=in_force),
                   tuple(run_suite(suite(rules, layers=in_force))))


def _tried(place: Place, bench: Bench, library: guide.Library, rule_id: str, category: str,
           taken: set[str], schema: str) -> Draft | UsageError:
    try:
        return draft(place, bench, library, rule_id=rule_id, category=category, taken=taken,
                     schema=schema)
    except UsageError as error:
        return error


def _holds_something(pack: Path) -> bool:
    try:
        packs.given(str(pack))
    except UsageError:
        return False
    return True
