"""Names of machines in a text, told by what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_NAME = rf"{_LABEL}(?:\.{_LABEL}){{0,6}}"
#: In front of a name that is no plain word: letters, and a digit or a part behind a dot.
_TELLING = r"(?=[^\s:,]*[A-Za-z])(?=[^\s:,]*(?:\d|\.\w))"
#: Settings that hold one name.
_SETTING = (r"(?:host|hostname|host_name|node_?name|nodename|server_?name|master_addr"
            r"|master_address|sched_host|ms_sched_host|ms_worker_ip|pod_?name)")
#: Settings that hold several.
_SETTINGS = r"(?:[\w-]{0,24}(?:hosts|node_?list|node_?names|servers))"


@cache
def _host() -> re.Pattern[str]:
    day = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d"
    return re.compile("|".join((
        rf"(?i:\b{_SETTING}[\"']?\s*[=:]\s*[\"']?)"
        rf"(?P<named>(?=[^\s]*[A-Za-z]){_NAME})(?![\w(]|\.\w)",
        rf"(?i:(?<!\S)--?(?:{_SETTING}|master-addr(?:ess)?|server)\s+[\"']?)"
        rf"(?P<option>(?=[^\s]*[A-Za-z]){_NAME})(?![\w(/]|\.\w)",
        rf"(?i:(?:\b|_){_SETTINGS}[\"']?(?:\s*[=:]\s*|\s+(?=\S+,))|(?<!\S)-H\s+)[\"'\[]*"
        rf"(?P<list>{_TELLING}{_NAME}(?::\d+)?(?:[\"']?[,;]\s?[\"']?{_NAME}(?::\d+)?)*)",
        # What --worker_log_name puts before the rank: worker_10.0.0.2_host-a_3.log
        rf"(?<=\d)_(?P<file>(?=[A-Za-z]){_LABEL}(?:\.{_LABEL}){{0,6}})(?=_\d+\.log)",
        rf"(?<=://)(?P<url>{_NAME})(?=[:/\s]|$)",
        # Behind a user; alone it is what decorates a function.
        rf"(?<=[\w.$}}\"'-])@(?P<at>{_NAME})(?=:|\s|$)",
        # Commands that reach other machines, and files of another machine.
        rf"\b(?:ssh|scp|sftp|rsync|ping|telnet)\s+(?:-\S+\s+(?:\d+\s+)?){{0,8}}"
        rf"{_TELLING}(?P<reached>{_NAME})(?=[\s:]|$)",
        rf"\b(?:scp|rsync)\s[^\n;|&]{{0,200}}?\s{_TELLING}(?P<copied>{_NAME})(?=:\S)",
        # What ssh, the resolver and Slurm say.
        rf"\b(?i:resolve\s+host(?:name)?)\s+[\"']?(?P<resolved>{_NAME})",
        rf"\b(?i:host(?:name)?(?:\s+is)?)\s+[\"']?{_TELLING}(?P<spoken>{_NAME})(?![\w(]|\.\w)",
        rf"\b(?i:getaddrinfo\b[^\n]{{0,24}}?\bfor)\s+[\"']?{_TELLING}(?P<looked>{_NAME})",
        rf"\b(?:srun|slurmstepd): error: (?P<slurm>{_NAME})(?=: )",
        rf"\*\*\* (?:JOB|STEP) \S+ ON (?P<step>{_NAME})",
        # A line of the system's log, of `uname -a`, of a host file of mpirun.
        rf"(?:^|>){day} \d\d:\d\d:\d\d (?P<syslog>{_NAME}) (?=[\w./()-]+(?:\[\d+\])?: )",
        rf"^\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\S{{0,16}} (?P<journal>(?=\S*[A-Za-z]){_NAME}) "
        r"(?=[\w./()-]+(?:\[\d+\])?: )",
        rf"\bLinux (?P<uname>{_NAME}) (?=\d+\.\d+\.)",
        rf"^\s*(?P<slots>{_NAME})(?=\s+slots=\d)",
        rf"(?:主机名?|节点名?|服务器)\s*[:=：＝]\s*[\"'“]?(?=\S*[A-Za-z])(?P<chinese>{_NAME})",
        r"(?<![\w.-])(?P<cloud>ip(?:-\d{1,3}){4})(?![\w-])",
        rf"(?<!\\)\\\\(?:\\\\)?(?P<share>{_NAME})(?=\\)",
        rf"(?<![\w./-])(?P<domain>(?:{_LABEL}\.){{1,5}}(?:local|internal|lan|intra|corp|cluster"
        r"|com|cn|edu|gov))(?![\w.-])")))


@cache
def _public() -> re.Pattern[str]:
    """Names that stand for no machine, and public ones that software itself prints."""
    return re.compile(
        r"(?i)(?:localhost|true|false|none|null|unknown|ip|auto|self|master|worker|scheduler|hccl"
        r"|hccp|device|memory|server|node|(?:rank|worker|device|npu|card|step|stage|pid)[-_]?\d*"
        r"|failed|error|127(?:\.\d+){3}|0\.0\.0\.0|.*\.(?:py|cc|cpp|h|log|so|json|ya?ml|txt|sh)"
        r"|(?:[\w-]+\.)*(?:huggingface\.co|gitee\.com|github\.com|gitcode\.com"
        r"|hiascend\.com|mindspore\.cn|huawei\.com|huaweicloud\.com|pypi\.org|pypa\.io|pytorch\.org"
        r"|python\.org|modelscope\.cn|apache\.org|example\.(?:org|com|net)))")


def host_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the names of machines stand in a text."""
    for found in _host().finditer(text):
        assert found.lastgroup is not None
        start, end = found.span(found.lastgroup)
        pieces = (re.finditer(r"[^,;:\s\"']+", text[start:end]) if found.lastgroup == "list"
                  else [re.match(r"(?s).*", text[start:end])])
        for piece in pieces:
            if piece is not None and not piece[0].isdigit() and not _public().fullmatch(piece[0]):
                yield start + piece.start(), start + piece.end()
