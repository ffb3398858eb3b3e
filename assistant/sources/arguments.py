"""The PATH arguments of a call: what each of them means, and what to say if it means nothing."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable, Sequence

from assistant.errors import UsageError
from assistant.sources.files import reason
from assistant.sources.kinds import LOOKED_FOR, kind
from assistant.sources.names import printable

STDIN = "-"
#: Where msrun writes its logs unless told otherwise, and what such a folder is mostly called.
_USUAL_FOLDERS = (os.path.join("output", "msrun_log"), "msrun_log", os.path.join("output", "log"))


def resolve(paths: Sequence[str]) -> list[str]:
    """The arguments with patterns replaced by what they match, without doubles.

    Raises UsageError naming every argument that leads nowhere.
    """
    found: list[str] = []
    wrong: list[str] = []
    for path in paths:
        if path == STDIN or is_url(path):
            found.append(path)
            continue
        try:
            os.stat(path)
        except (OSError, ValueError) as error:
            matches = _matches(path)
            found += matches
            if not matches:
                wrong.append(_missing(path, error))
        else:
            found.append(path)
    if wrong:
        raise UsageError("\n".join(wrong))
    if not found:
        raise UsageError("no input was given: name a log folder, files, an archive, "
                         "or - for standard input")
    return list(dict.fromkeys(found))


def is_url(path: str) -> bool:
    """Whether an argument names a place in a network and not a path."""
    scheme, colon, _ = path.partition("://")
    return bool(colon) and len(scheme) > 1 and scheme[0].isalpha() and all(
        char.isalnum() or char in "+.-" for char in scheme)


def nothing_found(paths: Iterable[str], instead: Sequence[str]) -> UsageError:
    """The error for arguments that exist and hold no log; `instead`: what was passed over."""
    paths = list(paths)
    places = ", ".join(map(_shown, paths))
    lines = [f"no log was found in {places}: looked for {LOOKED_FOR}"]
    lines += [f"  {text}" for text in instead[:5]]
    if len(instead) > 5:
        lines.append(f"  and {len(instead) - 5} more")
    return UsageError("\n".join(lines) + _suggestion(paths))


def _matches(pattern: str) -> list[str]:
    if not glob.has_magic(pattern):
        return []
    try:
        return sorted(glob.glob(pattern, recursive=True))
    except (OSError, ValueError):
        return []


def _missing(path: str, error: OSError | ValueError) -> str:
    if glob.has_magic(path):
        problem = f"nothing matches the pattern {_shown(path)}"
    elif isinstance(error, ValueError):
        problem = f"{_shown(path)} is no path: {error}"
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        problem = f"there is no file or folder {_shown(path)}"
    else:
        return f"{_shown(path)} cannot be reached: {reason(error)}"
    where = "" if os.path.isabs(path) else f" (looked in {printable(os.getcwd())})"
    return problem + where + (_suggestion([path]) or
                              ": give the folder that msrun's --log_dir names")


def _suggestion(paths: Sequence[str]) -> str:
    """A better argument, if one is near."""
    import difflib  # for mistakes only

    for path in paths:
        for base in (path, os.path.dirname(path) or ".", "."):
            for usual in _USUAL_FOLDERS:
                folder = os.path.normpath(os.path.join(base, usual))
                if os.path.normpath(path) != folder and _holds_logs(folder):
                    return f"; there are logs in {_shown(folder)}"
        parent, name = os.path.split(os.path.normpath(path))
        near = difflib.get_close_matches(name, _listed(parent or "."), n=1)
        if near and near[0] != name:
            return f"; did you mean {_shown(os.path.join(parent, near[0]))}?"
    return ""


def _holds_logs(folder: str) -> bool:
    return any(kind(name) == "log" for name in _listed(folder))


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (OSError, ValueError):
        return []


def _shown(path: str) -> str:
    return printable(path) if path else "''"
