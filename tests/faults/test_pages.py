"""Many pages, pages that never read, pages that come and go: the others stay current and the server stays small."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.served import AppLog, Served, until
from tests.faults.pages import Pages, health, open_stream

MANY = 40
"""The goal is a hundred, which `tests.benchmarks.pages` measures; a shared machine is no place to time them."""
PATIENCE = 15.0
MB = 1_000_000
NUMBER = b"#number"
"""Every page is sent the number of seats anew when it changes."""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[AppLog]:
    """An app that has just started."""
    log = AppLog(tmp_path / "logs")
    log.start()
    yield log
    log.close()


@pytest.fixture
def served(log: AppLog, tmp_path: Path) -> Iterator[Served]:
    """A Seatwatch that follows it, ready."""
    served = Served(log.folder, tmp_path / "seatwatch.sqlite", flags=("--no-probes",))
    served.start()
    until(lambda: health(served.address)["status"] == "ok", "the end of loading")
    yield served
    served.kill()


def test_many_pages_are_all_current(served: Served, log: AppLog) -> None:
    """Each is sent a new line's effect, and all of them together take little memory; when they are gone so is it."""
    first = Pages(served.port, 1)
    first.await_all(NUMBER, PATIENCE)
    before = health(served.address)["process"]
    pages = Pages(served.port, MANY)
    assert len(pages.await_all(NUMBER, PATIENCE)) == MANY
    for number in range(1, 4):
        log.begin(number, f"p{number}")
        assert len(pages.await_all(NUMBER, PATIENCE)) == MANY
    found = health(served.address)
    pages.close()
    first.close()

    assert found["pages"] == MANY + 1
    assert found["process"]["rss_bytes"] - before["rss_bytes"] < 30 * MB
    until(lambda: health(served.address)["pages"] == 0, "the end of all streams")
    until(lambda: health(served.address)["process"]["open_files"] <= before["open_files"], "the end of all connections")


def test_pages_that_never_read_hold_nobody_up(served: Served, log: AppLog) -> None:
    """Their share is not kept for them: the server's memory is bounded, and who reads is current."""
    stuck = [open_stream(served.port, buffer=4096) for _ in range(5)]
    reader = Pages(served.port, 1)
    assert reader.await_all(NUMBER, PATIENCE)
    until(lambda: health(served.address)["pages"] == 6, "all streams")
    before = health(served.address)["process"]["rss_bytes"]
    for number in range(1, 40):
        log.begin(number, f"p{number}")
        assert reader.await_all(NUMBER, PATIENCE), f"line {number} did not arrive"
    grown = health(served.address)["process"]["rss_bytes"] - before
    reader.close()

    assert grown < 20 * MB
    assert served.stop() == ""
    for page in stuck:
        page.close()


def test_a_page_that_reads_slowly_is_sent_the_newest(served: Served, log: AppLog) -> None:
    """It misses what was in between, and what it gets in the end is how things stand."""
    slow = open_stream(served.port, buffer=4096)
    until(lambda: health(served.address)["pages"] == 1, "the stream")
    for number in range(1, 31):
        log.begin(number, f"p{number}")
        until(lambda number=number: served.state()["seats"]["taken"] == number, f"session {number}")  # type: ignore[misc]
    slow.settimeout(PATIENCE)
    got, end = b"", time.monotonic() + PATIENCE
    while b">30<" not in got and time.monotonic() < end:
        got += slow.recv(65536)
    slow.close()

    assert b">30<" in got
    assert got.count(NUMBER) < 30


def test_pages_that_leave_in_the_middle_leave_nothing(served: Served) -> None:
    """A hundred that come and go, some of them before they were answered: no stream, file or thread is left."""
    before = health(served.address)["process"]
    for number in range(100):
        page = open_stream(served.port)
        if number % 3:
            page.recv(100)
        page.close()

    until(lambda: health(served.address)["pages"] == 0, "the end of all streams")
    until(
        lambda: health(served.address)["process"]["open_files"] <= before["open_files"] + 1,
        "the end of all connections",
    )
    assert health(served.address)["process"]["threads"] <= before["threads"] + 5
