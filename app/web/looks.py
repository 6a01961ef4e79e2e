"""One look at a stretch of history: what the timeline is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from app.core.governor import Candidate, ranking
from app.core.history import History
from app.core.state import State
from app.web.shapes import Axis
from app.web.words import told_when


@dataclass(frozen=True, slots=True)
class Look:
    """A history, the state it is told with, and the moment ``now`` from which it is looked at.

    A ``live`` look is about now: what goes on reaches the now-line, and somebody is first to go. ``slots`` orders the
    lanes like the tiles. ``pin`` is the moment the reader asked for.
    """

    history: History
    state: State
    now: datetime
    zone: tzinfo
    slots: Mapping[str, int]
    live: bool = True
    pin: datetime | None = None
    axis: Axis = field(init=False)
    alive: frozenset[str] = field(init=False)
    queue: tuple[Candidate, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", Axis(self.history.start, self.history.end))
        object.__setattr__(self, "alive", self._alive())
        object.__setattr__(self, "queue", tuple(ranking(self.state, self.now)) if self.live else ())

    @property
    def until(self) -> datetime:
        """The last instant that anything is known of."""
        return min(self.now, self.history.end)

    @property
    def until_x(self) -> float:
        """Its place."""
        return round(self.axis.x(self.until), 3)

    @property
    def now_x(self) -> float | None:
        """The place of the now-line, None where now lies outside."""
        return self.until_x if self.history.start <= self.now <= self.history.end else None

    @property
    def head(self) -> str | None:
        """Who would be closed first."""
        return self.queue[0].session.id if self.queue else None

    when = told_when

    def _alive(self) -> frozenset[str]:
        """Who has a process where the picture ends: now, or, in one that stands still, at its edge."""
        if self.live:
            return frozenset(one.id for one in self.state.sessions.values() if one.alive)
        until = self.until
        return frozenset(
            span.session
            for span in self.history.spans
            if span.start <= until and (span.end is None or span.end > until)
        )
