"""An app that writes main.log from a script of acts, as a process of its own, and keeps its own list of what it wrote.

``python -m tests.faults.writer FOLDER SCRIPT RECORD``: the script is a JSON list of acts, each a list of a method's
name and its arguments; the record is written at the end. Every line carries a number, so each is known again.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 10, 2, 9, 0)  # noqa: DTZ001 - log lines carry local time without a zone
LINES_PER_SECOND = 40
SESSIONS = 12
ODD = {"nul": b"a\x00b", "utf8": b"caf\xe9 \xff\xfe \xf0\x9f", "escape": b"\x1b[31m<script>"}


@dataclass
class Segment:
    """What one file was given until it was rotated or emptied: its bytes (as latin-1) and the numbers in them.

    ``emptied``: whatever a reader had not read by then is lost to it by nature.
    """

    text: str = ""
    numbers: list[int] = field(default_factory=list)
    emptied: bool = False


class LogWriter:
    """Holds ``main.log`` open for appending; ``keep`` is how many archives it leaves."""

    def __init__(self, folder: Path, keep: int = 99) -> None:
        self.folder = folder
        self.keep = keep
        self.now = START
        self.number = 0
        self._segments: list[tuple[bytearray, Segment]] = []
        self._half = b""
        self._open()

    def lines(self, count: int, crlf: bool = False) -> None:
        """So many lines, each by one write."""
        for _ in range(count):
            self._put(self._line(crlf))

    def burst(self, count: int, size: int = 65_536) -> None:
        """So many lines in writes of ``size`` bytes, which end anywhere within a line."""
        data = b"".join(self._line(crlf=False) for _ in range(count))
        for start in range(0, len(data), size):
            self._put(data[start : start + size])

    def half(self, cut: int) -> None:
        """The first bytes of a line; the rest comes with whatever is done next but a pause."""
        line = self._line(crlf=cut % 2 == 1)
        cut = 1 + cut % (len(line) - 1)
        self._put(line[:cut])
        self._half = line[cut:]

    def odd(self, kind: str) -> None:
        """A line with bytes that are no text."""
        self._put(self._line(crlf=False, more=b" " + ODD[kind]))

    def block(self, rows: int) -> None:
        """A line with continuation lines, in one write."""
        self._put(self._line(crlf=False) + b"".join(b"  row %d\n" % row for row in range(rows)))

    def long(self, size: int) -> None:
        """A line of so many bytes."""
        self._put(self._line(crlf=False, more=b" " + b"x" * size))

    def rotate(self, times: int = 1) -> None:
        """Rename the file and its archives, and go on in a new one."""
        for _ in range(times):
            self._finish()
            os.close(self._file)
            for number in range(self.keep, -1, -1):
                old = self._path(number)
                if number == self.keep:
                    old.unlink(missing_ok=True)
                elif old.exists():
                    old.replace(self._path(number + 1))
            self._open()

    def truncate(self) -> None:
        """Empty the file in place."""
        self._finish()
        self._segments[-1][1].emptied = True
        os.ftruncate(self._file, 0)
        self._segments.append((bytearray(), Segment()))

    def back(self, seconds: int) -> None:
        """The clock is set back."""
        self.now -= timedelta(seconds=seconds)

    def forward(self, seconds: int) -> None:
        """Time passes."""
        self.now += timedelta(seconds=seconds)

    def pause(self, milliseconds: int) -> None:
        """Nothing happens; a half line stays one."""
        time.sleep(milliseconds / 1000)

    def close(self) -> list[Segment]:
        """End, and give out what was written."""
        self._finish()
        os.close(self._file)
        for data, segment in self._segments:
            segment.text = data.decode("latin-1")
        return [segment for _, segment in self._segments]

    def _line(self, crlf: bool, more: bytes = b"") -> bytes:
        self._finish()
        self.number += 1
        if self.number % LINES_PER_SECOND == 0:
            self.now += timedelta(seconds=1)
        session = f"local_00000000-0000-4000-8000-{self.number * 7 % SESSIONS:012}"
        bodies = (
            f"[CliGovernor] at cap=8; would evict {session} (idle {self.number}s) for user spawn",
            f"[CliGovernor] never heard of {self.number} s",
            f"[CCD] nothing of interest in {self.number} s",
            f"Starting local session {session} in /Users/someone/{self.number}/x",
        )
        body = bodies[1 if more else self.number % 4]
        if "nothing" not in body:
            self._segments[-1][1].numbers.append(self.number)
        return f"{self.now} [info] {body}".encode() + more + (b"\r\n" if crlf else b"\n")

    def _put(self, data: bytes) -> None:
        self._segments[-1][0].extend(data)
        while data:
            data = data[os.write(self._file, data) :]

    def _finish(self) -> None:
        data, self._half = self._half, b""
        self._put(data)

    def _open(self) -> None:
        self._file = os.open(self._path(0), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._segments.append((bytearray(), Segment()))

    def _path(self, archive: int) -> Path:
        return self.folder / f"main{archive or ''}.log"


def perform(folder: Path, script: list[list[Any]]) -> list[Segment]:
    """Do all acts of the script in ``folder``; what was written."""
    writer = LogWriter(folder)
    for name, *arguments in script:
        getattr(writer, name)(*arguments)
    return writer.close()


if __name__ == "__main__":
    where, acts, told = map(Path, sys.argv[1:])
    written = perform(where, json.loads(acts.read_text()))
    told.write_text(json.dumps([asdict(segment) for segment in written]))
