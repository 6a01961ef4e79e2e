"""What the C library is told about memory."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

from app import heap

GLIBC = platform.libc_ver()[0] == "glibc"
SPENDS = """
import sys, threading
from app import heap
from pathlib import Path
told = heap.keep_one() if sys.argv[1] == "one" else None
def spend():
    kept.append([bytearray(50_000) for _ in range(400)])
kept = []
threads = [threading.Thread(target=spend) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
def anonymous():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))
last = kept.pop()
full = anonymous()
kept.clear()
given = heap.give_back()
print(told, given, full - anonymous())
"""


@pytest.mark.skipif(not GLIBC, reason="other C libraries keep nothing")
def test_what_is_free_is_given_back() -> None:
    """Of 80 MB that were freed, the 60 below what is still used go back to the system as well."""
    ran = subprocess.run([sys.executable, "-c", SPENDS, "one"], capture_output=True, text=True, check=True)
    told, given, kilobytes = ran.stdout.split()

    assert (told, given) == ("True", "True")
    assert int(kilobytes) > 50_000


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_where_the_library_has_no_such_function_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """As on macOS and on Windows."""

    def missing(_name: None) -> object:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", missing)

    assert not heap.keep_one()
    assert not heap.give_back()
