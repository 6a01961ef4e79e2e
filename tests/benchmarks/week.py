"""Weeks in minutes, from the log to the page: ``python -m tests.benchmarks.week [DAYS]``, three weeks by default.

A process of its own writes what the demo's app logs, twenty minutes of story at a time. Here the pipeline reads each
piece into a database, a page and a wall take all that they are told, and the clock is that of the story. At each day's
end, after a garbage collection, it prints the memory of this process, how many objects Python has, and how much is kept
of what may grow by design: history in memory is that of eight days, the newest six hundred sessions are known, the
trail has up to four thousand stops, and the database has a limit of nine days here. So the ratios are those of the last
day to the second, and to the tenth.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple, cast

from fastapi import FastAPI
from fastapi.sse import ServerSentEvent

from app import heap
from app.beside import Beside
from app.core.recorder import Recorder
from app.core.state import State
from app.demo.writer import DemoWriter
from app.folding import Saver
from app.ingest.tailer import FolderTailer
from app.keeper import Keeper
from app.live import Live, Snapshot
from app.pipeline import Pipeline, _spoken_of
from app.reading import reading_for
from app.settings import resource_dir
from app.storage.retention import Limits
from app.storage.store import Store
from app.web import build_web, stream
from app.web.asked import Asked
from app.web.board import Board
from app.web.wall import WallBoard, WallFeed

BEGAN = datetime(2026, 10, 1, tzinfo=UTC)
DAYS = 21
STEP = timedelta(minutes=20)
LIMITS = Limits(timedelta(days=9))
WARM, FULL = 2, 10
"""The second day is the first one of a warm process; on the tenth what is kept for eight days and nine is full."""


def write(folder: Path) -> None:
    """The writer's side: for each instant on stdin, the story up to it is appended to the logs."""
    writer = DemoWriter(folder, 3, now=BEGAN, history=timedelta(minutes=1))
    for line in sys.stdin:
        writer.advance(datetime.fromisoformat(line.strip()))
        print("written", flush=True)
    writer.stop()


@contextmanager
def writing(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The writer, as a process of its own: its world grows with each day, and that is not ours to count."""
    command = [sys.executable, "-m", "tests.benchmarks.week", "write", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        cast("IO[str]", process.stdin).close()


class Day(NamedTuple):
    """What is there at the end of a day: megabytes, objects, and what is kept of each kind."""

    rss: float
    objects: int
    sessions: int
    spans: int
    marks: int
    markup: int
    database: float


@dataclass
class Rig:
    """A pipeline on ``folder`` whose clock and whose seconds are the story's, with a page and a wall on it."""

    folder: Path
    closing: ExitStack
    now: datetime = BEGAN
    told: int = 0
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        store = self.closing.enter_context(Store.open(self.folder.with_name("week.sqlite"), resource_dir("migrations")))
        tailer = FolderTailer(self.folder, (), reading_for(UTC), self._seconds)
        self.closing.callback(tailer.close)
        self.live = Live(Snapshot(0, State(), Recorder(), folder=str(self.folder)))
        self.pipeline = Pipeline(tailer, store, self.live, lambda: self.now, Beside.of(self.folder))
        self.pipeline.keeper = Keeper(store, lambda: self.now, limits=LIMITS, seconds=self._seconds)
        self.pipeline.saver = Saver(store, lambda: self._seconds() / 24)  # saved every four hours of the story
        self.board = self._board()
        self.wall = WallBoard(self.board, "")

    def _seconds(self) -> float:
        return (self.now - BEGAN).total_seconds()

    def _board(self) -> Board:
        return build_web(
            FastAPI(), live=self.live, zone=UTC, templates_dir=resource_dir("templates"),
            static_dir=resource_dir("static"), clock=lambda: self.now,
            asked=cast("Asked", None),  # nothing is asked of the past here
        )  # fmt: skip

    async def listen(self, feed: stream.Feed) -> None:
        """Take all that one page is told, as its browser does."""
        async with aclosing(stream.follow(self.board, self.live, feed)) as messages:
            async for one in cast("AsyncIterator[ServerSentEvent]", messages):
                self.told += len(one.raw_data or "")

    async def look(self) -> None:
        """What the pipeline does when something was written, and what it does every other second."""
        await self.pipeline._look(self.stop)
        await asyncio.to_thread(self.pipeline.beside.refresh, _spoken_of(self.pipeline.fold.state))
        for _ in range(5):  # the pages' turn
            await asyncio.sleep(0)

    def measure(self) -> Day:
        """This day's end."""
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        fold = self.pipeline.fold
        history = fold.history.window(BEGAN, self.now)
        return Day(
            pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
            len(gc.get_objects()),
            len(fold.state.sessions),
            len(history.spans),
            len(history.marks),
            sum(len(kept.markup) for kept in self.board._kept.values()),
            self.pipeline.store.size / 1e6,
        )


async def live_through(rig: Rig, writer: subprocess.Popen[str], days: int) -> list[Day]:
    """All days, twenty minutes at a time; each is printed when it ends."""
    feeds = (stream.PageFeed(rig.board), WallFeed(rig.wall))
    rig.live.publish(replace(rig.live.current, version=1, ready=True))
    pages = [asyncio.create_task(rig.listen(feed)) for feed in feeds]
    ends, began = list[Day](), time.monotonic()
    for number in range(1, days + 1):
        while rig.now < BEGAN + timedelta(days=number):
            rig.now += STEP
            print(rig.now.isoformat(), file=writer.stdin, flush=True)
            await asyncio.to_thread(cast("IO[str]", writer.stdout).readline)
            await rig.look()
        ends.append(rig.measure())
        told = "{:7.1f} MB {:9,} objects {:5} sessions {:6} spans {:6} marks {:5} places {:6.1f} MB of database"
        print(f"day {number:2}: " + told.format(*ends[-1]) + f" ({time.monotonic() - began:.0f} s)", flush=True)
    rig.live.close()
    await asyncio.gather(*pages)
    return ends


def main() -> None:
    """Live, print, compare."""
    days = int(sys.argv[1]) if len(sys.argv) > 1 else DAYS
    heap.keep_one()  # as the server does
    stream.LEAST_SECONDS_BETWEEN = 0.0  # a page is spared in real life, not here
    with TemporaryDirectory() as home, ExitStack() as closing:
        folder = Path(home) / "logs"
        writer = closing.enter_context(writing(folder))
        rig = Rig(folder, closing)
        ends = asyncio.run(live_through(rig, writer, days))
        print(f"a page and a wall were told {rig.told / 1e6:.1f} MB")
    for day in (WARM, FULL):
        if day < days:
            rss, objects = (ends[-1][n] / ends[day - 1][n] for n in range(2))
            print(f"ratio of day {days} to day {day}: memory {rss:.3f}, objects {objects:.3f}")


if __name__ == "__main__":
    write(Path(sys.argv[2])) if sys.argv[1:2] == ["write"] else main()
