"""A log folder written piece by piece, and a pipeline that follows it with a real store, step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from app.beside import Beside
from app.core.batch import Batch
from app.core.events import Observed
from app.core.history import History
from app.core.recorder import Recorder
from app.core.state import State
from app.demo.cases import random_config
from app.demo.simulation import Simulation
from app.demo.world import Line
from app.demo.writer import LogFolder
from app.errors import DatabaseUnusable
from app.ingest.tailer import FolderTailer
from app.ingest.titles import SessionFiles
from app.live import Live, Snapshot
from app.pipeline import Pipeline
from app.reading import reading_for
from app.settings import resource_dir
from app.storage.store import Store
from tests.e2e.served import SESSION

ONE, TWO = (SESSION.format(number) for number in (1, 2))
LONG_AGO, FAR_OFF = datetime(2020, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)
MORE_THAN_PATIENCE = 60.0


class FullDisk(Store):
    """A store whose next ``failures`` commits find the disk full."""

    failures = 0

    def commit(self, *batches: Batch) -> int:
        if self.failures:
            self.failures -= 1
            raise DatabaseUnusable(self.path, "database or disk is full")
        return super().commit(*batches)


@dataclass
class Followed:
    """A pipeline on ``logs`` with the database ``path``. Its clock stands still until `settle`."""

    logs: Path
    path: Path
    zone: tzinfo = UTC
    places: Sequence[Path] = ()
    seconds: float = 0.0
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """A new process's beginning: everything anew, from the database alone."""
        database = FullDisk.open(self.path, resource_dir("migrations"))
        assert isinstance(database, FullDisk)
        self.store = database
        self.tailer = FolderTailer(
            self.logs, self.store.checkpoints().values(), reading_for(self.zone), lambda: self.seconds
        )
        self.live = Live(Snapshot(0, State(), Recorder(), folder=str(self.logs)))
        beside = Beside(SessionFiles(list(self.places)))
        self.pipeline = Pipeline(self.tailer, self.store, self.live, lambda: FAR_OFF, beside)
        self.pipeline.keeper._seconds = lambda: self.seconds

    def close(self) -> None:
        """The end of the process."""
        self.tailer.close()
        self.store.close()

    def catch_up(self, tell: Callable[[], object] = lambda: None) -> None:
        """Read what is there, as at a start."""
        self.pipeline.catch_up(tell, self.stop)

    def look(self) -> None:
        """Look once more, as while running."""
        asyncio.run(self.pipeline._look(self.stop))

    def settle(self) -> None:
        """Let time pass with nothing new, so that the last record waits for no continuation any more, and look."""
        self.look()
        self.seconds += MORE_THAN_PATIENCE
        self.look()

    @property
    def state(self) -> State:
        """What the pipeline holds true."""
        return self.pipeline.fold.state

    def window(self) -> History:
        """All of its history."""
        return self.pipeline.fold.history.window(LONG_AGO, FAR_OFF)

    def stored(self) -> list[Observed]:
        """All events in the database, in the order of the fold."""
        return list(self.store.replay())


def write_until(folder: LogFolder, lines: Sequence[Line], start: int, end: int) -> None:
    """Write the bytes of ``lines`` from ``start`` to ``end``, counted over all of them, at the same moments.

    Lines that are cut are appended past the folder's handles, which append too, so that each half lies in its place;
    the folder must be one without overlap, of which such a line would be missing.
    """
    position = 0
    for line in lines:
        text = line.text.encode()
        first, last = max(start - position, 0), min(end - position, len(text))
        position += len(text)
        if first >= last:
            continue
        if (first, last) == (0, len(text)):
            folder.append([line])
        else:
            with (folder.folder / line.file).open("ab") as file:
                file.write(text[first:last])


def told(seed: int, minutes: int) -> tuple[Simulation, list[Line], int]:
    """A machine's story, its lines, and how many bytes they are."""
    simulation = Simulation(seed, random_config(seed))
    lines = [*simulation.lines(simulation.config.start + timedelta(minutes=minutes)), *simulation.settle()]
    return simulation, lines, sum(len(one.text.encode()) for one in lines)


def line(second: int, body: str) -> str:
    """A line of main.log, so many seconds after nine."""
    return f"2026-10-02 09:{second // 60:02}:{second % 60:02} [info] {body}\n"


def begun(session: str, second: int) -> str:
    """A session gets its process."""
    return line(second, f"Starting local session {session} in /Users/someone/alpha")


def log_folder(place: Path) -> Path:
    """A folder with a main.log of one session."""
    folder = place / "logs"
    folder.mkdir()
    (folder / "main.log").write_text(begun(ONE, 1) + line(2, "[CCD] nothing"))
    return folder


def append(logs: Path, text: str) -> None:
    """Append to main.log as the app does."""
    with (logs / "main.log").open("a") as file:
        file.write(text)
