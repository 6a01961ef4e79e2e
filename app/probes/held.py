"""Connections over time: who owns them, when they closed, and which the router still keeps. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TypeAlias

from app.core.ports import HOLD
from app.core.samples import Tcp
from app.probes.system import Connection, Key

Owned: TypeAlias = Callable[[Sequence[Connection]], frozenset[Key]]

MOST = 65_536
"""Connections that are remembered: no home has more ports than that."""
_OVER = frozenset({"TIME_WAIT"})
"""Both ends have closed: the router counts its time from here, as we do."""


@dataclass(slots=True)
class _Held:
    row: Connection
    claude: bool
    closed_at: datetime | None


class Ledger:
    """What was seen of each connection. A connection keeps its owner when it is closed and nobody's any more."""

    def __init__(self, hold: timedelta = HOLD) -> None:
        self._hold = hold
        self._seen: dict[Key, _Held] = {}
        self._pids: frozenset[int] = frozenset()

    def take(self, at: datetime, rows: Sequence[Connection], pids: frozenset[int], owned: Owned) -> None:
        """The connections that there are at ``at``. ``owned`` is asked only when somebody new may own one."""
        # One that was somebody else's may turn out to be Claude's when its process is known for what it is.
        grown = not pids <= self._pids
        self._pids = pids
        asked = [row for row in rows if self._is_new(row) or (grown and not self._is_claudes(row.key))]
        mine = owned(asked) if asked and pids else frozenset()
        for row in rows:
            self._enter(at, row, row.key in mine)
        self._close(at, {row.key for row in rows})

    def _is_new(self, row: Connection) -> bool:
        """Whether nobody knows whose it is: it was never seen, or its ends are those of one that had closed."""
        seen = self._seen.get(row.key)
        return seen is None or (seen.closed_at is not None and row.state not in _OVER)

    def _enter(self, at: datetime, row: Connection, claude: bool) -> None:
        seen = self._seen.get(row.key)
        if seen is None or self._is_new(row):
            self._seen[row.key] = _Held(row, claude, at if row.state in _OVER else None)
            return
        seen.row, seen.claude = row, seen.claude or claude
        seen.closed_at = (seen.closed_at or at) if row.state in _OVER else None

    def _close(self, at: datetime, here: set[Key]) -> None:
        for key, held in list(self._seen.items()):
            if key in here:
                continue
            # A clock that was set back must not hold a connection for an hour.
            held.closed_at = min(held.closed_at or at, at)
            if held.row.family == 6 or at - held.closed_at >= self._hold:
                del self._seen[key]
        for key in list(self._seen)[: max(len(self._seen) - MOST, 0)]:
            del self._seen[key]

    def counted(self, rows: Iterable[Connection], *, claude: bool = False) -> Tcp:
        """``rows`` by family and state, with those that are held besides; those of the Claude processes alone."""
        here = {row.key: row for row in rows if not claude or self._is_claudes(row.key)}
        held = [one for key, one in self._seen.items() if key not in here and (one.claude or not claude)]
        states = {family: Counter(row.state for row in here.values() if row.family == family) for family in (4, 6)}
        remotes = {row.remote for row in here.values() if row.family == 4}
        return Tcp(_frozen(states[4]), _frozen(states[6]), len(remotes), len(held))

    def _is_claudes(self, key: Key) -> bool:
        seen = self._seen.get(key)
        return seen is not None and seen.claude


def _frozen(counts: Counter[str]) -> Mapping[str, int]:
    return MappingProxyType(dict(sorted(counts.items())))
