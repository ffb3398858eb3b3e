"""One text that shows several logs -> the logs: what people paste.

    ==> worker_3.log <==                    tail, head (GNU coreutils, BSD, busybox)
    :::::::::::::: / worker_3.log / ::::    more (util-linux), each on a line of its own
    [pod/train-0/main] text                 kubectl logs --prefix, before every line

`tail -f` goes back and forth between its files: all pieces of one name are one log. Bytes go in
as they come and pieces come out, so that a text of any length takes no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple

from assistant.sources.kinds import kind
from assistant.sources.names import Names, member_name

#: The name of what stands under no head.
OUTSIDE = ""
#: The notes (see FileEvidence) of a log that a text showed, under its head or line by line
#: behind its pod: `shown-in: NAME` of the text.
SHOWN_IN, BY_POD = "shown-in", "by-pod"
#: More logs than any job has; what comes under further heads stands under the last one's.
MAX_NAMES = 1 << 17

_NAME = rb"([^\r\n]{1,400})"
_TAIL = re.compile(rb"==> " + _NAME + rb" <==\r?(?:\n|\Z)")
_MORE = re.compile(rb":{14}\r?\n(?!:{14}|==> )" + _NAME + rb"\r?\n:{14}\r?(?:\n|\Z)")
_POD = re.compile(rb"^\[pod/([\w.-]{1,253}/[\w.-]{1,63})\] ", re.MULTILINE)
#: Lines that may stand above the first head: the command that printed all of it, a greeting.
_ABOVE = 3
#: The first two lines of a head are shorter than this.
_HELD = 512
#: A line that is longer than this is given on in pieces.
_LONG = 1 << 20
_PIECE = 1 << 22
#: What `tail` calls what was piped into it.
_PIPED = "standard input"
#: What the log of a job is called: a head with such a name is believed anywhere.
_OF_A_JOB = re.compile(r"worker|sched|rank|console|msrun|nohup|plog|device-\d|slurm|mindformers",
                       re.IGNORECASE)
#: The log of one process: what looks like a head in it was printed by that process.
_OF_A_PROCESS = re.compile(r"(?:worker|rank)[_-]?[\w.-]*?\d|scheduler\.log|(?:plog|device)-\d",
                           re.IGNORECASE)


class Shown(NamedTuple):
    """That a source shows several logs.

    Attributes:
        prefix: put before their names.
        anywhere: whether the first head may stand far below, as in a text that was cut out of
            a screen; else it is one of the first lines.
    """

    prefix: str
    anywhere: bool


class _Head(NamedTuple):
    """What has the form of a head: its bytes, its name, and whether `tail` would print it so."""

    start: int
    end: int
    name: bytes
    tail: bool


class Splitter:
    """Takes a text apart, piece by piece.

    Args:
        anywhere: as in Shown.

    Attributes:
        names: of the logs so far, in the order of their first heads.
    """

    def __init__(self, anywhere: bool = True) -> None:
        self._anywhere = anywhere
        self._carry = b""
        self._fresh = True  # whether the carry begins a line
        self._above = 0  # lines given on before the first head
        self._pods: bool | None = None
        self._unique = Names()
        self._of_head: dict[bytes, str] = {}
        self._now = OUTSIDE
        self._headed = False

    @property
    def names(self) -> Sequence[str]:
        """See the class."""
        return list(self._of_head.values())

    @property
    def note(self) -> str:
        """SHOWN_IN or BY_POD."""
        return BY_POD if self._pods else SHOWN_IN

    def push(self, data: bytes, last: bool = False) -> Mapping[str, bytes]:
        """The next bytes, `last`: no more come.

        Returns:
            What they bring to which log, that whose turn it is now comes last; one of no bytes
            is one whose head was read.
        """
        text = self._carry + data
        end = len(text) if last else text.rfind(b"\n") + 1
        if not end and len(text) > _LONG:
            end = len(text)
        heads = self._candidates(text, end)
        if not last:
            end = _settled(text, end, heads[-1].end if heads else 0)
        text, self._carry = text[:end], text[end:]
        found: dict[str, list[bytes]] = {}
        for name, piece in self._pieces(text, heads):
            found[name] = [*found.pop(name, ()), piece]
        if text:
            self._fresh = text.endswith(b"\n")
        return {name: b"".join(pieces) for name, pieces in found.items()
                if name != OUTSIDE or any(pieces)}

    def _pieces(self, text: bytes, heads: Iterable[_Head]) -> Iterator[tuple[str, bytes]]:
        if self._pods is None and text.strip():
            self._pods = self._fresh and _POD.match(text.lstrip()) is not None
        if self._pods:
            yield from self._of_pods(text)
            return
        at = 0
        for head in heads:
            if not self._is_head(text, head):
                continue
            above = text[at:head.start]
            # `tail` puts an empty line before the next name, which is in no file.
            blank = _blank_before(above, len(above)) if head.tail else 0
            yield self._now, above[:len(above) - blank]
            self._headed, self._now, at = True, self._name(head.name), head.end
            yield self._now, b""
        yield self._now, text[at:]
        if not self._headed:
            self._above += text.count(b"\n")

    def _of_pods(self, text: bytes) -> Iterator[tuple[str, bytes]]:
        """Each line goes to its pod, and one without a pod to that of the line above."""
        at = 0
        for match in _POD.finditer(text):
            if match.start() == 0 and not self._fresh:
                continue
            yield self._now, text[at:match.start()]
            self._headed, self._now, at = True, self._name(match[1] + b".log"), match.start()
        yield self._now, text[at:]

    def _candidates(self, text: bytes, end: int) -> list[_Head]:
        """What has the form of a head in the lines before `end`, none within another."""
        found = []
        for mark, form in ((b"==> ", _TAIL), (b":" * 14, _MORE)):
            at = text.find(mark, 0, end)
            while at >= 0:
                begins = text[at - 1:at] == b"\n" if at else self._fresh
                match = form.match(text, at, end) if begins else None
                if match is not None:
                    found.append(_Head(at, match.end(), match[1], form is _TAIL))
                at = text.find(mark, match.end() if match else at + 1, end)
        found.sort()
        return [head for place, head in enumerate(found)
                if not place or head.start >= found[place - 1].end]

    def _is_head(self, text: bytes, head: _Head) -> bool:
        name = head.name.decode("utf-8", "replace").strip()
        if name == _PIPED:
            return self._headed
        base = name.rpartition("/")[2]
        log = kind(base) == "log"
        below_blank = not (head.tail and head.start) or _blank_before(text, head.start) > 0
        if not base or (not log and any(char.isspace() for char in name)):
            return False
        if self._headed:
            return log or below_blank
        if self._above + text.count(b"\n", 0, head.start) <= _ABOVE:
            return log or kind(base) == "text"
        return self._anywhere and log and below_blank and _OF_A_JOB.search(base) is not None

    def _name(self, raw: bytes) -> str:
        raw = raw.strip()
        if raw == _PIPED.encode():
            return OUTSIDE
        name = self._of_head.get(raw)
        if name is None:
            if len(self._of_head) == MAX_NAMES:
                return self._now
            name = self._of_head[raw] = self._unique.unique(
                member_name(raw.decode("utf-8", "replace")))
        return name


def is_of_a_process(name: str) -> bool:
    """Whether a file of this name is the log of one process, whatever that prints."""
    return _OF_A_PROCESS.match(name.rpartition("/")[2]) is not None


def shows_several(head: bytes) -> bool:
    """Whether a text that begins so shows several logs."""
    if b"==> " not in head and b":" * 14 not in head and b"[pod/" not in head:
        return False
    splitter = Splitter(anywhere=False)
    splitter.push(head, last=True)
    return bool(splitter.names)


def pieces(stream: BinaryIO, splitter: Splitter, most: int | None = None
           ) -> Iterator[tuple[Mapping[str, bytes], int]]:
    """What a stream brings to which log, a block at a time, each with the number of bytes read.

    Args:
        most: bytes after which it stops, None: at the end of the stream only.

    Raises what reading raises, once all that came before it was given.
    """
    read = getattr(stream, "read1", stream.read)
    failure: Exception | None = None
    ended = False
    while not ended:
        block: list[bytes] = []
        missing = _PIECE if most is None else min(_PIECE, most)
        while missing > 0 and not ended:  # a pipe gives little at a time
            try:
                data = read(missing)
            except Exception as error:
                data, failure = b"", error
            block.append(data)
            missing -= len(data)
            ended = not data
        data = b"".join(block)
        if most is not None:
            most -= len(data)
            ended = ended or most <= 0
        yield splitter.push(data, last=ended), len(data)
    if failure is not None:
        raise failure


def split(text: bytes, anywhere: bool = True) -> list[tuple[str, bytes]]:
    """(name, content) of all logs of a text that is at hand, in the order of their heads; first
    what stands under none, by the name OUTSIDE, if there is anything. `anywhere`: as in Shown."""
    splitter = Splitter(anywhere)
    found = splitter.push(text, last=True)
    short = shortened(splitter.names)
    return [*((OUTSIDE, found[OUTSIDE]) for _ in range(OUTSIDE in found)),
            *((short[name], found[name]) for name in splitter.names)]


def shortened(names: Iterable[str]) -> Mapping[str, str]:
    """Names without the folders that all of them begin with."""
    known = list(names)
    folders = [name.split("/")[:-1] for name in known]
    common = 0
    while folders and all(len(parts) > common and parts[common] == folders[0][common]
                          for parts in folders):
        common += 1
    return {name: "/".join(name.split("/")[common:]) for name in known}


def _blank_before(text: bytes, end: int) -> int:
    """Bytes of the blank line that ends here, 0 if there is none; the text begins a line."""
    before = text[max(0, end - 3):end]
    for blank in (b"\r\n", b"\n"):
        if before.endswith(b"\n" + blank) or (before == blank and end == len(blank)):
            return len(blank)
    return 0


def _settled(text: bytes, end: int, after: int) -> int:
    """How much of the lines before `end` can be told apart whatever follows; `after`: where the
    last head among them ends."""
    places = [end]  # where the last line begins, and the one above it
    while len(places) < 3 and places[-1] > after:
        places.append(text.rfind(b"\n", after, places[-1] - 1) + 1 or after)
    for place in reversed(places[1:]):
        if text.startswith(b":" * 14, place) and end - place < _HELD:
            return place
    return end - _blank_before(text[after:end], end - after)
