"""What the past costs to ask: ``python -m tests.benchmarks.ask [EVENTS]``, by default half a million.

A store is filled with so many events, spread over a year; then ``/census``, a session's page and pages of events are
asked for. Printed is the median of each in milliseconds; the ratio is that of the census to one look at the smallest
table of the same store.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.batch import Batch
from app.core.census import Census, CensusTaker
from app.core.checkpoint import Checkpoint, Fingerprint
from app.core.events import Event, HeartbeatSeen, Observed, TurnBegan, TurnEnded, Unrecognized
from app.core.state import State
from app.core.tally import Tally
from app.core.wallclock import ClockState
from app.settings import resource_dir
from app.storage.store import Life, Store, Stored
from app.web.asked import Asked as AskedOf
from app.web.census_page import census_router
from app.web.kept import Wanted
from app.web.session_page import session_router
from tests.web.scenes import NOW, Reading, ago, sid, site

YEAR = timedelta(days=365)
AT_ONCE = 20_000
ROUNDS = 15
NAMED = sid(7)


def events(count: int) -> Iterator[Observed]:
    """So many events of four hundred sessions over a year; one in five thousand is of an unknown shape."""
    for n in range(count):
        at, session = NOW - YEAR + YEAR * (n / count), sid(n // 2000 % 400)
        kinds: tuple[Event, ...] = (TurnBegan(at, session), TurnEnded(at, session, 5, None), HeartbeatSeen(at))
        event = Unrecognized(at, f"[VM] shape {n % 200}") if n % 5000 == 0 else kinds[n % 3]
        yield Observed(
            event, "f1", n * 100, n + 1, "[CCD] a line of the log that is about eighty characters long, or a few"
        )


def fill(store: Store, count: int) -> Census:
    """Fill the store, and take the census on the way."""
    taker, state, waiting = CensusTaker(), State(), list[Observed]()
    mark = Checkpoint("f1", "main.log", "main.log", 1, 1, Fingerprint("", 0, ""), 0, 1, ClockState("", ""))
    for one in events(count):
        taker.take(state, one, state)
        waiting.append(one)
        if len(waiting) == AT_ONCE:
            store.commit(Batch(mark, waiting, Tally()))
            waiting = []
    store.commit(Batch(mark, waiting, Tally({("info", f"scope {n}"): n for n in range(400)})))
    return taker.census(Tally({("info", f"scope {n}"): n for n in range(400)}), state)


class Shelves:
    """The store as the pages ask it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def events(self, wanted: Wanted) -> list[Stored]:
        """The events that are wanted."""
        ask = self.store.events
        return await asyncio.to_thread(
            lambda: ask(wanted.start, wanted.end, session=wanted.session, kinds=wanted.kinds, limit=wanted.limit)
        )

    async def life(self, session: str) -> Life | None:
        """What is kept of a session."""
        return await asyncio.to_thread(self.store.life, session)

    async def names(self) -> dict[str, str]:
        """The name of the one source."""
        return {"f1": "main.log"}


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one that is not counted."""
    work()
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    return median(taken)


class Asked(NamedTuple):
    """Milliseconds of the census, a session's page, a page of events, one of two kinds, and the least look there is."""

    census: float
    life: float
    newest: float
    kinds: float
    least: float


def measure(count: int) -> Asked:
    """Fill a store with so many events, ask it."""
    shown = site()
    with TemporaryDirectory() as home, Store.open(Path(home) / "year.sqlite", resource_dir("migrations")) as store:
        found = fill(store, count)

        async def told(_at: object) -> Reading:
            return shown.reading

        async def census() -> tuple[Census, dict[str, str]]:
            await asyncio.to_thread(store.tallies)
            return found, {"f1": "main.log"}

        app = FastAPI()
        app.include_router(census_router(shown.board, AskedOf(told, census), Shelves(store)))
        app.include_router(session_router(shown.board, Shelves(store), None))
        with TestClient(app) as visitor:
            page = milliseconds(lambda: visitor.get("/census"))
            life = milliseconds(lambda: visitor.get(f"/sessions/{NAMED}"))
        return Asked(
            page,
            life,
            milliseconds(lambda: store.events(limit=100)),
            milliseconds(lambda: store.events(kinds=["TurnBegan", "TurnEnded"], start=ago(days=90), limit=100)),
            milliseconds(store.checkpoints),
        )


def main() -> None:
    """Measure, print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    asked = measure(count)
    print(f"{count:,} events")
    print(f"/census {asked.census:.1f} ms, /sessions/… {asked.life:.1f} ms")
    print(f"a page of events {asked.newest:.1f} ms, one of two kinds {asked.kinds:.1f} ms")
    print(f"ratio {asked.census / asked.least:.0f}")


if __name__ == "__main__":
    main()
