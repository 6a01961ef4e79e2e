"""Rows that stand at the end of an archive and again at the start of the file after it: one fact, written twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LOOK_BYTES = 256 * 1024
"""How far each side is searched: about 2,000 lines, far more than a log writer repeats."""

MIN_ROWS = 2
"""A single equal row is more often two facts within a second than a repetition."""


class Overlap(NamedTuple):
    """What to pass over at the start of the newer file."""

    size: int = 0
    rows: int = 0


def overlap(older_end: bytes, newer_start: bytes, *, older_is_whole: bool) -> Overlap:
    """The longest block of whole rows that ends ``older_end`` and starts ``newer_start``, byte for byte.

    ``older_is_whole`` says that ``older_end`` begins where a row does. A last row of the older file without its line
    end counts as a row; one of the newer file does not, since it may grow.
    """
    older = older_end.split(b"\n")
    if not older_is_whole:
        older = older[1:]
    if older and not older[-1]:
        older.pop()
    newer = newer_start.split(b"\n")[:-1]
    rows = _longest_border(newer, older)
    if rows < MIN_ROWS:
        return Overlap()
    return Overlap(sum(len(row) + 1 for row in newer[:rows]), rows)


def _longest_border(start: Sequence[bytes], end: Sequence[bytes]) -> int:
    """The largest n for which ``start[:n] == end[-n:]``, in linear time."""
    fallback = [0] * len(start)  # for each prefix of start: its longest border, to fall back to on a mismatch
    length = 0
    for place in range(1, len(start)):
        while length and start[place] != start[length]:
            length = fallback[length - 1]
        length += start[place] == start[length]
        fallback[place] = length
    length = 0
    for row in end:
        while length and (length == len(start) or row != start[length]):
            length = fallback[length - 1]
        length += bool(start) and row == start[length]
    return length
