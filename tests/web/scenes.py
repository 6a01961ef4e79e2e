"""States and histories for the tests of the page: a Mac with eight seats at 19:24 in Tokyo, and variations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.census import census
from app.core.counted import Census
from app.core.diagnosis import Trail, walk
from app.core.events import MemorySampled, Observed
from app.core.history import Band, FreeMemory, History, Mark, MarkKind, SeatStep, Span
from app.core.recorder import Recorder
from app.core.reducer import fold
from app.core.state import LIVE, App, Counts, Evidence, Phase, Pressure, Score, Session, State, Vm
from app.core.tally import Tally
from app.errors import SeatwatchError
from app.live import Live, Snapshot, SourceStatus
from app.web import build_web
from app.web.asked import Asked
from app.web.board import Board
from app.web.kept import Wanted

ZONE = ZoneInfo("Asia/Tokyo")
NOW = datetime(2026, 10, 2, 10, 24, tzinfo=UTC)
ROOT = Path(__file__).parents[2]
HOSTILE = "\x1b[31m<script>alert(1)</script>\u202e<img src=x onerror=alert(2)>'\"`{{ 7 * 7 }}"


def ago(**units: float) -> datetime:
    """So long before `NOW`."""
    return NOW - timedelta(**units)


def sid(n: int) -> str:
    """An id of the app's shape."""
    return f"local_{n:04d}aaaa-1111-4222-8333-444455556666"


def session(n: int, phase: Phase = Phase.WORKING, *, idle: float = 0, **fields: Any) -> Session:
    """A Code session; ``idle`` seconds silent when it is idle."""
    since = ago(seconds=idle)
    base = Session(
        sid(n), n, since, phase=phase, title=f"Task {n}", live_since=ago(hours=1) + timedelta(minutes=n),
        idle_since=since if phase is Phase.IDLE else None,
    )  # fmt: skip
    return replace(base, **fields)


def state(*sessions: Session, **fields: Any) -> State:
    """A running app with a cap of eight from its log, normal pressure, and these sessions."""
    base = State(
        at=ago(seconds=2),
        app=App(True, "2.9939.4", "darwin", ago(hours=3), ago(seconds=20)),
        cap=8,
        cap_seen_at=ago(hours=1),
        sessions={one.id: one for one in sessions},
        pressure=Pressure(os_level="normal", os_since=ago(minutes=13)),
        evidence={"2.9939.4": Evidence(40, 3, 0)},
        score=Score(44, 41, 44),
    )
    return replace(base, **fields)


def seven_of_eight(**fields: Any) -> State:
    """Four work, one has been silent for 14 minutes, one for 8, one for 42 seconds; one seat is free."""
    return state(
        *(session(n) for n in range(1, 5)),
        session(5, Phase.IDLE, idle=842, title="Meeting notes"),
        session(6, Phase.IDLE, idle=490, title="Data merge"),
        session(7, Phase.IDLE, idle=42, title="Translate manual"),
        memory=MemorySampled(ago(seconds=40), "interval", 9300, 9318, 8, 3200, 63, 6100, 1946, 24576, 232),
        vm=Vm(started_at=ago(minutes=90), ready_at=ago(minutes=89), cpus=4, memory_gb=4, guest="Ubuntu 22.04.5 LTS",
              network="CONNECTED", api="REACHABLE"),
        counts=Counts(put_off=1),
        **fields,
    )  # fmt: skip


def mark(kind: MarkKind, minutes: float, n: int | None = None, **fields: Any) -> Mark:
    """A mark so many minutes ago."""
    return replace(
        Mark(
            ago(minutes=minutes),
            kind,
            None if n is None else sid(n),
            "main.log",
            int(minutes * 10),
            f"a line of {kind}",
        ),
        **fields,
    )


def past(current: State, marks: tuple[Mark, ...] = ()) -> History:
    """A history that fits: everybody worked from an hour ago until their phase of now."""
    spans = []
    for one in current.sessions.values():
        begun = one.live_since or ago(hours=1)
        spans.append(Span(one.id, Phase.WORKING, begun, max(begun, one.since)))
        if one.phase in LIVE:
            spans.append(Span(one.id, one.phase, one.since, None))
    return History(
        ago(hours=2), NOW, tuple(spans),
        (SeatStep(ago(hours=1), 3, 8), SeatStep(ago(minutes=30), 9, 8), SeatStep(ago(minutes=20), 7, 8)),
        (Band("normal", ago(hours=2), ago(minutes=30)), Band("critical", ago(minutes=30), ago(minutes=13)),
         Band("normal", ago(minutes=13), None)),
        (),
        tuple(FreeMemory(ago(minutes=m), 2000 + m * 7, 24576) for m in range(100, 0, -1)),
        tuple(sorted(marks, key=lambda one: one.at)),
    )  # fmt: skip


