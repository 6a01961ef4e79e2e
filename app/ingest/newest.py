"""The newest part of a log folder, read by itself: what is shown while the whole of a long history is read.

Its records tell nothing of where they stand, for nobody has counted the lines before them. They are shown and dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.core.checkpoint import Family
from app.core.lines import Framer
from app.core.records import Joiner, Record
from app.core.wallclock import WallClock
from app.ingest.files import FAMILIES, FoundFile, LookOutdated, look, open_log, read_at
from app.ingest.overlap import LOOK_BYTES, overlap
from app.ingest.source import Reading

NEWEST_BYTES = 4 * 1024 * 1024
"""Read of each log, in less than a third of a second. The app writes about 2 MB in a quiet day, heavy users more in an
hour, and what matters is what came since its start: often that is in it."""


def newest(folder: Path, reading: Reading, budget: int = NEWEST_BYTES) -> list[tuple[Family, list[Record]]]:
    """The records of the last ``budget`` bytes of each log, in their order; files that cannot be read are left out."""
    try:
        files = look(folder)
    except OSError:
        return []
    found = ((family, _tail([one for one in files if one.family == family], reading, budget)) for family in FAMILIES)
    return [(family, records) for family, records in found if records]


def _tail(files: Sequence[FoundFile], reading: Reading, budget: int) -> list[Record]:
    """The end of one log, which may reach back into its archives. ``files`` are from the oldest to the newest."""
    pieces: list[bytes] = []
    for file in reversed(files):
        size = min(file.facts.size, budget)
        if size <= 0:
            break
        budget -= size
        try:
            with open_log(file) as handle:
                piece = read_at(handle, file.facts.size - size, size)
        except (OSError, LookOutdated):
            break  # what is older would not join up with what was read
        # A piece from the middle begins with the rest of a line. A file's first bytes are a line's.
        pieces.append(piece if size == file.facts.size else piece.partition(b"\n")[2])
    return _records(pieces[::-1], files[-1].family, reading) if pieces else []


def _records(pieces: Sequence[bytes], family: Family, reading: Reading) -> list[Record]:
    joiner = Joiner(WallClock(reading.zone), reading.wanted, reading.needles, vm_prefix=family == "cowork_vm_swift.log")
    records: list[Record] = []
    before = b""
    for place, piece in enumerate(pieces, 1):
        framer = Framer()
        twice = overlap(before[-LOOK_BYTES:], piece[:LOOK_BYTES], older_is_whole=False).size if before else 0
        records += joiner.join(framer.frame(piece[twice:]))
        before = piece
        if place < len(pieces):  # an archive is over, and its half line is all that comes
            records += joiner.feed(framer.finish())
            records += joiner.flush()
    return records + joiner.flush()
