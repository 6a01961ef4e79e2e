"""A log folder that a test writes, and a tailer that follows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

from app.core.checkpoint import Checkpoint
from app.core.tally import Tally
from app.ingest.source import Batch, Reading
from app.ingest.tailer import FolderTailer

READING = Reading(UTC, lambda key: key != b"[Noise]", (b"net::ERR_",))


def line(number: int, text: str = "") -> bytes:
    """A log line of its own: ``number`` is its second and stands in its body."""
    return f"2026-10-02 09:{number // 60:02}:{number % 60:02} [info] [CCD] n{number}{text}\n".encode()


def lines(*numbers: int) -> bytes:
    """Several of them."""
    return b"".join(line(number) for number in numbers)


@dataclass
class Follower:
    """Polls a folder and keeps what came, as a store would."""

    folder: Path
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)
    time: float = 0.0
    tailer: FolderTailer = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """End, and begin again from the checkpoints alone."""
        if hasattr(self, "tailer"):
            self.tailer.close()
        self.tailer = FolderTailer(self.folder, self.checkpoints.values(), READING, lambda: self.time)

    def look(self, limit: int = 1_000_000_000) -> list[str]:
        """Poll once; the bodies that came, without their tag."""
        batches = self.tailer.poll(limit)
        self.batches += batches
        self.checkpoints |= {batch.checkpoint.source: batch.checkpoint for batch in batches}
        return [record.body.removeprefix("[CCD] ") for batch in batches for record in batch.records]

    def tally(self) -> Tally:
        """All that was counted."""
        return sum((batch.tally for batch in self.batches), Tally())

    def write(self, name: str, data: bytes) -> None:
        """Append to a file as the app does."""
        with (self.folder / name).open("ab") as file:
            file.write(data)

    def move(self, old: str, new: str) -> None:
        """Rename over whatever is there."""
        (self.folder / old).replace(self.folder / new)

    def problems(self) -> list[str]:
        """What cannot be read, in words."""
        return [reading.problem for reading in self.tailer.readings() if reading.problem]


def names(numbers: Iterable[int]) -> list[str]:
    """What `Follower.look` says of lines with these numbers."""
    return [f"n{number}" for number in numbers]
