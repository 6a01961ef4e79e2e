"""Follows all logs of a folder: each look reads what is new and says where every source stands.

A look trusts nothing but stat and reads: it finds each source again by inode and fingerprint, whatever a change event
said or did not say. Nothing is ever written to the folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from app.core.checkpoint import Checkpoint, Family
from app.core.records import Record
from app.core.trouble import Trouble
from app.ingest.family import FamilyTailer
from app.ingest.files import FAMILIES, FoundFile, look
from app.ingest.identity import reason
from app.ingest.newest import newest
from app.ingest.source import Batch, Reading, SourceReading

POLL_BYTES = 8 * 1024 * 1024
"""What one look reads at most, so that the caller can show something in between: about 0.1 s."""

SETTLING_LOOKS = 5
"""How often a folder is listed again while its names change; a rotation is over within a few milliseconds."""

__all__ = ["POLL_BYTES", "Batch", "FolderTailer", "Reading", "SourceReading"]


class FolderTailer:
    """Follows the logs of one folder from ``checkpoints`` on.

    ``problem`` says why the folder cannot be read. `close` lets go of the files; looking again is possible all the
    same. ``now`` gives seconds that only grow.
    """

    def __init__(
        self,
        folder: Path,
        checkpoints: Iterable[Checkpoint],
        reading: Reading,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self.problem: str | None = None
        self._listed: dict[str, tuple[int, int]] = {}
        self._reading = reading
        self._now = now
        self._families = self._unread()
        for checkpoint in checkpoints:
            self._families[checkpoint.family].resume(checkpoint)

    @property
    def behind(self) -> bool:
        """Whether the last look ended at its limit with more to read."""
        return any(family.behind for family in self._families.values())

    @property
    def waits(self) -> bool:
        """Whether a record waits for lines that may still follow it: only another look ends that."""
        return any(family.waits for family in self._families.values())

    def poll(self, limit_bytes: int = POLL_BYTES) -> list[Batch]:
        """Look once and read what is new, at most ``limit_bytes``; one batch for each source that has something."""
        files = self._look()
        batches: list[Batch] = []
        left = limit_bytes
        for name, family in self._families.items():
            batches += family.poll([file for file in files if file.family == name], left)
            left = family.left
        return batches

    def unread(self) -> int:
        """How many bytes lie in the folder beyond what was read; nothing of a folder that cannot be listed."""
        try:
            size = sum(file.facts.size for file in look(self.folder))
        except OSError:
            return 0
        return max(0, size - sum(family.read for family in self._families.values()))

    def newest(self) -> list[tuple[Family, list[Record]]]:
        """What the newest part of each log says, read by itself: see `app.ingest.newest`."""
        return newest(self.folder, self._reading)

    def readings(self) -> tuple[SourceReading, ...]:
        """Every file at the last look: how far it has been read, and why not where it cannot be."""
        return tuple(reading for family in self._families.values() for reading in family.readings())

    def close(self) -> None:
        """Let go of all files."""
        for family in self._families.values():
            family.close()

    def move(self, folder: Path) -> None:
        """Follow ``folder`` from now on; what is unread of the files in the old one is read to its end.

        Files that were moved or copied there are known again.
        """
        self.folder = folder
        self._listed = {}

    def start_over(self) -> None:
        """Forget every checkpoint: the next look reads all files from their beginning."""
        self.close()
        self._families = self._unread()

    def _unread(self) -> dict[Family, FamilyTailer]:
        return {family: FamilyTailer(family, self._reading, self._now) for family in FAMILIES}

    def _look(self) -> list[FoundFile]:
        try:
            files = look(self.folder)
            # A listing taken while files are renamed can miss one or show it twice, and then newer lines would be read
            # before older ones. So a listing that differs from the last one counts only once it is seen again.
            for _ in range(SETTLING_LOOKS):
                listed = {file.path: file.identity for file in files}
                if listed == self._listed:
                    break
                self._listed = listed
                files = look(self.folder)
        except OSError as error:
            why, place = reason(error), str(self.folder)
            told = f"The log folder {place} cannot be read: {why}."
            self.problem = Trouble.of("folder_unreadable", told, place=place, reason=why)
            return []
        self.problem = None
        return files
