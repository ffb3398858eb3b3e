"""Error codes in a text, in any wrapping.

Four families: CANN codes (`EI0006`, `EZ9999`: E, a letter or digit for the component, four
digits; with W for a warning, `WE0001`, `W40010`), torch_npu codes (`ERR02200`), the six-digit
return codes of ACL and the runtime (`507011`; the first digit is 1, 2, 3 or 5), and the fault
events of the NPU (`0x80C78008`: eight hexadecimal digits, given in upper case however they are
printed). A number is a code only where a word beside it says so (`error code is`, `ret[`,
`retCode=`, `runtime result =`; `Event id=`, `event_id: [`, `fault code`), since any size,
process id or address may have as many digits. Other hexadecimal return codes are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMED = re.compile(r"[EW][0-9A-Z]\d{4}")
_CODE = re.compile(
    r"(?<![\w.])([EW][0-9A-Z]\d{4}|ERR\d{5})(?!\w)"
    r"|(?:\b[a-z]{0,12}(?:err|error|ret|return|status)[ _]?(?:code|no|num|number|val|value)?"
    r"|\b(?:result|code|errNo))"
    r"(?: is| was| of)?(?: ?(?:->|[:=\[(])){0,2} ?\[?([1235]\d{5})(?![\d.]?\d|\w)"
    r"|\bfail(?:ed ?: ?|ure:? )([1235]\d{5})(?= at file|[:;,)]| ?\(|\s*$)"
    r"|\b(?:error|alarm)[ _]code {0,40}[:=] {0,3}0x(8[0-9a-f]{7})(?!\w)"
    r"|\b(?:event|fault)[ _]?(?:id|code)s?(?: is)?[\"']?(?: {0,3}[:=\[({\"']){0,4} {0,3}"
    r"0x([0-9a-f]{8})(?!\w)",
    re.IGNORECASE)


def find(text: str) -> tuple[str, ...]:
    """The codes in `text` in order of appearance, each once."""
    found: dict[str, None] = {}
    for match in _CODE.finditer(text):
        named, number, failed, alarm, event = match.groups()
        event, number = event or alarm, number or failed
        if number is not None:
            found[number] = None
        elif event is not None:
            found[f"0x{event.upper()}"] = None
        elif named.isupper():
            found[named] = None
    return tuple(found)


def are_general(found: Iterable[str]) -> bool:
    """Whether the CANN codes among these are all general ones (`EE9999`, `EZ9999`: an inner
    error), so that only the lines beside them tell what happened."""
    named = [code for code in found if _NAMED.fullmatch(code)]
    return bool(named) and all(code.endswith("9999") for code in named)
