"""What the past costs to ask: ``python -m tests.benchmarks.ask [EVENTS]``, by default half a million.

A database is filled with so many events, spread over a year up to now, and the real application is put together on it:
its fold is that of the last nine days (memory holds eight), its census that of all events. Then ``/``, old days,
``/census``, a session's page and pages of events are asked for. Printed is the median of each in milliseconds; the
ratio is that of the census to one look at the smallest table of the same database.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from starlette.testclient import TestClient

from app.core.batch import Batch
from app.core.checkpoint import Checkpoint, Fingerprint
from app.core.events import Event, HeartbeatSeen, Observed, TurnBegan, TurnEnded, Unrecognized
from app.core.state import State
from app.core.tally import Tally
from app.core.wallclock import ClockState
from app.folding import Fold
from app.main import Parts, assemble, create_app, utc_now
from app.storage.store import Store
from tests.composed import settings
from tests.web.scenes import sid

YEAR = timedelta(days=365)
IN_MEMORY = timedelta(days=9)
AT_ONCE = 20_000
ROUNDS = 15
NAMED = sid(7)
LINE = "[CCD] a line of the log that is about eighty characters long, or a few"


def events(count: int, until: datetime) -> Iterator[Observed]:
    """So many events of four hundred sessions over a year; one in five thousand is of an unknown shape."""
    for n in range(count):
        at, session = until - YEAR + YEAR * (n / count), sid(n // 2000 % 400)
        kinds: tuple[Event, ...] = (TurnBegan(at, session), TurnEnded(at, session, 5, None), HeartbeatSeen(at))
        event = Unrecognized(at, f"[VM] shape {n % 200}") if n % 5000 == 0 else kinds[n % 3]
        yield Observed(event, "f1", n * 100, n + 1, LINE)


def fill(store: Store, count: int, until: datetime) -> Fold:
    """Fill the store; the fold of the last days, with the census of all."""
    fold, nothing, waiting = Fold(), State(), list[Observed]()
    mark = Checkpoint("f1", "main.log", "main.log", 1, 1, Fingerprint("", 0, ""), 0, 1, ClockState("", ""))
    for one in events(count, until):
        if one.event.at >= until - IN_MEMORY:
            fold.take([one])
        else:
            fold.census.take(nothing, one, nothing)
        waiting.append(one)
        if len(waiting) == AT_ONCE:
            store.commit(Batch(mark, waiting, Tally()))
            waiting = []
    store.commit(Batch(mark, waiting, Tally({("info", f"scope {n}"): n for n in range(400)})))
    return fold


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one that is not counted."""
    work()
    return _median([work] * ROUNDS)


def _median(works: Sequence[Callable[[], object]]) -> float:
    taken = []
    for work in works:
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    return median(taken)


class Asked(NamedTuple):
    """Milliseconds of what was asked.

    The live page with a day on it; an old day for the first time and again, and two hours of one; the census, a
    session's page, a page of events, one of two kinds, and the least look there is.
    """

    live: float
    day: float
    day_again: float
    hours: float
    census: float
    life: float
    newest: float
    kinds: float
    least: float


def _window(start: datetime, length: timedelta) -> str:
    return f"/?from={start:%Y-%m-%dT%H:%M:%SZ}&to={start + length:%Y-%m-%dT%H:%M:%SZ}"


def _ask(parts: Parts, now: datetime) -> Asked:
    store, visitor = parts.pipeline.store, TestClient(create_app(parts), base_url="http://127.0.0.1")

    def asked(path: str) -> Callable[[], object]:
        return lambda: visitor.get(path).raise_for_status()

    def olden(length: timedelta) -> list[Callable[[], object]]:
        return [asked(_window(now - timedelta(days=20 + 20 * n), length)) for n in range(ROUNDS)]

    def anew() -> None:
        """The live page after something has happened: what all pages share is made once, and this is the one."""
        current = parts.live.current
        parts.live.publish(replace(current, version=current.version + 1))
        asked("/?range=24h")()

    days = olden(timedelta(days=1))
    asked("/")()  # templates are compiled by whoever comes first
    return Asked(
        live=milliseconds(anew),
        day=_median(days),
        day_again=milliseconds(days[-1]),
        hours=_median(olden(timedelta(hours=2))),
        census=milliseconds(asked("/census")),
        life=milliseconds(asked(f"/sessions/{NAMED}")),
        newest=milliseconds(lambda: store.events(limit=100)),
        kinds=milliseconds(
            lambda: store.events(kinds=["TurnBegan", "TurnEnded"], start=now - timedelta(days=90), limit=100)
        ),
        least=milliseconds(store.checkpoints),
    )


def measure(count: int) -> Asked:
    """Fill a database with so many events, ask it."""
    with TemporaryDirectory() as home, ExitStack() as closing:
        logs = Path(home) / "logs"
        logs.mkdir()
        (logs / "main.log").touch()
        parts, now = assemble(settings(Path(home), logs=logs, probes=False), closing), utc_now()
        pipeline = parts.pipeline
        pipeline.fold = fill(pipeline.store, count, now)
        state, history = pipeline.fold.state, pipeline.fold.history
        parts.live.publish(replace(parts.live.current, version=1, state=state, history=history, ready=True))
        return _ask(parts, now)


def main() -> None:
    """Measure, print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    asked = measure(count)
    print(f"{count:,} events, {count / 365:,.0f} a day")
    print(f"/ with a day on it {asked.live:.1f} ms")
    print(f"an old day {asked.day:.1f} ms, again {asked.day_again:.1f} ms; two old hours {asked.hours:.1f} ms")
    print(f"/census {asked.census:.1f} ms, /sessions/… {asked.life:.1f} ms")
    print(f"a page of events {asked.newest:.1f} ms, one of two kinds {asked.kinds:.1f} ms")
    print(f"ratio {asked.census / asked.least:.0f}")


if __name__ == "__main__":
    main()
