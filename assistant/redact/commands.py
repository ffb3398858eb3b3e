"""Secrets and users as programs take them on a command line, where no word tells what they are.

Sources: the manuals of the programs (mysql "Password Options", curl(1) and wget(1), sshpass(1),
redis-cli, ldapsearch(1), ipmitool(1), smbclient(1), docker-login(1), zip(1), 7-Zip, sqlcmd,
openssl "Pass Phrase Options", chpasswd(8), sudo(8), obsutil and ossutil, `net use`).
"""

from __future__ import annotations

#: (programs, option, whether its value may stand behind a blank).
_OPTIONS = (
    (r"(?:mysql|mariadb)[\w-]*|7z[ar]?", "-p", False),
    (r"(?:docker|podman|nerdctl|helm|crane|oras|skopeo|hub-tool)\s[^\n;|&]{0,40}?\blogin"
     r"|mongo[a-z]*", "-p", True),
    (r"redis-cli", "-a", True),
    (r"ldap[a-z]+", "-w", True),
    (r"ipmitool|ipmi-\w+|zip|unzip|sqlcmd|bcp|tsql", "-P", True),
    (r"obsutil|ossutil\d*", "-k", True),
    (r"obsutil|ossutil\d*", "-i", True),
)
#: What stands between a program and one of its options, on one command line.
_BETWEEN = r"(?:\s[^\n;|&]{0,200}?)?\s"
_VALUE = r"(?P<quote>[\"']?)(?P<value>[^\s\"',;)-][^\s\"']*)(?P=quote)"
#: Options that every program that knows them uses alike.
_USER = r"(?:(?<=\s)-[uU]|--(?:proxy-)?user)"


def secrets() -> tuple[str, ...]:
    """Expressions with a group `value`, a password or the like."""
    return (
        *(rf"(?<![\w.-])(?:{programs}){_BETWEEN}{option}{'[= ]?' if apart else ''}{_VALUE}"
          for programs, option, apart in _OPTIONS),
        # Its own options stand before the command that it runs.
        rf"(?<![\w.-])sshpass\s+(?:-[ev]\s+|-P\s?\S+\s+){{0,4}}-p ?{_VALUE}",
        # curl -u user:password; not docker's -u 1000:1000, nor the script of python -u.
        rf"{_USER}[ =]?[\"']?(?P<value>(?!\d+:\d+(?!\S))[^\s\"':/]+:[^\s\"']+)",
        r"(?<![\w.-])smbclient\b[^\n;|&]{0,200}?\s-U\s?[\"']?(?P<value>[^\s\"'%]+%[^\s\"']+)",
        # Any program's -u user -p password; a number of a port is none.
        r"(?<=\s)-u\s?[\"']?(?!-|\S*\.py\b)[^\s\"':/]+[\"']?\s+-p\s?[\"']?"
        r"(?P<value>(?!-|\d{1,5}(?::\d+)?(?!\S))[^\s\"']+)",
        r"(?i)\bpass(?:in|out)?\s+pass:(?P<value>[^\s\"']+)",
        r"(?i)\b(?:sshpass|rediscli_auth)=[\"']?(?P<value>[^\s\"']+)",
        r"\becho\s+(?:-\w+\s+)*[\"']?(?P<value>[^\s\"'|]+)[\"']?\s*\|\s*(?:sudo\s[^\n|]{0,40}?-S|"
        r"passwd\s|(?:sudo\s+)?chpasswd)",
        r"(?i)\bnet\s+use\s[^\n]{0,80}?\\\\\S+\s+(?!/)(?P<value>\S+)(?=\s+/user:)",
    )


def users(name: str) -> str:
    """An expression with a group `option`, a user that is given so; `name` matches one."""
    return (rf"(?<=\s)-u\s?[\"']?(?!\S*\.py\b)(?P<option>{name})(?=[\"']?\s+-p)"
            rf"|(?<=/)(?i:user:)(?P<domain_user>{name})(?!\S)")
