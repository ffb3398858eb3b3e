"""What is private in a text, by kind: where it stands, as spans.

Each finder takes a text and gives `(kind, start, end)`. The kinds are those of KINDS. A rank,
a step, an error code, a version or a file name of the software is none of them.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from assistant.redact import commands, keys
from assistant.redact.hosts import host_spans
from assistant.redact.phones import phone_spans

KINDS = ("key", "mail", "ip", "mac", "phone", "user", "host")
#: Users that stand for nobody.
COMMON_USERS = frozenset({
    "root", "user", "users", "admin", "administrator", "ubuntu", "centos", "openeuler", "ascend",
    "hwhiaiuser", "ma-user", "work", "home", "nobody", "mindspore", "service", "system", "test",
    "jenkins", "docker", "none", "null", "default", "name", "python", "public", "shared", "true",
    "false", "unknown", "rank", "device", "process", "thread", "node", "defined", "code",
    "function", "failed", "error", "not", "is"})
#: Addresses that say nothing about a network.
_EVERYWHERE = ("127.", "0.0.0.0", "255.255.255.255", "224.", "169.254.")


class Span(NamedTuple):
    """A private piece of a text."""

    kind: str
    start: int
    end: int


def spans(text: str) -> list[Span]:
    """The private pieces of a text, sorted; of overlapping ones the first kind of KINDS."""
    found: list[Span] = []
    for finder in (_keys, _mails, _addresses, _macs, _phones, _users, _hosts):
        for span in finder(text):
            if all(span.end <= other.start or other.end <= span.start for other in found):
                found.append(span)
    return sorted(found, key=lambda span: span.start)


def _keys(text: str) -> Iterator[Span]:
    for shape in keys.shapes():
        for found in shape.finditer(text):
            yield Span("key", *found.span("value"))


@cache
def _mail() -> re.Pattern[str]:
    return re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}"
                      r"[A-Za-z]{2,24}(?![\w-])")


def _mails(text: str) -> Iterator[Span]:
    for found in _mail().finditer(text):
        yield Span("mail", *found.span())


@cache
def _address() -> re.Pattern[str]:
    # A number of five or more parts is a version, as is one behind a word for it.
    return re.compile(
        r"(?<![\d.])(?<!\d-)(?P<v4>\d{1,3}(?:\.\d{1,3}){3})(?!\d|\.\d)"
        r"|(?<![\w:.])(?P<v6>(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})(?![\w:])")


_VERSION_BEFORE = re.compile(
    r"(?i)(?:version|(?<![a-z])ver|driver|firmware|release|toolkit|npu-smi|[=<>~!]=|\bv)"
    r"[\s:=\"'\[(-]*$")


def _addresses(text: str) -> Iterator[Span]:
    for found in _address().finditer(text):
        kind = "v4" if found["v4"] else "v6"
        if kind == "v4" and (found["v4"].startswith(_EVERYWHERE)
                             or _VERSION_BEFORE.search(text[max(0, found.start() - 16):
                                                            found.start()])):
            continue
        if kind == "v6" and (len(found["v6"]) < 6 or not re.search(r"\d", found["v6"])):
            continue  # the `::` of C++, or `::1`
        try:
            ipaddress.ip_address(found[kind])
        except ValueError:
            continue
        yield Span("ip", *found.span(kind))


@cache
def _mac() -> re.Pattern[str]:
    return re.compile(r"(?<![\w:-])[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}"
                      r"|(?:-[0-9A-Fa-f]{2}){5})(?![\w:-])"
                      # As switches print it.
                      r"|(?<![\w.-])(?P<dotted>[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2})(?![\w-]|\.\w)")


def _macs(text: str) -> Iterator[Span]:
    for found in _mac().finditer(text):
        if not (found["dotted"] and _VERSION_BEFORE.search(text[:found.start()][-16:])):
            yield Span("mac", *found.span())


def _phones(text: str) -> Iterator[Span]:
    yield from (Span("phone", start, end) for start, end in phone_spans(text))


@cache
def _user() -> re.Pattern[str]:
    # A name in any script; a letter first where no path tells that it is a name.
    name = r"[^\W\d_][\w.-]{1,31}"
    return re.compile(
        r"(?i:/home/|/Users/|\b[A-Z]:[\\/]{1,2}Users[\\/]{1,2})(?P<home>\w[\w.@-]*)"
        r"|(?i:\b(?:user|username|user_name|logname|login|owner|uid=\d+)[\"']?\s*[=:(]\s*[\"']?"
        r"|--user(?:name)?\s+|\bsudo(?:\[\d+\])?:\s+(?=\S+\s:\s)|\bsu\s+(?:-\s+)?)"
        rf"(?P<named>{name})(?![\w.(]*[(.=])"
        rf"|{commands.users(name)}"
        r"|(?:用户名?|账号|帐号|账户|姓名|工号|负责人|联系人)\s*[:=：＝]\s*[\"'“]?"
        r"(?P<chinese>\w[\w.-]{1,31})"
        # The owner in a line of `ls -l`.
        r"|(?<!\S)[dl-](?:[r-][w-][xsStT-]){3}[.+]?\s+\d+\s+(?P<owns>[a-z_][\w.-]*)(?=\s)"
        r"|(?:\bssh\s+(?:-\S+\s+)*|\brsync\s+|\bscp\s+|\s)(?P<at>[A-Za-z][\w.-]{0,31})@(?=[\w.-]+[:\s])")


def _users(text: str) -> Iterator[Span]:
    for found in _user().finditer(text):
        assert found.lastgroup is not None
        name = found[found.lastgroup]
        if found.lastgroup == "home" or name.lower() not in COMMON_USERS:
            yield Span("user", *found.span(found.lastgroup))


def _hosts(text: str) -> Iterator[Span]:
    yield from (Span("host", start, end) for start, end in host_spans(text))
