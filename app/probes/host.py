"""Memory of the whole machine, every five seconds."""

from __future__ import annotations

from datetime import datetime

from app.core.samples import HostSample
from app.probes.system import MB, System, unknown_of


class HostProbe:
    """Total, available, swapped and compressed memory, and the system's own level of pressure."""

    def __init__(self, system: System) -> None:
        self._system = system

    def look(self, at: datetime) -> HostSample:
        """What holds now; ``at`` is the instant it is told for. Parts that cannot be read are None, with the reason."""
        try:
            memory = self._system.memory()
        except Exception as error:
            # Whatever is wrong with a system's answer, the page goes on without it.
            return HostSample(at, unknown=(unknown_of("memory", error),))
        return HostSample(
            at=at,
            total_mb=_mb(memory.total),
            available_mb=_mb(memory.available),
            swap_used_mb=_mb(memory.swap_used),
            compressed_mb=_mb(memory.compressed),
            level=memory.level,
            origin=memory.origin,
            unknown=memory.unknown,
        )


def _mb(size: int | None) -> int | None:
    return None if size is None else size // MB
