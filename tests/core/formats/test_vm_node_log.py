"""What the VM's log of the app's Electron side becomes."""

from __future__ import annotations

import pytest

from app.core.events import (
    CloudSessionSeen,
    Event,
    Unrecognized,
    VmActive,
    VmApiChanged,
    VmConfigured,
    VmNetworkChanged,
    VmReady,
    VmStartBegan,
    VmStartFailed,
    VmStepCompleted,
    VmStepStarted,
    VmWaited,
)
from app.core.parser import parser_for
from tests.core.helpers import NOON, record

TIMEOUT = "VM connection timeout after 60 seconds"


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ("[VM:start] Beginning startup, bundlePath=/Users/someone/x.bundle", VmStartBegan(NOON, None, None)),
        ("[VM:start] Beginning startup, VM instance ID: 0a1b", VmStartBegan(NOON, None, None)),
        ("Using Claude VM spawn", None),
        ("Spawn succeeded", VmStartBegan(NOON, None, None)),
        ("vmStarted", VmReady(NOON, None)),
        ("[VM:start] memory=4GB tier=flat", VmConfigured(NOON, None, 4, None)),
        ("[VM:start] Bundle version: 0a1b2c", None),
        ("[VM:steps] guest_vsock_connect started", VmStepStarted(NOON, "guest_vsock_connect")),
        ("[VM:steps] stop_existing_vm completed (60201ms)", VmStepCompleted(NOON, "stop_existing_vm", 60201)),
        ("[VM:steps] vm_boot completed", VmStepCompleted(NOON, "vm_boot", None)),
        ("[VM:start] Still waiting for guest connection... 20000ms elapsed, 40 polls", VmWaited(NOON, 20000)),
        (
            "[VM:start] Connection timeout, last completed step: vm_boot",
            VmStartFailed(NOON, "Connection timeout, last completed step: vm_boot"),
        ),
        (
            "[VM:start] Startup failed: Error: VM connection timeout\n    at start (node:vm:1:1)",
            VmStartFailed(NOON, "Error: VM connection timeout"),
        ),
        (f"Dispatching startup error: {TIMEOUT}", VmStartFailed(NOON, TIMEOUT)),
        (f"[VM:start] Dispatching startup error: {TIMEOUT}", VmStartFailed(NOON, TIMEOUT)),
        ("VM boot failed: VM is already running", VmStartFailed(NOON, "VM is already running")),
        ("virtualization_not_available", VmStartFailed(NOON, "virtualization_not_available")),
        ("Skipping auto-reinstall (already attempted once)", None),
        ("[VM:start] Startup complete, total time: 5802ms", VmReady(NOON, 5802)),
        ("[VM] Network status: NOT_CONNECTED", VmNetworkChanged(NOON, "NOT_CONNECTED")),
        ("[VM] API reachability: PROBABLY_UNREACHABLE", VmApiChanged(NOON, "PROBABLY_UNREACHABLE")),
        ("[startVM] VM already connected", VmActive(NOON)),
        ("[vmOneShot] Running: bash [2 arg(s)]", VmActive(NOON)),
        ("[vmOneShot] Running: bash [2 arg(s)] as rcw-01abc", CloudSessionSeen(NOON, "rcw-01abc")),
        ("[postConnect] Mounting 2 shares", VmActive(NOON)),
        ("[Keepalive] Already running", VmActive(NOON)),
        ("[Keepalive] ping timeout after 5000ms", None),
        ("[Keepalive] ping timed out", None),
        ("[VM:reap] Something new 3", Unrecognized(NOON, "[VM:reap] Something new <n>")),
        ("[KernelBugMonitor] State reset", None),
    ],
)
def test_line_of_the_vm(body: str, event: Event | None) -> None:
    """Start, steps, waiting, failure and activity are told apart; a lost ping is no sign of life."""
    assert parser_for("cowork_vm_node.log").parse(record(body)) == event
