"""Follows one log through its files: archives from the oldest, then the live one, each read to its end before the next.

Endings of a source: renamed to an archive (read to its end, its half line given out), emptied or written anew (what it
was is over at once), deleted (its open handle is read to the end; it is over when another live file appears), copied
(goes on in whichever file holds its bytes), unreadable (stays as it is until it can be read again).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from io import FileIO

from app.core.checkpoint import HEAD_BYTES, TAIL_BYTES, Checkpoint, Family, Fingerprint, source_id
from app.core.trouble import Trouble
from app.core.wallclock import ClockState
from app.ingest.files import FoundFile, LookOutdated, open_log, read_at
from app.ingest.identity import Matches, match, reason
from app.ingest.overlap import LOOK_BYTES, Overlap, overlap
from app.ingest.source import Batch, Followed, Reading, SourceReading

PATIENCE = 5.0
"""Seconds that a record waits for its continuation lines, which the app writes in the same moment."""

KEPT_ABSENT = 16
"""Sources without a file that are remembered, in case the file is put back."""

# An open file keeps its bytes readable after a rename over it or a delete. Windows would refuse the app that rename.
_HOLDS_OPEN = os.name != "nt"


class FamilyTailer:
    """Follows the files of one family. ``behind`` tells that the last look ended at its limit with more to read."""

    def __init__(self, family: Family, reading: Reading, now: Callable[[], float]) -> None:
        self.family = family
        self.behind = False
        self._reading = reading
        self._now = now
        self._sources: list[Followed] = []
        self._ids: set[str] = set()
        self._clock = ClockState()
        self.left = 0
        self._batches: list[Batch] = []
        self._waiting: list[SourceReading] = []

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from ``checkpoint`` once the file of its source is found."""
        source = Followed.start(checkpoint, self._reading)
        source.finished, source.reported = True, checkpoint
        self._sources.append(source)
        self._ids.add(checkpoint.source)

    def poll(self, files: Sequence[FoundFile], limit_bytes: int) -> list[Batch]:
        """Read what is new in ``files`` (oldest first) and in what they replaced, at most ``limit_bytes``."""
        self.behind = False
        self.left = limit_bytes
        self._batches, self._waiting = [], []
        try:
            self._look(files)
        except LookOutdated:
            self.behind = True  # what was read until now is true; the rest is for another look
        return self._batches

    def _look(self, files: Sequence[FoundFile]) -> None:
        matches = match(files, self._sources)
        for source in matches.replaced:
            source.vanish()
            source.close()
            self._end(source)
        live = any(file.archive == 0 for file in files)
        for source in matches.absent:
            self._drain(source, over=live)
        for place, file in enumerate(files):
            if self.behind:
                break
            self._visit(file, place, files, matches)
        self._forget([*matches.replaced, *matches.absent])

    def readings(self) -> tuple[SourceReading, ...]:
        """Every file at the last look: how far it has been read, and why not where it cannot be."""
        return (*(source.reading for source in self._sources if source.placed), *self._waiting)

    @property
    def read(self) -> int:
        """How many bytes were read of all sources that are known."""
        return sum(source.position for source in self._sources)

    @property
    def waits(self) -> bool:
        """Whether a record waits for lines that may still follow it."""
        return any(source.waiting is not None for source in self._sources)

    def close(self) -> None:
        """Let go of all files."""
        for source in self._sources:
            source.close()

    def _visit(self, file: FoundFile, place: int, files: Sequence[FoundFile], matches: Matches) -> None:
        source = matches.known.get(place)
        problem = matches.unreadable.get(place)
        if place in matches.copies:
            return
        if problem is not None:
            self._cannot_read(file, source, problem)
            return
        try:
            source = source or self._begin(file, files[place - 1] if place else None)
            if source is not None:
                self._follow(source, file)
        except OSError as error:
            self._cannot_read(file, source, reason(error))

    def _cannot_read(self, file: FoundFile, source: Followed | None, why: str) -> None:
        told = f"{file.path} cannot be read: {why}."
        problem = Trouble.of("file_unreadable", told, place=file.path, reason=why)
        if source is None:
            self._waiting.append(SourceReading(file.path, file.facts.size, 0, 0, problem))
            return
        source.close()
        source.place(file)
        source.problem = problem

    def _begin(self, file: FoundFile, older: FoundFile | None) -> Followed | None:
        """The source of a file that was not known; None while a live one has no whole line to know it by."""
        with open_log(file) as handle:
            head = read_at(handle, 0, HEAD_BYTES)
            if file.archive == 0 and len(head) < HEAD_BYTES and b"\n" not in head:
                self._waiting.append(SourceReading(file.path, file.facts.size, 0, 0))
                return None
            skip = _overlap(older, handle) if older is not None else Overlap()
            tail = read_at(handle, max(0, skip.size - TAIL_BYTES), min(TAIL_BYTES, skip.size))
        device, inode = file.identity
        source = Followed.start(
            Checkpoint(
                self._new_id(head.partition(b"\n")[0], inode),
                self.family,
                file.path,
                device,
                inode,
                Fingerprint.of(head, tail, skip.size),
                skip.size,
                skip.rows + 1,
                self._clock,
            ),
            self._reading,
        )
        source.recognize(head, tail)
        self._sources.append(source)
        return source

    def _new_id(self, first_line: bytes, inode: int) -> str:
        generation = 0
        while (source := source_id(self.family, first_line, inode, generation)) in self._ids:
            generation += 1
        self._ids.add(source)
        return source

    def _follow(self, source: Followed, file: FoundFile) -> None:
        """Read on in the file of ``source``. Raises OSError."""
        source.place(file)
        if source.seen != file:
            if source.handle is None:
                source.handle = open_log(file)
            self._read(source, source.handle)
            source.seen = None if self.behind else file
            source.problem = None
        if file.archive and not self.behind:
            self._end(source)
            source.close()
        else:
            self._report(source)
        if not _HOLDS_OPEN:
            source.close()

    def _drain(self, source: Followed, *, over: bool) -> None:
        """Read what a source without a file still has behind its open handle; it is ``over`` when another is live."""
        source.vanish()
        if source.handle is not None:
            try:
                self._read(source, source.handle)
            except (OSError, LookOutdated):  # it was emptied as well
                source.close()
        if over and not self.behind:
            self._end(source)
            source.close()
        else:
            self._report(source)

    def _read(self, source: Followed, handle: FileIO) -> None:
        self.left -= source.read(handle, self.left)
        if self.left <= 0 and source.position < os.fstat(handle.fileno()).st_size:
            self.behind = True

    def _end(self, source: Followed) -> None:
        """Give out what waits in ``source``: nothing more is expected of it."""
        if not source.finished:
            source.finish()
        self._report(source)

    def _report(self, source: Followed) -> None:
        source.flush_after(PATIENCE, self._now())
        batch = source.take(source.handle)
        if batch is not None:
            self._batches.append(batch)
        self._clock = source.joiner.clock.state

    def _forget(self, absent: Sequence[Followed]) -> None:
        """Drop the oldest of the sources without a file that are over, beyond those that may come back."""
        over = [source for source in absent if source.finished]
        for source in over[:-KEPT_ABSENT]:
            source.close()
            self._sources.remove(source)


def _overlap(older: FoundFile, newer: FileIO) -> Overlap:
    with open_log(older) as handle:
        begin = max(0, older.facts.size - LOOK_BYTES)
        end = read_at(handle, begin, LOOK_BYTES)
    return overlap(end, read_at(newer, 0, LOOK_BYTES), older_is_whole=begin == 0)
