"""One followed source: its bytes through framing and joining, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from io import FileIO

from app.core.checkpoint import HEAD_BYTES, OWN_CLOCK, TAIL_BYTES, Checkpoint, Fingerprint
from app.core.lines import Framer
from app.core.records import Joiner, Record
from app.core.tally import Tally
from app.core.wallclock import WallClock
from app.ingest.files import FoundFile, LookOutdated, read_at

CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """How every source is read: the zone of its stamps and, as `app.core.records.Joiner` takes them, what is wanted."""

    zone: tzinfo
    wanted: Callable[[bytes], bool] | frozenset[bytes]
    needles: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceReading:
    """How far one file has been read: ``size`` and ``read`` in bytes, ``lines`` so far, and why it cannot be read.

    ``source`` is the source's id, "" while the file is not yet known to be one.
    """

    path: str
    size: int
    read: int
    lines: int
    problem: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one look at one source brought. ``tally`` counts what lies between the former checkpoint and this one."""

    checkpoint: Checkpoint
    records: tuple[Record, ...]
    tally: Tally
    reading: SourceReading


@dataclass(slots=True, eq=False)
class Followed:
    """A source while it is followed.

    ``mark`` is the checkpoint of the last byte that was read, by which the file is known again; the one in a `Batch`
    lies before it by what waits: a half line or an open record. ``finished`` tells that nothing waits and nothing more
    is expected; ``seen`` what the folder showed when all of it had been read; ``placed`` that it has a file at all.
    """

    mark: Checkpoint
    framer: Framer
    joiner: Joiner
    size: int = 0
    placed: bool = False
    head: bytes = b""
    tail: bytes = b""
    handle: FileIO | None = None
    seen: FoundFile | None = None
    problem: str | None = None
    finished: bool = False
    records: list[Record] = field(default_factory=list)
    reported: Checkpoint | None = None
    waiting: tuple[int, float] | None = None

    @classmethod
    def start(cls, checkpoint: Checkpoint, reading: Reading) -> Followed:
        """A source to be read from ``checkpoint`` on."""
        joiner = Joiner(
            WallClock(reading.zone, checkpoint.clock),
            reading.wanted,
            reading.needles,
            vm_prefix=checkpoint.family == "cowork_vm_swift.log",
        )
        return cls(checkpoint, Framer(checkpoint.offset, checkpoint.line), joiner)

    @property
    def position(self) -> int:
        """The next byte to be read."""
        return self.framer.offset + self.framer.half

    @property
    def reading(self) -> SourceReading:
        """How far it has come."""
        return SourceReading(
            self.mark.path, self.size, self.position, self.framer.number - 1, self.problem, self.mark.source
        )

    def place(self, file: FoundFile) -> None:
        """Where the source lies now: a rename and a copy change that."""
        device, inode = file.identity
        if (device, inode) != (self.mark.device, self.mark.inode):
            self.close()
        self.mark = replace(self.mark, path=file.path, device=device, inode=inode)
        self.size = file.facts.size
        self.placed = True

    def vanish(self) -> None:
        """The source has no file any more."""
        self.placed = False
        self.seen = None

    def recognize(self, head: bytes, tail: bytes) -> None:
        """Take over the bytes by which the file was known again: its start and what lies before the position."""
        self.head = head[: min(HEAD_BYTES, self.position)]
        self.tail = tail

    def read(self, handle: FileIO, budget: int) -> int:
        """Read on to the end of the file or up to ``budget`` bytes; how many were read.

        Raises OSError, and `LookOutdated` when the file is no longer the one that was looked at.
        """
        left = budget
        while left > 0 and (chunk := self._chunk(handle, min(CHUNK, left))):
            self.finished = False
            left -= len(chunk)
            self.records += self.joiner.join(self.framer.frame(chunk))
            self.head += chunk[: HEAD_BYTES - len(self.head)]
            self.tail = (self.tail + chunk)[-TAIL_BYTES:]
        self.size = max(self.size, self.position)
        fingerprint = Fingerprint.of(self.head, self.tail, self.position)
        self.mark = replace(self.mark, fingerprint=fingerprint, offset=self.position)
        return budget - left

    def _chunk(self, handle: FileIO, size: int) -> bytes:
        """The next bytes, read together with those before them: the file may be emptied and written anew meanwhile."""
        before = len(self.tail)
        found = read_at(handle, self.position - before, before + size)
        if not found.startswith(self.tail):
            raise LookOutdated(self.mark.path)
        return found[before:]

    def finish(self) -> None:
        """The file is over: its half line and the record that waits are all that comes."""
        self.records += self.joiner.feed(self.framer.finish())
        self.records += self.joiner.flush()
        self.finished = True

    def flush_after(self, patience: float, now: float) -> None:
        """Give out a record that has waited ``patience`` seconds for its continuation lines."""
        if not self.joiner.is_open:
            self.waiting = None
            return
        offset = self.joiner.resume(self.framer).offset
        if self.waiting is None or self.waiting[0] != offset:
            self.waiting = (offset, now)
        elif now - self.waiting[1] >= patience:
            self.records += self.joiner.flush()
            self.waiting = None

    def take(self, handle: FileIO | None) -> Batch | None:
        """What came since the last call; None when nothing did. ``handle`` reads the bytes before the checkpoint."""
        checkpoint = self._checkpoint(handle)
        if checkpoint.offset == 0 or checkpoint == self.reported:
            return None
        self.reported = checkpoint
        records, self.records = tuple(self.records), []
        tally = self.joiner.take_tally()
        if checkpoint.family in OWN_CLOCK:
            tally = replace(tally, last_at=None)
        return Batch(checkpoint, records, tally, self.reading)

    def _checkpoint(self, handle: FileIO | None) -> Checkpoint:
        resume = self.joiner.resume(self.framer)
        if self.reported is not None and self.reported.offset == resume.offset:
            mark = self.mark
            return replace(self.reported, path=mark.path, device=mark.device, inode=mark.inode)
        fingerprint = self.mark.fingerprint
        if resume.offset != self.mark.offset and handle is not None:
            before = max(0, resume.offset - TAIL_BYTES)
            fingerprint = Fingerprint.of(self.head, read_at(handle, before, resume.offset - before), resume.offset)
        return replace(self.mark, fingerprint=fingerprint, offset=resume.offset, line=resume.line, clock=resume.clock)

    def close(self) -> None:
        """Let go of the file."""
        if self.handle is not None:
            self.handle.close()
            self.handle = None
