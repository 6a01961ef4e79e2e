"""cowork_vm_swift.log: the VM as macOS' native side sees it. Its prefix begins with ``[VM] ``."""

from __future__ import annotations

import re

from app.core.events import (
    Event,
    VmConfigured,
    VmReady,
    VmStartBegan,
    VmStepCompleted,
    VmStepStarted,
    VmStopTimedOut,
)
from app.core.formats.base import Format, whole
from app.core.records import Record


def _asked(match: re.Match[str], record: Record) -> Event:
    memory = re.search(r"memoryGB=(\d+)", match.string)
    cpus = re.search(r"cpuCount=(\d+)", match.string)
    return VmStartBegan(record.at, whole(cpus[1]) if cpus else None, whole(memory[1]) if memory else None)


FORMATS = (
    Format(
        "swift.asked",
        r"startVM called for ",
        _asked,
        (
            "startVM called for /Users/someone/vm with memoryGB=4 cpuCount=auto networkMode=gvisor",
            "startVM called for /Users/someone/vm with memoryGB=4 cpuCount=4 networkMode=gvisor",
        ),
    ),
    Format(
        "swift.step_started",
        r"VM startup step: (?P<step>\w+) started",
        VmStepStarted,
        ("VM startup step: vm_boot started",),
    ),
    Format(
        "swift.step_completed",
        r"VM startup step: (?P<step>\w+) completed",
        VmStepCompleted,
        ("VM startup step: vm_boot completed",),
    ),
    Format("swift.cpus", r"\s*- CPUs: (?P<cpus>\d+)", VmConfigured, ("  - CPUs: 4", " - CPUs: 10", "- CPUs: 2")),
    Format(
        "swift.memory",
        r"\s*- Memory: (?P<memory_gb>\d+) ?GB",
        VmConfigured,
        ("  - Memory: 4GB", " - Memory: 8GB", "- Memory: 4 GB"),
    ),
    Format("swift.guest", r"Guest: (?P<guest>.+)", VmConfigured, ("Guest: Ubuntu 22.04.5 LTS",)),
    Format(
        "swift.started",
        r"Linux VM started successfully",
        VmReady,
        ("Linux VM started successfully",),
    ),
    Format("swift.configured", r"Configuration created:", None, ("Configuration created:",)),
    Format(
        "swift.paths",
        r"\s*- (?:Boot|Rootfs|Session data): ",
        None,
        ("  - Boot: EFI (GRUB)", "  - Rootfs: /Users/someone/rootfs.img", " - Session data: /Users/someone/data.img"),
    ),
    Format(
        "swift.network",
        r"Gvisor (?:usernet started|network attachment stopped)",
        None,
        ("Gvisor usernet started", "Gvisor network attachment stopped"),
    ),
    Format(
        "swift.console",
        r"Console device attached: ",
        None,
        ("Console device attached: port 0 (coworkd/hvc0), port 1 (kernel boot/hvc1)",),
    ),
    Format(
        "swift.direct_boot",
        r"Direct-boot artifacts ",
        None,
        ("Direct-boot artifacts not present in bundle; using EFI (GRUB) boot",),
    ),
    Format(
        "swift.stop_timeout",
        r"Timeout waiting for VM to stop",
        lambda match, record: VmStopTimedOut(record.at),
        ("Timeout waiting for VM to stop (state: 4), proceeding with cleanup",),
    ),
)

MUST_KNOW: tuple[str, ...] = ()
"""This log is chatty about devices and shares; what is not known here says nothing about the VM's life."""
