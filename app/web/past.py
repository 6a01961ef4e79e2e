"""Windows that lie before all that is kept in memory: told again by the store, aside, and kept for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from app.core.history import History
from app.core.state import State
from app.live import Snapshot
from app.web.ranges import Window

MOST_KEPT = 4
"""So many windows are kept: who looks at the past goes back and forth between a few."""

HistoryOf: TypeAlias = Callable[[datetime, datetime], tuple[State, History]]
"""The state at the end of a window and its history, from the store. Takes its time."""


@dataclass(frozen=True, slots=True)
class Past:
    """A window as the store tells it."""

    state: State
    history: History


@dataclass(slots=True)
class PastWindows:
    """Asks ``history_of`` in a thread, one window at a time."""

    history_of: HistoryOf
    _kept: OrderedDict[tuple[datetime, datetime], Past] = field(default_factory=OrderedDict)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, window: Window, snapshot: Snapshot, at: datetime) -> Past | None:
        """What the store tells of the window; None when it is in memory anyway."""
        start, end = window.bounds(at)
        if window.live or reaches(snapshot, start):
            return None
        return await self.told(start, end, at)

    async def told(self, start: datetime, end: datetime, at: datetime) -> Past:
        """What the store tells from ``start`` to ``end``, wherever else it is known: it knows the state at the end."""
        async with self._asking:
            found = self._kept.pop((start, end), None) or Past(*await asyncio.to_thread(self.history_of, start, end))
            if end <= at:  # one that reaches beyond now still changes
                self._kept[start, end] = found
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return found


def reaches(snapshot: Snapshot, start: datetime) -> bool:
    """Whether the history in memory goes back to ``start``. While it is read for the first time nothing else does."""
    newest = snapshot.state.at
    return not snapshot.ready or newest is None or start >= newest - snapshot.history.keep
