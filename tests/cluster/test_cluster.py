"""A cluster on this machine: a scheduler, and workers in processes and folders of their own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.cluster import client as client_module
from assistant.cluster import presence, scan
from assistant.errors import UsageError
from assistant.evidence import serial
from assistant.pipeline import Knowledge, Reading, check
from assistant.report.json_form import to_dict
from tests.cluster.reading import wait_until_it_reads

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent.parent
TWO = ROOT / "tests" / "cases" / "lab" / "two-exc-rank3"
FAILED = ROOT / "tests" / "cases" / "lab" / "exc-rank2" / "msrun_log"
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge()


class Cluster:
    """A scheduler and workers. Attributes: address: as `--engine` takes it."""

    def __init__(self, scratch: Path) -> None:
        scratch.mkdir(exist_ok=True)
        self._scratch = scratch
        self._environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
            "DASK_DISTRIBUTED__WORKER__USE_FILE_LOCKING": "False",
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"dask://127.0.0.1:{port}"
        self._processes = [self._run(
            scratch, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard",
            "--no-show")]
        self._workers = 0

    def worker(self, folder: Path) -> subprocess.Popen[bytes]:
        """A worker whose working directory is a folder."""
        self._workers += 1
        local = self._scratch / f"worker-{self._workers}"
        process = self._run(
            folder, "worker", self.address.replace("dask", "tcp"), "--host", "127.0.0.1",
            "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(local))
        self._processes.append(process)
        return process

    def wait(self) -> None:
        """Until all workers are there."""
        from distributed import Client

        with Client(self.address.replace("dask", "tcp"), timeout=60, set_as_default=False) as c:
            c.wait_for_workers(self._workers, timeout=60)

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def _run(self, folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "dask", *arguments], cwd=folder,
                                env=self._environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def cluster(scratch: Path, folders: Sequence[Path]) -> Iterator[tuple[Cluster, list[Any]]]:
    made = Cluster(scratch)
    try:
        workers = [made.worker(folder) for folder in folders]
        made.wait()
        yield made, workers
    finally:
        made.stop()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two nodes' folders, the logs of each in its own msrun_log."""
    folder = tmp_path_factory.mktemp("nodes")
    for name in ("node-a", "node-b"):
        logs = next((TWO / name).rglob("worker_*.log")).parent
        shutil.copytree(logs, folder / name / "msrun_log")
    return folder


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, nodes: Path) -> Iterator[Cluster]:
    """A cluster of two nodes, one of them with two workers."""
    folders = [nodes / "node-a", nodes / "node-b", nodes / "node-b"]
    with cluster(tmp_path_factory.mktemp("scratch"), folders) as (made, _):
        yield made


def told(paths: Sequence[str], **options: Any) -> str:
    return json.dumps(to_dict(check(paths, **options)))


def test_each_node_its_own_logs(two: Cluster, nodes: Path) -> None:
    direct = [str(nodes / name / "msrun_log") for name in ("node-a", "node-b")]
    assert told(["msrun_log"], engine=two.address) == told(direct, jobs=1)


def test_a_shared_file_system(two: Cluster, knowledge: Knowledge) -> None:
    """To the byte, and every file once although three workers see it."""
    there = knowledge.scan([str(FAILED)], Reading(engine=two.address))
    assert serial.dump(there) == serial.dump(knowledge.scan([str(FAILED)], Reading(jobs=1)))
    both = [str(TWO / "node-a"), str(TWO / "node-b")]
    assert told(both, engine=two.address) == told(both, jobs=1)


def test_an_archive_and_a_file(two: Cluster, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "logs"), "gztar", FAILED)
    for paths in ([archive], [archive, str(FAILED / "worker_2.log")],
                  [str(FAILED / "worker_2.log")]):
        assert told(paths, engine=two.address) == told(paths, jobs=1)


def test_urls(two: Cluster) -> None:
    pytest.importorskip("fsspec")
    url = [f"file://{FAILED}"]
    assert told(url, engine=two.address) == told(url, jobs=1)
    mixed = [f"file://{TWO / 'node-a'}", str(TWO / "node-b")]
    assert told(mixed, engine=two.address) == told(mixed, jobs=1)


