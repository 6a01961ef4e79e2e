"""What a simulated machine is like: its memory, its build of the app, its clock, and what happens on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from app.demo.wording import Wording

Platform: TypeAlias = Literal["darwin", "win32", "linux"]

LEAST_SEATS = 6
MB_PER_SEAT = 3072
"""The app gives itself a seat for every 3 GiB of memory, never fewer than six."""


@dataclass(frozen=True)
class Habits:
    """Mean minutes between two of the things that now and then happen; None: never.

    ``memory`` a stretch of pressure, ``crowd`` a row of put-off starts over the cap, ``squeeze`` a warm start exactly
    at the cap, ``limit`` a usage limit or an overload, ``trouble`` a process that dies, ``remote`` remote control
    switched on, ``cowork`` a Cowork session, ``stop`` a session stopped or archived by hand, ``quit``, ``update`` and
    ``crash`` of the app.
    """

    memory: float | None = 32
    crowd: float | None = 44
    squeeze: float | None = 24
    limit: float | None = 50
    trouble: float | None = 70
    remote: float | None = 60
    cowork: float | None = 45
    stop: float | None = 40
    quit: float | None = None
    update: float | None = None
    crash: float | None = None


@dataclass(frozen=True)
class Config:
    """One machine and one build of the app.

    ``total_mb`` is the machine's memory and gives the cap. ``closes_for_real`` tells whether the governor closes
    sessions or only warns. ``vetoes_logged``: newer builds say at info level why they do not pause a session.
    ``repeat_seconds`` is how often the governor repeats itself while pressure lasts (Windows and Linux poll; macOS
    reports changes only). ``vm_stall`` is the chance that the VM's start stalls. ``haste`` above 1 makes the user
    faster. ``start`` is the instant at which the app is opened for the first time, in whole seconds.
    """

    start: datetime
    total_mb: int = 24576
    platform: Platform = "darwin"
    version: str = "2.26454.0"
    cli_version: str = "2.1.289"
    closes_for_real: bool = True
    wording: Wording = field(default_factory=Wording)
    vetoes_logged: bool = True
    zone: str = "UTC"
    mixed_line_ends: bool = False
    repeat_seconds: int = 60
    vm: bool = True
    vm_stall: float = 0.0
    haste: float = 1.0
    noise_per_minute: float = 3.0
    habits: Habits = field(default_factory=Habits)

    def __post_init__(self) -> None:
        if self.start.tzinfo is None:
            raise ValueError("start must carry its zone: the simulation counts in UTC")
        object.__setattr__(self, "start", self.start.astimezone(UTC).replace(microsecond=0))

    @property
    def cap(self) -> int:
        """The governor's number of seats on this machine."""
        return max(LEAST_SEATS, self.total_mb // MB_PER_SEAT)

    @cached_property
    def clock(self) -> ZoneInfo:
        """The zone whose wall clock the log lines carry."""
        return ZoneInfo(self.zone)

    @property
    def polls_memory(self) -> bool:
        """Whether this platform's governor polls free memory instead of listening to the operating system."""
        return self.platform != "darwin"

    def with_cap(self, cap: int) -> Config:
        """The same machine with as much memory as gives ``cap`` seats. Raises ValueError below six."""
        if cap < LEAST_SEATS:
            raise ValueError(f"a cap of {cap} does not exist: the app never has fewer than {LEAST_SEATS} seats")
        return replace(self, total_mb=16384 if cap == LEAST_SEATS else cap * MB_PER_SEAT)
