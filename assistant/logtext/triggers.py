"""Expressions that find the lines which the readers of this package want to see.

They run with the patterns of the rules in the one pass over a file, so they follow the same
limits (RE2 and Hyperscan, no anchors since a carriage return may split a line), and each
finds at least what its reader accepts: the reader has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.logtext import events

#: Step lines, and the monitors' lines that begin like them (steps.parse).
STEP = r"step:\[ *[0-9]+/ *[0-9]+\]"

#: Step lines of other trainers (trainers.parse).
TRAINER = (
    r"\{'loss': |\biteration +[0-9]+/ *[0-9]+ \|"
    r"|\b[Ee]poch:? ?\[?[0-9]+(?:/ ?[0-9]+)?\]?,? (?:[Ss]tep|batch):? ?\[?[0-9]+"
)

#: The monitors' lines in braces (steps.parse).
MONITOR = r'\b(?:local_norm|device_norm|local_loss|device_loss|tpe|micro_step)"? *:'

#: Lines that may look like an error (errorline.is_error).
ERROR = (
    r"\b(?:ERROR|CRITICAL|FATAL|EXCEPTION)\b"
    r"|\[[EFC](?:[0-9]{3,4})? |[0-9] [EFC] [0-9]{1,10} [0-9]{1,10}\]|\[critical\]"
    r"|\[[EF]:onnxruntime:"
    r"|\b[EFC](?:[0-9]{4}){1,2} [0-9]{2}:[0-9]{2}:"
    r"|(?:Error|Exception|Interrupt|Exit)\b"
    r"|\bE[0-9A-Z][0-9]{4}\b|\bERR[0-9]{5}\b"
    r"|(?i:\berrors?\b|\bfail(?:ed|s)?\b|\bfatal\b)|Traceback \(most recent call last\)"
    r"|(?i:segmentation fault|illegal instruction|floating point exception)"
    r"|\bAborted\b|\bcore dumped\b|\bKilled\b|terminate called|stack smashing detected"
    r"|double free or corruption|corrupted size vs|malloc\(\): |free\(\): invalid"
    r"|std::bad_alloc|\bpanic: "
    r"|(?i:cannot open shared object file|undefined symbol)"
    r"|(?i:out of memory|cannot allocate memory|oom-kill|no space left on device)"
    r"|(?i:disk quota exceeded|too many open files|read-only file system)"
    r"|(?i:command not found|no such file or directory|permission denied)"
    r"|(?i:connection refused|connection reset by peer|address already in use|broken pipe)"
    r"|exit(?:s|ed)? with exception|(?i:\bevent[ _]?id\b)"
)

#: The first line of the configuration's dump (config.ConfigReader).
CONFIG = r"Current config: \{"

#: All of them by the key under which the scan looks for them.
EXPRESSIONS: Mapping[str, str] = {
    "@step": STEP,
    "@trainer": TRAINER,
    "@monitor": MONITOR,
    "@event": events.START,
    "@error": ERROR,
    "@config": CONFIG,
}
