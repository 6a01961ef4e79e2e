"""From a log folder to its events: the part of the chain that following shares with reading once.

Nothing here stores, watches or serves: a command that reads a folder once starts without any of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import count
from pathlib import Path

from app.beside import Beside
from app.core.batch import Batch as Kept
from app.core.batch import fold_order
from app.core.diagnosis import Trail, walk
from app.core.events import Observed
from app.core.parser import NEEDLES, parser_for
from app.core.reducer import fold
from app.core.report import SourceStatus
from app.core.state import State
from app.core.tally import Tally
from app.errors import NotALog
from app.ingest.family import PATIENCE
from app.ingest.files import FAMILIES
from app.ingest.source import Batch, Reading
from app.ingest.tailer import FolderTailer

PIECE_BYTES = 8 * 1024 * 1024
"""How much is read in one go."""


def reading_for(zone: tzinfo) -> Reading:
    """How the tailer is to read: only lines that some format may know are decoded, the others are counted."""
    parsers = [parser_for(family) for family in FAMILIES]
    return Reading(zone, lambda key: any(parser.wants(key) for parser in parsers), NEEDLES)


def observe(batch: Batch) -> list[Observed]:
    """The events of a batch of records, each with where it stands."""
    parse, source = parser_for(batch.checkpoint.family).parse, batch.checkpoint.source
    return [
        Observed(event, source, record.offset, record.line, record.body)
        for record in batch.records
        if (event := parse(record)) is not None
    ]


def newest_of(tailer: FolderTailer) -> list[Observed]:
    """The events of the newest part of a folder, in the order of time; where they stand is not known (line 0)."""
    found = [
        Observed(event, "", record.offset, 0, record.body)
        for family, records in tailer.newest()
        for record in records
        if (event := parser_for(family).parse(record)) is not None
    ]
    return sorted(found, key=lambda one: one.event.at)


@dataclass(frozen=True, slots=True)
class FolderReading:
    """A log folder read once: every event in the order of time, the lines counted, the files by name and by id."""

    observed: Sequence[Observed]
    tally: Tally
    sources: tuple[SourceStatus, ...]
    names: Mapping[str, str]
    last_at: datetime
    beside: Beside | None = None

    @property
    def processes(self) -> int | None:
        """How many live processes the registry tells of; None when nobody tells."""
        return self.beside.processes if self.beside is not None else None

    @property
    def first_at(self) -> datetime | None:
        """The instant of the first event, None when there is none."""
        return min((one.event.at for one in self.observed), default=None)

    def state_at(self, at: datetime) -> State:
        """The state at ``at``: the fold of everything said by then."""
        return self._titled(fold(State(), (one.event for one in self.observed if one.event.at <= at)))

    def walked(self, at: datetime) -> tuple[State, Trail]:
        """The same, and the trail of stops that leads there."""
        state, trail = walk(self.observed, at)
        return self._titled(state), trail

    def _titled(self, state: State) -> State:
        return self.beside.add_to(state) if self.beside is not None else state


def read_folder(folder: Path, zone: tzinfo, tell: Callable[[int], object] = lambda _left: None) -> FolderReading:
    """Read a folder from beginning to end, without server or store. Raises `NotALog` when no file in it is a log.

    ``tell`` is called with the bytes that are left to be read: before the first piece, and after each.
    """
    # Each look takes place later than any record waits: what the files end with counts as it is.
    tailer = FolderTailer(folder, (), reading_for(zone), now=count(0, 2 * PATIENCE).__next__)
    kept: dict[str, Kept] = {}
    more = True
    tell(tailer.unread())
    while more:
        found = tailer.poll(PIECE_BYTES)
        for batch in found:
            earlier = kept.get(batch.checkpoint.source)
            events = [*earlier.events, *observe(batch)] if earlier else observe(batch)
            tally = earlier.tally + batch.tally if earlier else batch.tally
            kept[batch.checkpoint.source] = Kept(batch.checkpoint, events, tally)
        tell(tailer.unread())
        more = bool(found)
    tailer.close()
    tally = sum((one.tally for one in kept.values()), Tally())
    sources = tuple(SourceStatus(one.path, one.read, one.lines, None, one.problem) for one in tailer.readings())
    ends = [one.tally.last_at for one in kept.values() if one.tally.last_at is not None]
    if not ends:
        raise NotALog(folder, [(one.path, one.problem) for one in sources])
    names = {source: Path(one.checkpoint.path).name for source, one in kept.items()}
    observed = fold_order(kept.values())
    beside = Beside.of(folder)
    beside.refresh({name for one in observed if (name := getattr(one.event, "session", None)) is not None})
    return FolderReading(observed, tally, sources, names, max(ends), beside)
