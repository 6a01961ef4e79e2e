"""Which tile a session has: the lowest free one when it takes its seat, kept until it leaves it.

The app empties all seats when it starts, so seating everybody again from that moment on gives the same places after
a restart of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import groupby

from app.core.history import Span
from app.core.state import LIVE, State

LONGEST_LOOK_BACK = timedelta(days=7)
"""How far back the seats are told again when it is not known when the app started."""


class Seating:
    """Slots from 0 by session id. Update it with every state that is shown."""

    def __init__(self) -> None:
        self._slots: dict[str, int] = {}

    @property
    def slots(self) -> dict[str, int]:
        """A copy of who sits where."""
        return dict(self._slots)

    def update(self, holders: Iterable[str]) -> None:
        """Who left frees its slot; who came takes the lowest free one, in the order given."""
        present = list(holders)
        staying = set(present)
        self._slots = {session: slot for session, slot in self._slots.items() if session in staying}
        taken = set(self._slots.values())
        for session in present:
            if session not in self._slots:
                slot = next(n for n in range(len(taken) + 1) if n not in taken)
                self._slots[session] = slot
                taken.add(slot)

    def replay(self, spans: Iterable[Span], state: State) -> None:
        """Seat everybody again from the spans since the app started."""
        changes: list[tuple[datetime, int, str, int]] = []
        for span in spans:
            session = state.sessions.get(span.session)
            if span.phase in LIVE and (session is None or session.kind == "code"):
                order = session.order if session is not None else 0
                changes.append((span.start, order, span.session, 1))
                if span.end is not None:
                    changes.append((span.end, order, span.session, -1))
        self._slots = {}
        self._walk(sorted(changes))

    def _walk(self, changes: list[tuple[datetime, int, str, int]]) -> None:
        """All changes of an instant count before anyone moves: spans of one session that touch are one stay."""
        open_spans: Counter[str] = Counter()
        seated: dict[str, None] = {}
        for _at, together in groupby(changes, key=lambda change: change[0]):
            for _when, _order, session, step in together:
                open_spans[session] += step
                seated.setdefault(session)
            for session in [one for one in seated if open_spans[one] <= 0]:
                del seated[session]
            self.update(seated)


def arrivals(state: State) -> list[str]:
    """The ids of the seat holders, in the order in which they took their seats."""
    return [s.id for s in sorted(state.seat_holders, key=lambda s: (s.live_since or s.since, s.order))]


def replay_from(state: State, at: datetime) -> datetime:
    """The instant from which `Seating.replay` needs the history."""
    return max(state.app.started_at or at - LONGEST_LOOK_BACK, at - LONGEST_LOOK_BACK)
