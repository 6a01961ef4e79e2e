"""The few calls of macOS that no library offers: a value of the kernel's, a process's footprint, and who stands for it.

All of them are open to every user, the footprint for one's own processes alone.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_USAGE_SIZE = 96  # struct rusage_info_v0
_FOOTPRINT_AT = 72  # its ri_phys_footprint
_USAGE_V0 = 0


@cache
def system_library() -> Any:
    """The C library that this process already has."""
    return ctypes.CDLL(None, use_errno=True)


def kernel_value(name: str, library: Any | None = None) -> int:
    """A whole number of ``sysctlbyname``, of 4 or 8 bytes. OSError when the kernel has none of this name."""
    value, size = ctypes.c_uint64(0), ctypes.c_size_t(8)
    try:
        call = (library or system_library()).sysctlbyname
    except AttributeError as error:
        raise FileNotFoundError(f"this system has no sysctlbyname: {error}") from error
    if call(name.encode(), ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0)) != 0:
        raise FileNotFoundError(f"the kernel has no {name}")
    # The value fills the low bytes first on every machine that runs macOS, and the rest was zero.
    return value.value


def footprint(pid: int, library: Any | None = None) -> int | None:
    """What Activity Monitor calls a process's memory, in bytes; None when it is gone, another user's, or not macOS."""
    usage = (ctypes.c_uint8 * _USAGE_SIZE)()
    try:
        call = (library or system_library()).proc_pid_rusage
    except AttributeError:
        return None
    if call(ctypes.c_int(pid), ctypes.c_int(_USAGE_V0), ctypes.byref(usage)) != 0:
        return None
    return int.from_bytes(bytes(usage[_FOOTPRINT_AT : _FOOTPRINT_AT + 8]), "little")


def responsible(pid: int, library: Any | None = None) -> int | None:
    """The process that macOS asks the user on behalf of, the app for a service it started; None when nobody can tell.

    Activity Monitor groups by it. The call has no header, so it may go away with any version: then it says None.
    """
    try:
        call = (library or system_library()).responsibility_get_pid_responsible_for_pid
    except AttributeError:
        return None
    found = int(call(ctypes.c_int(pid)))
    return found if found > 0 else None
