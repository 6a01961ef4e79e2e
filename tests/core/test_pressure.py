"""Memory pressure at an instant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.pressure import GOVERNOR_HOLDS, HOST_HOLDS, PressureNow, pressure_at, pressure_known
from app.core.state import App, Pressure, State
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


HOST = Pressure(host_level="warning", host_since=after(-60), host_last=NOON)


def test_host_stands_in_where_the_log_says_nothing() -> None:
    """Windows and Linux have no line that gives a level before the governor acts; the host's reading fades too."""
    held = HOST_HOLDS.total_seconds()
    assert pressure_at(HOST, after(held - 1)) == PressureNow("warning", after(-60), "host")
    assert pressure_at(HOST, after(held)) == PressureNow("unknown", after(held))


def test_log_leads_over_the_host() -> None:
    """What the app was told, and what its governor has just said, count more than what we read."""
    told = replace(HOST, os_level="normal", os_since=after(-5))
    assert pressure_at(told, NOON) == PressureNow("normal", after(-5))
    said = replace(HOST, governor_level="critical", governor_since=NOON, governor_last=NOON)
    assert pressure_at(said, after(89)).origin == "log"
    assert pressure_at(said, after(90)) == PressureNow("warning", after(90), "host")


def test_both_that_fade_leave_normal() -> None:
    """Once a governor has spoken, silence of everybody is normal, since the last of them fell silent."""
    both = replace(HOST, governor_level="critical", governor_since=NOON, governor_last=NOON)
    assert pressure_at(both, after(10_000)) == PressureNow("normal", NOON + HOST_HOLDS)


def test_an_app_that_does_not_run_tells_nothing_of_now() -> None:
    """What the log said last counts while the app runs; without it the host's own reading does, or nobody's."""
    told = replace(HOST, os_level="normal", os_since=after(-5))
    runs, ended = State(pressure=told, app=App(running=True)), State(pressure=told)

    assert pressure_known(runs, NOON) == pressure_at(told, NOON)
    assert pressure_known(ended, NOON) == PressureNow("warning", after(-60), "host")
    assert pressure_known(ended, NOON + HOST_HOLDS) == PressureNow("unknown", None)
