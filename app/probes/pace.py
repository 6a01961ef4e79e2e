"""How often a probe looks: less often when its looks take long."""

from __future__ import annotations

from dataclasses import dataclass, replace

SLOW_MS = 200.0
"""A look that takes longer is felt: 2 % of a core at one look in ten seconds."""
QUICK_MS = SLOW_MS / 2
"""Only a look well below the limit speeds it up again: one that swings around the limit would alternate."""
SLOWEST = 8
"""The interval is stretched to so many times its own length and no further."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between two looks: ``wanted``, and how many times that now."""

    wanted: float
    stretch: int = 1

    @property
    def interval(self) -> float:
        """Seconds to the next look."""
        return self.wanted * self.stretch

    def after(self, taken_ms: float) -> Pace:
        """The pace after a look that took so long: doubled by a slow one, halved by a quick one."""
        if taken_ms > SLOW_MS:
            return replace(self, stretch=min(self.stretch * 2, SLOWEST))
        if taken_ms < QUICK_MS:
            return replace(self, stretch=max(self.stretch // 2, 1))
        return self