def test_from_the_command_line(two: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--engine", two.address, "msrun_log", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["inputs"]["files"] > 2


@pytest.mark.parametrize("paths", [["msrun_log"], [str(FAILED)]])
def test_collected_on_the_workers(two: Cluster, nodes: Path, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str], paths: list[str]) -> None:
    """A whole job in one file, which says elsewhere what the logs say."""
    file = str(tmp_path / "job.kbt")
    assert main(["collect", "--engine", two.address, *paths, "-o", file]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: ")
    logs = paths if paths != ["msrun_log"] else [
        str(nodes / name / "msrun_log") for name in ("node-a", "node-b")]
    assert told([file]) == told(logs, jobs=1)
    assert main(["collect", "--engine", two.address, file]) == 2
    assert "was collected already" in capsys.readouterr().err


def test_paths_that_nobody_sees(two: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--engine", two.address, "/not/there"]) == 2
    assert "no worker of the cluster sees /not/there" in capsys.readouterr().err
    assert main(["check", "--engine", two.address, "-"]) == 2


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch,
                      capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(client_module, "ANSWER", 1.0)
    assert main(["check", "--engine", "dask://127.0.0.1:1", "x"]) == 2
    assert "no Dask scheduler answers at 127.0.0.1:1" in capsys.readouterr().err


def test_another_version_on_a_worker(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.cluster.tasks.Survey.__init__.__defaults__", (("9.9", 9),))
    with pytest.raises(UsageError, match=r"runs kbtriage .* this is 9\.9: install the same"):
        scan(["msrun_log"], (), two.address)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """Three nodes with so much to read that there is time to kill one of them."""
    line = b"2026-11-30 08:04:40,331 - mindformers[a.py:1] - INFO - nothing of note\n"
    for node in range(3):
        logs = tmp_path / f"node-{node}" / "msrun_log"
        logs.mkdir(parents=True)
        for rank in range(4):
            number = node * 4 + rank
            head = b"This node %d rank id: %d\n" % (number, number)
            (logs / f"worker_{number}.log").write_bytes(head + line * 300_000)
    return tmp_path


def hit_while_running(worker: subprocess.Popen[bytes], scan_it: Any,
                      blow: signal.Signals = signal.SIGKILL) -> Any:
    """The result of a call during which a worker gets a signal while it reads a log."""
    def hit() -> None:
        wait_until_it_reads(worker.pid)
        worker.send_signal(blow)

    thread = threading.Thread(target=hit)
    thread.start()
    try:
        return scan_it()
    finally:
        thread.join()


#: It is gone, or only stands still: then nobody ends its connections.
BLOWS = pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP], ids=lambda b: b.name)


@BLOWS
def test_a_node_that_is_gone_is_named_and_the_rest_goes_on(
        big: Path, tmp_path: Path, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch,
        blow: signal.Signals) -> None:
    monkeypatch.setattr(presence, "SILENCE", 10.0)
    monkeypatch.setattr(client_module, "_TASK_BYTES", 1 << 20)
    folders = [big / f"node-{node}" for node in range(3)]
    with cluster(tmp_path / "scratch", folders) as (made, workers):
        evidence = hit_while_running(workers[1], lambda: knowledge.scan(
            ["msrun_log"], Reading(engine=made.address)), blow)
    names = {file.name for file in evidence.files}
    alive = {f"node-{node}/msrun_log/worker_{node * 4 + rank}.log"
             for node in (0, 2) for rank in range(4)}
    assert alive <= names
    lost = {item.file for item in evidence.skipped}
    assert lost and all(name.startswith("node-1/msrun_log/worker_") for name in lost)
    assert len(names) + len(lost) == 12
    assert all(item.lost for item in evidence.skipped)
    assert {file.lines for file in evidence.files} == {300_001}


@BLOWS
def test_where_others_see_the_logs_a_lost_worker_costs_nothing(
        big: Path, tmp_path: Path, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch,
        blow: signal.Signals) -> None:
    monkeypatch.setattr(presence, "SILENCE", 10.0)
    monkeypatch.setattr(client_module, "_TASK_BYTES", 1 << 20)
    paths = [str(big / f"node-{node}" / "msrun_log") for node in range(3)]
    with cluster(tmp_path / "scratch", [tmp_path] * 3) as (made, workers):
        evidence = hit_while_running(workers[0], lambda: knowledge.scan(
            paths, Reading(engine=made.address)), blow)
    assert serial.dump(evidence) == serial.dump(knowledge.scan(paths, Reading(jobs=1)))


def test_a_worker_that_stands_still_once_it_has_answered(
        nodes: Path, tmp_path: Path, knowledge: Knowledge,
        monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent to all of them goes to it, too, and must not wait for it for ever."""
    monkeypatch.setattr(presence, "SILENCE", 10.0)
    plain = client_module.lay_out
    with cluster(tmp_path / "scratch", [nodes / "node-a", nodes / "node-b"]) as (made, workers):
        def stops(*arguments: Any) -> Any:
            workers[1].send_signal(signal.SIGSTOP)
            return plain(*arguments)

        monkeypatch.setattr(client_module, "lay_out", stops)
        evidence = knowledge.scan(["msrun_log"], Reading(engine=made.address))
    assert {item.file for item in evidence.skipped if item.lost} == {
        "node-b/msrun_log/worker_2.log", "node-b/msrun_log/worker_3.log"}
    assert len(evidence.files) == 3


class Silent:
    """A client whose scheduler hears of workers as told. Attributes: heard: by address."""

    def __init__(self, *addresses: str) -> None:
        self.heard = dict.fromkeys(addresses, 1.0)

    def scheduler_info(self, **_: Any) -> dict[str, Any]:
        return {"workers": {address: {"last_seen": sign} for address, sign in self.heard.items()}}


def test_signs_of_life() -> None:
    now, client = [100.0], Silent("a", "b", "c")
    seen = presence.Presence(client, ["a", "b", "c"], lambda: now[0])
    assert seen.alive() == {"a", "b", "c"}
    for _ in range(20):
        now[0] += 2
        client.heard["a"] += 2
        seen.alive()
    assert (seen.alive(), seen.gone) == ({"a"}, {"b", "c"})
    client.heard["b"] += 50  # it comes back too late
    del client.heard["a"]
    now[0] += 2
    assert seen.alive() == frozenset()


def test_of_thousands_of_workers_each_tells_less_often() -> None:
    assert presence.Presence(Silent(), [str(i) for i in range(10_000)]).patience == 180.0
