"""How far a long history has been read: one line on a terminal, drawn again and again, and gone in the end.

Rich draws it and keeps to ``NO_COLOR``, ``TERM=dumb`` and ``TTY_INTERACTIVE``. It is imported only where there is
something to show, since serving needs nothing else of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from app.reading import PIECE_BYTES

if TYPE_CHECKING:
    from rich.progress import Progress

STEP_SECONDS = 0.1
"""The line is drawn so often at most: reading must not wait for a slow terminal, such as one behind a network."""


@contextmanager
def reading_shown(stream: TextIO, seconds: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int], None]]:
    """What takes how many bytes are left to be read, the first time all of them, and shows it on ``stream``.

    Nothing is written where that is no terminal, and nothing of what is read in one go: the line would never move.
    ``seconds`` only grow.
    """
    line = _Line(stream, seconds)
    try:
        yield line.tell
    finally:
        line.erase()


class _Line:
    def __init__(self, stream: TextIO, seconds: Callable[[], float]) -> None:
        self._stream = stream
        self._seconds = seconds
        self._whole: int | None = None
        self._drawn_at = 0.0
        self._progress: Progress | None = None

    def tell(self, left: int) -> None:
        """Draw what is read by now. A log that grows meanwhile makes the rest larger, and never more than all."""
        if self._whole is None:
            self._whole = left
            if left > PIECE_BYTES and self._stream.isatty():
                self._progress = _begun(self._stream)
        elif self._seconds() - self._drawn_at < STEP_SECONDS:
            return
        if self._progress is None:
            return
        self._drawn_at = self._seconds()
        self._whole = whole = max(self._whole, left)
        shown: dict[str, Any] = {"read": (whole - left) // 1_000_000, "whole": whole // 1_000_000}
        if not self._progress.task_ids:
            self._progress.add_task("", total=whole, **shown)
            self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=whole - left, total=whole, refresh=True, **shown)

    def erase(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def _begun(stream: TextIO) -> Progress | None:
    """A line of Rich, not drawn yet; None where the terminal cannot draw over what it has, or is told not to."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415
    from rich.table import Column  # noqa: PLC0415

    console = Console(file=stream)
    if not console.is_interactive:
        return None
    return Progress(
        TextColumn("Reading {task.fields[read]} of {task.fields[whole]} MB"),
        TextColumn("{task.percentage:3.0f} %", table_column=Column(min_width=5)),
        BarColumn(complete_style="cyan", finished_style="cyan"),  # the usual red looks like trouble
        console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
