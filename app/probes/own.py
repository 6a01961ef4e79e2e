"""What Seatwatch itself takes of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OwnUsage:
    """``cpu_seconds`` since the process began, ``rss_bytes`` it holds now; None where the system does not tell."""

    cpu_seconds: float
    rss_bytes: int | None
    threads: int | None
    open_files: int | None


def own_usage(process: Callable[[], Any] | None = None) -> OwnUsage:
    """What this process takes now. ``process`` gives a psutil process. Never raises: a figure may lack, no more."""
    import psutil  # noqa: PLC0415  20 ms that no start needs

    def asked(figure: Callable[[Any], int]) -> int | None:
        try:
            return figure((process or psutil.Process)())
        except (psutil.Error, OSError, AttributeError):
            return None

    return OwnUsage(
        cpu_seconds=round(time.process_time(), 3),
        rss_bytes=asked(lambda own: int(own.memory_info().rss)),
        threads=asked(lambda own: int(own.num_threads())),
        open_files=asked(lambda own: int((own.num_fds if hasattr(own, "num_fds") else own.num_handles)())),
    )
