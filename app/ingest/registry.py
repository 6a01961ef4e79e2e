"""The command line's own list of its live processes: a check of the number of seats that the log leads to.

Every CLI process keeps ``<pid>.json`` in ``~/.claude/sessions`` from a little after its start to its end. A killed one
leaves its file behind, so a file counts only while its process lives; a number given to another process meanwhile
counts wrongly until some CLI clears the list. Nothing is written, and no signal is sent.
"""

from __future__ import annotations

import ctypes
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from app.ingest.titles import MAX_PATH, MAX_TITLE, Opener, clean, list_folder, open_plain, read_object

MAX_BYTES = 256 * 1024
"""A larger file is none of the list: the real ones have about 1 KB."""
HOSTED = frozenset({"claude-desktop"})
"""The entry points of a process that the desktop app started; terminals, editors and SDKs have others."""

_NAME = re.compile(r"([1-9][0-9]{0,9})\.json")
_HOST = re.compile(r"[0-9A-Za-z_-]{1,128}")
_LARGEST_PID = 2**32 - 1

_QUERY_LIMITED, _SYNCHRONIZE = 0x1000, 0x0010_0000
_ACCESS_DENIED = 5
_STILL_RUNS = 0x102  # WAIT_TIMEOUT: a process is signalled once it has ended


@dataclass(frozen=True, slots=True)
class CliProcess:
    """One live process of the command line. ``session_id`` is the CLI's, ``host_session_id`` the app's."""

    pid: int
    session_id: str | None
    cwd: str | None
    name: str | None
    entrypoint: str | None
    host_session_id: str | None

    @property
    def is_hosted(self) -> bool:
        """Whether the desktop app runs it."""
        return self.host_session_id is not None or self.entrypoint in HOSTED


@dataclass(frozen=True, slots=True)
class Registry:
    """The live processes, in the order of their pids."""

    processes: tuple[CliProcess, ...] = ()

    @property
    def hosted(self) -> int:
        """How many of them the desktop app runs: what it should hold as seats, sessions of Cowork aside."""
        return sum(process.is_hosted for process in self.processes)

    @property
    def by_host_session(self) -> Mapping[str, tuple[int, ...]]:
        """The pids of each session of the app; more than one means that an old process was left behind."""
        found: dict[str, tuple[int, ...]] = {}
        for process in self.processes:
            if process.host_session_id is not None:
                found[process.host_session_id] = (*found.get(process.host_session_id, ()), process.pid)
        return MappingProxyType(found)


def live_registry(folder: Path, alive: Callable[[int], bool], opener: Opener = open_plain) -> Registry | None:
    """The live processes listed in ``folder``; None when it is absent or cannot be listed, and so says nothing.

    Files that are half-written, unreadable or none of the list's count for nothing.
    """
    try:
        if not folder.is_dir():
            return None
        entries = list_folder(str(folder))
    except OSError:
        return None
    pids = {int(name[1]): entry.path for entry in entries if (name := _NAME.fullmatch(entry.name))}
    found = (_read(pid, pids[pid], opener) for pid in sorted(pids) if alive(pid))
    return Registry(tuple(process for process in found if process is not None))


def _read(pid: int, path: str, opener: Opener) -> CliProcess | None:
    try:
        # Before the open as well: to open a device can have effects.
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with opener(path) as handle:
            here = os.fstat(handle.fileno())
            fits = stat.S_ISREG(here.st_mode) and here.st_size <= MAX_BYTES
            fields = read_object(handle, MAX_BYTES) if fits else None
    except OSError:
        return None
    if fields is None or isinstance(fields.get("pid"), bool) or fields.get("pid") != pid:
        return None
    host = fields.get("hostSessionId")
    return CliProcess(
        pid=pid,
        session_id=clean(fields.get("sessionId"), MAX_TITLE),
        cwd=clean(fields.get("cwd"), MAX_PATH),
        name=clean(fields.get("name"), MAX_TITLE),
        entrypoint=clean(fields.get("entrypoint"), MAX_TITLE),
        host_session_id=host if isinstance(host, str) and _HOST.fullmatch(host) else None,
    )


def pid_alive(pid: int) -> bool:
    """Whether a process with this number exists, of whomever. One that has ended and not been waited for counts."""
    # Zero and below stand for groups of processes, or for all of them.
    if not 0 < pid <= _LARGEST_PID:
        return False
    if sys.platform == "win32":
        return windows_alive(pid, _WindowsKernel())
    return posix_alive(pid)


def posix_alive(pid: int) -> bool:
    """`pid_alive` by signal 0, which is checked and not sent. Never for Windows, where it would end the process."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True  # it exists, and is another user's
    except (OSError, OverflowError):
        return False
    return True


class Kernel(Protocol):
    """What `windows_alive` needs of Windows."""

    def open_process(self, access: int, pid: int) -> tuple[int, int]:
        """OpenProcess: a handle, or 0 and the error."""
        ...

    def wait(self, handle: int) -> int:
        """WaitForSingleObject without waiting."""
        ...

    def close(self, handle: int) -> None:
        """CloseHandle."""
        ...


def windows_alive(pid: int, kernel: Kernel) -> bool:
    """`pid_alive` by asking for the process's handle and whether it has ended."""
    handle, error = kernel.open_process(_QUERY_LIMITED | _SYNCHRONIZE, pid)
    if not handle:
        return error == _ACCESS_DENIED
    try:
        return kernel.wait(handle) == _STILL_RUNS
    finally:
        kernel.close(handle)


if sys.platform == "win32":

    class _WindowsKernel:
        """kernel32, with handles as wide as they are: ctypes takes them for 32 bits."""

        def __init__(self) -> None:
            self._dll = ctypes.WinDLL("kernel32", use_last_error=True)
            self._dll.OpenProcess.argtypes = (ctypes.c_uint32, ctypes.c_int, ctypes.c_uint32)
            self._dll.OpenProcess.restype = ctypes.c_void_p
            self._dll.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
            self._dll.WaitForSingleObject.restype = ctypes.c_uint32
            self._dll.CloseHandle.argtypes = (ctypes.c_void_p,)

        def open_process(self, access: int, pid: int) -> tuple[int, int]:
            handle = self._dll.OpenProcess(access, 0, pid)
            return (handle or 0, ctypes.get_last_error())

        def wait(self, handle: int) -> int:
            return int(self._dll.WaitForSingleObject(handle, 0))

        def close(self, handle: int) -> None:
            self._dll.CloseHandle(handle)
