"""One file that is written while it is read: what is new in it, and whether it began anew.

Only `stat` and reads are used, and the file is opened for each look: so it works on network
file systems, which tell nobody of changes, and holds no file open.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal

from assistant.scan.follow import Following
from assistant.sources.files import open_regular

#: Bytes before the place reached that must still be there, or the file was written anew.
_TRACE = 64
#: Bytes read in one look; what is beyond waits for the next one.
MOST = 1 << 26
_CHUNK = 1 << 20

#: idle: nothing new. grew: it has new bytes. restarted: it is shorter or other than it was.
Change = Literal["idle", "grew", "restarted"]


class Tail:
    """A plain file, known by its inode and not by its name.

    Args:
        inode: its number; a path that leads to another one is not read.
        begin: gives a scan that has seen nothing.

    Attributes:
        scan: of all that was read. mtime: of the file. pending: whether more can be read.
    """

    def __init__(self, inode: int, begin: Callable[[], Following]) -> None:
        self._inode = inode
        self._begin = begin
        self._trace = b""
        self.scan = begin()
        self.mtime: float | None = None
        self.pending = False

    def look(self, path: str) -> Change:
        """Read what is new. Raises OSError."""
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if status.st_ino != self._inode:  # replaced since the folder was listed
                return "idle"
            self.mtime = status.st_mtime
            change: Change = "idle"
            if status.st_size < self.scan.size or not self._is_same(file.fileno()):
                self.scan, self._trace, change = self._begin(), b"", "restarted"
            file.seek(self.scan.size)
            left = MOST
            while left > 0 and (data := file.read(min(left, _CHUNK))):
                self.scan.feed(data)
                self._trace = (self._trace + data)[-_TRACE:]
                left -= len(data)
            self.pending = left <= 0
            return "grew" if change == "idle" and left < MOST else change

    def _is_same(self, descriptor: int) -> bool:
        size = len(self._trace)
        return os.pread(descriptor, size, self.scan.size - size) == self._trace
