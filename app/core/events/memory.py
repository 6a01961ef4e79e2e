"""Memory as the app and its governor report it."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.events.base import BaseEvent, Level


@dataclass(frozen=True, slots=True)
class MemorySampled(BaseEvent):
    """``[process-memory]``: the app's own reading of itself and the machine; fields an older build lacks are None.

    ``free_raw_mb`` is near zero on a healthy Mac and never a sign of pressure there.
    """

    trigger: str
    tree_rss_mb: int | None
    tree_footprint_mb: int | None
    electron_count: int | None
    electron_mb: int | None
    child_count: int | None
    child_mb: int | None
    free_mb: int | None
    total_mb: int | None
    free_raw_mb: int | None


@dataclass(frozen=True, slots=True)
class PressureChanged(BaseEvent):
    """``Memory pressure transition``: the operating system's level, true until the next transition (macOS)."""

    level: Level


@dataclass(frozen=True, slots=True)
class PressureReported(BaseEvent):
    """``[CliGovernor] memory pressure (<level>)``; nothing ever says "clear", so it fades.

    ``victims`` and ``effective`` are None where the wording does not tell them.
    """

    level: Level
    victims: int | None
    effective: int | None


@dataclass(frozen=True, slots=True)
class PressureUnreadable(BaseEvent):
    """The governor could not read free memory and treats pressure as clear."""
