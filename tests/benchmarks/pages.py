"""A hundred pages at once: ``python -m tests.benchmarks.pages [PAGES]``.

A Seatwatch in a process of its own, and so many streams by plain sockets. A line is appended twenty times; printed are
how long until half of the pages and until the last one was sent its effect, what the server's memory grew by, and the
ratio to sending the same bytes through as many sockets without a server, which is what the system alone takes here.
"""

from __future__ import annotations

import socket
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.e2e.served import AppLog, Served, until
from tests.faults.pages import Pages, health
from tests.faults.test_pages import NUMBER

ROUNDS = 20
MESSAGE = 6_000
"""Bytes of one live update."""


def bare(pages: int) -> float:
    """Milliseconds to send a message through so many pairs of sockets and to read it at their other ends."""
    pairs = [socket.socketpair() for _ in range(pages)]
    started = time.perf_counter()
    for one, _ in pairs:
        one.sendall(b"x" * MESSAGE)
    for _, other in pairs:
        other.recv(1 << 16)
    taken = (time.perf_counter() - started) * 1000
    for pair in pairs:
        pair[0].close()
        pair[1].close()
    return taken


class Told(NamedTuple):
    """Milliseconds until half of the pages and until the last one had an update, the worst last one; MB of memory."""

    half: float
    last: float
    worst: float
    grown: float


def measure(number: int) -> Told:
    """Open so many pages, append twenty lines one by one."""
    with tempfile.TemporaryDirectory() as home:
        log = AppLog(Path(home) / "logs")
        log.start()
        served = Served(log.folder, Path(home) / "db.sqlite")
        served.start()
        until(lambda: health(served.address)["status"] == "ok", "the end of loading")
        one = Pages(served.port, 1)
        one.await_all(NUMBER, 10)
        before = health(served.address)["process"]["rss_bytes"]
        pages = Pages(served.port, number)
        pages.await_all(NUMBER, 30)
        halves, lasts = [], []
        for turn in range(ROUNDS):
            time.sleep(0.3)
            log.begin(turn, f"p{turn}")
            taken = pages.await_all(NUMBER, 10)
            assert len(taken) == number, f"{len(taken)} of {number} pages were sent it"
            halves.append(median(taken) * 1000)
            lasts.append(taken[-1] * 1000)
        grown = (health(served.address)["process"]["rss_bytes"] - before) / 1_000_000
        pages.close()
        one.close()
        served.stop()
        log.close()
    return Told(median(halves), median(lasts), max(lasts), grown)


def main() -> None:
    """Measure, print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    told = measure(number)
    print(
        f"{number} pages: half of them after {told.half:.0f} ms, all after {told.last:.0f} ms (worst {told.worst:.0f})"
    )
    print(f"memory +{told.grown:.1f} MB; ratio to bare sockets {told.last / bare(number):.0f}")


if __name__ == "__main__":
    main()
