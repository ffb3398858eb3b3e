"""What makes a rule that works a poor one: names, relations, tests. All problems at once.

What keeps a rule from working is found on reading (reading.py); what needs articles is
found by assistant/authoring.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from assistant.rules import condition
from assistant.rules.build import words
from assistant.rules.given import given_by_rule
from assistant.rules.layer import duplicate
from assistant.rules.reading import WrittenRule
from assistant.rules.suggest import closest, instead
from assistant.rules.types import CATEGORIES, LandmarkSignal, Position, Problem, Rule


def lint_rules(written: Sequence[WrittenRule], others: Iterable[Rule],
               landmarks: Iterable[str], spoilt: Iterable[str] = ()) -> list[Problem]:
    """Problems of `written`.

    Args:
        others: the rules that are in force beside them; one with the id of a written rule
            is the one that the written rule replaces.
        landmarks: names of all landmarks.
        spoilt: ids of rules that do not work and may be named all the same.
    """
    ids = [rule.rule.id for rule in written]
    beside = tuple(others)
    known = sorted({*ids, *(rule.id for rule in beside), *spoilt})
    marks = sorted(landmarks)
    giving_way = {rule.id: rule.unless for rule in (*beside, *(one.rule for one in written))}
    problems: list[Problem] = []
    for rule in written:
        problems += _names(rule)
        problems += _signals(rule, marks)
        problems += _relations(rule, known)
        problems += _tests(rule)
    problems += _catalogues(written, known)
    return [*problems, *_circles(written, known), *_mutual(written, giving_way),
            *_duplicates(written)]


def _names(written: WrittenRule) -> Iterator[Problem]:
    rule = written.rule
    category = rule.id.split(".")[0]
    if category != rule.category:
        cure = (f"write `{rule.category}.{rule.id.split('.')[1]}`, or `category: {category}`"
                if category in CATEGORIES else
                f"write `{rule.category}.{rule.id.split('.')[1]}`")
        yield _error(written.at("id"), "id-category",
                     f"the id begins with `{category}`, but the category is `{rule.category}`",
                     cure)
    folder = PurePath(written.document.file).parent.name
    if folder in CATEGORIES and folder != rule.category:
        yield _error(written.at("category"), "wrong-folder",
                     f"a rule of the category `{rule.category}` stands in the folder `{folder}`",
                     f"move it to `{rule.category}/`, or change its category")


def _signals(written: WrittenRule, landmarks: Sequence[str]) -> Iterator[Problem]:
    rule = written.rule
    used = {*condition.names(rule.when), *rule.blame}
    for signal in written.value["signals"].values():
        used.update(signal[key] for key in ("before", "after") if key in signal)
    for name, built in rule.signals.items():
        if name in rule.optional and name in condition.names(rule.when):
            yield _error(written.key("signals", name), "optional-signal",
                         f"`when` needs the signal `{name}`, which is optional",
                         "take it out of `when`, or remove `optional`")
        if name not in used and name not in rule.optional:
            yield _error(written.key("signals", name), "unused-signal",
                         f"the signal `{name}` is used nowhere", "name it in `when`, or remove it")
        if isinstance(built, LandmarkSignal) and built.name not in landmarks:
            yield _error(written.at("signals", name, "landmark"), "unknown-landmark",
                         f"there is no landmark `{built.name}`", instead(built.name, landmarks))


def _relations(written: WrittenRule, known: Sequence[str]) -> Iterator[Problem]:
    for key, place, name in _named_rules(written):
        position = written.at(*place)
        if name == written.rule.id:
            if key == "explains" and _ranks_of(written, place) == "other":
                continue
            yield _error(position, "self-reference", f"`{key}` names the rule itself", "remove it")
        elif not fnmatch.filter(known, name):
            yield _unknown(position, key, name, known)


def _catalogues(written: Sequence[WrittenRule], known: Sequence[str]) -> Iterator[Problem]:
    """Rules that catalogues name in `explains`, once for all rows of a file."""
    first = {id(rule.document): rule for rule in reversed(written)
             if rule.rule.usually is not None}
    for rule in first.values():
        for place, name in _names_in("explains", rule.value.get("explains")):
            if not fnmatch.filter(known, name):
                yield _unknown(rule.document.at(place), "explains", name, known)


def _unknown(position: Position, key: str, name: str, known: Sequence[str]) -> Problem:
    return _error(position, "unknown-rule", f"`{key}` names `{name}`, and no rule has that id",
                  near_rule(name, known))


def near_rule(name: str, known: Sequence[str]) -> str:
    """The cure for a rule id that does not exist."""
    near = closest(name, known)
    return f"did you mean `{near}`?" if near else "see `kbtriage rules list` for all ids"


def _named_rules(written: WrittenRule) -> Iterator[tuple[str, tuple[str | int, ...], str]]:
    """(key, place, id or glob) of every rule that `explains` and `unless` name.

    What a catalogue adds to its rows is nobody's writing, and passed over.
    """
    for key in ("explains", "unless"):
        value = written.value.get(key)
        if value is not None and (*written.path, key) in written.document.keys:
            yield from ((key, place, name) for place, name in _names_in(key, value))


def _names_in(key: str, value: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """(place, id or glob) of every rule that stands in the value of `explains` or `unless`."""
    entries = value if isinstance(value, list) else [] if value is None else [value]
    for number, entry in enumerate(entries):
        place: tuple[str | int, ...] = (key, number) if isinstance(value, list) else (key,)
        if isinstance(entry, str):
            yield place, entry
            continue
        inner = entry["rules"]
        if isinstance(inner, str):
            yield (*place, "rules"), inner
        else:
            yield from (((*place, "rules", n), name) for n, name in enumerate(inner))


def _ranks_of(written: WrittenRule, place: tuple[str | int, ...]) -> str:
    """The `ranks:` of the relation in which a name of `explains` stands."""
    if "rules" not in place:
        return "any"
    value = written.value
    for part in place[:place.index("rules")]:
        value = value[part]  # type: ignore[index]
    return str(value.get("ranks", "any"))


def _circles(written: Sequence[WrittenRule], known: Sequence[str]) -> Iterator[Problem]:
    """Rules that explain each other in a circle: none of them could ever be the cause.

    Relations to other ranks are left out: A on one rank can explain B on another one, and
    the other way round.
    """
    edges: dict[str, dict[str, Position]] = defaultdict(dict)
    for rule in written:
        for key, place, name in _named_rules(rule):
            if key == "explains" and _ranks_of(rule, place) != "other":
                for target in fnmatch.filter(known, name):
                    if target != rule.rule.id:
                        edges[rule.rule.id].setdefault(target, rule.at(*place))
    told: set[frozenset[str]] = set()
    for rule in written:
        path = _way_back(rule.rule.id, edges)
        if path and frozenset(path) not in told:
            told.add(frozenset(path))
            yield _error(edges[path[0]][path[1]], "circular-explains",
                         "these rules explain each other in a circle: " + " -> ".join(path),
                         "remove one of these entries, or restrict one with `ranks: other`")


def _way_back(start: str, edges: Mapping[str, Mapping[str, Position]]) -> list[str]:
    """The shortest way from a rule over what it explains back to itself, empty if none."""
    before: dict[str, str] = {}
    queue = [start]
    for name in queue:
        for target in edges.get(name, {}):
            if target == start:
                way = [start]
                while name != start:
                    way.append(name)
                    name = before[name]
                return [start, *reversed(way[1:]), start]
            if target not in before:
                before[target] = name
                queue.append(target)
    return []


def _mutual(written: Sequence[WrittenRule],
            giving_way: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    """Rules that give way to each other, of which one would have to stay nevertheless.

    Where globs of both meet, each gives way to a whole group, and the surer one stays; where
    a rule is named by its id, somebody has erred.

    Args: giving_way: what `unless` of every rule in force names.
    """
    told: set[frozenset[str]] = set()
    for rule in written:
        own = rule.rule.id
        for key, place, name in _named_rules(rule):
            for other in fnmatch.filter(giving_way, name) if key == "unless" else ():
                pair = frozenset((own, other))
                back = [glob for glob in giving_way[other] if fnmatch.fnmatchcase(own, glob)]
                if other != own and pair not in told and back and (
                        name == other or own in back):
                    told.add(pair)
                    yield _error(rule.at(*place), "mutual-unless",
                                 f"`{own}` and `{other}` give way to each other",
                                 "remove one of the two entries: the rule that says more stays")


def _duplicates(written: Sequence[WrittenRule]) -> Iterator[Problem]:
    first: dict[tuple[str, str], Position] = {}
    for rule in written:
        key = (_pack_of(rule.document.file), rule.rule.id)
        earlier = first.setdefault(key, rule.rule.position)
        if earlier != rule.rule.position:
            yield duplicate(rule.rule.id, rule.rule.position, earlier)


def _pack_of(file: str) -> str:
    """The folder of rules that a file belongs to: the outermost `rules`, else its own."""
    parts = PurePath(file).parts[:-1]
    end = parts.index("rules") + 1 if "rules" in parts else len(parts)
    return posixpath.join(*parts[:end]) if parts[:end] else ""


def _tests(written: WrittenRule) -> Iterator[Problem]:
    rule = written.rule
    where = written.key("tests") if "tests" in written.value else written.key()
    matching = [test for test in rule.tests if test.expect is not None]
    if not rule.harmless and not matching:
        yield _error(where, "no-matching-test", f"no test shows that `{rule.id}` is found",
                     "add a test with `expect: {...}`")
    if len(matching) == len(rule.tests):
        yield _error(where, "no-counter-test", f"no test shows when `{rule.id}` is not found",
                     "add a test with `expect: none`: healthy lines, or a look-alike")
    names: dict[str, Position] = {}
    captures = sorted(given_by_rule(rule))
    inside = len(written.value.get("tests", ()))  # the others stand in a file beside it
    for number, test in enumerate(rule.tests):
        place = ("tests", number)
        earlier = names.setdefault(test.name, test.position)
        if earlier != test.position:
            yield _error(written.at(*place, "name") if number < inside else test.position,
                         "duplicate-test",
                         f"another test has this name (line {earlier.line})", "rename one")
        if test.expect is None:
            continue
        for name in test.expect.get("captures", {}):
            if name not in captures:
                yield _error(written.key(*place, "expect", "captures", name)
                             if number < inside else test.position, "unknown-capture",
                             f"no signal of the rule gives `{name}`", instead(name, captures))
        yield from _test_lines(written, number)


def _test_lines(written: WrittenRule, number: int) -> Iterator[Problem]:
    test = written.rule.tests[number]
    lines = test.expect.get("line", ()) if test.expect is not None else ()
    for index, line in enumerate(words(lines)):
        place: tuple[str | int, ...] = ("tests", number, "expect", "line")
        position = (written.at(*place, *(() if isinstance(lines, str) else (index,)))
                    if number < len(written.value.get("tests", ())) else test.position)
        file, _, row = line.rpartition(":")
        if file not in test.logs:
            yield _error(position, "unknown-file", f"this test has no log `{file}`",
                         instead(file, test.logs))
        elif int(row) > len(test.logs[file].splitlines()):
            yield _error(position, "unknown-line",
                         f"`{file}` of this test ends at line "
                         f"{len(test.logs[file].splitlines())}", "count its lines again")


def _error(position: Position, code: str, message: str, cure: str) -> Problem:
    return Problem(position, code, "error", message, cure)
