"""The shapes of keys, passwords and other secrets in a text.

Sources: the documentation of each issuer (GitHub "About authentication", GitLab "Token
overview", Hugging Face "User access tokens", AWS "IAM identifiers", Alibaba Cloud "AccessKey
pair", Google "API keys", Azure "Shared access signatures", Slack "Token types"), RFC 7519 (JSON
Web Token), RFC 7468 (PEM), RFC 3986 3.2.1 (user information in a URL), RFC 7617 (Basic).
"""

from __future__ import annotations

import re
from functools import cache

from assistant.redact import commands

#: What stands for a secret where there is none.
_NONE = r"(?!(?:none|null|nil|true|false|undefined|required|missing|empty|<\S*>|\*+)(?![\w-]))"
#: Words that name a secret, alone or within a longer name (`db_password`, `secretAccessKey`).
_WORDS = (r"(?:password|passwd|passphrase|secret(?:[_-]?(?:access[_-]?)?key)?|api[_-]?key"
          r"|access[_-]?key(?:[_-]?(?:id|secret))?|account[_-]?key|private[_-]?key|credentials?"
          r"|session[_-]?key)")
_CHINESE = "(?:密码|口令|密钥|令牌|访问密钥)"
_TOKENS = (r"(?:[\w-]{0,24}[_-])?(?:access|auth|api|refresh|hf|bearer|csrf|security|session"
           r"|github|gitlab|private)?[_-]?token")
_BARE = r"(?P<value>[^\s\"',;&()<>{}\[\]]{%d,})"
_QUOTED = r"(?P<quote>[\"'])(?P<value>[^\"'\r\n]{%d,}?)(?P=quote)"
#: A value that no sentence holds: letters with digits among them.
_MIXED = r"(?P<value>(?=[\w./+=~-]*\d)(?=[\w./+=~-]*[A-Za-z])[\w./+=~-]{%d,})"


@cache
def shapes() -> tuple[re.Pattern[str], ...]:
    """Expressions of which each has a group `value`, the secret."""
    return tuple(re.compile(shape) for shape in (*_issued(), *_carried(), *_named(),
                                                *commands.secrets()))


def _issued() -> tuple[str, ...]:
    """Secrets that look like nothing else."""
    return (
        r"(?P<value>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))",
        r"(?<![A-Za-z0-9])(?P<value>(?:AKIA|ASIA)[A-Z0-9]{16}|LTAI\w{12,28}|AKID\w{13,40}"
        r"|AIza[\w-]{30,40})(?![A-Za-z0-9])",
        r"(?<![A-Za-z0-9])(?P<value>gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
        r"|hf_\w{20,}|sk-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|npm_\w{30,}|pypi-[\w-]{30,}"
        r"|ya29\.[\w-]{20,})",
        r"(?<![\w.-])(?P<value>eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)",
        r"(?P<value>(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S{8,20}) AAAA[\w+/=]{20,})",
    )


def _carried() -> tuple[str, ...]:
    """Secrets told by the protocol that carries them."""
    return (
        # `basic information` and `bearer channels` are words.
        r"\b(?i:Bearer|Basic)\s+(?P<value>(?=[\w+/.~-]*[\dA-Z=])[\w+/=.~-]{8,})",
        r"(?i)\b(?:authorization|proxy-authorization|cookie|set-cookie)[\"']?\s*[:=]\s*[\"']?"
        rf"{_NONE}(?P<value>(?!Bearer|Basic)[^\s,\"'][^\r\n\"']{{3,}})",
        r"(?<=://)(?P<value>[^\s/@:]+:[^\s/@]+)(?=@)",
        r"(?i)[?&](?:[\w-]{0,24}(?:sig|signature|token|secret|password|passwd|credential|key)"
        r"|AccessKeyId)=(?P<value>[^\s&#\"'<>]+)",
        # The address of a web hook is all that it takes to write there.
        r"(?i)(?<=://)hooks?\.[^\s/]{1,80}/(?P<value>[^\s\"'<>]{8,})",
        r"(?i)/(?:web)?hooks?/(?:send/)?(?P<value>(?=[\w/-]*\d)[\w/-]{16,})",
    )


def _named() -> tuple[str, ...]:
    """Secrets behind a word for them."""
    prefix = r"(?i)(?<![A-Za-z0-9])[\w-]{0,40}?"
    says = r"[\"']?\s*[:=]\s*"
    return (
        # `PWD` is the folder of a shell, too.
        *(rf"{prefix}(?:{_WORDS}|(?<![a-z])pwd){says}{_NONE}{value}"
          for value in (_QUOTED % 1, r"[\"']?(?!/)" + _BARE % 3)),
        *(rf"(?i)--?{_WORDS}[ =]\s*{_NONE}(?!-){value}" for value in (_QUOTED % 1, _BARE % 4)),
        rf"(?i)\b(?:password|passwd|passphrase)\s+{_QUOTED % 1}",
        rf"{_CHINESE}(?:\s*[:=：＝]\s*|[是为]\s*)[\"'“]?{_NONE}{_BARE % 3}",
        rf"(?i)\b(?:signature)[\"']?\s*[:=]\s*[\"']?{_MIXED % 8}(?!\()",
        # `token` alone is a word of the trade; with a long value behind it it is a secret.
        rf"(?i)(?<![A-Za-z0-9])(?:--)?{_TOKENS}{says}[\"']?{_MIXED % 12}",
        rf"(?i)--{_TOKENS}\s+[\"']?{_MIXED % 12}",
        rf"(?i)\b(?:api|access|secret)[ _-]?key\s+(?:is\s+)?[\"']?{_MIXED % 12}",
        rf"(?i)\b(?:wandb|swanlab)\s+login\s+(?:-\S+\s+){{0,4}}{_MIXED % 16}",
        r"(?<![A-Za-z0-9])(?:[A-Za-z]{1,24}_)?(?:AK|SK|ak|sk)\s*[:=]\s*[\"']?"
        r"(?P<value>[A-Za-z0-9/+=]{16,})",
    )
