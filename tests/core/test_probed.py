"""What the probes found as a source of its own."""

from __future__ import annotations

from app.core.checkpoint import Checkpoint
from app.core.events import HostDisagreed, HostPressureRead, PortsCrossed, PortsEased
from app.core.probed import SOURCE, Probed, is_probe, text_of
from tests.core.helpers import NOON, after


def test_events_are_numbered_and_taken_once() -> None:
    """Each has its own place, so that the store keeps it once; the checkpoint tells how many there were."""
    probed = Probed(40)
    probed.add([HostPressureRead(NOON, "normal"), PortsEased(after(1), 100, 240)])
    (batch,) = probed.take()

    assert [(one.source, one.offset, one.line) for one in batch.events] == [(SOURCE, 40, 41), (SOURCE, 41, 42)]
    assert (batch.checkpoint.source, batch.checkpoint.offset) == (SOURCE, 42)
    assert not probed.waits
    assert probed.take() == []
    probed.add([HostPressureRead(after(2), "warning")])
    assert probed.waits
    assert probed.take()[0].events[0].offset == 42


def test_source_is_told_from_log_files() -> None:
    """Its checkpoint belongs to no file, and nobody looks for one."""
    probed = Probed()
    probed.add([HostPressureRead(NOON, "normal")])

    assert is_probe(probed.take()[0].checkpoint)
    assert not is_probe(Checkpoint("f1", "main.log", "main.log", 1, 2))


def test_every_event_is_a_sentence() -> None:
    """Where a line of a log stands for other events, a sentence stands for these."""
    found = [
        text_of(event)
        for event in (
            HostPressureRead(NOON, "critical"), PortsCrossed(NOON, 85, 204, 240, 146, 6),
            PortsCrossed(NOON, 70, 170, 240, None, None), PortsEased(NOON, 100, 240),
            HostDisagreed(NOON, "memory", 1900, 9000), HostDisagreed(NOON, "processes", 7, 8),
        )
    ]  # fmt: skip

    assert found == [
        "The host's memory pressure is critical.",
        "204 of 240 IPv4 ports of the home line are in use, 146 by Claude (85 %).",
        "170 of 240 IPv4 ports of the home line are in use (70 %).",
        "100 of 240 IPv4 ports of the home line are in use: fewer again.",
        "The log says 1900 MB of memory are free, the host says 9000 MB.",
        "By the log 7 sessions have a process, by their own registry 8.",
    ]
