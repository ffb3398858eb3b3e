"""Quoted log lines made short: the head that every record repeats gives way to its message."""

from __future__ import annotations

from assistant.guide.printable import printable


def gist(text: str) -> str:
    """The message of a log line with its level in front, printable and on one line."""
    from assistant.logtext import prefix

    raw = text.encode("utf-8", "surrogatepass")
    head = prefix.parse(raw)
    if head is None:
        return printable(text.strip())
    message = raw[head.start:].decode("utf-8", "replace").strip()
    if not message:
        return printable(text.strip())
    return printable(f"{head.level}: {message}" if head.level else message)
