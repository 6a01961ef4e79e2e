"""Where the pipeline and the pages meet: the newest snapshot, and waiting for the next.

Versions, not queues: a page that is slow or asleep misses intermediate snapshots and costs no memory.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.core.aliases import Aliases
from app.core.machine import Machine, moved
from app.core.points import Trend
from app.core.preferences import Preferences
from app.core.recorder import Recorder
from app.core.report import SourceStatus
from app.core.state import State


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the newest notification fared at one place: ``desktop``, or an address without its secrets (``json://…``).

    ``failure`` is a name of `app.errors.UNDELIVERED`, "" when it arrived.
    """

    place: str
    at: datetime
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a page shows, at one version. ``demo`` tells that the logs are made up by Seatwatch itself.

    ``looks`` is how many of the versions differ from the one before in the machine alone.
    ``processes`` is how many processes of the app's sessions live by their own registry, None when nobody tells.
    ``ready`` is False while the logs are read for the first time; ``filling`` tells that until then what the newest
    part of them says is shown; ``to_read`` is how many bytes there were at the start. ``looked_in`` lists the places
    searched for logs.
    ``last_line_at`` is the instant of the newest line, of which most are no events. ``deliveries`` tells of places that
    were notified. ``machine`` is what the probes saw last, ``trend`` what they saw over the last days.
    """

    version: int
    state: State
    history: Recorder
    sources: tuple[SourceStatus, ...] = ()
    folder: str | None = None
    looked_in: tuple[str, ...] = ()
    demo: bool = False
    processes: int | None = None
    ready: bool = False
    filling: bool = False
    to_read: int = 0
    problem: str | None = None
    last_line_at: datetime | None = None
    deliveries: tuple[Delivery, ...] = ()
    machine: Machine = field(default_factory=Machine)
    trend: Trend = field(default_factory=Trend)
    looks: int = 0

    @property
    def told(self) -> int:
        """Changes with every version but those of the machine alone: what is drawn of the history holds until then."""
        return self.version - self.looks

    @property
    def known(self) -> bool:
        """Whether there is a state to show: that of all logs, or of their newest part while the rest is read."""
        return self.ready or self.filling


@dataclass(slots=True)
class Live:
    """Holds the newest snapshot. `publish` is called from the event loop only.

    ``looked_at`` is when the logs were looked at last, whether or not there was anything new. ``preferences`` are those
    of now: the settings page replaces them while Seatwatch runs. ``aliases`` are the letters in place of titles, the
    same in what is shared, on the wall and in what is told. ``collected``: numbers are sent to a collector.
    """

    current: Snapshot
    preferences: Preferences = field(default_factory=Preferences)
    aliases: Aliases = field(default_factory=Aliases)
    closing: bool = False
    looked_at: datetime | None = None
    collected: bool = False
    _shown: Machine = field(default_factory=Machine)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def sends(self) -> str:
        """Who is told anything beyond this page: ``collector`` (perhaps services too), ``services``, "" for nobody."""
        return "collector" if self.collected else "services" if self.preferences.sends else ""

    def publish(self, snapshot: Snapshot) -> None:
        """Make ``snapshot`` the current one and wake everybody who waits."""
        self.current = snapshot
        self._wake()

    def note(self, snapshot: Snapshot) -> None:
        """Make ``snapshot`` the current one where a page would show nothing else for it: nobody is woken.

        The newest line's time moves, and what was counted; pages hear of that with the next heartbeat.
        """
        self.current = replace(snapshot, version=self.current.version)

    def observe(self, machine: Machine) -> None:
        """Take what the probes saw. Nobody is woken for what no page would show otherwise than it does."""
        seen = replace(self.current, machine=machine)
        if moved(self._shown, machine):
            self._shown = machine
            self.publish(replace(seen, version=seen.version + 1, looks=seen.looks + 1))
        else:
            self.note(seen)

    def sources(self) -> tuple[SourceStatus, ...]:
        """How far each file has been read, as of the last look: a quiet log is not one that we lag behind."""
        looked = self.looked_at
        return tuple(replace(one, read_at=looked or one.read_at) for one in self.current.sources)

    def close(self) -> None:
        """End every wait: the server stops."""
        self.closing = True
        self._wake()

    async def after(self, version: int, patience: float) -> Snapshot | None:
        """The current snapshot once it is newer than ``version``; None after ``patience`` seconds or when closing."""
        deadline = asyncio.get_running_loop().time() + patience
        while not self.closing and self.current.version <= version:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return None
            try:
                async with asyncio.timeout(left):
                    await self._changed.wait()
            except TimeoutError:
                return None
        return None if self.closing else self.current

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


__all__ = ["Delivery", "Live", "Snapshot", "SourceStatus"]
