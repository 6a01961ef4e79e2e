"""What is so on the simulated machine, and the clock that moves it."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from app.demo.config import Config

Kind: TypeAlias = Literal["code", "cowork", "dispatch"]
Phase: TypeAlias = Literal["starting", "working", "waiting", "idle", "paused", "evicted", "ended"]
Level: TypeAlias = Literal["normal", "warning", "critical"]
Severity: TypeAlias = Literal["info", "warn", "error"]

MAIN = "main.log"
VM_NODE = "cowork_vm_node.log"
VM_SWIFT = "cowork_vm_swift.log"


class Line(NamedTuple):
    """One record as the app appends it: when (UTC), to which file, and its text with stamp and line ends."""

    at: datetime
    file: str
    text: str


class Naming(NamedTuple):
    """A line in which the governor named a session, and who truly was the longest idle at that moment."""

    at: datetime
    named: str
    head: str
    idle_seconds: int


@dataclass(slots=True)
class Session:
    """One task. ``idle_since`` is its last activity; ``turn`` and ``timer`` void what was planned for an older one."""

    id: str
    order: int
    kind: Kind
    cwd: str
    title: str
    created_at: datetime
    phase: Phase = "starting"
    idle_since: datetime | None = None
    turn_began: datetime | None = None
    remote: bool = False
    tasks: int = 0
    workflow: str | None = None
    request: tuple[str, str] | None = None
    declined: int = 0
    turn: int = 0
    timer: int = 0
    turns_done: int = 0
    archived: bool = False
    retitled: bool = False
    why: str | None = None

    @property
    def alive(self) -> bool:
        """Whether it has a process."""
        return self.phase in ("starting", "working", "waiting", "idle")

    @property
    def holds_seat(self) -> bool:
        """Whether the governor counts it: Cowork's sessions are another manager's."""
        return self.alive and self.kind == "code"

    @property
    def holds(self) -> list[str]:
        """What makes the governor and the idle timer pass over it."""
        found = ["background_task"] if self.tasks or self.workflow else []
        return [*found, "remote_control"] if self.remote else found

    @property
    def asleep(self) -> bool:
        """A Code session without a process that can be opened again."""
        return self.kind == "code" and not self.alive and not self.archived


@dataclass(order=True, slots=True)
class _Planned:
    at: datetime
    number: int
    run: int | None = field(compare=False)
    act: Callable[[], None] = field(compare=False)


class World:
    """The machine: its sessions, its app, its memory, what was said so far and what is planned.

    Instants are UTC in whole seconds, as the log's stamps are: nothing is lost between what is so and what is said.
    """

    def __init__(self, config: Config, seed: int) -> None:
        self.config = config
        self.rng = Random(seed)
        self.now = config.start
        self.sessions: dict[str, Session] = {}
        self.focused: Session | None = None
        self.running = False
        self.crashed = False
        self.run = 0
        self.version = config.version
        self.level: Level = "normal"
        self.level_until: datetime | None = None
        self.free_mb: int | None = None
        self.swept_at: datetime | None = None
        self.held = False
        self.counts: Counter[str] = Counter()
        self.namings: list[Naming] = []
        self.vm: str | None = None
        self.next_error: str | None = None
        self.account, self.org = self.uuid(), self.uuid()
        self._lines: list[Line] = []
        self._planned: list[_Planned] = []
        self._number = 0

    def uuid(self) -> str:
        """A made-up id, the same for the same seed."""
        return str(UUID(int=self.rng.getrandbits(128), version=4))

    def chance(self, share: float) -> bool:
        """True in this share of the cases."""
        return self.rng.random() < share

    def say(self, text: str, severity: Severity = "info", file: str = MAIN) -> None:
        """Append one record to a log file, stamped with the local wall clock."""
        stamp = self.now.astimezone(self.config.clock).strftime("%Y-%m-%d %H:%M:%S")
        prefix = "[VM] " if file == VM_SWIFT else ""
        rows = f"{prefix}{stamp} [{severity}] {text}".split("\n")
        self._lines.append(Line(self.now, file, "".join(row + self._line_end() for row in rows)))

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Plan something that dies with the app's present run."""
        self._plan(seconds, act, self.run)

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Plan something that happens whether or not the app still runs then."""
        self._plan(seconds, act, None)

    def advance(self, to: datetime) -> list[Line]:
        """Let everything planned up to and including ``to`` happen; what was said on the way, in order."""
        while self._planned and self._planned[0].at <= to:
            planned = heapq.heappop(self._planned)
            self.now = max(self.now, planned.at)
            if planned.run is None or planned.run == self.run:
                planned.act()
        self.now = max(self.now, to.replace(microsecond=0))
        said, self._lines = self._lines, []
        return said

    def effective(self) -> int:
        """Seats taken, as the governor counts them."""
        return sum(session.holds_seat for session in self.sessions.values())

    def candidates(self) -> list[Session]:
        """Whom the governor may close, longest idle first; equal idle times: first seen first."""
        idle = [s for s in self.sessions.values() if s.holds_seat and s.phase == "idle" and not s.holds]
        return sorted(idle, key=lambda s: (s.idle_since or self.now, s.order))

    def idle_seconds(self, session: Session) -> int:
        """Whole seconds since the session's last activity."""
        return int((self.now - (session.idle_since or self.now)).total_seconds())

    def _plan(self, seconds: float, act: Callable[[], None], run: int | None) -> None:
        self._number += 1
        heapq.heappush(self._planned, _Planned(self.now + timedelta(seconds=round(seconds)), self._number, run, act))

    def _line_end(self) -> str:
        return "\r\n" if self.config.mixed_line_ends and self.chance(0.5) else "\n"
