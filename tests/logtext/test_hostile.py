"""No line makes a reader slow: time grows with length, not faster."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from assistant.logtext import codes, errorline, prefix, steps, template, wrappers
from assistant.logtext.config import START, ConfigReader

SIZE = 1 << 20


def _config(line: bytes) -> None:
    ConfigReader(START + line)
    reader = ConfigReader(START)
    reader.feed(line)


READERS: dict[str, Callable[[bytes], object]] = {
    "prefix": prefix.parse,
    "wrappers": wrappers.strip,
    "steps": lambda line: sum(1 for _ in steps.parse_all(line)),
    "errorline": lambda line: errorline.is_error(line, prefix.parse(line)),
    "template": lambda line: template.shape(line.decode("latin-1")),
    "codes": lambda line: codes.find(line[:SIZE >> 3].decode("latin-1")),
    "config": _config,
}
UNITS = [b"a", b"1", b" ", b"[", b"(", b"{ ", b'"', b"\\", b"/a", b"a.", b"E1", b"EI0006 ",
         b"step:[", b"step:[1/2], ", b"step:[1/2], loss: ", b"Epoch:[1/2], ", b"error ",
         b"0 failed ", b"no a b ", b"Error", b"[ERROR] ", b"a_", b"err code ", b"ret: ",
         b"2026-11-30 08:02:33,357 - ", b"\x1b[0m", b"[rank1]:", b"{ local_norm: ",
         b"\xff", b"\x00", b"ret[", b"1.", b"0x", b"::", b"-0a"]
STARTS = [b"", b"[WARNING] DISTRIBUTED(9003,", b"2026-11-30 08:02:33,357 - ",
          b"[ERROR] HCCL(1,p):2026-11-30-08:02:33.357.357 [", b"{ step:[ 1/ 2], ",
          b"step:[ 1/ 2] max_attention_logit/", b'{"tpe": [', b"(A pid=1) ", b"[rank1]:"]


@pytest.mark.parametrize("reader", READERS)
def test_long_lines(reader: str) -> None:
    read = READERS[reader]
    for start in STARTS:
        for unit in UNITS:
            line = start + unit * ((SIZE >> 3) // len(unit))
            begin = time.process_time()
            read(line)
            assert time.process_time() - begin < 1.0, (start, unit)


@pytest.mark.parametrize("reader", READERS)
def test_a_line_of_one_mebibyte(reader: str) -> None:
    read = READERS[reader]
    for unit in (b"a", b"[", b"{ ", b" ", b"step:[1/2], loss: 1, "):
        begin = time.process_time()
        read(unit * (SIZE // len(unit)))
        assert time.process_time() - begin < 4.0, unit
