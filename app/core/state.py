"""What is true now: the fold of all events, as frozen values.

The reducer makes a new `State` from an old one; everything that is shown is computed from a `State` and an instant.
Times are UTC. A session here is a session of the app, alive or not; only a live one that counts against the cap
holds a seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias

from app.core.events import Level, MemorySampled, PortsCrossed

Kind: TypeAlias = Literal["code", "cowork", "dispatch"]
Hold: TypeAlias = Literal["remote_control", "background_task", "scheduled"]
Protection: TypeAlias = Literal["remote_control", "background_task", "scheduled", "waiting", "mid_turn"]
Ending: TypeAlias = Literal[
    "evicted_for_seat", "evicted_for_memory", "paused_idle", "app_quit", "app_update", "app_crashed",
    "killed", "failed", "timed_out", "stopped", "archived", "deleted", "unknown",
]  # fmt: skip


class Phase(StrEnum):
    """Where in its life a session is. The first four have a process, the others have none."""

    STARTING = "starting"
    WORKING = "working"
    WAITING = "waiting"
    IDLE = "idle"
    PAUSED = "paused"
    EVICTED = "evicted"
    ENDED = "ended"
    LOST = "lost"


LIVE = frozenset({Phase.STARTING, Phase.WORKING, Phase.WAITING, Phase.IDLE})


@dataclass(frozen=True, slots=True)
class PendingEviction:
    """The governor said it closes the session; the line that closes it has not come yet."""

    at: datetime
    cause: Literal["evicted_for_seat", "evicted_for_memory"]


@dataclass(frozen=True)
class Session:
    """One task of the app.

    ``order`` is the place in which the log first named it and breaks ties in the ranking. ``idle_since`` is the last
    activity; ``idle_exact`` tells that the governor itself gave it. ``holds`` maps what protects the session to since
    when; all of it dies with the process. ``waiting_for`` maps open permission requests to since when; ``workflows``
    are those that run in the background, of which the last one to end lets go of the session.
    """

    id: str
    order: int
    since: datetime
    kind: Kind = "code"
    phase: Phase = Phase.STARTING
    cwd: str | None = None
    title: str | None = None
    idle_since: datetime | None = None
    idle_exact: bool = False
    holds: Mapping[Hold, datetime] = field(default_factory=dict)
    waiting_for: Mapping[str, datetime] = field(default_factory=dict)
    workflows: frozenset[str] = frozenset()
    eviction: PendingEviction | None = None
    ended_by: Ending | None = None
    live_since: datetime | None = None

    @property
    def alive(self) -> bool:
        """Whether a process is believed to exist."""
        return self.phase in LIVE

    @property
    def holds_seat(self) -> bool:
        """Whether it counts against the cap. Cowork's own sessions do not: the governor never counts them."""
        return self.alive and self.kind == "code"

    @property
    def protected_by(self) -> tuple[Protection, ...]:
        """What makes the governor pass over it, in a fixed order; empty when nothing does."""
        if not self.alive:
            return ()
        found: list[Protection] = [hold for hold in HOLDS if hold in self.holds]
        if self.phase is Phase.WAITING:
            found.append("waiting")
        if self.phase in (Phase.WORKING, Phase.STARTING):
            found.append("mid_turn")
        return tuple(found)


HOLDS: tuple[Hold, ...] = ("remote_control", "background_task", "scheduled")


@dataclass(frozen=True)
class App:
    """The app's main process. ``last_sign_at`` is the newest heartbeat; ``going_down`` is set by an orderly quit."""

    running: bool = False
    version: str | None = None
    platform: str | None = None
    started_at: datetime | None = None
    last_sign_at: datetime | None = None
    going_down: Literal["quit", "update"] | None = None
    down_since: datetime | None = None
    quit_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatCheck:
    """The app's own number of live processes, and ours at the same line."""

    at: datetime
    value: int
    ours: int


@dataclass(frozen=True)
class Pressure:
    """What the log says of memory pressure; `app.core.pressure` says what holds at an instant.

    ``os_level`` holds until the next transition; ``governor_level`` fades, since no line says "clear". ``host_level``
    is what our own probe read; it fades too, for the probe may have stopped.
    """

    os_level: Level | None = None
    os_since: datetime | None = None
    governor_level: Level | None = None
    governor_since: datetime | None = None
    governor_last: datetime | None = None
    host_level: Level | None = None
    host_since: datetime | None = None
    host_last: datetime | None = None


