"""Advice about the machine: ports, other virtual machines, and what a dead app left behind; see `app.core.advice`."""

from __future__ import annotations

from typing import assert_never

from app.core.advised import CompetingVm, Orphans, PortsShort
from app.core.machine import Machine

LARGE_VM_MB = 2048
"""A virtual machine that holds less is not what memory is short for."""
LARGE_ORPHANS_MB = 512
"""What was left behind and holds less is not worth a word while there is memory."""


def ports_short(machine: Machine) -> PortsShort | None:
    """The home line is nearly full, or will soon be."""
    ports = machine.ports
    if ports is None or ports.usage.line.budget is None or not ports.lead:
        return None
    minutes = None if ports.minutes is None else round(ports.minutes)
    return PortsShort(ports.usage.in_use, ports.usage.line.budget, minutes)


def competing_vm(machine: Machine, *, short: bool) -> CompetingVm | None:
    """The largest virtual machine of another program, while memory is ``short``."""
    others = machine.processes.other_vms if machine.processes is not None else ()
    largest = max(others, key=lambda row: row.rss_mb, default=None)
    if not short or largest is None or largest.rss_mb < LARGE_VM_MB:
        return None
    return CompetingVm(largest.name, largest.rss_mb)


def orphans(machine: Machine, *, short: bool) -> Orphans | None:
    """Processes of an app that is gone: much of them at any time, any of them while memory is ``short``."""
    left = machine.processes.orphans if machine.processes is not None else ()
    found = Orphans(sum(row.count for row in left), sum(row.rss_mb for row in left))
    return found if found.count and (short or found.mb >= LARGE_ORPHANS_MB) else None


def machine_sentence(advice: PortsShort | CompetingVm | Orphans) -> str:
    """The advice in English; see `app.core.advice.sentence`."""
    match advice:
        case PortsShort():
            return (
                f"{advice.in_use:,} of {advice.budget:,} ports of the home line are in use. "
                "Start no more agents now, and close what keeps many connections open."
            )
        case CompetingVm():
            return f"{advice.name} holds {_size(advice.mb)} and competes with Claude for memory. Stop it if you can."
        case Orphans():
            what = f"{advice.count:,} processes" if advice.count > 1 else "1 process"
            return f"What an app that is gone left behind ({what}) holds {_size(advice.mb)}. Ending it frees that."
        case _:
            assert_never(advice)


def _size(mb: int) -> str:
    gb = mb / 1024
    return f"{gb:.0f} GB" if gb >= 10 or gb == int(gb) else f"{gb:.1f} GB"
