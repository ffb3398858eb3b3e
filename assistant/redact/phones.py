"""Phone numbers in a text: those that are written as one, and those behind a word for one.

A log is full of numbers; eleven digits are mostly bytes or nanoseconds. So a number counts only
with its country code behind a plus sign, in the groups of its country's usual writing, or next
to a word that tells what it is.

Source: ITU-T E.164 (a country code and at most 15 digits), E.123 (how it is written); China's
numbering plan (mobile numbers begin with 13 to 19 and have eleven digits).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

#: Digits of a whole number, with its country code and without.
_LONG, _SHORT = range(10, 16), range(7, 16)
#: A word in front of a number, with what may stand between them.
_WORD = re.compile(
    r"(?i)(?:\b(?:tele)?phone(?:[ _-]?(?:number|no\.?))?|\b(?:tel|fax|mobile|whatsapp|wechat|sms|"
    r"on-?call|hotline)|电话|手机|座机|联系|值班|微信|热线|传真)"
    r"[\"']?[^\d+(]{0,12}$")


@cache
def _number() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w.+/-])(?:(?P<coded>\+86[ .-]?1\d{2}[ .-]?\d{4}[ .-]?\d{4}"
        r"|\+1[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}"
        r"|\+[2-9]\d{0,2}(?:[ .-]?\(?\d{1,5}\)?){1,5})"
        # 138-0013-8000, 0755-12345678 (behind the hyphen no date), (555) 123-4567
        r"|(?P<grouped>1[3-9]\d-\d{4}-\d{4}|0[1-9]\d{1,2}-(?!20\d\d[01]\d)[2-8]\d{6,7}"
        r"|\([2-9]\d{2}\) ?[2-9]\d{2}-\d{4})"
        r"|(?P<named>\(?\d[\d() -]{5,20}\d))(?![\w+]|-\w|\.\d)")


def phone_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the phone numbers of a text stand."""
    for found in _number().finditer(text):
        digits = sum(character.isdigit() for character in found[0])
        if found["coded"]:
            private = digits in _LONG
        elif found["grouped"]:
            private = True
        else:
            private = digits in _SHORT and _WORD.search(
                text[max(0, found.start() - 40):found.start()]) is not None
        if private:
            yield found.span()
