"""The calls of macOS, by a library that answers as macOS does."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import pytest

from app.probes.macos_calls import footprint, kernel_value, responsible, system_library
from app.probes.system import MB


class Library:
    """Answers of libSystem, written into the caller's memory as it writes them."""

    def sysctlbyname(self, name: bytes, value: Any, size: Any, new: None, new_size: Any) -> int:
        told = {b"four.bytes": (4, 4), b"eight.bytes": (8, 5_000_000_000)}
        if name not in told:
            return -1
        width, number = told[name]
        ctypes.memmove(value, number.to_bytes(width, sys.byteorder), width)
        ctypes.memmove(size, width.to_bytes(8, sys.byteorder), 8)
        return 0

    def proc_pid_rusage(self, pid: Any, flavor: Any, usage: Any) -> int:
        if pid.value != 40:
            return -1
        fields = bytes(16) + b"".join(number.to_bytes(8, "little") for number in (*[0] * 6, 9 * MB, 77 * MB, 0, 0))
        ctypes.memmove(usage, fields, 96)
        return 0

    def responsibility_get_pid_responsible_for_pid(self, pid: Any) -> int:
        return {41: 40}.get(pid.value, -1)


def test_values_of_the_kernel_have_four_bytes_or_eight() -> None:
    """A value is read at its own width."""
    assert kernel_value("four.bytes", Library()) == 4
    assert kernel_value("eight.bytes", Library()) == 5_000_000_000


def test_value_that_the_kernel_lacks_is_missing() -> None:
    """An older or newer kernel may not know a name, and another system not even the call."""
    with pytest.raises(FileNotFoundError, match=r"has no kern\.nothing"):
        kernel_value("kern.nothing", Library())
    with pytest.raises(FileNotFoundError, match="no sysctlbyname"):
        kernel_value("four.bytes", object())


def test_footprint_is_the_field_of_that_name() -> None:
    """The footprint, not the resident size beside it; none of a process that is another's."""
    assert footprint(40, Library()) == 77 * MB
    assert footprint(41, Library()) is None
    assert footprint(40, object()) is None


def test_the_process_that_stands_for_another() -> None:
    """A service's app is told; where nobody can tell, nobody is made up."""
    assert responsible(41, Library()) == 40
    assert responsible(42, Library()) is None
    assert responsible(41, object()) is None


def test_library_of_this_process_is_there() -> None:
    """The C library that is loaded anyway is found without a name."""
    assert system_library().getpid() > 0
    assert system_library() is system_library()
