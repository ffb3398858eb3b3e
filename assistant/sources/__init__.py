"""Where logs come from: folders, files, archives and standard input, as streams of bytes.

    for source in find(["output/msrun_log"]):
        if isinstance(source, LogSource):
            with source.open() as stream:
                ...
"""

from __future__ import annotations

from assistant.sources.files import open_file
from assistant.sources.find import STDIN_NAME, find, places
from assistant.sources.types import LogSource

__all__ = ["STDIN_NAME", "LogSource", "find", "open_file", "places"]
