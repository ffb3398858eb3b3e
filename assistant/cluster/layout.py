"""From what each worker sees to the logs of the job: each once, with a name of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.cluster.tasks import Item, Place, Survey
from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.sources.names import labels, printable


@dataclass(frozen=True, slots=True)
class Layout:
    """What is to be scanned.

    Attributes:
        items: the logs. skipped: what is not read.
        places: as in Evidence, of logs that are told apart by something of their own.
        all_places: the same of all logs.
    """

    items: tuple[Item, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    all_places: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Group:
    """Workers that see the same files under a path: on one machine, or a shared file system."""

    host: str
    place: Place
    seen_by: dict[str, set[str]]
    workers: set[str]


def lay_out(paths: Sequence[str], surveys: Mapping[str, Survey],
            given: Mapping[str, str] | None = None) -> Layout:
    """The logs under paths.

    Files that several workers see are one log. Where workers see different files under a path
    (each node keeps its own), these are told apart by the path if it differs, else by the host.

    Args:
        paths: as they were given.
        surveys: address of a worker to what it sees.
        given: what names begin with, by path, for paths that are not the whole input.

    Raises:
        UsageError: no worker sees anything under some path, or no log at all.
    """
    items: list[Item] = []
    skipped: list[Skipped] = []
    places: list[tuple[str, str]] = []
    common: list[tuple[str, str]] = []
    missing: list[str] = []
    shown = labels(paths) if given is None else [given[path] for path in paths]
    alone = given is None and len(paths) == 1
    for index, path in enumerate(paths):
        groups = _groups(index, surveys)
        if not groups:
            missing.append(path)
        for group, own in zip(groups, _own_labels(groups), strict=True):
            label = shown[index] if not own else own if alone else f"{own}/{shown[index]}"
            lone = alone and not own
            before = "" if lone and group.place.folder else label
            _add(group, before, lone, items, skipped)
            (places if own else common).append(_where(group.place, before))
    if missing:
        raise UsageError("\n".join(
            f"no worker of the cluster sees {printable(path)}: give a path as it is on the "
            "workers (a relative one starts in their working directories)" for path in missing))
    if not items:
        raise UsageError("the workers of the cluster see no log under "
                         + ", ".join(map(printable, paths)))
    return Layout(tuple(items), tuple(skipped), tuple(places), (*places, *common))


def _groups(index: int, surveys: Mapping[str, Survey]) -> list[_Group]:
    """The workers by what they see under a path."""
    groups: list[_Group] = []
    for address, survey in sorted(surveys.items()):
        place = survey.places[index]
        if not place.exists:
            continue
        seen = {file.identity for file in place.files}
        group = next((found for found in groups if seen & found.seen_by.keys()
                      or (not (seen or found.seen_by) and found.host == survey.host)), None)
        if group is None:
            group = _Group(survey.host, place, {}, set())
            groups.append(group)
        group.workers.add(address)
        for identity in seen:
            group.seen_by.setdefault(identity, set()).add(address)
        # A file may have come while the others were asked.
        known = {file.identity for file in group.place.files}
        group.place = replace(group.place, files=(
            *group.place.files, *(f for f in place.files if f.identity not in known)))
    return groups


def _own_labels(groups: Sequence[_Group]) -> list[str]:
    """What tells the groups apart: nothing if there is one, else paths, hosts or addresses."""
    if len(groups) <= 1:
        return [""] * len(groups)
    paths = [group.place.path for group in groups]
    if len(set(paths)) == len(paths):
        return labels(paths)
    hosts = [group.host for group in groups]
    if len(set(hosts)) == len(hosts):
        return [printable(host) for host in hosts]
    return [printable(min(group.workers).split("://")[-1].replace(":", "_")) for group in groups]


def _where(place: Place, label: str) -> tuple[str, str]:
    """How the names of what is found there begin, and what stands there in the full paths."""
    if not place.folder:
        return printable(label), place.path
    return printable(f"{label}/" if label else ""), os.path.join(place.path, "")


def _add(group: _Group, label: str, lone: bool, items: list[Item],
         skipped: list[Skipped]) -> None:
    """Name what a group sees."""
    place = group.place

    def named(inner: str) -> str:
        # The place of a file that was named itself is its label.
        if not place.folder:
            return label
        return f"{label}/{inner}" if label else inner

    for seen in place.files:
        found = replace(seen.found, place=named(seen.found.place))
        items.append(Item(printable(found.place), found.size, found, None, None,
                          frozenset(group.seen_by[seen.identity]),
                          lone and not place.folder))
    skipped += (Skipped(printable(named(inner)), why) for inner, why in place.passed)
    if place.summary is not None:
        skipped.append(Skipped(printable(label) or ".", place.summary))
