"""What is sought in the pass over all bytes, and which expressions a find may mean.

Expressions that are sought alike are a *group*; engines speak of groups. For each group some
*texts* are sought (factor.py). Some of them settle the matter, others only say that a line
must be asked again, by a second search over such lines alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups, and what a text that was found means.

    Attributes:
        members: of each group its expressions, by index.
        by_line: groups that can only be sought line by line.
        settled: of each text the groups of which a find is enough.
        doubtful: of each text whether the line must be asked again.
    """

    members: tuple[tuple[int, ...], ...]
    by_line: tuple[int, ...]
    settled: tuple[tuple[int, ...], ...]
    doubtful: tuple[bool, ...]

    def dump(self) -> bytes:
        """As bytes for `load`."""
        return json.dumps([self.members, self.by_line, self.settled, self.doubtful],
                          separators=(",", ":")).encode()

    @classmethod
    def load(cls, data: bytes) -> Plan:
        """From bytes. Raises ValueError or TypeError for others than `dump` made."""
        members, by_line, settled, doubtful = json.loads(data)
        return cls(tuple(map(tuple, members)), tuple(by_line), tuple(map(tuple, settled)),
                   tuple(doubtful))
