"""What is wrong with pack.yaml and site.yaml beyond their form: keys that the versions which a
pack admits do not know, rules that are not there, silences that are over, placeholders."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePath

from assistant.authoring import placeholders
from assistant.rules import history
from assistant.rules.layer import read_site
from assistant.rules.packs import PACK_FILE, SITE_FILE
from assistant.rules.reading import Content
from assistant.rules.site import Row, apply_site
from assistant.rules.types import Problem, Rule
from assistant.rules.yaml_source import Document

#: The id of a rule, in a file that may not be YAML.
_ID = re.compile(r"""\s*(?:-\s+)?id\s*:\s*["']?([a-z0-9.-]+)["']?\s*(?:#|$)""")


def left_out(contents: Sequence[Content]) -> frozenset[str]:
    """The ids that files with errors spell: whoever names one of these has spelled it rightly."""
    return frozenset(
        found[1] for content in contents if any(one.level == "error" for one in content.problems)
        for line in content.document.lines if (found := _ID.match(line)))


def site_variables(contents: Sequence[Content]) -> frozenset[str]:
    """The names of the variables that the site files among `contents` set."""
    values = (content.document.value for content in contents
              if PurePath(content.document.file).name == SITE_FILE)
    return frozenset(name for value in values if isinstance(value, dict)
                     and isinstance(value.get("site"), dict) for name in value["site"])


def check_packs(contents: Sequence[Content], rules: Iterable[Rule],
                spoilt: Iterable[str] = (), variables: Collection[str] = (),
                today: datetime.date | None = None) -> Iterator[Problem]:
    """Problems of the pack and site files among `contents`.

    Args:
        rules: all that are in force or looked at.
        spoilt: ids of rules that do not work, see `left_out`.
        variables: names of the variables that site files set.
        today: the day by which silences are judged.
    """
    known = {rule.id: rule for rule in rules}
    for content in contents:
        document = content.document
        name = PurePath(document.file).name
        if content.problems or not isinstance(document.value, dict):
            continue
        if name == PACK_FILE:
            yield from _newer_keys(document, contents)
        elif name == SITE_FILE:
            values, where, _ = read_site(document.text.encode(), document.file)
            yield from apply_site(values, where, document.file, dict(known),
                                  {name: Row("") for name in spoilt}, {}, "",
                                  today or datetime.date.today())
            yield from placeholders.of_site_file(document, known, variables)


def _newer_keys(pack: Document, contents: Sequence[Content]) -> Iterator[Problem]:
    """Keys of the pack's files that a version which `requires` admits would refuse."""
    requires = pack.value.get("requires")
    if not isinstance(requires, str):
        return
    folder = PurePath(pack.file).parent
    for content in contents:
        if folder in PurePath(content.document.file).parents:
            for path, first in history.too_new(_kind(content.document), content.document.value,
                                               requires):
                yield Problem(content.document.key(path), "newer-key", "warning",
                              f"`{path[-1]}` is known since kbtriage {first}, and pack.yaml admits "
                              f"an older one ({requires})",
                              f'write `requires: ">={first}"` in pack.yaml')


def _kind(document: Document) -> str:
    """The kind of file of a document, one of schema.KINDS."""
    name = PurePath(document.file).name
    if name in (PACK_FILE, SITE_FILE):
        return name.partition(".")[0]
    value = document.value
    return next((kind for kind in ("catalogue", "landmarks")
                 if isinstance(value, dict) and kind in value), "rule")
