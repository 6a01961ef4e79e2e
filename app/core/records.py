"""Lines to records: timestamp, severity and body, with the continuation lines that belong to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that a log says.

    ``at`` is UTC, ``body`` the text after the prefix, ``more`` the continuation lines of a body that opens a block.
    ``offset`` (bytes) and ``line`` (from 1) are those of its first line within the source.
    """

    at: datetime
    severity: str
    body: str
    offset: int
    line: int
    more: tuple[str, ...] = ()
