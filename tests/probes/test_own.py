"""What Seatwatch itself takes."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import psutil

from app.probes.own import own_usage


def test_own_figures_are_those_of_this_process() -> None:
    """Memory of tens of megabytes, at least one thread and the files that are open; a file more is one more."""
    before = own_usage()
    handle = os.open(os.devnull, os.O_RDONLY)
    after = own_usage()
    os.close(handle)

    assert before.rss_bytes is not None
    assert 10_000_000 < before.rss_bytes < 4_000_000_000
    assert (before.threads or 0) >= 1
    assert (after.open_files or 0) == (before.open_files or 0) + 1
    assert after.cpu_seconds >= before.cpu_seconds > 0


def test_what_the_system_does_not_tell_lacks() -> None:
    """Another system has handles for files; one that refuses leaves gaps, and nothing is raised."""

    def refused() -> Any:
        raise psutil.AccessDenied(1)

    other = SimpleNamespace(memory_info=refused, num_threads=lambda: 3, num_handles=lambda: 40)
    found, gone = own_usage(lambda: other), own_usage(refused)

    assert (found.rss_bytes, found.threads, found.open_files) == (None, 3, 40)
    assert (gone.rss_bytes, gone.threads, gone.open_files) == (None, None, None)
