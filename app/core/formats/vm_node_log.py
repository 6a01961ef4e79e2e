"""cowork_vm_node.log: the VM as the app's Electron side sees it."""

from __future__ import annotations

import re

from app.core.events import (
    CloudSessionSeen,
    Event,
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
from app.core.formats.base import CLOUD, Format
from app.core.records import Record


def _began(match: re.Match[str], record: Record) -> Event:
    return VmStartBegan(record.at, None, None)


def _active(match: re.Match[str], record: Record) -> Event:
    return VmActive(record.at)


FORMATS = (
    Format(
        "vm.begin",
        r"\[VM:start\] Beginning startup",
        _began,
        (
            "[VM:start] Beginning startup, bundlePath=/Users/someone/vm_bundles/claudevm.bundle",
            "[VM:start] Beginning startup, VM instance ID: 0a1b",
        ),
    ),
    Format(
        "vm.memory",
        r"\[VM:start\] memory=(?P<memory_gb>\d+)GB",
        VmConfigured,
        ("[VM:start] memory=4GB tier=flat",),
    ),
    Format("vm.bundle", r"\[VM:start\] Bundle version", None, ("[VM:start] Bundle version: 0a1b2c",)),
    Format(
        "vm.step_started",
        r"\[VM:steps\] (?P<step>\w+) started",
        VmStepStarted,
        ("[VM:steps] vm_boot started",),
    ),
    Format(
        "vm.step_completed",
        r"\[VM:steps\] (?P<step>\w+) completed(?: \((?P<took_ms>\d+)ms\))?",
        VmStepCompleted,
        ("[VM:steps] guest_vsock_connect completed (1800ms)",),
    ),
    Format(
        "vm.waiting",
        r"\[VM:start\] Still waiting for guest connection\.\.\. (?P<elapsed_ms>\d+)ms elapsed",
        VmWaited,
        ("[VM:start] Still waiting for guest connection... 20000ms elapsed, 40 polls",),
    ),
    Format(
        "vm.timeout",
        r"\[VM:start\] (?P<detail>Connection timeout, last completed step: \w+)",
        VmStartFailed,
        ("[VM:start] Connection timeout, last completed step: vm_boot",),
    ),
    Format(
        "vm.startup_failed",
        r"\[VM:start\] Startup failed: (?P<detail>.*)",
        VmStartFailed,
        ("[VM:start] Startup failed: Error: VM connection timeout\n    at start (node:vm:1:1)",),
    ),
    Format(
        "vm.startup_error",
        r"(?:\[[\w:]+\] )?Dispatching startup error: (?P<detail>.*)",
        VmStartFailed,
        (
            "Dispatching startup error: VM connection timeout after 60 seconds",
            "[VM:start] Dispatching startup error: VM connection timeout after 60 seconds",
        ),
    ),
    Format(
        "vm.boot_failed",
        r"(?:\[[\w:]+\] )?VM boot failed: (?P<detail>.*)",
        VmStartFailed,
        ("VM boot failed: Request timed out: configure", "[VM:start] VM boot failed: VM is already running"),
    ),
    Format(
        "vm.no_virtualization",
        r"(?:\[[\w:]+\] )?(?P<detail>virtualization_not_available)",
        VmStartFailed,
        ("virtualization_not_available", "[VM:start] virtualization_not_available"),
    ),
    Format(
        "vm.reinstall_skipped",
        r"(?:\[VM:start\] )?Skipping auto-reinstall",
        None,
        ("Skipping auto-reinstall (already attempted once)", "[VM:start] Skipping auto-reinstall (already tried)"),
    ),
    Format(
        "vm.ready",
        r"\[VM:start\] Startup complete, total time: (?P<took_ms>\d+)ms",
        VmReady,
        ("[VM:start] Startup complete, total time: 2105ms",),
    ),
    Format(
        "vm.spawning_linux",
        r"Using Claude VM spawn",
        None,
        ("Using Claude VM spawn",),
    ),
    Format(
        "vm.spawned_linux",
        r"Spawn succeeded\b",
        _began,
        ("Spawn succeeded",),
    ),
    Format(
        "vm.started_linux",
        r"vmStarted\b",
        lambda match, record: VmReady(record.at, None),
        ("vmStarted",),
    ),
    Format(
        "vm.network",
        r"\[VM\] Network status: (?P<status>\w+)",
        VmNetworkChanged,
        ("[VM] Network status: CONNECTED", "[VM] Network status: NOT_CONNECTED"),
    ),
    Format(
        "vm.api",
        r"\[VM\] API reachability: (?P<status>\w+)",
        VmApiChanged,
        ("[VM] API reachability: PROBABLY_UNREACHABLE",),
    ),
    Format(
        "vm.connected",
        r"\[startVM\] VM already connected",
        _active,
        ("[startVM] VM already connected",),
    ),
    Format(
        "vm.guest_run",
        r"\[vmOneShot\] Running: .*? as " + CLOUD,
        CloudSessionSeen,
        ("[vmOneShot] Running: bash [2 arg(s)] as rcw-01abc",),
    ),
    Format(
        "vm.keepalive_lost",
        r"\[Keepalive\] .*(?:timeout|timed out)",
        None,
        ("[Keepalive] ping timeout after 5000ms",),
    ),
    Format(
        "vm.housekeeping",
        r"\[(?:warm|Bundle:status|KernelBugMonitor)\] ",
        None,
        (
            "[warm] Prefetching the bundle",
            "[Bundle:status] ready",
            "[KernelBugMonitor] State reset",
        ),
    ),
    Format(
        "vm.activity",
        r"\[(?:vmOneShot|postConnect|Keepalive)\] (?!.* as rcw-)(?!.*(?:timeout|timed out))",
        _active,
        (
            "[vmOneShot] Running: bash [2 arg(s)]",
            "[postConnect] Mounting 2 shares",
            "[Keepalive] Already running",
        ),
    ),
)

MUST_KNOW = ("[VM",)
