"""When to try again what just failed, and how far: less and less, until it goes well again."""

from __future__ import annotations

#: Lines that are looked at ahead: at first, and at most.
FIRST_REACH, LAST_REACH = 64, 4096
#: Lines that pass after a failure: at first, and at most.
_FIRST_PAUSE, _LAST_PAUSE = 16, 4096


class Patience:
    """Keeps the cost of attempts that fail in proportion to the lines gone by.

    Attributes:
        reach: how many lines the next attempt may look at.
    """

    def __init__(self) -> None:
        self.reach = FIRST_REACH
        self._pause = _FIRST_PAUSE

    def told(self, got: int, wanted: int) -> int:
        """Tell how an attempt went; returns after how many lines to make the next one."""
        if got == wanted:
            self.reach = min(2 * self.reach, LAST_REACH)
        else:
            self.reach = FIRST_REACH
        if got:
            self._pause = _FIRST_PAUSE
            return 1
        pause, self._pause = self._pause, min(2 * self._pause, _LAST_PAUSE)
        return pause