@dataclass(frozen=True)
class Vm:
    """What the VM's logs say; `app.core.vm` says which phase holds at an instant.

    ``exited_at`` is when Windows' service saw it end, ``called_running_at`` when that service then took it for alive.
    """

    started_at: datetime | None = None
    ready_at: datetime | None = None
    stopping_at: datetime | None = None
    down_at: datetime | None = None
    failed_at: datetime | None = None
    stop_timed_out_at: datetime | None = None
    disk_full_at: datetime | None = None
    active_at: datetime | None = None
    step: str | None = None
    step_started_at: datetime | None = None
    failure: str | None = None
    cpus: int | None = None
    memory_gb: int | None = None
    guest: str | None = None
    exited_at: datetime | None = None
    called_running_at: datetime | None = None
    network: str | None = None
    api: str | None = None
    took_ms: int | None = None


@dataclass(frozen=True)
class Counts:
    """How often each thing was said, over all that was read. Would-be, put off and closed are never mixed."""

    would_evict_warm: int = 0
    would_evict_user: int = 0
    put_off: int = 0
    evicted_cap: int = 0
    evicted_pressure: int = 0
    paused_idle: int = 0
    pressure_warning: int = 0
    pressure_critical: int = 0
    rate_limited: int = 0
    overloaded: int = 0
    unrecognized: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """Of the lines in which the governor named a session: how many named our first, our first three."""

    named: int = 0
    first: int = 0
    first_three: int = 0


@dataclass(frozen=True, slots=True)
class Miss:
    """A line that named ``named`` while our first was ``ours``, and the protection that later turned out to be why."""

    at: datetime
    named: str
    ours: str
    explained_by: Hold | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """A session that was really closed, and for how many seconds our list had put it first by then."""

    at: datetime
    session: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Limit:
    """The account's usage limit, met in ``session`` at ``at``. ``resets`` is the app's own text of ``resets_at``."""

    at: datetime
    session: str
    resets: str | None
    resets_at: datetime


@dataclass(frozen=True, slots=True)
class Evidence:
    """What this build of the app was seen to do at the cap and under pressure.

    ``lines`` counts governor lines; ``closed`` those that closed a session; ``spared`` those where a build that
    closes for real would have closed one and this one did not.
    """

    lines: int = 0
    closed: int = 0
    spared: int = 0


def _empty() -> Mapping[str, Session]:
    return MappingProxyType({})


@dataclass(frozen=True)
class State:
    """All of it. ``at`` is the instant of the newest event, None before the first.

    ``seat_offset`` is what the app's own count has shown ours to be wrong by, since the app started.
    ``first`` is whom the ranking puts first, and since when; ``misses`` and ``leads`` are of late only.
    ``children`` are counts of the app's child processes of the last hour, some minutes apart.
    ``limited`` is the newest usage limit that no answered turn has shown to be over; `app.core.limits` says whether it
    holds at an instant.
    ``ports`` is the newest mark of the home line's ports that was reached, None once the count fell below all of them.
    ``evidence`` and ``scores`` are kept per app version ("" when unknown).
    ``accounts`` is the account that each manager of sessions has open, ``bridge`` what the app last said of its way out
    for remote control; both are of this run of the app.
    """

    at: datetime | None = None
    app: App = field(default_factory=App)
    cap: int | None = None
    cap_seen_at: datetime | None = None
    sessions: Mapping[str, Session] = field(default_factory=_empty)
    focused: str | None = None
    seat_check: SeatCheck | None = None
    seat_offset: int = 0
    pressure: Pressure = field(default_factory=Pressure)
    memory: MemorySampled | None = None
    children: tuple[tuple[datetime, int], ...] = ()
    vm: Vm = field(default_factory=Vm)
    counts: Counts = field(default_factory=Counts)
    score: Score = field(default_factory=Score)
    scores: Mapping[str, Score] = field(default_factory=dict)
    misses: tuple[Miss, ...] = ()
    first: tuple[str, datetime] | None = None
    leads: tuple[Lead, ...] = ()
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    cloud_sessions: Mapping[str, datetime] = field(default_factory=dict)
    sign_in_lost_at: datetime | None = None
    network_failed_at: datetime | None = None
    save_failed_at: datetime | None = None
    accounts: Mapping[str, str] = field(default_factory=dict)
    bridge: Literal["connected", "ready", "reconnecting"] | None = None
    limited: Limit | None = None
    ports: PortsCrossed | None = None

    @property
    def seat_holders(self) -> list[Session]:
        """Sessions that hold a seat, in the order in which the log first named them."""
        return sorted((s for s in self.sessions.values() if s.holds_seat), key=lambda s: s.order)
