"""What a session's phase says of its process, its seat and its protection."""

from __future__ import annotations

import pytest

from app.core.state import LIVE, Hold, Kind, Phase, Session, State
from tests.core.helpers import NOON, A, B, C


def session(phase: Phase, kind: Kind = "code", holds: tuple[Hold, ...] = (), name: str = A, order: int = 0) -> Session:
    """A session in a phase."""
    return Session(name, order, NOON, kind=kind, phase=phase, holds=dict.fromkeys(holds, NOON))


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", ["code", "cowork", "dispatch"])
def test_only_live_code_sessions_hold_a_seat(phase: Phase, kind: Kind) -> None:
    """The governor counts neither the dead nor Cowork's own sessions."""
    one = session(phase, kind)
    assert one.alive is (phase in LIVE)
    assert one.holds_seat is (phase in LIVE and kind == "code")


@pytest.mark.parametrize(
    ("phase", "holds", "protections"),
    [
        (Phase.IDLE, (), ()),
        (Phase.IDLE, ("scheduled", "remote_control"), ("remote_control", "scheduled")),
        (Phase.WORKING, ("background_task",), ("background_task", "mid_turn")),
        (Phase.STARTING, (), ("mid_turn",)),
        (Phase.WAITING, (), ("waiting",)),
        (Phase.PAUSED, ("remote_control",), ()),
        (Phase.LOST, (), ()),
    ],
)
def test_protections_come_in_a_fixed_order_and_die_with_the_process(
    phase: Phase, holds: tuple[Hold, ...], protections: tuple[str, ...]
) -> None:
    """What makes the governor pass over a session is listed for live ones only."""
    assert session(phase, holds=holds).protected_by == protections


def test_seat_holders_come_in_the_order_of_the_log() -> None:
    """The order in which the log first named them, whatever the map's."""
    late, dead, early = session(Phase.IDLE, name=A, order=5), session(Phase.ENDED, name=B), session(Phase.IDLE, name=C)
    state = State(sessions={one.id: one for one in (late, dead, early)})
    assert state.seat_holders == [early, late]
    assert State().seat_holders == []
