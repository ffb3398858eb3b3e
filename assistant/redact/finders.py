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

from assistant.redact import keys

KINDS = ("key", "mail", "ip", "mac", "user", "host")
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
    for finder in (_keys, _mails, _addresses, _macs, _users, _hosts):
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
                      r"|(?:-[0-9A-Fa-f]{2}){5})(?![\w:-])")


def _macs(text: str) -> Iterator[Span]:
    for found in _mac().finditer(text):
        yield Span("mac", *found.span())


@cache
def _user() -> re.Pattern[str]:
    # A name in any script; a letter first where no path tells that it is a name.
    name = r"[^\W\d_][\w.-]{1,31}"
    return re.compile(
        r"(?i:/home/|/Users/|\b[A-Z]:[\\/]{1,2}Users[\\/]{1,2})(?P<home>\w[\w.@-]*)"
        r"|(?i:\b(?:user|username|user_name|logname|login|owner|uid=\d+)[\"']?\s*[=:(]\s*[\"']?"
        r"|--user(?:name)?\s+|\bsudo(?:\[\d+\])?:\s+(?=\S+\s:\s)|\bsu\s+(?:-\s+)?)"
        rf"(?P<named>{name})(?![\w.(]*[(.=])"
        r"|(?:用户名?|账号|帐号|账户|姓名|工号|负责人)\s*[:=：＝]\s*[\"'“]?"
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


@cache
def _host() -> re.Pattern[str]:
    label = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    name = rf"{label}(?:\.{label}){{0,6}}"
    telling = r"(?=[^\s:,]*[A-Za-z])(?=[^\s:,]*(?:\d|\.\w))"  # no plain word
    return re.compile(
        r"(?i:\b(?:host|hostname|host_name|node_?name|nodename|server_?name|master_addr"
        r"|master_address|sched_host|ms_sched_host|ms_worker_ip|pod_?name)[\"']?\s*[=:]\s*[\"']?)"
        rf"(?P<named>(?=[^\s]*[A-Za-z]){name})(?![\w(]|\.\w)"
        # What --worker_log_name puts before the rank: worker_10.0.0.2_host-a_3.log
        rf"|(?<=\d)_(?P<file>(?=[A-Za-z]){label}(?:\.{label}){{0,6}})(?=_\d+\.log)"
        rf"|(?<=://)(?P<url>{name})(?=[:/\s]|$)"
        rf"|@(?P<at>{name})(?=:|\s|$)"
        # What ssh, the resolver and Slurm say.
        rf"|\b(?i:resolve\s+host(?:name)?)\s+[\"']?(?P<resolved>{name})"
        rf"|\b(?i:host(?:name)?(?:\s+is)?)\s+[\"']?{telling}(?P<spoken>{name})(?![\w(]|\.\w)"
        rf"|\b(?i:getaddrinfo\b[^\n]{{0,24}}?\bfor)\s+[\"']?{telling}(?P<looked>{name})"
        rf"|\b(?:srun|slurmstepd): error: (?P<slurm>{name})(?=: )"
        rf"|\*\*\* (?:JOB|STEP) \S+ ON (?P<step>{name})"
        rf"|(?:主机名?|节点名?|服务器)\s*[:=：＝]\s*[\"'“]?(?=\S*[A-Za-z])(?P<chinese>{name})"
        r"|(?<![\w.-])(?P<cloud>ip(?:-\d{1,3}){4})(?![\w-])"
        rf"|(?<!\\)\\\\(?:\\\\)?(?P<share>{name})(?=\\)"
        rf"|(?<![\w./-])(?P<domain>(?:{label}\.){{1,5}}(?:local|internal|lan|intra|corp|cluster"
        r"|com|cn|edu|gov))(?![\w.-])")


#: Names that stand for no machine, and public ones that software itself prints.
_PUBLIC = re.compile(
    r"(?i)(?:localhost|true|false|none|null|unknown|ip|auto|self|master|worker|scheduler|hccl|hccp"
    r"|device|memory|server|node|rank|failed|error|.*\.(?:py|cc|cpp|h|log"
    r"|so|json|ya?ml|txt|sh)|(?:[\w-]+\.)*(?:huggingface\.co|gitee\.com|github\.com|gitcode\.com"
    r"|hiascend\.com|mindspore\.cn|huawei\.com|huaweicloud\.com|pypi\.org|pytorch\.org|python\.org"
    r"|modelscope\.cn|apache\.org|example\.(?:org|com|net)))")


def _hosts(text: str) -> Iterator[Span]:
    for found in _host().finditer(text):
        assert found.lastgroup is not None
        if not _PUBLIC.fullmatch(found[found.lastgroup]):
            yield Span("host", *found.span(found.lastgroup))
