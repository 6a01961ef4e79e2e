"""What the probes found, as one more source beside the log files: its lines are sentences, numbered from the first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never, cast

from app.core.batch import Batch
from app.core.checkpoint import Checkpoint, Family, Fingerprint
from app.core.events import HostDisagreed, HostPressureRead, MachineEvent, Observed, PortsCrossed, PortsEased
from app.core.wallclock import ClockState

SOURCE = "probe"
"""The id, the family and the name of this source. It is no file, so nobody looks for one."""


class Probed:
    """Events that wait to be folded and kept. ``count`` is how many there were before, as its checkpoint tells."""

    def __init__(self, count: int = 0) -> None:
        self._count = count
        self._waiting: list[Observed] = []

    @property
    def waits(self) -> bool:
        """Whether something waits."""
        return bool(self._waiting)

    def add(self, events: Iterable[MachineEvent]) -> None:
        """Let these wait."""
        for event in events:
            self._waiting.append(Observed(event, SOURCE, self._count, self._count + 1, text_of(event)))
            self._count += 1

    def take(self) -> list[Batch]:
        """All that wait, as a batch with its checkpoint; nothing when none does. They wait no more."""
        if not self._waiting:
            return []
        # Names of families are those of log files, each with its formats; this one has none, and no file to go with it.
        place = Checkpoint(
            SOURCE, cast(Family, SOURCE), SOURCE, 0, 0, Fingerprint(), self._count, self._count + 1, ClockState()
        )
        batch = Batch(place, tuple(self._waiting))
        self._waiting = []
        return [batch]


def is_probe(checkpoint: Checkpoint) -> bool:
    """Whether a checkpoint is this source's, and not that of a log file."""
    return checkpoint.source == SOURCE


def text_of(event: MachineEvent) -> str:
    """The event in a sentence, where a log line stands for others."""
    match event:
        case HostPressureRead():
            return f"The host's memory pressure is {event.level}."
        case PortsCrossed():
            by_claude = "" if event.claude is None else f", {event.claude} by Claude"
            return (
                f"{event.in_use} of {event.budget} IPv4 ports of the home line are in use{by_claude} ({event.mark} %)."
            )
        case PortsEased():
            return f"{event.in_use} of {event.budget} IPv4 ports of the home line are in use: fewer again."
        case HostDisagreed(what="memory"):
            return f"The log says {event.log} MB of memory are free, the host says {event.host} MB."
        case HostDisagreed():
            return f"By the log {event.log} sessions have a process, by their own registry {event.host}."
        case _:
            assert_never(event)
