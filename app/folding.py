"""Everything that is folded from events, grown together; and how a restart takes it up where it was saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from app import heap
from app.core.census import CensusTaker
from app.core.diagnosis import Trail
from app.core.events import Observed
from app.core.recorder import Recorder
from app.core.reducer import reduce
from app.core.state import State
from app.storage.savedfold import Position, SavedFold
from app.storage.store import Store

SAVE_SECONDS = 600.0
"""How often a fold that has grown is saved. After a kill so much is folded again, about a hundredth of a second."""


@dataclass(slots=True)
class Fold:
    """State, history, the census and the trail of stops, grown event by event."""

    state: State = field(default_factory=State)
    history: Recorder = field(default_factory=Recorder)
    census: CensusTaker = field(default_factory=CensusTaker)
    trail: Trail = field(default_factory=Trail)

    def take(self, observed: Iterable[Observed]) -> None:
        """Fold events in their order."""
        for one in observed:
            before, self.state = self.state, reduce(self.state, one.event)
            self.history.note(before, one, self.state)
            self.census.take(before, one, self.state)
            self.trail.take(before, one, self.state)


class Saver:
    """Saves the fold of one store now and then, and takes it up again. ``seconds`` only grow."""

    def __init__(self, store: Store, seconds: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._saved = SavedFold(store.path)
        self._seconds = seconds
        self._saved_at: float | None = None
        self._position: Position | None = None

    @property
    def is_due(self) -> bool:
        """Whether it is time to save: at the first opportunity, and every ten minutes from then on."""
        return self._saved_at is None or self._seconds() - self._saved_at >= SAVE_SECONDS

    def resumed(self) -> Fold:
        """The fold of all that the store holds: of what was saved, and of the events since. Raises what it raises."""
        position = self._saved.position()
        fold, after = Fold(), 0
        if position is not None and self._store.holds(position):
            found = self._saved.load()
            if found is not None:
                fold, after = Fold(*found), position.id
                self._position = position
        fold.take(self._store.replay(after=after))
        return fold

    def save(self, fold: Fold) -> None:
        """Save ``fold``, which must tell all that the store holds and nothing else, if it has grown since.

        A fold that cannot be saved (a full disk) is only folded again at the next start. Now and then memory that is
        free by then is given back as well: saving needs some megabytes of it, and reading the logs took more.
        """
        self._saved_at = self._seconds()
        position = self._store.newest()
        if position is None or position == self._position:
            return
        with suppress(OSError):
            self._saved.save((fold.state, fold.history, fold.census, fold.trail), position)
            self._position = position
        heap.give_back()

    def forget(self) -> None:
        """Remove what was saved: the store is a new one."""
        self._saved.forget()
        self._position = None
