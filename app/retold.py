"""What is asked of the past while Seatwatch runs: *why*, from the store, and the census, kept beside the fold."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from app.core.census import census
from app.core.counted import Census
from app.core.diagnosis import Trail
from app.core.events import Observed
from app.core.evolve import replace
from app.core.history import History
from app.core.recorder import Recorder
from app.core.reducer import fold
from app.core.state import State
from app.core.tally import Tally
from app.explain import Told
from app.folding import Fold
from app.pipeline import Pipeline
from app.reading import FolderReading
from app.storage.store import Life, Stored
from app.web.kept import Wanted

LOOK_BACK = timedelta(days=7)
"""How long before the moment asked for the log is told again."""
FOLD_AHEAD = timedelta(days=1)
"""The fold of a window begins so much earlier, to know who lived when it opens."""
PAGE = 5_000
"""Events read from the store at once."""


@dataclass(frozen=True, slots=True)
class Now:
    """What was read up to now, as the fold has it."""

    state: State
    trail: Trail
    names: Mapping[str, str]
    last_at: datetime
    first_at: datetime | None = None

    def state_at(self, _at: datetime) -> State:
        """The state: nothing was said since."""
        return self.state

    def walked(self, _at: datetime) -> tuple[State, Trail]:
        """The state, and the trail that leads to it."""
        return self.state, self.trail


class Retold:
    """Answers for one pipeline. The first two methods are of its event loop; all raise what the store raises."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    async def told(self, at: datetime) -> Told:
        """What the log said until now, from the fold; before its last event, from the store from a week before on."""
        live, fold = self._pipeline.live.current, self._pipeline.fold
        if live.ready and live.state.at is not None and live.state.at <= at:
            trail = fold.trail.copy()  # on the loop: it grows there
            return Now(live.state, trail, await asyncio.to_thread(self._names), live.state.at)
        return await asyncio.to_thread(self._told, at)

    async def census(self) -> tuple[Census, Mapping[str, str]]:
        """What the log is made of so far, and the file name of each source by its id."""
        live = self._pipeline.live
        if not live.current.ready:  # until then the fold is another thread's
            return await asyncio.to_thread(lambda: (self._census_of_the_store(), self._names()))
        tally, names = await asyncio.to_thread(lambda: (self._tally(), self._names()))
        # On the loop: the census grows there while events are folded.
        return self._pipeline.fold.census.census(tally, live.current.state), names

    async def events(self, wanted: Wanted) -> list[Stored]:
        """The kept events that are wanted, newest first."""
        return await asyncio.to_thread(
            lambda: self._pipeline.store.events(
                wanted.start,
                wanted.end,
                session=wanted.session,
                kinds=wanted.kinds,
                limit=wanted.limit,
                before=wanted.before,
            )
        )

    async def life(self, session: str) -> Life | None:
        """The first and the last event that is kept of a session, and how many there are."""
        return await asyncio.to_thread(self._pipeline.store.life, session)

    async def names(self) -> Mapping[str, str]:
        """The file name of each source by its id, of those that are gone as well."""
        return await asyncio.to_thread(self._names)

    def history(self, start: datetime, end: datetime) -> tuple[State, History]:
        """The state at ``end`` and the history from ``start`` to it, for what memory has forgotten.

        Takes its time: call it in a thread.
        """
        store, begin = self._pipeline.store, start - FOLD_AHEAD
        observed: list[Observed] = []
        before: int | None = None
        while page := store.events(begin, end, limit=PAGE, before=before):
            observed.extend(stored.observed for stored in page)
            before = page[-1].id
        fold = Fold(history=Recorder(end - begin + FOLD_AHEAD))
        fold.take(reversed(observed))
        history, points = fold.history.window(start, end), store.samples.window(start, end)
        return self._pipeline.beside.add_to(fold.state), replace(history, points=tuple(points))

    def _census_of_the_store(self) -> Census:
        observed = list(self._pipeline.store.replay())
        return census(self._tally(), observed, fold(State(), (one.event for one in observed)))

    def _told(self, at: datetime) -> FolderReading:
        store, live = self._pipeline.store, self._pipeline.live
        observed = list(store.replay(at - LOOK_BACK))
        last_at = max((one.event.at for one in observed), default=at)
        return FolderReading(
            observed, self._tally(), live.current.sources, self._names(), last_at, self._pipeline.beside
        )

    def _tally(self) -> Tally:
        return sum(self._pipeline.store.tallies().values(), Tally())

    def _names(self) -> dict[str, str]:
        return {source: Path(one.path).name for source, one in self._pipeline.store.checkpoints().items()}
