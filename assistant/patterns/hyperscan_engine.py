"""The quick engine: Hyperscan finds the candidate lines of all expressions in one pass.

Traits of Hyperscan that are minded here: it reports every end of a match, in no order that
is promised; a database serves one thread at a time unless each has its own scratch space;
it refuses expressions that match nothing, `^` or `$` in the middle, and what is too large.
"""

from __future__ import annotations

import hashlib
import importlib
import struct
import threading
from collections.abc import Collection, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.patterns import cache
from assistant.patterns.engine import Engine
from assistant.patterns.plan import Plan

if TYPE_CHECKING:
    from assistant.patterns.drafting import Draft

#: Changes whenever a database compiled before is no longer what would be compiled now.
TRANSLATION = 4


class HyperscanEngine(Engine):
    """Hyperscan for all expressions that it takes, RE2 line by line for the rest.

    A first search over all bytes looks for texts without which no expression can match; a
    second one, over the lines found, for those expressions of which a text says too little.
    """

    name = "hyperscan"

    def __init__(self, expressions: Sequence[str], cache_dir: Path | None = None,
                 common: bytes = b"", frequent: Collection[int] = ()) -> None:
        """Raises ImportError without the package, hyperscan.error if nothing compiles."""
        super().__init__(expressions)
        self._hyperscan = importlib.import_module("hyperscan")
        self._common, self._frequent = common, sorted(frequent)
        self._plan, self._first, self._second = self._ready(cache_dir)
        self._local = threading.local()
        self._by_line = [(group, self._plan.members[group][0]) for group in self._plan.by_line]
        if self._by_line:
            example = self.expressions[self._by_line[0][1]]
            self.notice = (f"{len(self._by_line)} expression(s) cannot be sought with the "
                           f"others and slow the scan down, e.g. {example!r}")

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        return self._plan.members

    def lines(self, block: bytes) -> list[tuple[int, int]]:
        found = self._confirmer.line_starts(block, self._by_line)
        if self._first is None or not block:
            return found
        # Equal length, so offsets hold; `^` and `$` then hold at segments as well.
        segments = block.replace(b"\r", b"\n") if b"\r" in block else block
        settled, doubtful = self._plan.settled, self._plan.doubtful
        size, before, after, add = len(block), block.rfind, block.find, found.append
        start, end = 0, -1
        asked: list[tuple[int, int]] = []
        for to, text in self._search(0, self._first, segments):
            if to > end:
                start, end = before(b"\n", 0, to) + 1, after(b"\n", to)
                if end < 0:
                    end = size
            for group in settled[text]:
                add((start, group))
            if doubtful[text] and (not asked or asked[-1][0] != start):
                asked.append((start, end))
        if asked:
            self._ask_again(segments, asked, found)
        found.sort()
        return [pair for pair, _ in groupby(found)]  # three times as quick as a set

    def _ask_again(self, segments: bytes, asked: Sequence[tuple[int, int]],
                   found: list[tuple[int, int]]) -> None:
        """The second search, over some lines (start, end) of a block in their order."""
        lines = iter(asked)
        text = b"\n".join([segments[start:end] for start, end in asked])
        start, end = next(lines)
        reached = end - start  # end of the line in `text`
        for to, group in self._search(1, self._second, text):
            while to > reached:
                start, end = next(lines)
                reached += 1 + end - start
            found.append((start, group))

    def _search(self, which: int, database: Any, text: bytes) -> list[tuple[int, int]]:
        """All finds by their ends: (end, number)."""
        found: list[tuple[int, int]] = []
        add = found.append

        def on_match(number: int, _from: int, to: int, _flags: int, _context: object) -> None:
            add((to, number))

        database.scan(text, match_event_handler=on_match, scratch=self._scratch(which, database))
        found.sort()
        return found

    def _scratch(self, which: int, database: Any) -> Any:
        known: dict[int, Any] = self._local.__dict__.setdefault("scratches", {})
        if which not in known:
            known[which] = self._hyperscan.Scratch(database)
        return known[which]

    def _ready(self, cache_dir: Path | None) -> tuple[Plan, Any, Any]:
        """The plan and both databases (None if one would be empty)."""
        if not self.expressions:
            return Plan((), (), (), ()), None, None
        if cache_dir is None:
            return self._compile()
        key = self._key()
        kept = cache.load(cache_dir, key)
        if kept is not None:
            try:
                return self._unpack(kept)
            except (self._hyperscan.error, struct.error, ValueError, TypeError):
                pass  # e.g. a home shared with another kind of processor
        made = self._compile()
        trouble = cache.store(cache_dir, key, self._pack(*made))
        if trouble is not None:
            self.notice = cache.not_kept(cache_dir, trouble)
        return made

    def _compile(self) -> tuple[Plan, Any, Any]:
        from assistant.patterns.drafting import draft  # not needed with a cache
        from assistant.patterns.translate import find_expression

        def drafted(*odd: Collection[str]) -> Draft:
            return draft(self.expressions, self._common, self._frequent, *odd)

        for index in range(len(self.expressions)):
            self._confirmer.compiled(index)  # what RE2 refuses must not come up at a hit
        try:
            return self._build(drafted())
        except self._hyperscan.error:
            refused: set[str] = set()
            whole: set[str] = set()
            for expression in self.expressions:
                text = find_expression(expression)
                if text is None or self._takes(draft((expression,), self._common)):
                    continue
                alone = draft((expression,), self._common, whole=(text,))
                (whole if self._takes(alone) else refused).add(text)
            return self._build(drafted(refused, whole))

    def _build(self, made: Draft) -> tuple[Plan, Any, Any]:
        return (made.plan, self._database(dict(enumerate(made.texts))),
                self._database(made.again))

    def _database(self, texts: dict[int, str]) -> Any:
        return build_database(self._hyperscan, texts) if texts else None

    def _takes(self, made: Draft) -> bool:
        try:
            self._build(made)
        except self._hyperscan.error:
            return False
        return True

    def _key(self) -> str:
        """Everything that the databases depend on, the processor's features among it."""
        probe = build_database(self._hyperscan, {0: "a"}).info()
        parts = [probe, str(self._hyperscan.__version__).encode(), str(TRANSLATION).encode(),
                 self._common, repr(self._frequent).encode(),
                 *(text.encode(errors="surrogatepass") for text in self.expressions)]
        digest = hashlib.blake2b(digest_size=20)
        for part in parts:
            digest.update(struct.pack("<Q", len(part)) + part)
        return digest.hexdigest()

    def _pack(self, plan: Plan, first: Any, second: Any) -> bytes:
        parts = [plan.dump(), *(b"" if database is None else self._hyperscan.dumpb(database)
                                for database in (first, second))]
        return struct.pack("<3Q", *map(len, parts)) + b"".join(parts)

    def _unpack(self, data: bytes) -> tuple[Plan, Any, Any]:
        lengths = struct.unpack_from("<3Q", data)
        at = 24
        parts = []
        for length in lengths:
            parts.append(data[at:at + length])
            at += length
        plan, *databases = parts
        first, second = (self._hyperscan.loadb(part, self._hyperscan.HS_MODE_BLOCK)
                         if part else None for part in databases)
        return Plan.load(plan), first, second


def build_database(hyperscan: Any, texts: dict[int, str]) -> Any:
    """A database in block mode that reports these ids. Raises hyperscan.error."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(expressions=[text.encode() for text in texts.values()], ids=list(texts),
                     elements=len(texts), flags=[hyperscan.HS_FLAG_MULTILINE] * len(texts))
    return database
