"""Processes and their connections by psutil, for the systems whose tables cannot be read as text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol

from app.probes.addresses import unmapped
from app.probes.system import Birth, Connection, Key, Now

if TYPE_CHECKING:
    import psutil

_STATES = {
    "FIN_WAIT_1": "FIN_WAIT1", "FIN_WAIT_2": "FIN_WAIT2", "SYN_RECEIVED": "SYN_RECV", "NEW_SYN_RECV": "SYN_RECV",
    "CLOSED": "CLOSE"
}  # fmt: skip
"""Other systems' words for the states that Linux names `app.probes.linux_net.STATES`."""
_UNCONNECTED = frozenset({"LISTEN", "CLOSE", "NONE", "DELETE_TCB", "BOUND", "IDLE"})


class Table(Protocol):
    """What is used of psutil, so that recorded answers can stand in for it."""

    @property
    def Error(self) -> type[Exception]:  # noqa: N802 - psutil's own name
        """What psutil raises for a process that is gone or not ours to see."""
        ...

    @property
    def AccessDenied(self) -> type[Exception]:  # noqa: N802 - psutil's own name
        """The one of these for what is not ours to see."""
        ...

    def pids(self) -> list[int]:
        """All processes."""
        ...

    def Process(self, pid: int) -> psutil.Process:  # noqa: N802 - psutil's own name
        """One of them."""
        ...

    def virtual_memory(self) -> Any:
        """Total and available memory in bytes."""
        ...

    def swap_memory(self) -> Any:
        """Swap in use in bytes."""
        ...

    def net_connections(self, kind: str) -> Iterable[Any]:
        """The connections of the whole machine."""
        ...


def the_table() -> Table:
    """psutil itself, loaded at first use: it takes 20 ms, and nothing needs it before the first look."""
    import psutil  # noqa: PLC0415

    table: Table = psutil
    return table


class PsutilProcesses:
    """The processes of `app.probes.system.System` by psutil; ``footprint`` adds macOS's own figure."""

    def __init__(self, table: Table, footprint: Callable[[int], int | None] | None = None) -> None:
        self.table = table
        self._footprint = footprint
        self._parents: dict[int, int] = {}
        self._errors: tuple[type[Exception], ...] = (table.Error, OSError)

    def pids(self) -> Sequence[int]:
        """All processes. The parents of all of them come from one call where psutil has it.

        On Windows psutil lists every process to find the parent of one; for each of 400 that would take a second.
        """
        listed = getattr(self.table, "_ppid_map", None)
        self._parents = dict(listed()) if callable(listed) else {}
        return list(self._parents) or self.table.pids()

    def birth(self, pid: int) -> Birth | None:
        """What it is. Other users' processes keep their path and arguments to themselves."""
        try:
            process = self.table.Process(pid)
            with process.oneshot():
                created, parent = process.create_time(), self._parent(process)
                name, exe = process.name(), ""
                argv: tuple[str, ...] = ()
                with suppress(*self._errors):
                    exe = process.exe() or ""
                with suppress(*self._errors):
                    argv = tuple(process.cmdline())
        except self._errors:
            return None
        return Birth(pid, created, parent, name, exe, argv)

    def now(self, pid: int) -> Now | None:
        """Its parent and memory; memory that may not be seen is 0. One that has ended is gone, noticed or not."""
        try:
            process, rss = self.table.Process(pid), 0
            with process.oneshot():
                created, parent = process.create_time(), self._parent(process)
                with suppress(self.table.AccessDenied):
                    rss = process.memory_info().rss
        except self._errors:
            return None
        return Now(created, parent, rss, self._footprint(pid) if self._footprint else None)

    def exe(self, pid: int) -> str:
        """Its program; empty when it is gone or another user's."""
        try:
            return self.table.Process(pid).exe() or ""
        except self._errors:
            return ""

    def connections_of(self, pid: int) -> list[Connection]:
        """Its connections; none when it is gone or another user's."""
        try:
            return connected((one, 0) for one in self.table.Process(pid).net_connections("tcp"))
        except self._errors:
            return []

    def _parent(self, process: psutil.Process) -> int:
        known = self._parents.get(process.pid)
        return process.ppid() if known is None else known


def connected(found: Iterable[tuple[Any, int]]) -> list[Connection]:
    """psutil's connections with the tag of each, without those that have no remote end."""
    rows: list[Connection] = []
    for one, tag in found:
        state = state_named(one.status)
        if state is not None and one.raddr:
            rows.append(connection((*one.laddr[:2], *one.raddr[:2]), state, tag))
    return rows


def connection(ends: Sequence[Any], state: str, tag: int = 0) -> Connection:
    """A connection by its ends; ValueError when the remote one is no address."""
    local, local_port, remote, port = ends
    beyond = unmapped(remote)
    if beyond is None:
        raise ValueError(f"no address: {remote}")
    family: Literal[4, 6] = 4 if beyond.version == 4 else 6
    return Connection(family, (str(unmapped(local) or local), int(local_port), str(beyond), int(port)), state, tag)


def state_named(word: str) -> str | None:
    """The state of a connection by any system's word for it; None when it says that there is none."""
    plain = word.upper()
    state = _STATES.get(plain, plain)
    return None if state in _UNCONNECTED else state


def union(rows: Iterable[Collection[Connection]]) -> frozenset[Key]:
    """The identities of all of them."""
    return frozenset(row.key for some in rows for row in some)
