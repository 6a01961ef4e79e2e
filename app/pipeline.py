"""The chain, from a log folder to what the pages show.

::

    bytes ─tailer→ records ─parser→ events ─reducer→ state ─live→ pages
                              └─ with their checkpoint ─store→ SQLite, in one transaction
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.beside import Beside
from app.core.batch import Batch as Kept
from app.core.batch import fold_order
from app.core.probed import Probed
from app.core.report import SourceStatus
from app.core.state import State
from app.core.tally import Tally
from app.core.trouble import Trouble
from app.errors import DatabaseDamaged, SeatwatchError
from app.folding import Fold, Saver
from app.ingest.tailer import FolderTailer
from app.ingest.watcher import changes
from app.keeper import Keeper
from app.live import Live, Snapshot
from app.reading import newest_of, observe
from app.storage.retention import Limits
from app.storage.store import Store

LOG = logging.getLogger("seatwatch.pipeline")
CATCH_UP_BYTES = 4 * 1024 * 1024
"""How much is read at most between two progress reports while history is read; twice as much is not read faster."""
CATCH_UP_EVENTS = 6_000
"""How many events are to come of it, about. Where every line is one, 4 MB of log become 20 MB of memory, which the
system does not get back."""
LIVE_BYTES = 1024 * 1024
"""How much is read between two updates of the pages, so that a burst never blocks them for long. The first piece of
history is no longer either: how many events are in it is not known yet."""

SHOWN_AT_ONCE = 8 * 1024 * 1024
"""What is more than this takes over half a second to read: its newest part is shown before."""

BESIDE_SECONDS = 2.0
"""How often titles are looked for; the app writes them up to ten seconds late."""
BESIDE_SESSIONS = 100
"""For how many sessions."""

MOVED_SECONDS = 30.0
"""How often it is asked whether the app writes elsewhere by now."""

Progress = Callable[[], AbstractContextManager[Callable[[int], object]]]
"""What takes the bytes that are left to be read, while it is entered."""


class Pipeline:
    """Follows one log folder into the store and to the pages.

    `catch_up` runs in a thread of its own and has state and history to itself; from then on they belong to the event
    loop, and only reading and storing leave it. ``failure`` is what ended `run` early, None if nothing did.
    ``moved_to`` tells the folder that the app writes to by now, once, and None while that is where it was. ``probed``
    has what the probes found since it was asked last. ``limits`` are those of the store; ``poll`` as in
    `app.ingest.watcher.changes`. ``progress`` is entered while history is read, and told how much of it is left.
    """

    def __init__(
        self,
        tailer: FolderTailer,
        store: Store,
        live: Live,
        clock: Callable[[], datetime],
        beside: Beside,
        *,
        moved_to: Callable[[], Path | None] = lambda: None,
        probed: Probed | None = None,
        limits: Limits | None = None,
        poll: bool = False,
        progress: Progress = lambda: nullcontext(lambda _left: None),
    ) -> None:
        self.tailer = tailer
        self.store = store
        self.live = live
        self.clock = clock
        self.beside = beside
        self.moved_to = moved_to
        self.probed = probed or Probed()
        self.fold = Fold()
        self.poll = poll
        self.progress = progress
        self.keeper = Keeper(store, clock, limits=limits)
        self.saver = Saver(store)
        self.failure: Exception | None = None
        self.to_read = 0
        self._piece = 0
        self._last_line_at: datetime | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Read what is there, then follow until ``stop``, or until something breaks: the pages then say so."""
        try:
            await self._follow(stop)
        except Exception as error:  # a page that stands still for ever must not look alive
            self.failure = error
            LOG.error("following ended", exc_info=error)
            self._publish(self.live.current.ready)
        else:
            with suppress(SeatwatchError):  # it is over: what cannot be saved is folded again
                await asyncio.to_thread(self._save, True)

    async def _follow(self, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        await self._show_newest()
        await asyncio.to_thread(self.catch_up, lambda: loop.call_soon_threadsafe(self._publish, False), stop)
        await asyncio.to_thread(self.beside.refresh, _spoken_of(self.fold.state))
        self._publish(True)
        # What was read stays for days and holds no cycles: the collector, which looked at all of it now and then, held
        # up the page for 70 ms each time.
        gc.freeze()
        LOG.info("history is complete", extra={"facts": {"files": len(self.live.current.sources)}})
        while not stop.is_set():
            await self._follow_folder(stop)

    async def _show_newest(self) -> None:
        """Show what the newest part of the logs tells, where so much is to be read that it takes a while."""
        self.to_read = await asyncio.to_thread(self.tailer.unread)
        if self.to_read > SHOWN_AT_ONCE:
            fold = await asyncio.to_thread(self._fold_newest)
            if fold.state.at is not None:
                old, state = self.live.current, self.beside.add_to(fold.state)
                self.live.publish(
                    replace(old, version=old.version + 1, state=state, history=fold.history, filling=True)
                )

    def _fold_newest(self) -> Fold:
        fold = Fold()
        fold.take(newest_of(self.tailer))
        self.beside.refresh(_spoken_of(fold.state))
        return fold

    async def _follow_folder(self, stop: asyncio.Event) -> None:
        """Follow the folder until ``stop``, or until the app writes to another one, which is then the folder."""
        loop = asyncio.get_running_loop()
        looked = asked = loop.time()
        async with aclosing(changes(self.tailer.folder, stop, poll=self.poll, waits=self._waits)) as looks:
            async for _ in looks:
                await self._look(stop)
                if loop.time() - looked >= BESIDE_SECONDS:
                    if await asyncio.to_thread(self.beside.refresh, _spoken_of(self.fold.state)):
                        self._publish(True)
                    looked = loop.time()
                if loop.time() - asked >= MOVED_SECONDS:
                    asked = loop.time()
                    if (folder := await asyncio.to_thread(self.moved_to)) is not None:
                        LOG.info("the app writes to another folder by now")
                        self.tailer.move(folder)
                        self.beside = Beside.of(folder)
                        return

    def _waits(self) -> bool:
        """Whether there is something to do that no change of the logs tells of."""
        return self.tailer.waits or self.keeper.waits or self.probed.waits or self._trouble() is not None

    async def _look(self, stop: asyncio.Event) -> None:
        """Read all that is new, in pieces; the pages hear of a piece before it is stored, to hear of it at once."""
        more = True
        while more and not stop.is_set():
            batches = [] if self.keeper.is_full else await asyncio.to_thread(self.tailer.poll, LIVE_BYTES)
            kept = [Kept(batch.checkpoint, observe(batch), batch.tally) for batch in batches]
            kept += [] if self.keeper.is_full else self.probed.take()
            if kept or self._trouble() != self.live.current.problem:
                self._note_lines(batch.tally for batch in kept)
                self.fold.take(fold_order(kept))
                news = any(batch.events for batch in kept)
                self._publish(True, news=news)
                if kept and not news:
                    self.keeper.put_off(kept)
                    kept = []
            if kept or self.keeper.waits or self.keeper.is_due or self.saver.is_due:
                await asyncio.to_thread(self._store, kept, stop)
            more = self.tailer.behind and not self.keeper.is_full
        self.live.looked_at = self.clock()

    def _store(self, kept: Sequence[Kept], stop: asyncio.Event) -> None:
        """Keep what was read, and do what is due now and then: a log that never rests must not put it off for ever."""
        try:
            self.keeper.keep(kept)
            self._save()
            self.keeper.trim(self.fold.state.at, [one.id for one in self.fold.state.sessions.values() if one.alive])
        except DatabaseDamaged as damage:
            if self.keeper.renew(damage):
                self._start_over(lambda: None, stop)

    def _save(self, ending: bool = False) -> None:
        """Save the fold if it is time to; only where the store holds exactly what was folded."""
        if ending:
            self.keeper.keep(())
        if (ending or self.saver.is_due) and not self.keeper.waits:
            self.saver.save(self.fold)

    def catch_up(self, tell: Callable[[], object], stop: asyncio.Event) -> None:
        """Fold what the store has, then what the files have beyond it; ``tell`` is called after each piece."""
        try:
            self._read_all(tell, stop)
        except DatabaseDamaged as damage:
            if not self.keeper.renew(damage):
                raise
            self._start_over(tell, stop)

    def _start_over(self, tell: Callable[[], object], stop: asyncio.Event) -> None:
        """Read everything anew: the store is empty. The pages keep the old state and history until it is done."""
        self.tailer.start_over()
        self.saver.forget()
        self._read_all(tell, stop)

    def _read_all(self, tell: Callable[[], object], stop: asyncio.Event) -> None:
        self.fold = self.saver.resumed()
        self._note_lines(self.store.tallies().values())
        more, self._piece = True, min(LIVE_BYTES, CATCH_UP_BYTES)
        with self.progress() as tell_left:
            tell_left(self.tailer.unread())
            while more and not stop.is_set():
                more = self._read_piece()
                tell()
                tell_left(self.tailer.unread())

    def _read_piece(self) -> bool:
        """Fold and keep one piece of what is unread; whether there is more. Nothing holds its events any longer."""
        kept = [Kept(batch.checkpoint, observe(batch), batch.tally) for batch in self.tailer.poll(self._piece)]
        events = sum(len(batch.events) for batch in kept)
        self._piece = min(CATCH_UP_BYTES, max(LIVE_BYTES, self._piece * CATCH_UP_EVENTS // max(events, 1)))
        self._note_lines(batch.tally for batch in kept)
        self.fold.take(fold_order(kept))
        self.keeper.keep(kept)
        return self.tailer.behind and not self.keeper.is_full

    def _note_lines(self, tallies: Iterable[Tally]) -> None:
        """Keep the newest line's instant; one from before a clock was set back does not stay the newest for ever."""
        now = self.clock()
        seen = [one.last_at for one in tallies if one.last_at is not None]
        if self._last_line_at is not None and self._last_line_at <= now:
            seen.append(self._last_line_at)
        self._last_line_at = max(seen, default=self._last_line_at)

    def _trouble(self) -> str | None:
        if self.failure is not None:
            told = self.failure.what if isinstance(self.failure, SeatwatchError) else f"{type(self.failure).__name__}."
            return Trouble.of("stopped", f"Seatwatch follows the logs no more: {told} Start it again.", reason=told)
        return self.tailer.problem or self.keeper.told

    def _amiss(self) -> dict[str, bool]:
        """Where it lies, for the log: what the pages say has paths in it."""
        return {"logs": self.tailer.problem is not None, "store": self.keeper.trouble is not None}

    def _publish(self, ready: bool, news: bool = True) -> None:
        """Let the pages know; without ``news`` they are woken only if something is amiss that was not, or no more."""
        old, problem = self.live.current, self._trouble()
        if bool(problem) != bool(old.problem):
            LOG.warning("trouble began" if problem else "trouble is over", extra={"facts": self._amiss()})
        known = ready and (news or not old.ready)
        new = replace(
            old,
            version=old.version + 1,
            state=self.beside.add_to(self.fold.state) if known else old.state,
            history=self.fold.history if ready else old.history,
            sources=tuple(
                SourceStatus(one.path, one.read, one.lines, self.clock(), one.problem, one.source)
                for one in self.tailer.readings()
            ),
            processes=self.beside.processes,
            folder=str(self.tailer.folder),
            ready=ready,
            filling=old.filling and not ready,
            to_read=self.to_read,
            problem=problem,
            last_line_at=self._last_line_at,
        )
        wakes = news or _amiss_in(new) != _amiss_in(old)
        (self.live.publish if wakes else self.live.note)(new)


def _amiss_in(snapshot: Snapshot) -> object:
    """What the pages say of the logs themselves."""
    return snapshot.ready, snapshot.problem, tuple((one.path, one.problem) for one in snapshot.sources)


def _spoken_of(state: State) -> list[str]:
    """Whose files are worth a look: sessions that live, and those that ended lately and are still spoken of."""
    sessions = sorted(state.sessions.values(), key=lambda one: (one.alive, one.since), reverse=True)
    return [one.id for one in sessions[:BESIDE_SESSIONS]]
