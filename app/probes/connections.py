"""TCP connections through the router, every ten seconds: of the Claude processes, and of the whole machine.

What opens and closes between two looks is seen while it waits in TIME_WAIT, a minute on most systems; one that the
other end closed first leaves no such trace and is missed. No address is kept beyond this module: samples have counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from app.core.ports import HOLD
from app.core.samples import ConnectionsSample, Unknown
from app.probes.addresses import through_router
from app.probes.held import Ledger
from app.probes.system import Connection, Key, System, unknown_of


class ConnectionsProbe:
    """Counts by state and family. ``everywhere`` counts what does not pass the router too, for tests on loopback."""

    def __init__(self, system: System, *, hold: timedelta = HOLD, everywhere: bool = False) -> None:
        self._system = system
        self._ledger = Ledger(hold)
        self._everywhere = everywhere
        self._blind: tuple[Unknown, ...] | None = None

    def look(self, at: datetime, pids: Collection[int] = ()) -> ConnectionsSample:
        """What is connected now. ``pids`` are the Claude processes: `app.probes.processes` knows them."""
        try:
            return self._look(at, frozenset(pids))
        except Exception as error:
            # A table that breaks in the middle is looked at again in ten seconds.
            return ConnectionsSample(at, unknown=(unknown_of("connections", error),))

    def _look(self, at: datetime, pids: frozenset[int]) -> ConnectionsSample:
        rows = [row for row in self._system.connections() if self._everywhere or through_router(row.remote)]
        rows = list({row.key: row for row in rows}.values())

        def owned(asked: Sequence[Connection]) -> frozenset[Key]:
            return self._system.owned(pids, asked)

        self._ledger.take(at, rows, pids, owned)
        if self._blind is None:
            self._blind = tuple(Unknown("host_connections", one.reason) for one in self._system.blind_spots())
        return ConnectionsSample(at, self._ledger.counted(rows, claude=True), self._ledger.counted(rows), self._blind)