class FixedRecorder(Recorder):
    """Answers every window from one history."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self.history = history

    def marks(self, start: datetime, end: datetime) -> tuple[Mark, ...]:
        """The marks of the window."""
        return self.window(start, end).marks

    def window(self, start: datetime, end: datetime) -> History:
        """What of the history touches the window."""
        return replace(
            self.history,
            start=start,
            end=end,
            spans=tuple(s for s in self.history.spans if s.start <= end and (s.end is None or s.end >= start)),
            marks=tuple(m for m in self.history.marks if start <= m.at <= end),
        )


def snapshot(current: State | None = None, marks: tuple[Mark, ...] = (), **fields: Any) -> Snapshot:
    """A ready snapshot of this state, by default of `seven_of_eight`."""
    current = seven_of_eight() if current is None else current
    base = Snapshot(
        1, current, FixedRecorder(past(current, marks)), (SourceStatus("/logs/main.log", 4_600_000, 35_000, NOW),),
        folder="/logs", ready=True,
    )  # fmt: skip
    return replace(base, **fields)


@dataclass(slots=True)
class Clock:
    """A clock that stands until it is moved."""

    at: datetime = NOW

    def __call__(self) -> datetime:
        """The time it shows."""
        return self.at

    def move(self, **units: float) -> None:
        """Let time pass."""
        self.at += timedelta(**units)


@dataclass(slots=True)
class Reading:
    """Events and nothing else, as `app.explain.Told` wants them."""

    observed: list[Observed] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=lambda: {"f1": "main.log"})
    last_at: datetime = NOW

    @property
    def first_at(self) -> datetime | None:
        """The instant of the first event."""
        return min((one.event.at for one in self.observed), default=None)

    def walked(self, at: datetime) -> tuple[State, Trail]:
        """The same, and the stops that lead there."""
        return walk(self.observed, at)

    def state_at(self, at: datetime) -> State:
        """The fold of what was said by then."""
        return fold(State(), (one.event for one in self.observed if one.event.at <= at))


class Shelved(NamedTuple):
    """A kept event."""

    id: int
    observed: Observed


class ShelvedLife(NamedTuple):
    """What is kept of a session."""

    first_at: datetime
    last_at: datetime
    events: int


@dataclass(slots=True)
class Shelf:
    """An archive of a reading's events, as `app.web.kept.Archive` wants it; it fails with ``error``, if any."""

    reading: Reading
    error: SeatwatchError | None = None

    async def events(self, wanted: Wanted) -> list[Shelved]:
        """Those that are wanted, the last one first."""
        found = [Shelved(n, one) for n, one in enumerate(await self._observed(), start=1)]
        return [
            one
            for one in reversed(found)
            if (wanted.start is None or one.observed.event.at >= wanted.start)
            and (wanted.end is None or one.observed.event.at < wanted.end)
            and (wanted.session is None or getattr(one.observed.event, "session", None) == wanted.session)
            and (wanted.kinds is None or type(one.observed.event).__name__ in wanted.kinds)
            and (wanted.before is None or one.id < wanted.before)
        ][: wanted.limit]

    async def life(self, session: str) -> ShelvedLife | None:
        """Its first and last instant, and how many events it has."""
        times = [one.event.at for one in await self._observed() if getattr(one.event, "session", None) == session]
        return ShelvedLife(min(times), max(times), len(times)) if times else None

    async def names(self) -> dict[str, str]:
        """The names of the reading's sources."""
        return self.reading.names

    async def _observed(self) -> list[Observed]:
        if self.error is not None:
            raise self.error
        return self.reading.observed


@dataclass(slots=True)
class Site:
    """The mounted web part, and what it is fed with."""

    live: Live
    clock: Clock = field(default_factory=Clock)
    app: FastAPI = field(default_factory=FastAPI)
    reading: Reading = field(default_factory=Reading)
    moments: list[datetime] = field(default_factory=list)
    shelf: Shelf = field(init=False)
    board: Board = field(init=False)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.reading)
        self.board = build_web(
            self.app, live=self.live, zone=ZONE, templates_dir=ROOT / "templates", static_dir=ROOT / "static",
            clock=self.clock, asked=Asked(self.told, self.census), archive=self.shelf,
        )  # fmt: skip

    async def told(self, at: datetime) -> Reading:
        """What this site was told: by default nothing. It remembers the moments asked for."""
        self.moments.append(at)
        return self.reading

    async def census(self) -> tuple[Census, dict[str, str]]:
        """The census of it."""
        found = census(Tally({("info", "CCD"): 2}), self.reading.observed, self.reading.state_at(NOW))
        return found, self.reading.names


def site(shown: Snapshot | None = None) -> Site:
    """A site that shows this snapshot."""
    return Site(Live(shown or snapshot()))


@contextmanager
def client(shown: Snapshot | None = None) -> Iterator[TestClient]:
    """A browser's stand-in on such a site, under the loopback's name."""
    with TestClient(site(shown).app, base_url="http://127.0.0.1", raise_server_exceptions=False) as browser:
        yield browser
