"""How paths are shown to people."""

from __future__ import annotations

import os


def show_path(path: str | os.PathLike[str]) -> str:
    """A path as a person would write it: relative where it lies below the working folder."""
    text = os.fspath(path)
    try:
        relative = os.path.relpath(text)
    except ValueError:  # another drive
        return text
    return text if relative.startswith("..") else relative
