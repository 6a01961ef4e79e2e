"""What a running Seatwatch costs while nobody does anything: ``python -m tests.benchmarks.idle [SECONDS] [FLAG …]``.

The demo's app writes its log in a process of its own at its normal pace; one page is open, as a bare connection to
``/stream``. Printed are the share of a core, the wake-ups a second and the memory, first without a page and then with
one, and beside them the same of an empty FastAPI application that only answers, and of ``glances -w``, a monitor with
a page, where there is one (``glances[web]`` from PyPI). ``FLAG`` goes to ``seatwatch serve``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from tests.e2e.served import Served

SETTLE = 5.0
"""Seconds that are not counted: imports, the first page, the first fold."""
EMPTY = "from fastapi import FastAPI; import uvicorn; uvicorn.run(FastAPI(), port=int({port}), log_level='error')"


@dataclass(frozen=True)
class Usage:
    """What a process has used so far: seconds of a core, times it was woken, and bytes of memory now."""

    seconds: float
    wakes: int
    resident: int

    @classmethod
    def of(cls, pid: int) -> Usage:
        """Of all threads of a process. Linux only: macOS tells no wake-ups without privileges."""
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        wakes = 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            lines = (task / "status").read_text().splitlines()
            wakes += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return cls((int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"), wakes, resident)


def measured(name: str, pid: int, seconds: float) -> float:
    """Print what the process uses in ``seconds``; its share of a core in percent."""
    time.sleep(SETTLE)
    before, started = Usage.of(pid), time.monotonic()
    time.sleep(seconds)
    after, took = Usage.of(pid), time.monotonic() - started
    share = 100 * (after.seconds - before.seconds) / took
    print(
        f"{name:32} {share:6.2f} % of a core {(after.wakes - before.wakes) / took:7.1f} wake-ups/s "
        f"{after.resident / 1e6:7.1f} MB"
    )
    return share


@contextmanager
def page(address: str) -> Iterator[None]:
    """An open page, as the server sees one."""
    answer = urlopen(f"{address}/stream", timeout=30)  # noqa: S310  our own server on loopback

    def drain() -> None:
        try:
            while answer.read1(65_536):
                pass
        except (OSError, ValueError, HTTPException):  # it was cut off by us
            return

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    yield
    answer.fp.raw._sock.shutdown(socket.SHUT_RDWR)
    thread.join(5)


@contextmanager
def app_that_writes(folder: Path) -> Iterator[None]:
    """The demo's app, in a process of its own."""
    command = [sys.executable, "-m", "app", "demo", "--write", str(folder), "--tz", "UTC"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        yield
        writer.terminate()


@contextmanager
def empty_server() -> Iterator[int]:
    """A FastAPI application without a route; its process id."""
    with subprocess.Popen([sys.executable, "-c", EMPTY.format(port=free_port())]) as server:
        yield server.pid
        server.terminate()


@contextmanager
def glances(program: str) -> Iterator[int]:
    """``glances -w`` on the loopback, asked every two seconds, as its page does by itself; its process id."""
    port, over = free_port(), threading.Event()
    command = [program, "-w", "-B", "127.0.0.1", "-p", str(port), "--disable-check-update"]

    def ask() -> None:
        while not over.wait(2):
            with suppress(OSError, HTTPException), urlopen(f"http://127.0.0.1:{port}/api/4/all", timeout=5) as answer:
                answer.read()

    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        thread = threading.Thread(target=ask)
        thread.start()
        yield server.pid
        over.set()
        thread.join()
        server.terminate()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def main() -> None:
    """Measure, print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory() as place, app_that_writes(Path(place) / "logs"):
        served = Served(Path(place) / "logs", Path(place) / "seatwatch.sqlite", flags=tuple(sys.argv[2:]))
        served.start()
        try:
            assert served.process is not None
            measured("Seatwatch, no page", served.process.pid, seconds)
            with page(served.address):
                ours = measured("Seatwatch, one page", served.process.pid, seconds)
        finally:
            served.kill()
    with empty_server() as pid:
        theirs = measured("an empty FastAPI application", pid, seconds)
    if (program := shutil.which("glances")) is not None:
        with glances(program) as pid:
            monitor = measured("glances -w, one page", pid, seconds)
        print(f"ratio to glances {ours / monitor:.2f}" if monitor else "glances used no measurable time")
    print(
        f"ratio to the empty application {ours / theirs:.1f}"
        if theirs
        else "ratio: the empty application used no measurable time"
    )


if __name__ == "__main__":
    main()
