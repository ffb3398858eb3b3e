"""Bytes of log files -> evidence, in one pass.

    evidence = scan_all(sources, rules)         # many files, several processes
    file = scan_stream(name, stream, build_engine(specs), specs)
"""

from __future__ import annotations

from assistant.scan.compile import build_engine
from assistant.scan.many import scan_all
from assistant.scan.scanner import scan_stream

__all__ = ["build_engine", "scan_all", "scan_stream"]
