"""macOS: the kernel's own level of pressure, psutil for processes, ``netstat`` for connections of the machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from app.core.samples import HostLevel, Unknown
from app.probes import macos_calls
from app.probes.psutil_table import PsutilProcesses, Table, connection, state_named, the_table, union
from app.probes.system import Connection, Key, Memory, Platform, run_command, unknown_of

LEVEL = "kern.memorystatus_vm_pressure_level"
LEVELS: dict[int, HostLevel] = {1: "normal", 2: "warning", 4: "critical"}
"""As the kernel numbers them; it tells the same levels to every app that asks to be told."""
COMPRESSED = "vm.compressor_bytes_used"
NETSTAT = "/usr/sbin/netstat"

_PORT = re.compile(r"(.+)\.(\d{1,5}|\*)")


class MacSystem(PsutilProcesses):
    """`app.probes.system.System` of macOS."""

    platform: Platform = "macos"

    def __init__(
        self,
        table: Table | None = None,
        run: Callable[..., str] = run_command,
        value: Callable[[str], int] = macos_calls.kernel_value,
        footprint: Callable[[int], int | None] = macos_calls.footprint,
        responsible: Callable[[int], int | None] = macos_calls.responsible,
    ) -> None:
        super().__init__(table or the_table(), footprint)
        self._run = run
        self._value = value
        self._responsible = responsible

    def memory(self) -> Memory:
        """Available is free and inactive: free pages alone are near none on a healthy Mac."""
        table, unknown = self.table, []
        whole = table.virtual_memory()
        try:
            level = LEVELS[self._value(LEVEL)]
        except (OSError, KeyError) as error:
            level = "unknown"
            unknown.append(unknown_of("pressure", error))
        swap = compressed = None
        try:
            swap = table.swap_memory().used
        except (table.Error, OSError) as error:
            unknown.append(unknown_of("swap", error))
        try:
            compressed = self._value(COMPRESSED)
        except OSError as error:
            unknown.append(unknown_of("compressed", error))
        origin = "none" if level == "unknown" else LEVEL
        return Memory(whole.total, whole.available, swap, compressed, level, origin, tuple(unknown))

    def traces(self, pid: int) -> Sequence[str]:
        """The program that macOS holds responsible: every machine's own parent is launchd.

        Its open files would tell as well, but to look at a file within another app's folder makes macOS ask the user.
        """
        above = self._responsible(pid)
        exe = self.exe(above) if above is not None and above != pid else ""
        return (exe,) if exe else ()

    def blind_spots(self) -> tuple[Unknown, ...]:
        """Other users' processes show neither memory nor path; the user's own show all that is needed."""
        return ()

    def connections(self) -> Sequence[Connection]:
        """By ``netstat``, which tells every user of all connections; psutil would have to be root."""
        try:
            return parse_netstat(self._run(NETSTAT, "-anlW", "-p", "tcp"))
        except TimeoutError:
            raise
        except OSError:
            # A version that has no letters against cutting long IPv6 addresses short.
            return parse_netstat(self._run(NETSTAT, "-an", "-p", "tcp"))

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        """By the descriptors of these processes."""
        return union(self.connections_of(pid) for pid in pids) & {row.key for row in rows}


def parse_netstat(text: str) -> list[Connection]:
    """The connections that ``netstat -an`` lists; headings and lines of another form count for nothing.

    ``tcp4  0  0  192.168.0.7.52133  160.79.104.10.443  ESTABLISHED``: the port follows the last dot.
    """
    rows: list[Connection] = []
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 6 or not fields[0].startswith("tcp"):
            continue
        local, remote, state = _PORT.fullmatch(fields[3]), _PORT.fullmatch(fields[4]), state_named(fields[5])
        if local is None or remote is None or state is None or "*" in {local[2], remote[2]}:
            continue
        try:
            rows.append(connection((local[1], local[2], remote[1], remote[2]), state))
        except ValueError:
            continue
    return rows
