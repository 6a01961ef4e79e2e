"""What the pages and ``/api/events`` ask of the events that are kept, and a stand-in that has kept none.

Who keeps them is not this part's matter: whoever puts it together hands in an `Archive`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PureWindowsPath
from typing import Protocol

from app.core.events import Observed
from app.core.evolve import replace
from app.core.history import History
from app.live import Snapshot


class KeptEvent(Protocol):
    """An event and the number by which the page after it is asked for."""

    @property
    def id(self) -> int:
        """Rises in the order in which events were read."""
        ...

    @property
    def observed(self) -> Observed:
        """The event, and where it stands in the logs."""
        ...


class KeptLife(Protocol):
    """What is kept of one session."""

    @property
    def first_at(self) -> datetime:
        """The instant of its first event, in UTC."""
        ...

    @property
    def last_at(self) -> datetime:
        """That of its last one."""
        ...

    @property
    def events(self) -> int:
        """How many there are."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events: from ``start`` (inclusive) to ``end`` (exclusive), of ``session``, of ``kinds`` by class name.

    None leaves a condition out. The newest ``limit`` of them, older than the event with the id ``before``.
    """

    start: datetime | None = None
    end: datetime | None = None
    session: str | None = None
    kinds: tuple[str, ...] | None = None
    limit: int = 50
    before: int | None = None


class Archive(Protocol):
    """The events that are kept. Every method may raise `SeatwatchError`."""

    async def events(self, wanted: Wanted) -> Sequence[KeptEvent]:
        """The events that are wanted, newest first."""
        ...

    async def life(self, session: str) -> KeptLife | None:
        """What is kept of a session, None when nothing is."""
        ...

    async def names(self) -> Mapping[str, str]:
        """The file name of each source, by its id."""
        ...


class NothingKept:
    """An archive of nothing."""

    async def events(self, _wanted: Wanted) -> Sequence[KeptEvent]:
        """None."""
        return ()

    async def life(self, _session: str) -> KeptLife | None:
        """None."""
        return None

    async def names(self) -> Mapping[str, str]:
        """None."""
        return {}


def names_now(snapshot: Snapshot) -> dict[str, str]:
    """The file name of each source that is followed now, by its id."""
    # A Windows path's rules split the others as well, and the page may be shown of any of them.
    return {one.source: PureWindowsPath(one.path).name for one in snapshot.sources if one.source}


def named(history: History, names: Mapping[str, str]) -> History:
    """The history with marks that name their source as its file is called, where that is known."""
    marks = tuple(replace(mark, source=names.get(mark.source, mark.source)) for mark in history.marks)
    return replace(history, marks=marks)
