"""Text -> the terms by which it is found: words and codes as they are, Chinese by pairs of
characters.

Chinese has no blanks between words; every two neighbouring characters make a term, which
finds a word wherever it stands without a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: A word of letters and digits (also `worker_0`, `grad-norm`, `2.1.0`), or a run of Chinese.
_RUN = re.compile(r"[0-9A-Za-z_]+(?:[.\-][0-9A-Za-z_]+)*|[\u3400-\u9fff]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HUMP = re.compile(r"[a-z][A-Z]|[_.\-]")
#: Words that say nothing on what went wrong.
_EMPTY = frozenset((
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does",
    "for", "from", "has", "have", "if", "in", "into", "is", "it", "its", "of", "on", "or", "that",
    "the", "their", "them", "then", "there", "they", "this", "to", "was", "were", "when", "which",
    "will", "with", "you", "your"))
#: The ending of a plural: `ranks` and `rank` are one term, `status` and `process` stay.
_PLURAL = re.compile(r"(?<=[a-z]{3}[^sui])s\Z")


def terms(text: str, *, parts: bool = True) -> Iterator[str]:
    """The terms of a text in order, casefolded, doubled ones included.

    A compound (`HcclCommInitRootInfo`, `grad_norm`) gives itself and, if wanted, its parts.
    """
    for run in _RUN.findall(text):
        if run[0] >= "\u3400":
            yield from (run,) if len(run) == 1 else (
                run[i:i + 2] for i in range(len(run) - 1))
            continue
        word = run.casefold()
        if word in _EMPTY:
            continue
        yield _PLURAL.sub("", word)
        if parts and _HUMP.search(run):
            for part in _PART.findall(run):
                small = part.casefold()
                if len(small) > 2 and small != word and small not in _EMPTY:
                    yield _PLURAL.sub("", small)


def message_terms(text: str) -> list[str]:
    """The terms of a logged message that tell what it says, each once: no numbers, addresses
    or hexadecimal values, which differ from run to run."""
    return [term for term in dict.fromkeys(terms(text)) if not _differs(term)]


def _differs(term: str) -> bool:
    digits = sum(character.isdigit() for character in term)
    if term[:1].isdigit() and len(term) == 6 and digits == 6:
        return False  # a return code
    if re.fullmatch(r"e[0-9a-z]\d{4}", term):
        return False
    return term[:1].isdigit() or digits * 2 > len(term)
