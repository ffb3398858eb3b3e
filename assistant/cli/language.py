"""The language of what is printed: asked for, or that of the locale."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from assistant.cli.output import can_show


def chosen(asked: str | None, environ: Mapping[str, str] = os.environ) -> str:
    """`asked`, else the locale's language, else `en`.

    The locale counts only where standard output can show Chinese at all.
    """
    if asked:
        return asked
    return of_locale(environ) if can_show("中文", sys.stdout) else "en"


def of_locale(environ: Mapping[str, str]) -> str:
    """`zh` or `en` by the first of LC_ALL, LC_MESSAGES and LANG that is set; in LANGUAGE the
    languages may stand in order of preference, which counts in any locale but that of C."""
    names = (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "C")
    wanted = [locale]
    if locale not in ("C", "POSIX"):
        wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    known = (name.casefold()[:2] for name in wanted)
    return next((lang for lang in known if lang in ("en", "zh")), "en")
