"""How many lines of which kind a log has: every line counts here, whether anybody reads it or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

MAX_KINDS = 500
"""Kept apart; the rest is "other". A real log has about 150 pairs of severity and scope."""

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Tally:
    """Line counts of a stretch of log; two of them add up.

    ``counts`` is by (severity, scope), where scope is the ``[Scope]`` tag without brackets, "" for none. ``continued``
    are lines without a prefix after a record, ``unprefixed`` those before any, ``cut`` those of either sort that were
    longer than what is kept of a line. ``last_at`` is the newest line's instant in UTC. ``look_alikes`` are lines that
    look like a rate limit, whether they are one or not.
    """

    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    continued: int = 0
    unprefixed: int = 0
    cut: int = 0
    last_at: datetime | None = None
    look_alikes: int = 0

    @property
    def lines(self) -> int:
        """All lines."""
        return sum(self.counts.values()) + self.continued + self.unprefixed

    def __add__(self, other: Tally) -> Tally:
        """Both stretches together; ``other`` is the later one."""
        counts = dict(self.counts)
        for kind, number in other.counts.items():
            add(counts, kind, number)
        return Tally(
            counts,
            self.continued + other.continued,
            self.unprefixed + other.unprefixed,
            self.cut + other.cut,
            other.last_at or self.last_at,
            self.look_alikes + other.look_alikes,
        )


def add(counts: dict[tuple[str, str], int], kind: tuple[str, str], number: int) -> None:
    """Count ``number`` lines of ``kind`` (severity, scope), as "other" when there are too many kinds already."""
    if kind not in counts and len(counts) >= MAX_KINDS:
        kind = (OTHER, OTHER)
    counts[kind] = counts.get(kind, 0) + number
