"""Two hosts with networks, host names and file systems of their own, on one machine.

Needs root and the `ip` command (network namespaces); elsewhere it is skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.pipeline import check
from assistant.report.json_form import to_dict
from tests.cluster.reading import wait_until_it_reads

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent.parent
TWO = ROOT / "tests" / "cases" / "lab" / "two-exc-rank3"
HOSTS = {"node-a": "192.0.2.1", "node-b": "192.0.2.2"}
ADDRESS = f"{HOSTS['node-a']}:8786"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Hosts:
    """The two hosts; `names` are those of their network namespaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names = {host: f"kbt{os.getpid()}{host[-1]}" for host in HOSTS}
        self._processes: list[subprocess.Popen[bytes]] = []
        #: The process of each worker, by host.
        self.workers: dict[str, int] = {}

    def connect(self) -> None:
        one, other = self.names.values()
        for name in self.names.values():
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("link", "add", "v0", "netns", one, "type", "veth", "peer", "name", "v0", "netns", other)
        for host, name in self.names.items():
            ip("-n", name, "address", "add", f"{HOSTS[host]}/30", "dev", "v0")
            ip("-n", name, "link", "set", "v0", "up")

    def cut(self, host: str) -> None:
        """Take a host off the network."""
        ip("-n", self.names[host], "link", "set", "v0", "down")

    def start(self, host: str, *command: str) -> int:
        """Run a command on a host, on which /mnt holds that host's logs; gives its number."""
        words = " ".join(f"'{word}'" for word in command)
        script = f"hostname {host} && mount --bind {self.folder / host} /mnt && exec {words}"
        self._processes.append(subprocess.Popen(
            self._on(host, "unshare", "--mount", "--uts", "sh", "-c", script),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
            env=self._environment()))
        return self._processes[-1].pid  # each of these commands becomes the next one

    def ask(self, host: str, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self._on(host, *command), capture_output=True, text=True,
                              timeout=240, check=False, cwd=self.folder,
                              env=self._environment())

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        for name in self.names.values():
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)

    def _on(self, host: str, *command: str) -> Sequence[str]:
        return ["ip", "netns", "exec", self.names[host], *command]

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT),
                "KBTRIAGE_CACHE_DIR": str(self.folder / "cache")}


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Hosts]:
    for host in HOSTS:
        shutil.copytree(next((TWO / host).rglob("worker_*.log")).parent, tmp_path / host)
    made = Hosts(tmp_path)
    try:
        made.connect()
    except (OSError, subprocess.CalledProcessError):
        made.close()
        pytest.skip("network namespaces are not to be had here")
    try:
        python = (sys.executable, "-m", "dask")
        made.start("node-a", *python, "scheduler", "--host", HOSTS["node-a"], "--no-dashboard",
                   "--no-show")
        for host, address in HOSTS.items():
            made.workers[host] = made.start(
                host, *python, "worker", f"tcp://{ADDRESS}", "--host", address, "--nthreads", "1",
                "--no-nanny", "--no-dashboard", "--local-directory",
                str(tmp_path / f"scratch-{host}"))
        yield made
    finally:
        made.close()


def checked(hosts: Hosts) -> tuple[int, dict[str, Any], str]:
    found = hosts.ask("node-a", sys.executable, "-m", "assistant", "check", "/mnt",
                      "--engine", f"dask://{ADDRESS}", "--format", "json")
    return found.returncode, json.loads(found.stdout or "{}"), found.stderr


def wait_for_both(hosts: Hosts) -> dict[str, Any]:
    for _ in range(30):
        _, report, _ = checked(hosts)
        if {row["file"] for row in report.get("ranks", ())} >= {
                "node-a/worker_0.log", "node-b/worker_2.log"}:
            return report
        time.sleep(1)
    raise AssertionError("the workers did not come")


def test_each_host_its_own_logs_under_the_same_path(hosts: Hosts) -> None:
    found = wait_for_both(hosts)
    direct = to_dict(check([str(hosts.folder / host) for host in HOSTS], jobs=1))
    direct = json.loads(json.dumps(direct))
    for report in (found, direct):
        for finding in report["findings"]:
            del finding["steps"]  # they name the folder, /mnt there
    assert found == direct
    hosts.cut("node-b")
    status, report, error = checked(hosts)
    assert (status, report["verdict"] == "healthy") in ((1, False), (3, False))
    assert f"tcp://{HOSTS['node-b']}" in error and "is left out" in error
    assert any(row["file"].startswith(f"tcp://{HOSTS['node-b']}")
               for row in report["inputs"]["skipped"])
    assert all(not (row["file"] or "").startswith("node-b/") for row in report["ranks"])


def test_a_host_that_is_cut_off_while_it_reads(hosts: Hosts) -> None:
    """It is missed within half a minute, not after the minutes that the scheduler gives it."""
    wait_for_both(hosts)
    big = hosts.folder / "node-b" / "worker_3.log"
    line = b"2026-11-30 08:04:40,331 - mindformers[a.py:1] - INFO - nothing of note\n"
    big.write_bytes(big.read_bytes() + line * 2_000_000)

    def cut() -> None:
        wait_until_it_reads(hosts.workers["node-b"])
        hosts.cut("node-b")

    thread = threading.Thread(target=cut)
    thread.start()
    start = time.monotonic()
    status, report, error = checked(hosts)
    thread.join()
    assert time.monotonic() - start < 150, error
    assert status in (1, 3) and report["verdict"] != "healthy"
    assert "node-b/worker_3.log" in {row["file"] for row in report["inputs"]["skipped"]}
    assert {row["file"] for row in report["ranks"]} >= {"node-a/worker_0.log"}
