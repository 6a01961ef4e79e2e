"""Windows by psutil; also what any other system gets, as far as psutil serves it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.core.samples import Unknown
from app.probes.psutil_table import PsutilProcesses, Table, connected, the_table
from app.probes.system import Connection, Key, Memory, Platform, level_by_share, unknown_of


class WindowsSystem(PsutilProcesses):
    """`app.probes.system.System` of Windows. psutil has the memory of protected processes (``vmmem``) too."""

    def __init__(self, platform: Platform = "windows", table: Table | None = None) -> None:
        super().__init__(table or the_table())
        self.platform: Platform = platform

    def memory(self) -> Memory:
        """Windows has no levels: the app judges by the share that is available, and so do we."""
        table, swap = self.table, None
        unknown = [Unknown("compressed", "platform", "Windows does not tell it")]
        whole = table.virtual_memory()
        try:
            swap = table.swap_memory().used
        except (table.Error, OSError) as error:
            unknown.append(unknown_of("swap", error))
        level = level_by_share(whole.total, whole.available)
        return Memory(whole.total, whole.available, swap, None, level, "available", tuple(unknown))

    def traces(self, pid: int) -> Sequence[str]:
        """None: to ask Windows for another process's files can hang."""
        return ()

    def blind_spots(self) -> tuple[Unknown, ...]:
        """None: names, parents and memory are open to everybody."""
        return ()

    def connections(self) -> Sequence[Connection]:
        """All of the machine, each with the process that owns it."""
        return connected((one, one.pid or 0) for one in self.table.net_connections("tcp"))

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        """By the owner that each came with."""
        return frozenset(row.key for row in rows if row.tag in pids)
