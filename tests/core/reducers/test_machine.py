"""What the probes found changes what is known of the machine, and nothing of the app."""

from __future__ import annotations

from app.core.events import (
    HeartbeatSeen,
    HostDisagreed,
    HostPressureRead,
    MachineEvent,
    PortsCrossed,
    PortsEased,
    SessionWarmed,
)
from app.core.pressure import HOST_HOLDS, PressureNow, pressure_at
from app.core.state import State
from tests.core.helpers import NOON, A, after, state_after

FULL = PortsCrossed(after(60), 85, 204, 240, 150, 6)
EVENTS: tuple[MachineEvent, ...] = (
    HostPressureRead(after(60), "warning"), FULL, PortsEased(after(60), 100, 240),
    HostDisagreed(after(60), "memory", 1900, 9000),
)  # fmt: skip


def test_probes_neither_start_the_app_nor_move_the_logs_time() -> None:
    """What no line of a log says tells nothing of the app: not that it runs, and not that its log goes on."""
    for event in EVENTS:
        assert (state_after(event).at, state_after(event).app.running) == (None, False)
        state = state_after(SessionWarmed(NOON, A, 100), event)
        assert (state.at, state.app.last_sign_at) == (NOON, NOON)


def test_newest_mark_of_the_ports_stands_until_they_ease() -> None:
    """The state knows how near the end the line is, and forgets it once the count fell."""
    assert state_after(FULL).ports is FULL
    assert state_after(FULL, PortsEased(after(90), 100, 240)).ports is None


def test_level_that_is_read_again_goes_on() -> None:
    """A level has lasted since it was first read, not since it was last told."""
    state = state_after(HostPressureRead(NOON, "warning"), HostPressureRead(after(300), "warning"))

    assert pressure_at(state.pressure, after(310)) == PressureNow("warning", NOON, "host")


def test_level_after_a_pause_of_the_probe_begins_anew() -> None:
    """What the host was like in between nobody knows."""
    late = NOON + HOST_HOLDS
    state = state_after(HostPressureRead(NOON, "warning"), HostPressureRead(late, "warning"))

    assert state.pressure.host_since == late
    assert state_after(HostPressureRead(NOON, "warning"), HeartbeatSeen(after(5))).pressure.host_since == NOON


def test_disagreement_changes_nothing_that_is_true() -> None:
    """It is counted by the census; the state takes neither side."""
    assert state_after(EVENTS[3]) == State()
