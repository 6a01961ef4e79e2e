"""Memory pressure at an instant."""

from __future__ import annotations

import pytest

from app.core.pressure import GOVERNOR_HOLDS, PressureNow, pressure_at
from app.core.state import Pressure
from tests.core.helpers import NOON, after

GOVERNOR = Pressure(governor_level="critical", governor_since=after(-60), governor_last=NOON)


def test_nothing_said_is_unknown() -> None:
    """Silence about pressure is no news, not good news."""
    assert pressure_at(Pressure(), NOON) == PressureNow("unknown", None)


@pytest.mark.parametrize(
    ("seconds", "level", "since"),
    [(0, "critical", -60), (89, "critical", -60), (90, "normal", 90), (3600, "normal", 90)],
)
def test_governors_word_fades_after_ninety_seconds(seconds: int, level: str, since: int) -> None:
    """No line of the governor says clear, so its word holds for a while and then gives way to normal."""
    now = pressure_at(GOVERNOR, after(seconds))
    assert (now.level, now.since, now.origin) == (level, after(since), "log")
    assert GOVERNOR_HOLDS.total_seconds() == 90


@pytest.mark.parametrize("level", ["normal", "warning", "critical"])
@pytest.mark.parametrize("seconds", [0, 86_400])
def test_operating_systems_word_leads_and_holds(level: str, seconds: int) -> None:
    """Where the app writes transitions, they hold until the next one, whatever the governor said."""
    pressure = Pressure(level, after(-5), "critical", NOON, NOON)  # type: ignore[arg-type]
    assert pressure_at(pressure, after(seconds)) == PressureNow(level, after(-5))  # type: ignore[arg-type]


def test_half_a_word_of_the_governor_is_unknown() -> None:
    """A level without its time cannot be judged."""
    assert pressure_at(Pressure(governor_level="warning"), NOON).level == "unknown"
