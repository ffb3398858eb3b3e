"""The page under load: 50 clients for 60 s on loopback, pasting real cases.

Usage: python bench/web.py [--clients N] [--seconds S] [--pause S]

Two rounds. In the first every client pastes again as soon as it has an answer, more than the
server can do: nothing but answers and the documented 429 and 503 may come back, and memory
must stay flat. In the second every client reads its answer for a while (--pause, on average),
as people do: the median answer for a small paste must take at most LIMIT times what the
engine alone takes for it. Exit status 1 if one of these does not hold.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases" / "lab"
#: The median answer may take so many times the engine's own time.
LIMIT = 3.0
#: Bytes of a paste that counts as small.
SMALL = 64 << 10
#: The server's memory may grow by so much after it is warm, in MiB.
GROWTH = 64
DOCUMENTED = (200, 429, 503)


def pastes() -> list[str]:
    """Each case as `tail *.log` would show it."""
    found = []
    for case in sorted(CASES.glob("*/expect.yaml")):
        logs = sorted(case.parent.rglob("*.log"))
        parts = [f"==> {path.relative_to(case.parent)} <==\n{path.read_text(errors='replace')}\n"
                 for path in logs]
        found.append("".join(parts))
    return found


def engine_times(texts: list[str]) -> list[float]:
    """Seconds that the engine alone takes for each paste: reading, diagnosis, one report."""
    sys.path.insert(0, str(ROOT))
    from web.engine import Engine
    from web.intake import Budget, Upload, sources
    from web.intake.paste import split
    from web.settings import Settings

    engine = Engine()
    settings = Settings()
    took = []
    for text in texts * 3:
        uploads = [Upload(name, len(content), partial(BytesIO, content))
                   for name, content in split(text.encode(), "unknown", None)]
        begin = time.perf_counter()
        engine.report(engine.check(sources(uploads, Budget(settings, len(text)))), "en")
        took.append(time.perf_counter() - begin)
    return took[len(texts):]  # the first round only warms up


class Server:
    """`kbtriage serve` as a process of its own."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "serve", "--port", str(self.port),
             "--rate", "0"], cwd=ROOT, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT)})
        for _ in range(300):
            if self._answers():
                return
            time.sleep(0.1)
        raise SystemExit("the server does not start")

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def memory(self) -> float:
        """Resident memory of the server and of the processes that check, in MiB."""
        pids = [self._process.pid]
        for task in Path(f"/proc/{self._process.pid}/task").iterdir():
            pids += map(int, (task / "children").read_text().split())
        return sum(map(_resident, set(pids)))

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


def _resident(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Round:
    """What came back, from all clients."""

    def __init__(self) -> None:
        self.statuses: Counter[int | str] = Counter()
        self.small: list[float] = []
        self._lock = threading.Lock()

    def note(self, status: int | str, took: float, size: int) -> None:
        with self._lock:
            self.statuses[status] += 1
            if status == 200 and size <= SMALL:
                self.small.append(took)


def client(port: int, texts: list[str], until: float, pause: float, seed: int,
           result: Round) -> None:
    """One person, who pastes until the time is over, and waits as told when refused."""
    chance = random.Random(seed)
    time.sleep(chance.uniform(0, max(pause, 0.2)))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while time.monotonic() < until:
        text = chance.choice(texts)
        body = urlencode({"text": text})
        begin = time.perf_counter()
        wait = chance.expovariate(1 / pause) if pause else 0.0
        try:
            connection.request("POST", "/check", body,
                               {"Content-Type": "application/x-www-form-urlencoded"})
            answer = connection.getresponse()
            content = answer.read()
            took = time.perf_counter() - begin
            fine = answer.status != 200 or b'class="verdict ' in content
            result.note(answer.status if fine else "not an answer", took, len(text))
            if answer.status in (429, 503):
                wait = float(answer.headers.get("Retry-After", "1"))
        except OSError as error:
            result.note(type(error).__name__, 0.0, len(text))
            connection.close()
        time.sleep(wait)
    connection.close()


def load(server: Server, texts: list[str], clients: int, seconds: float,
         pause: float) -> tuple[Round, float, float]:
    """Run a round; gives its result and the memory after a quarter of it and at its end."""
    result = Round()
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=client, args=(server.port, texts, until, pause, n, result))
               for n in range(clients)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 4)
    warm = server.memory()
    for thread in threads:
        thread.join()
    return result, warm, server.memory()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=15.0)
    arguments = parser.parse_args()
    texts = pastes()
    small = [text for text in texts if len(text) <= SMALL]
    alone = median(engine_times(small))
    print(f"{len(small)} of {len(texts)} pastes are small (at most {SMALL >> 10} KiB); "
          f"the engine alone takes {1000 * alone:.1f} ms (median)")
    failed = False
    server = Server()
    try:
        for name, pause in (("without a pause", 0.0), ("with people's pauses", arguments.pause)):
            result, warm, end = load(server, texts, arguments.clients, arguments.seconds, pause)
            answers = median(result.small) if result.small else float("inf")
            tail = quantiles(result.small, n=20)[-1] if len(result.small) > 1 else answers
            print(f"{name}: {dict(result.statuses)}, small pastes {1000 * answers:.1f} ms "
                  f"(median, {answers / alone:.1f} x the engine), {1000 * tail:.0f} ms (95%), "
                  f"memory {warm:.0f} -> {end:.0f} MiB")
            failed |= any(status not in DOCUMENTED for status in result.statuses)
            failed |= end > warm + GROWTH
            failed |= answers > LIMIT * alone
    finally:
        server.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
