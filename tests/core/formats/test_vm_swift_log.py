"""What the VM's log of macOS' native side becomes."""

from __future__ import annotations

import pytest

from app.core.events import (
    Event,
    VmConfigured,
    VmReady,
    VmStartBegan,
    VmStepCompleted,
    VmStepStarted,
    VmStopTimedOut,
)
from app.core.parser import parser_for
from tests.core.helpers import NOON, record


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (
            "startVM called for /Users/someone/vm with memoryGB=4 cpuCount=auto networkMode=gvisor",
            VmStartBegan(NOON, None, 4),
        ),
        (
            "startVM called for /Users/someone/vm with memoryGB=8 cpuCount=6 networkMode=gvisor",
            VmStartBegan(NOON, 6, 8),
        ),
        ("startVM called for /Users/someone/vm", VmStartBegan(NOON, None, None)),
        ("VM startup step: vm_boot started", VmStepStarted(NOON, "vm_boot")),
        ("VM startup step: vm_boot completed", VmStepCompleted(NOON, "vm_boot", None)),
        (" - CPUs: 10", VmConfigured(NOON, 10, None, None)),
        ("  - Memory: 4GB", VmConfigured(NOON, None, 4, None)),
        ("- Memory: 8 GB", VmConfigured(NOON, None, 8, None)),
        ("Guest: Ubuntu 22.04.5 LTS", VmConfigured(NOON, None, None, "Ubuntu 22.04.5 LTS")),
        ("Linux VM started successfully", VmReady(NOON, None)),
        ("Timeout waiting for VM to stop (state: 4), proceeding with cleanup", VmStopTimedOut(NOON)),
        ("Configuration created:", None),
        (" - Boot: EFI (GRUB)", None),
        (" - Rootfs: /Users/someone/rootfs.img", None),
        ("Gvisor usernet started", None),
        ("Console device attached: port 0 (coworkd/hvc0), port 1 (kernel boot/hvc1)", None),
    ],
)
def test_line_of_the_vm(body: str, event: Event | None) -> None:
    """The start is asked for with its cores and memory; devices and shares say nothing about the VM's life."""
    assert parser_for("cowork_vm_swift.log").parse(record(body)) == event
