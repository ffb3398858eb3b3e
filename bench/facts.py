"""Facts on what logs print -> small logs in which each of them stands, for coverage.py.

A folder of facts holds YAML files whose `entries` say, each under an `id`, what is printed
(`text`, with `<X>` for what differs; alternatives parted by ` / `), where and how serious it
is; and tables of codes and of key words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: What stands in for `<X>`, by what the name begins with.
_FILLED = (("IP", "192.0.2.7"), ("PORT", "8118"), ("port", "8118"), ("PID", "4242"),
           ("PATH", "/data/model/a.yaml"), ("path", "/data/model/a.yaml"), ("F.e", "1.5e+03"),
           ("LIST", "[0, 1]"), ("IDS", "0, 1"), ("NAME", "embedding"), ("CLS", "GPTModel"),
           ("LIB", "libmindspore_ascend.so.2"), ("SO", "libgraph.so"), ("ADDR", "192.0.2.7:8118"),
           ("log_dir", "msrun_log"), ("TEXT", "Connection refused"), ("SIG", "Killed"))
_NUMBERS = frozenset("NRIKMDCFSPTBWHVEGLAUX")
_NORMAL = ("normal", "context", "noise", "layout", "marker", "-", "symptom of")
_STAMP = "2026-11-30-08:03:48.021.634"
_DATE = "2026-11-30 08:03:48,021"
_ERROR = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Warning): ")
_CODE = re.compile(r"E[0-9A-Z]\d{4}: ")

Logs = tuple[str, str]


@dataclass(frozen=True)
class Fact:
    """One abnormal entry.

    Attributes:
        table: where it stands: `msrun`, `hccl_cann.acl_runtime_return_codes` ...
        id: its id there. text: what is printed, to be read by people.
        logs: (file name, content) of small logs, each of which holds it.
    """

    table: str
    id: str
    text: str
    logs: tuple[Logs, ...]


def read(folder: Path) -> Iterator[Fact]:
    """The abnormal entries of all files of a folder."""
    import yaml

    for path in sorted(folder.glob("*.yaml")):
        values = yaml.safe_load(path.read_text("utf-8"))
        name = path.stem
        if name == "relations":
            continue
        for entry in values.get("entries", ()):
            if _abnormal(entry):
                yield Fact(name, entry["id"], entry["text"], tuple(_logs(name, entry)))
        yield from _codes(name, values)


def _abnormal(entry: Mapping[str, Any]) -> bool:
    status = str(entry.get("status", ""))
    return not (status.startswith(_NORMAL)
                or str(entry["root_or_consequence"]).startswith(_NORMAL))


def _codes(name: str, values: Mapping[str, Any]) -> Iterator[Fact]:
    for event in values.get("npu_fault_events", {}).get("events", ()):
        lines = [text for text in event["printed_as"] if "vent" in text and "0x" in text]
        yield Fact(f"{name}.npu_fault_events", event["code"], event["title"],
                   tuple(("device-os.log", f"[ERROR] {line}\n") for line in lines))
    for code in values.get("acl_runtime_return_codes", ()):
        lines = str(code["printed_as"]).split(" / ")
        yield Fact(f"{name}.acl_runtime_return_codes", str(code["code"]),
                   code["meaning"] if "meaning" in code else code["header_comment"],
                   tuple(_plog("RUNTIME", line) for line in lines))
    for code in values.get("hccl_return_codes", ()):
        number = int(code["code"])
        if number:
            yield Fact(f"{name}.hccl_return_codes", str(number), code["meaning"], (
                _plog("HCCL", f"call trace: hcclRet -> {number}"),
                _plog("HCCL", f"errNo[0x{0x0000000005000000 + number:016x}] failed"),
                ("worker_0.log", "RuntimeError: HCCL function error: "
                 f"HcclCommInitRootInfo failed, error code is {number}\n")))
    templates = values.get("other_code_templates", {}).get("codes", {})
    for code, template in templates.items():
        yield Fact(f"{name}.other_code_templates", code, template,
                   (("worker_0.log", _block(f"{code}: {filled(template)}")),))
    for entry in values.get("faultdiag_signatures", {}).get("entries", ()):
        words = [word for line in entry["keywords_any_of"] for word in line]
        lines = [*(" ".join(line) for line in entry["keywords_any_of"]), "x1".join(words)]
        yield Fact(f"{name}.faultdiag_signatures", entry["id"], entry["label"],
                   tuple(_signature(entry, line) for line in lines))


def _signature(entry: Mapping[str, Any], line: str) -> Logs:
    if _CODE.match(line + " "):
        return "worker_0.log", _block(line)
    if entry["log"] == "TrainLog":
        return "worker_0.log", _record("ERROR", "DEVICE", line)
    module = str(entry["module"]).upper() if str(entry["module"]).isalpha() else "CCL"
    return (_plog(module, line) if entry["log"] == "CANN_Plog"
            else ("device-os.log", f"[ERROR] {module}(4242,tsd):{_STAMP} [a.c:1] {line}\n"))


def _logs(name: str, entry: Mapping[str, Any]) -> Iterator[Logs]:
    """Small logs that print an entry, in the files and layouts in which it may stand."""
    where, severity = str(entry.get("where", "")), str(entry.get("severity", ""))
    files = [file for word, file in (
        ("console", "console.log"), ("scheduler", "scheduler.log"), ("worker", "worker_0.log"),
        ("plog", "plog-4242_20261130080348123.log"), ("dmesg", "dmesg.log"),
        ("syslog", "messages.log")) if word in where] or ["worker_0.log", "host.log"]
    if files == ["plog-4242_20261130080348123.log"]:
        files.append("worker_0.log")
    levels = [level for level in ("ERROR", "WARNING", "INFO") if level in severity] or ["ERROR"]
    component = "ME" if name == "python_env" else "HCCL" if "plog" in where else "DISTRIBUTED"
    texts = [entry["text"], *str(entry["text"]).split(" / "), *str(entry["text"]).split("\n"),
             *_list(entry.get("anchor")), *_list(entry.get("how_it_looks_in_logs")),
             *_list(entry.get("text_in_other_versions"))]
    for text in dict.fromkeys(filled(text) for text in texts):
        bare = text.strip().strip("'\"")
        for file in files:
            if _ERROR.match(bare):
                yield file, ("Traceback (most recent call last):\n"
                             '  File "/home/user/train.py", line 12, in <module>\n'
                             f"    main()\n{bare}\n")
            if _CODE.match(bare):
                yield file, _block(bare)
            yield file, f"{bare}\n"
            for level in levels:
                yield file, _record(level, component, bare)
                yield file, (f"{_DATE} - mindformers./output/log[mindformers/a.py:7] - {level} - "
                             f"{bare}\n")


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [str(item) for item in value or ()]


def filled(text: str) -> str:
    """A template with something in the place of each `<X>`."""
    return re.sub(r"<([^<>]{0,40})>", lambda found: _value(found[1]), text)


def _value(name: str) -> str:
    if "|" in name:
        return name.split("|")[0]
    for beginning, value in _FILLED:
        if name.startswith(beginning):
            return value
    return "3" if name.rstrip("0123456789") in _NUMBERS else "x1"


def _record(level: str, component: str, text: str) -> str:
    return f"[{level}] {component}(4242,7fe57dc12b80,python):{_STAMP} [a/b.cc:485] Run] {text}\n"


def _plog(module: str, line: str) -> Logs:
    return ("plog-4242_20261130080348123.log",
            f"[ERROR] {module}(4242,python):{_STAMP} [a.cc:797] [4242]{line}\n")


def _block(text: str) -> str:
    return (f"{text}\n        Solution: see the documents\n"
            "        TraceBack (most recent call last):\n"
            "        it failed[FUNC:Run][FILE:a.cc][LINE:12]\n")
