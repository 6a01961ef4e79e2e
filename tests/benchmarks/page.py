"""What the page costs: ``python -m tests.benchmarks.page [UPDATES]``, five hundred by default.

The demo's app writes a day, which is read; then it goes on, one second of story at a time. First the page itself with
that day on it: the server's milliseconds when nothing of it is made yet, and its bytes as they go over the wire. Then
what each update of the usual two hours takes: milliseconds of the frame and its messages, which all open pages share,
and bytes of one page. The ratio is that of the median update to the whole page.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import cast

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.demo.writer import DemoWriter
from app.settings import resource_dir
from app.web import build_web
from app.web.asked import Asked
from app.web.board import Board
from app.web.ranges import Window
from app.web.stream import PageFeed, message
from tests.following import Followed

BEGAN = datetime(2026, 10, 2, 9, tzinfo=UTC)
DAY = timedelta(hours=24)
STEP = timedelta(seconds=1)
"""A page is sent at most ten messages a second, and the log's stamps tell no more than seconds apart."""
ROUNDS = 15


class Shown:
    """A log that goes on, and a page on it; ``now`` is the story's clock."""

    def __init__(self, home: Path) -> None:
        self.now = BEGAN
        self.writer = DemoWriter(home / "logs", 5, now=BEGAN, history=DAY)
        self.followed = Followed(home / "logs", home / "page.sqlite")
        self.followed.pipeline.clock = lambda: self.now
        self.followed.catch_up()
        live = self.followed.live
        live.publish(replace(live.current, ready=True))
        self.followed.pipeline._publish(True)
        gc.freeze()  # as the server does once its history is complete
        self.app = FastAPI()
        self.board: Board = build_web(
            self.app, live=live, zone=UTC, templates_dir=resource_dir("templates"),
            static_dir=resource_dir("static"), clock=lambda: self.now,
            asked=cast("Asked", None),  # nothing is asked of the past here
        )  # fmt: skip

    def whole(self) -> tuple[float, int]:
        """Milliseconds of the server for ``/`` with the day on it, made anew each time, and bytes over the wire."""
        taken, size = [], 0
        with TestClient(self.app, base_url="http://127.0.0.1:7787") as client:
            client.get("/?range=24h")  # templates are compiled once
            for _ in range(ROUNDS):
                self.board._kept.clear()
                started = time.perf_counter()
                answer = client.get("/?range=24h", headers={"Accept-Encoding": "gzip"})
                taken.append((time.perf_counter() - started) * 1000)
                size = int(answer.headers["content-length"])
        return median(taken), size

    def updates(self, number: int) -> Iterator[tuple[float, int]]:
        """Milliseconds and bytes of so many updates of a page in its usual range."""
        feed = PageFeed(self.board, window=Window())
        sent: Mapping[str, object] = dict(feed.frame().views)
        while number:
            self.now += STEP
            self.writer.advance(self.now)
            self.followed.look()
            started = time.perf_counter()
            frame = feed.frame()
            told = "".join(message(self.board, feed, frame, name, sent) for name in frame.changes(sent))
            taken = (time.perf_counter() - started) * 1000
            sent = dict(frame.views)
            if told:
                number -= 1
                yield taken, len(told.encode())


def row(name: str, values: list[float]) -> str:
    """One line of the table."""
    cuts = quantiles(values, n=100, method="inclusive")
    return f"{name:<24}{median(values):>10.1f}{cuts[94]:>10.1f}{cuts[98]:>10.1f}{max(values):>10.1f}"


def main() -> None:
    """Show, measure, print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with TemporaryDirectory() as home:
        shown = Shown(Path(home))
        whole, size = shown.whole()
        found = list(shown.updates(number))
        shown.writer.stop()
        shown.followed.close()
    print(f"the page with a day on it: {whole:.1f} ms, {size / 1000:.1f} KB over the wire")
    print(f"{f'{number} updates of it':<24}{'median':>10}{'p95':>10}{'p99':>10}{'worst':>10}")
    print(row("milliseconds", [taken for taken, _ in found]))
    print(row("KB", [size / 1000 for _, size in found]))
    print(f"ratio of an update to the page: {median(taken for taken, _ in found) / whole:.2f}")


if __name__ == "__main__":
    main()
