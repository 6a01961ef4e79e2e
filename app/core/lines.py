"""Chunks to lines: bytes framed on ``\\n`` before anything is decoded.

A read may end anywhere, in the middle of a character too, so the half line at the end is held until the rest of it
comes. It is held for ever if need be: a half line is not a fact. Only `Framer.finish` gives it out, for a file that is
known to be over.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LINE = 64 * 1024
"""Bytes that are kept of one line. The longest real ones (stack traces, JSON of a service) have a few KiB."""

CUT_MARK = "…".encode()
"""Stands at the end of a line that was longer."""

SHORTEST_CUT = MAX_LINE - 16
"""No cut line is shorter, even after a mark of encoding or a tag was taken off its front."""


def is_cut(raw: bytes) -> bool:
    """Whether ``raw`` is the beginning of a line that was longer than `MAX_LINE`."""
    return len(raw) > SHORTEST_CUT and raw.endswith(CUT_MARK)


class Line(NamedTuple):
    """One line without its line end. ``offset`` (bytes) and ``number`` (from 1) are those of its start in the file."""

    offset: int
    number: int
    raw: bytes


# `Line._make` would run Python code for each line; this is the same thing at a third of the time.
_line_of = partial(tuple.__new__, Line)


class Run(NamedTuple):
    """Consecutive lines as columns: line ``i`` is ``raws[i]``, its number ``number + i``, its offset ``start(i)``.

    The same as a list of `Line` without an object for each, which is most of the time that framing takes. ``before[i]``
    is that offset less the ``i`` line ends before it, ``longest`` the bytes of the longest line or more.
    """

    before: list[int]
    number: int
    raws: list[bytes]
    longest: int

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Run:
        """The run of ``lines``, which follow each other in one file."""
        raws = [line.raw for line in lines]
        before = [line.offset - place for place, line in enumerate(lines)]
        return cls(before, lines[0].number if lines else 1, raws, max(map(len, raws), default=0))

    def start(self, place: int) -> int:
        """The offset of the line in this place; a place behind the last one is where the run ends."""
        return self.before[place] + place

    def split(self, place: int) -> tuple[Run, Run]:
        """The first ``place`` lines, and the others."""
        before = [less + place for less in self.before[place:]]
        rest = Run(before, self.number + place, self.raws[place:], self.longest)
        return Run(self.before[:place], self.number, self.raws[:place], self.longest), rest


class Framer:
    """Turns the chunks of one file into lines; ``offset`` and ``number`` say where to resume.

    Both name the start of the half line: what `feed` has given out ends just before it. ``cut`` counts lines that were
    longer than `MAX_LINE`; the rest of such a line is passed over and costs no memory.
    """

    def __init__(self, offset: int = 0, number: int = 1) -> None:
        self.offset = offset
        self.number = number
        self.cut = 0
        self._held = bytearray()
        self._held_size = 0

    @property
    def half(self) -> int:
        """Bytes of the half line so far, those passed over included."""
        return self._held_size

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that ``chunk`` completes, in order."""
        run = self.frame(chunk)
        starts = map(add, run.before, count())
        return list(map(_line_of, zip(starts, count(run.number), run.raws, strict=False)))

    def frame(self, chunk: bytes) -> Run:
        """The same as columns, for who reads megabytes."""
        end = chunk.rfind(b"\n")
        if end < 0:
            self._hold(chunk)
            return Run([self.offset], self.number, [], 0)
        pieces = chunk[:end].split(b"\n")
        sizes = list(map(len, pieces))
        # One byte is found a hundred times as fast as two, and most logs have no carriage return.
        if b"\r" in chunk and b"\r\n" in chunk:
            pieces = [piece.removesuffix(b"\r") for piece in pieces]
        if self._held_size:
            self._hold(chunk[: sizes[0]])
            pieces[0] = bytes(self._held).removesuffix(b"\r")
            sizes[0] = self._held_size
        longest = max(sizes)
        if longest > MAX_LINE:
            pieces = [self._bounded(piece) for piece in pieces]
        run = Run(list(accumulate(sizes, initial=self.offset)), self.number, pieces, longest)
        self._begin(run.start(len(pieces)), self.number + len(pieces), chunk[end + 1 :])
        return run

    def finish(self) -> list[Line]:
        """The half line, for a file that will not grow any more; nothing when the file ended with a line end."""
        if not self._held_size:
            return []
        raw = self._bounded(bytes(self._held).removesuffix(b"\r"))
        line = Line(self.offset, self.number, raw)
        self._begin(self.offset + self._held_size, self.number + 1, b"")
        return [line]

    def _begin(self, offset: int, number: int, start: bytes) -> None:
        self.offset = offset
        self.number = number
        self._held = bytearray()
        self._held_size = 0
        self._hold(start)

    def _hold(self, piece: bytes) -> None:
        # One byte over the bound, so that a carriage return in that place still counts as part of the line end.
        room = MAX_LINE + 1 - len(self._held)
        self._held += piece[:room]
        self._held_size += len(piece)

    def _bounded(self, piece: bytes) -> bytes:
        if len(piece) <= MAX_LINE:
            return piece
        self.cut += 1
        return piece[:MAX_LINE] + CUT_MARK
