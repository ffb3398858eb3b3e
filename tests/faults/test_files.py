"""Files that cannot be read, or change under the reader: each is named, none stops the rest."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.evidence.types import Skipped
from assistant.pipeline import check, examine
from assistant.render.as_json import json_text
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all
from assistant.sources import LogSource, find, walk

ROOT = Path(__file__).resolve().parent.parent.parent
CASE = ROOT / "tests" / "cases" / "lab" / "exc-rank2" / "msrun_log"
RULES = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>\d+)",)),))
#: A user that owns nothing.
NOBODY = 65534


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "msrun_log"
    shutil.copytree(CASE, folder, copy_function=shutil.copyfile)
    return folder


def skipped(report: Any) -> dict[str, str]:
    return {row.file: row.why for row in report.inputs.skipped}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_may_not_be_read_is_named(logs: Path) -> None:
    """In a process of its own, as a user that may read neither the file nor the folder."""
    (logs / "worker_1.log").chmod(0)
    (logs / "closed").mkdir(mode=0)
    logs.chmod(0o755)
    code = ("import json, os\n"
            "from assistant.rules.ruleset import RuleSet\n"
            "from assistant.scan import build_engine, many, one, scan_all, scanner\n"
            "from assistant.sources import find\n"
            "scan_all(find(['.']), RuleSet((), ()), jobs=1, engine='re2')\n"
            f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
            "found = scan_all(find(['.']), RuleSet((), ()), jobs=1, engine='re2')\n"
            "print(json.dumps([len(found.files), {s.file: s.why for s in found.skipped}]))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=logs,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [4, {
        "worker_1.log": "permission denied",
        "closed": "the folder cannot be listed: permission denied"}]


def test_a_folder_that_vanishes_while_it_is_walked(logs: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    (logs / "deep").mkdir()
    (logs / "deep" / "worker_9.log").write_text("x\n")
    scandir = os.scandir

    def vanishing(path: Any) -> Any:
        if str(path).endswith("deep"):
            (logs / "deep" / "worker_9.log").unlink()
            (logs / "deep").rmdir()
        return scandir(path)

    monkeypatch.setattr(walk.os, "scandir", vanishing)
    found = list(find([str(logs)]))
    assert [item.why for item in found if isinstance(item, Skipped)] == [
        "the folder cannot be listed: no such file or directory"]
    assert len(found) == 6


def test_files_that_vanish_before_they_are_read(logs: Path) -> None:
    sources = list(find([str(logs)]))
    (logs / "worker_1.log").unlink()
    evidence = scan_all(sources, RULES)
    assert [(item.file, item.why) for item in evidence.skipped] == [
        ("worker_1.log", "no such file or directory")]
    assert len(evidence.files) == 4


class Failing(io.RawIOBase):
    """A stream whose disk fails after some bytes."""

    def __init__(self, content: bytes, sound: int) -> None:
        self._content, self._at, self._sound = content, 0, sound

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._sound:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        part = self._content[self._at:min(self._sound, self._at + len(buffer))]
        buffer[:len(part)] = part
        self._at += len(part)
        return len(part)


def test_a_read_error_in_the_middle_keeps_what_stood_before() -> None:
    content = b"rank id: 3\n" * 500_000
    for sound in (0, 5, 1 << 12, (1 << 20) + 3, len(content) - 1):
        source = LogSource("worker_3.log", len(content), None, None,
                           lambda sound=sound: Failing(content, sound))  # type: ignore[misc]
        evidence = scan_all([source], RULES)
        file, = evidence.files
        assert file.size == sound
        found = file.hits.get("landmark/rank")
        assert (found.count if found else 0) in (sound // 11, sound // 11 + 1)
        assert any("read-error" in note for note in file.notes)


def test_pipes_and_devices_are_not_opened(logs: Path) -> None:
    os.mkfifo(logs / "worker_7.log")
    os.symlink("/dev/zero", logs / "worker_8.log")
    os.symlink("worker_9.log", logs / "worker_9.log")
    told = skipped(check([str(logs)], cache=True))
    assert told["worker_7.log"] == "it is a named pipe: not opened"
    assert told["worker_8.log"] == "it is a device: not opened"
    assert told["worker_9.log"].startswith("it is a link that leads nowhere")


def names() -> Iterator[bytes]:
    yield from (b"\xff\xfe", b"a\nb", b"\x1b[31m", b"\xe2\x80\xae", b" ", b"-", b"$(x)", b"%s",
                b"\xed\xa0\x80", b"'\"`", "名称".encode(), b"{rank}", b"a" * 200)


def test_names_of_any_bytes(logs: Path) -> None:
    """They are read, shown without acting on a terminal, and told apart."""
    text = (logs / "worker_2.log").read_bytes()
    for name in names():
        Path(os.fsdecode(os.fsencode(logs) + b"/" + name + b".log")).write_bytes(text)
    examined = examine([str(logs)])
    called = [file.name for file in examined.evidence.files]
    assert len(set(called)) == len(called) == 5 + sum(1 for _ in names())
    assert all(re.fullmatch(r"[^\x00-\x1f\x7f\u202e]+", name) for name in called)
    json_text(examined.report("zh")).encode()


@pytest.mark.parametrize("spoil", [
    lambda line: line.replace(b"08:29", b"08:12"), lambda line: line.replace(b"2026", b"1970"),
    lambda line: line.replace(b"2026", b"9999"), lambda line: line.replace(b"08:29", b"99:99")])
def test_a_clock_that_is_set_back_changes_no_cause(logs: Path,
                                                   spoil: Callable[[bytes], bytes]) -> None:
    """From the middle of the log on, on a rank that is not to blame."""
    log = logs / "worker_1.log"
    lines = log.read_bytes().split(b"\n")
    half = len(lines) // 2
    before = check([str(logs)])
    log.write_bytes(b"\n".join([*lines[:half], *map(spoil, lines[half:])]))
    after = check([str(logs)])
    causes = [[(f.rule, f.ranks) for f in report.findings if f.role == "cause"]
              for report in (before, after)]
    assert causes[0] == causes[1]


def test_a_hundred_thousand_files(tmp_path: Path) -> None:
    """Of which one is a log; the others are counted, not named."""
    for number in range(100_000):
        os.close(os.open(tmp_path / f"{number:05}.bin", os.O_CREAT))
    (tmp_path / "worker_0.log").write_text("rank id: 0\n")
    found = list(find([str(tmp_path)]))
    assert [item.name for item in found if isinstance(item, LogSource)] == ["worker_0.log"]
    assert [item.why for item in found if isinstance(item, Skipped)] == [
        "100000 files of other kinds were passed over: .bin 100000"]


MANY = """
import io, json, resource, sys, time
from assistant import report
from assistant.diagnose.judge import judge
from assistant.diagnose.run import conclude
from assistant.guide import library
from assistant.job import build
from assistant.rules import packs
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all
from assistant.sources import LogSource
rules = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>[0-9]+)",)),))
library = library(packs.layers([]))
text = b"2026-11-30 08:29:13,357 rank id: %d\\n"
def measure(count):
    sources = [LogSource(f"worker_{n}.log", len(text % n), None, None,
                         lambda n=n: io.BytesIO(text % n)) for n in range(count)]
    evidence = scan_all(sources, rules, jobs=1, engine="re2")
    found = conclude(judge(build(evidence, rules.landmarks), rules))
    made = report.build(found, evidence, library, "en")
    return len(evidence.files), len(made.ranks)
measure(100)  # imports what it needs
began = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sizes = measure(int(sys.argv[1]))
print(json.dumps([*sizes, time.process_time() - began[0],
                  resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - began[1]]))
"""


def test_a_hundred_thousand_logs_cost_what_ten_times_ten_thousand_cost() -> None:
    """From scan to report: processor time grows with the number and no faster; a
    log costs some KiB."""
    few, many = (json.loads(subprocess.run(
        [sys.executable, "-c", MANY, str(count)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}).stdout) for count in (10_000, 100_000))
    assert (few[:2], many[:2]) == ([10_000] * 2, [100_000] * 2)
    assert many[2] < 20 * few[2], f"{few[2]:.1f} s, then {many[2]:.1f} s"
    assert many[3] < 5 * 100_000, f"{many[3] / 100_000:.1f} KiB a log"
