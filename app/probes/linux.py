"""Linux, from ``/proc`` alone: a read of some microseconds where psutil takes many for each process."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Sequence
from contextlib import suppress

from app.core.samples import HostLevel, Reason, Unknown
from app.probes import linux_diag
from app.probes.linux_net import owned_inodes, parse_table
from app.probes.system import MB, Birth, Connection, Key, Memory, Now, Platform, level_by_share, unknown_of

SOME_WARNS, FULL_IS_CRITICAL = 10.0, 10.0
"""Per cent of the last ten seconds in which some task, or every task at once, waited for memory. A tenth of all work
standing still is felt; when nothing at all runs for a tenth of the time the machine is about to lock up."""

_LONGEST = 4096
_KERNEL = 2  # kthreadd, the parent of all threads of the kernel
_ENDED = frozenset({"Z", "X", "x"})  # zombies have a number and no memory
_SHORT_NAME = 15  # the kernel cuts names to so many bytes


class LinuxSystem:
    """`app.probes.system.System` of Linux; ``root`` is what ``/proc`` and ``/sys`` lie in."""

    platform: Platform = "linux"

    def __init__(self, root: str = "/", page_size: int | None = None) -> None:
        self._root = root.rstrip("/")
        self._proc = f"{self._root}/proc"
        self._page = page_size or os.sysconf("SC_PAGE_SIZE")
        self._answers = not self._root and hasattr(socket, "AF_NETLINK")

    def memory(self) -> Memory:
        """MemAvailable, never MemFree: the page cache is free for the asking. The level is the worse of two.

        PSI tells that work already waits for memory, the share that is available that it soon will.
        """
        unknown: list[Unknown] = []
        sizes = parse_meminfo(self._text("meminfo"))
        total, available = sizes.get("MemTotal"), sizes.get("MemAvailable")
        if available is None:
            unknown.append(Unknown("available", "missing", "MemAvailable"))
        level, origin = level_by_share(total, available), "none" if available is None else "available"
        try:
            felt = level_of_psi(self._text("pressure/memory"))
        except (OSError, ValueError, LookupError) as error:
            unknown.append(_without_psi(error))
        else:
            if level == "unknown" or _worse(felt, level):
                level, origin = felt, "psi"
        swap = sizes["SwapTotal"] - sizes["SwapFree"] if {"SwapTotal", "SwapFree"} <= sizes.keys() else None
        if swap is None:
            unknown.append(Unknown("swap", "missing", "SwapTotal"))
        compressed = self._compressed(sizes)
        if compressed is None:
            unknown.append(Unknown("compressed", "missing", "neither zswap nor zram"))
        return Memory(total, available, swap, compressed, level, origin, (*unknown, *self._bounds(total)))

    def pids(self) -> Sequence[int]:
        """All processes of this process namespace."""
        return [int(name) for name in os.listdir(self._proc) if name.isdecimal()]  # noqa: PTH208 - half the time

    def birth(self, pid: int) -> Birth | None:
        """From ``stat``, ``exe`` and ``cmdline``; the kernel's own threads have neither of the latter."""
        try:
            name, parent, created, _ = parse_stat(self._text(f"{pid}/stat"))
        except (OSError, ValueError, IndexError):
            return None
        if _KERNEL in {pid, parent} and not self._argv(pid):
            return Birth(pid, created, parent, name)
        exe, argv = self._exe(pid), self._argv(pid)
        if len(name.encode()) >= _SHORT_NAME:
            name = _whole_name(name, exe, argv)
        return Birth(pid, created, parent, name, exe, argv)

    def now(self, pid: int) -> Now | None:
        """From ``stat``, whose resident pages are some hundreds of KB off at most: good enough for MB."""
        try:
            _, parent, created, pages = parse_stat(self._text(f"{pid}/stat"))
        except (OSError, ValueError, IndexError):
            return None
        return Now(created, parent, pages * self._page)

    def traces(self, pid: int) -> Sequence[str]:
        """What it has open, its disk among that; empty when that is not ours to see."""
        folder, found = f"{self._proc}/{pid}/fd", []
        with suppress(OSError):
            for name in os.listdir(folder):  # noqa: PTH208 - half the time
                with suppress(OSError):
                    found.append(os.readlink(f"{folder}/{name}"))  # noqa: PTH115 - half the time
        return found

    def blind_spots(self) -> tuple[Unknown, ...]:
        """In a container the host's processes and connections are somebody else's."""
        marks = (f"{self._root}/.dockerenv", f"{self._root}/run/.containerenv")
        if any(os.path.exists(mark) for mark in marks):  # noqa: PTH110 - paths are text here
            return (Unknown("host_processes", "container", "only those of this container can be seen"),)
        return ()

    def connections(self) -> Sequence[Connection]:
        """Of this network namespace: as the kernel answers, else from ``net/tcp`` and ``net/tcp6``.

        A kernel without IPv6 lacks the latter.
        """
        if self._answers:
            try:
                return [*linux_diag.connections(4), *linux_diag.connections(6)]
            except OSError:
                self._answers = False
        rows = parse_table(self._text("net/tcp"), 4)
        with suppress(FileNotFoundError):
            rows += parse_table(self._text("net/tcp6"), 6)
        return rows

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        """By the inodes of their sockets. One that waits in TIME_WAIT has none: nobody owns it any more."""
        mine = owned_inodes(self._proc, pids)
        return frozenset(row.key for row in rows if row.tag in mine)

    def _text(self, name: str) -> str:
        # Files of /proc have no size: one read of what they may hold, more only while there is more.
        handle = os.open(f"{self._proc}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            parts = [os.read(handle, 65536)]
            while parts[-1]:
                parts.append(os.read(handle, 65536))
        finally:
            os.close(handle)
        return b"".join(parts).decode("utf-8", "replace")

    def _exe(self, pid: int) -> str:
        try:
            return os.readlink(f"{self._proc}/{pid}/exe").removesuffix(" (deleted)")  # noqa: PTH115 - half the time
        except OSError:
            return ""

    def _argv(self, pid: int) -> tuple[str, ...]:
        try:
            whole = self._text(f"{pid}/cmdline")
        except OSError:
            return ()
        return tuple(whole[:_LONGEST].rstrip("\0").split("\0")) if whole else ()

    def _compressed(self, sizes: dict[str, int]) -> int | None:
        """What zswap holds and what the first zram device takes; None when there is neither."""
        zram = None
        with suppress(OSError, ValueError, IndexError):
            zram = int(self._text("../sys/block/zram0/mm_stat").split()[2])
        zswap = sizes.get("Zswap")
        return None if zram is None and zswap is None else (zram or 0) + (zswap or 0)

    def _bounds(self, total: int | None) -> tuple[Unknown, ...]:
        """Memory of the machine says little to who may use a part of it alone."""
        with suppress(OSError, ValueError):
            limit = int(self._text("../sys/fs/cgroup/memory.max"))
            if total is None or limit < total:
                return (Unknown("container_memory", "container", f"of all this container may use {limit // MB} MB"),)
        return ()


def parse_meminfo(text: str) -> dict[str, int]:
    """The sizes of ``/proc/meminfo`` in bytes; lines of another form count for nothing."""
    sizes: dict[str, int] = {}
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        if len(words) == 2 and words[1] == "kB" and words[0].isdecimal():
            sizes[name] = int(words[0]) * 1024
    return sizes


def parse_stat(text: str) -> tuple[str, int, float, int]:
    """Name, parent, start (ticks since the boot) and resident pages of ``/proc/<pid>/stat``.

    ValueError or IndexError when it is no such line, or one of a process that has ended and waits to be noticed. The
    name may hold spaces and brackets: it ends at the last one.
    """
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    if fields[0] in _ENDED:
        raise ValueError("it has ended")
    return head.partition("(")[2], int(fields[1]), float(fields[19]), int(fields[21])


def level_of_psi(text: str) -> HostLevel:
    """The level by the stall times of ``/proc/pressure/memory``; ValueError or KeyError for another form."""
    shares: dict[str, float] = {}
    for line in text.splitlines():
        kind, *pairs = line.split()
        shares[kind] = float(dict(pair.split("=", 1) for pair in pairs)["avg10"])
    if shares.get("full", 0.0) >= FULL_IS_CRITICAL:
        return "critical"
    return "warning" if shares["some"] >= SOME_WARNS else "normal"


def _worse(one: HostLevel, other: HostLevel) -> bool:
    order = ("unknown", "normal", "warning", "critical")
    return order.index(one) >= order.index(other)


def _without_psi(error: Exception) -> Unknown:
    # The file is there and cannot be read when the kernel has PSI and was started without it.
    reason: Reason = "platform" if isinstance(error, OSError) and not isinstance(error, PermissionError) else "failed"
    found = unknown_of("pressure", error)
    return found if found.reason == "permission" else Unknown("pressure", reason, found.detail)


def _whole_name(name: str, exe: str, argv: tuple[str, ...]) -> str:
    for whole in (os.path.basename(exe), os.path.basename(argv[0]) if argv else ""):  # noqa: PTH119 - text
        if whole.startswith(name):
            return whole
    return name
