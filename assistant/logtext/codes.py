"""Error codes in a text, in any wrapping.

Three families: CANN codes (`EI0006`, `EZ9999`: E, a letter or digit for the component, four
digits), torch_npu codes (`ERR02200`), and the six-digit return codes of ACL and the runtime
(`507011`; the first digit is 1, 2, 3 or 5). A six-digit number is a code only where a word
beside it says so (`error code is`, `ret[`, `retCode=`, `runtime result =`), since any size or
process id may have six digits too. Hexadecimal return codes are left alone.
"""

from __future__ import annotations

import re

_CODE = re.compile(
    r"(?<![\w.])(E[0-9A-Z]\d{4}|ERR\d{5})(?!\w)"
    r"|(?:\b[a-z]{0,12}(?:err|error|ret|return|status)[ _]?(?:code|no|num|number|val|value)?"
    r"|\b(?:result|code|errNo))"
    r"(?: is| was| of)?(?: ?(?:->|[:=\[(])){0,2} ?\[?([1235]\d{5})(?![\d.]?\d|\w)",
    re.IGNORECASE)


def find(text: str) -> tuple[str, ...]:
    """The codes in `text` in order of appearance, each once."""
    found: dict[str, None] = {}
    for match in _CODE.finditer(text):
        code = match[1]
        if code is None:
            found[match[2]] = None
        elif code.isupper():
            found[code] = None
    return tuple(found)
