"""What the lines of Windows' service become, and that none of the guest's becomes anything."""

from __future__ import annotations

import pytest

from app.core.events import Event, VmCalledRunning, VmExited
from app.core.parser import parser_for
from tests.core.helpers import NOON, record


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ('[HCS] Exit {"Id":"cowork-vm-1","Stopped":true,"ExitType":"ForcedExit"}', VmExited(NOON, "ForcedExit")),
        ('[HCS] {"ExitType": "GracefulExit", "Stopped": true}', VmExited(NOON, "GracefulExit")),
        ('[HCS] Exit {"Id":"cowork-vm-1","Stopped":true}', VmExited(NOON, None)),
        ('[HCS] Query {"Id":"cowork-vm-1","Stopped":false}', None),
        ("[HCS] Created cowork-vm-1", None),
        ("[Server] startVM: VM already running, reusing existing session", VmCalledRunning(NOON)),
        ("[Server] startVM: starting", None),
    ],
)
def test_line_of_the_service(body: str, event: Event | None) -> None:
    """An end of the VM is one whatever its cause; what the service does otherwise says nothing."""
    assert parser_for("cowork-service.log").parse(record(body)) == event


def test_hostile_line_of_the_service_takes_linear_time() -> None:
    """Half a match repeated without end is answered at once: the time limit of the test run is the judge."""
    parse = parser_for("cowork-service.log").parse

    assert parse(record("[HCS] " + '"Stopped":' * 200_000)) is None
    assert parse(record("[HCS] " + '"Stopped":true "ExitType":? ' * 100_000)) == VmExited(NOON, None)


def test_guest_says_nothing_with_a_time() -> None:
    """By which clock the guest writes is unknown, so its lines are known and change nothing."""
    assert parser_for("coworkd.log").parse(record("connected, waiting for commands")) is None
    assert parser_for("coworkd-user.log").parse(record("starting coworkd")) is None
