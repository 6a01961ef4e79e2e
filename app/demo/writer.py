"""Log folders: a history written at once, and a live one that goes on growing."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from app.demo.cases import demo_config
from app.demo.simulation import Simulation
from app.demo.titles import SessionFiles
from app.demo.world import MAIN, Line
from app.errors import WrongUsage

ROTATE_AT = 10 * 1024 * 1024
"""The app starts a new main.log at about 10 MB."""

MARK = ".seatwatch-demo"
"""A folder with this file in it holds made-up logs and may be written over."""


class LogFolder:
    """Appends lines to the files of a log folder as the app does: handles stay open, a full main.log is renamed.

    Raises WrongUsage for a folder that holds logs which no demo wrote. Earlier logs of a demo are removed.
    """

    def __init__(self, folder: Path, rotate_at: int = ROTATE_AT, overlap_lines: int = 0) -> None:
        self.folder = folder
        self.rotations = 0
        self._rotate_at = rotate_at
        self._recent: deque[bytes] = deque(maxlen=overlap_lines)
        self._open: dict[str, BinaryIO] = {}
        _claim(folder)

    def append(self, lines: list[Line]) -> None:
        """Append these lines and hand them to the system, so that whoever reads the files sees them."""
        for line in lines:
            self._write(line.file, line.text.encode())
        for handle in self._open.values():
            handle.flush()

    def close(self) -> None:
        """Close the files. What was appended stays."""
        for handle in self._open.values():
            handle.close()
        self._open.clear()

    def _write(self, name: str, text: bytes) -> None:
        handle = self._handle(name)
        if name == MAIN:
            if handle.tell() >= self._rotate_at:
                handle = self._rotate()
            self._recent.append(text)
        handle.write(text)

    def _rotate(self) -> BinaryIO:
        # Windows renames no open file, so it is closed first; the app's own handle follows the same order.
        self._open.pop(MAIN).close()
        archives = sorted(self.folder.glob("main[0-9]*.log"), key=_number, reverse=True)
        for archive in archives:
            archive.rename(self.folder / f"main{_number(archive) + 1}.log")
        (self.folder / MAIN).rename(self.folder / "main1.log")
        self.rotations += 1
        handle = self._handle(MAIN)
        handle.write(b"".join(self._recent))
        return handle

    def _handle(self, name: str) -> BinaryIO:
        if name not in self._open:
            self._open[name] = (self.folder / name).open("ab")
        return self._open[name]


def write_history(
    folder: Path,
    simulation: Simulation,
    until: datetime,
    *,
    rotate_at: int = ROTATE_AT,
    overlap_lines: int = 0,
    sessions_root: Path | None = None,
) -> datetime:
    """Write the story up to ``until`` into ``folder``; the instant it ends at, later when the app had just crashed.

    ``overlap_lines`` repeats so many of the last records at the start of the file that follows a rotation.
    ``sessions_root`` is where the session files go; None: beside the folder.
    """
    log = LogFolder(folder, rotate_at, overlap_lines)
    try:
        log.append(list(simulation.lines(until)))
        log.append(simulation.settle())
    finally:
        log.close()
    SessionFiles(sessions_root or folder.parent).write(simulation.world)
    return simulation.now


class DemoWriter:
    """A log folder that lives: it begins with some hours that end now, then goes on in real time times ``speed``.

    Drive it with `advance`, or let `start` and `stop` run a thread that does. Use it as a context manager to be sure
    that its files are closed. ``failure`` is what ended the thread early (disk full, folder gone), None if nothing did.
    Raises WrongUsage when the folder holds somebody's real logs or ``speed`` is not above 0.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        speed: float = 1.0,
        *,
        now: datetime | None = None,
        history: timedelta = timedelta(hours=2),
        rotate_at: int = ROTATE_AT,
        sessions_root: Path | None = None,
        zone: str = "UTC",
    ) -> None:
        if not speed > 0:
            raise WrongUsage("The demo cannot run.", f"A speed of {speed} moves no clock.", "Give a speed above 0.")
        self._began = (now or datetime.now(UTC)).replace(microsecond=0)
        self._speed = speed
        self._session_files = SessionFiles(sessions_root or folder.parent)
        self._log = LogFolder(folder, rotate_at)
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self.failure: OSError | None = None
        self.simulation = Simulation(seed, replace(demo_config(self._began - history), zone=zone))
        self.advance(self._began)

    def advance(self, to: datetime) -> list[Line]:
        """Append what happens up to ``to`` (story time); going back appends nothing. What was appended."""
        lines = self.simulation.advance(to) + self.simulation.settle()
        self._log.append(lines)
        if lines:
            self._session_files.write(self.simulation.world)
        return lines

    def start(self) -> None:
        """Go on by itself, in a thread of its own, until `stop`."""
        if self._thread is None:
            self._wake.clear()
            self._thread = threading.Thread(target=self._run, name="seatwatch-demo", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop going on and close the files. Stopping twice does no harm."""
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self) -> None:
        opened = datetime.now(UTC)
        offset = self.simulation.now
        try:
            while not self._wake.wait(min(1.0, 1.0 / self._speed)):
                self.advance(offset + (datetime.now(UTC) - opened) * self._speed)
        except OSError as failure:
            self.failure = failure


def _claim(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mark, logs = folder / MARK, sorted(folder.glob("*.log"))
    if logs and not mark.exists():
        raise WrongUsage(
            f"The demo does not write into {folder}.",
            f"It holds {logs[0].name}, which no demo wrote.",
            "Name an empty folder.",
        )
    for log in logs:
        log.unlink()
    mark.write_text("Made-up logs of Seatwatch's demo. Nothing in here happened.\n", encoding="utf-8")


def _number(archive: Path) -> int:
    return int(archive.stem.removeprefix("main"))
