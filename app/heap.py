"""What the C library is told about memory, where it listens: glibc does, others keep no more than they need.

Left alone it gives each thread a heap of its own, and keeps what is free at the end of each: after a long first reading
some ten megabytes that nobody uses.
"""

from __future__ import annotations

import ctypes

_ARENA_MAX = -8
"""``M_ARENA_MAX`` of malloc.h."""


def keep_one() -> bool:
    """One heap for all threads, of which one runs at a time anyway; whether the library does so. Call it early."""
    return _call("mallopt", _ARENA_MAX, 1)


def give_back() -> bool:
    """Give what is free back to the system; whether there was anything to give."""
    return _call("malloc_trim", 0)


def _call(name: str, *values: int) -> bool:
    try:
        return bool(getattr(ctypes.CDLL(None), name)(*values))
    except (AttributeError, OSError, TypeError):  # another library, or Windows, which has none by that name
        return False
