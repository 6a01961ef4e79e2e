"""What Seatwatch's own probes found that is worth keeping: no line of a log says it.

They stand in the source ``probe``, one after the other, and go through the same chain as what the logs say. The
samples that they come from are kept apart, in `app.storage.samples`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.core.events.base import BaseEvent, Level

PortMark: TypeAlias = Literal[70, 85, 95]
Compared: TypeAlias = Literal["memory", "processes"]


@dataclass(frozen=True, slots=True)
class HostPressureRead(BaseEvent):
    """The host's own memory pressure: told when it changes, and again every few minutes while it lasts."""

    level: Level


@dataclass(frozen=True, slots=True)
class PortsCrossed(BaseEvent):
    """So many percent (``mark``) of the home line's IPv4 ports are taken; told again every few minutes from 85 % on.

    ``in_use`` of ``budget`` ports, ``claude`` of them by Claude's processes where that is known; ``minutes`` until none
    is left at the slope of that moment, None where there was no growth.
    """

    mark: PortMark
    in_use: int
    budget: int
    claude: int | None
    minutes: int | None


@dataclass(frozen=True, slots=True)
class PortsEased(BaseEvent):
    """The count of taken ports fell well below the lowest mark that was told."""

    in_use: int
    budget: int


@dataclass(frozen=True, slots=True)
class HostDisagreed(BaseEvent):
    """The log and the host say different things of the same: free memory in MB, or how many sessions have a process.

    Told once, when the difference begins.
    """

    what: Compared
    log: int
    host: int


MachineEvent: TypeAlias = HostPressureRead | PortsCrossed | PortsEased | HostDisagreed
