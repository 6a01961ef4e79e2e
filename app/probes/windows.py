"""Windows by psutil; also what any other system gets, as far as psutil serves it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.core.samples import Unknown
from app.probes.psutil_table import PsutilProcesses, Table, connected, the_table
from app.probes.system import Birth, Connection, Key, Memory, Now, Platform, level_by_share, unknown_of


class WindowsSystem:
    """`app.probes.system.System` of Windows."""

    def __init__(self, platform: Platform = "windows", table: Table | None = None) -> None:
        self.platform: Platform = platform
        self._processes = PsutilProcesses(table or the_table())

    def memory(self) -> Memory:
        """Windows has no levels: the app judges by the share that is available, and so do we."""
        table, swap = self._processes.table, None
        unknown = [Unknown("compressed", "platform", "Windows does not tell it")]
        whole = table.virtual_memory()
        try:
            swap = table.swap_memory().used
        except (table.Error, OSError) as error:
            unknown.append(unknown_of("swap", error))
        level = level_by_share(whole.total, whole.available)
        return Memory(whole.total, whole.available, swap, None, level, "available", tuple(unknown))

    def pids(self) -> Sequence[int]:
        """All processes."""
        return self._processes.pids()

    def birth(self, pid: int) -> Birth | None:
        """By psutil."""
        return self._processes.birth(pid)

    def now(self, pid: int) -> Now | None:
        """By psutil; the memory of protected processes (``vmmem``) comes from the list of all processes."""
        return self._processes.now(pid)

    def traces(self, pid: int) -> Sequence[str]:
        """None: to ask Windows for another process's files can hang."""
        return ()

    def blind_spots(self) -> tuple[Unknown, ...]:
        """None: names, parents and memory are open to everybody."""
        return ()

    def connections(self) -> Sequence[Connection]:
        """All of the machine, each with the process that owns it."""
        return connected((one, one.pid or 0) for one in self._processes.table.net_connections("tcp"))

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        """By the owner that each came with."""
        return frozenset(row.key for row in rows if row.tag in pids)
