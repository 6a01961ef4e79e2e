"""main.log: what the governor writes, and the memory lines beside it."""

from __future__ import annotations

import re

from app.core.events import (
    Event,
    EvictionFailed,
    EvictionForeseen,
    MemoryEvictionBegan,
    MemorySampled,
    PressureChanged,
    PressureReported,
    PressureUnreadable,
    SeatEvictionBegan,
    StartYielded,
    WakeDeferred,
)
from app.core.formats.base import SESSION, Format, whole
from app.core.records import Record

_AT_CAP = r"\[CliGovernor\] at cap=(?P<cap>\d+); "
_VICTIM = SESSION + r" \(idle (?P<idle_seconds>\d+)s\)"
_FOR = r"(?: for (?P<trigger>warm|user) spawn)?"


def _pressure(match: re.Match[str], record: Record) -> Event:
    """The wordings differ by version and one of them was never seen whole: take the level, then what can be known."""
    rest = match["rest"]
    victims = re.search(r"(?:would evict|evict\w*|evicting)\D{0,12}(\d+)|(\d+) of \d+ idle", rest)
    effective = re.search(r"(\d+) effective", rest)
    return PressureReported(
        at=record.at,
        level="critical" if match["level"] == "critical" else "warning",
        victims=whole(victims[1] or victims[2]) if victims else None,
        effective=whole(effective[1]) if effective else None,
    )


def _eviction_failed(match: re.Match[str], record: Record) -> Event:
    named = re.search(SESSION, "\n".join((match.string, *record.more)))
    return EvictionFailed(at=record.at, session=named["session"] if named else None)


def _memory(match: re.Match[str], record: Record) -> Event:
    """Older builds print fewer fields, so each is looked for by its own name."""

    def number(pattern: str) -> int | None:
        found = re.search(pattern, match.string)
        return whole(found[1]) if found else None

    return MemorySampled(
        at=record.at,
        trigger=match["trigger"] or "interval",
        tree_rss_mb=number(r"tree_rss_sum=(\d+)MB"),
        tree_footprint_mb=number(r"tree_footprint_sum=(\d+)MB"),
        electron_count=number(r"electron\((\d+)\)"),
        electron_mb=number(r"electron\(\d+\)=(\d+)MB"),
        child_count=number(r"children\((\d+)\)"),
        child_mb=number(r"children\(\d+\)=(\d+)MB"),
        free_mb=number(r"sys_free=(\d+)MB"),
        total_mb=number(r"sys_free=\d+MB/(\d+)MB"),
        free_raw_mb=number(r"sys_free_raw=(\d+)MB"),
    )


FORMATS = (
    Format(
        "governor.would_evict",
        _AT_CAP + "would evict " + _VICTIM + _FOR,
        EvictionForeseen,
        (
            "[CliGovernor] at cap=8; would evict local_0a1b2c3d-0000-4000-8000-000000000001 (idle 53s) for user spawn",
            "[CliGovernor] at cap=21; would evict local_ditto_0a1b2c3d-0000-4000-8000-000000000002 (idle 83238s) for "
            "warm spawn",
            "[CliGovernor] at cap=6; would evict local_0a1b2c3d-0000-4000-8000-000000000003 (idle 9s)",
        ),
    ),
    Format(
        "governor.evicting",
        _AT_CAP + "evicting " + _VICTIM + _FOR,
        SeatEvictionBegan,
        ("[CliGovernor] at cap=8; evicting local_0a1b2c3d-0000-4000-8000-000000000001 (idle 393s) for warm spawn",),
    ),
    Format(
        "governor.yielding",
        r"\[CliGovernor\] at cap(?:=\d+)?; yielding (?P<trigger>warm|user) spawn",
        StartYielded,
        ("[CliGovernor] at cap; yielding warm spawn", "[CliGovernor] at cap; yielding user spawn"),
    ),
    Format(
        "governor.pressure",
        r"\[CliGovernor\] memory pressure \((?P<level>warning|critical)\)(?P<rest>.*)",
        _pressure,
        (
            "[CliGovernor] memory pressure (warning): would evict 2 idle session(s), 8 effective",
            "[CliGovernor] memory pressure (critical): evicting 0 of 0 idle session(s)",
            "[CliGovernor] memory pressure (critical)",
        ),
    ),
    Format(
        "governor.pressure_evicting",
        r"\[CliGovernor\] (?:pressure|sweep|pressure sweep)[:;]? evicting " + _VICTIM,
        MemoryEvictionBegan,
        ("[CliGovernor] pressure evicting local_0a1b2c3d-0000-4000-8000-000000000001 (idle 286s)",),
    ),
    Format(
        "governor.memory_unreadable",
        r"\[CliGovernor\] getFreeMemoryRatio failed",
        PressureUnreadable,
        (
            "[CliGovernor] getFreeMemoryRatio failed; treating memory pressure as clear {\n"
            "  err: Error: EPERM\n      at read (node:os:1:1)\n}",
        ),
    ),
    Format(
        "governor.evict_failed",
        r"\[CliGovernor\] evict pauseSession failed",
        _eviction_failed,
        (
            "[CliGovernor] evict pauseSession failed {\n"
            "  sessionId: 'local_0a1b2c3d-0000-4000-8000-000000000001',\n  err: Error: busy\n}",
            "[CliGovernor] evict pauseSession failed",
        ),
    ),
    Format(
        "governor.acquire",
        r"\[CliGovernor\] acquire\(",
        None,
        ("[CliGovernor] acquire(warm) effective=7/8",),
    ),
    Format(
        "autofix.deferred",
        r"\[AutoFixEngine\] CLI process cap hit; deferring wake for " + SESSION,
        WakeDeferred,
        (
            "[AutoFixEngine] CLI process cap hit; deferring wake for local_0a1b2c3d-0000-4000-8000-000000000001 "
            "to next sweep",
        ),
    ),
    Format(
        "memory.sample",
        r"\[process-memory\](?: trigger=(?P<trigger>\w+))?",
        _memory,
        (
            "[process-memory] trigger=interval tree_rss_sum=3558MB tree_footprint_sum=2460MB electron(9)=2100MB "
            "children(18)=558MB top=[electron_renderer:5832:889MB child:42661:376MB] sys_free=7541MB/24576MB "
            "sys_free_raw=429MB",
            "[process-memory] trigger=stall tree_rss_sum=529MB sys_free=529MB/32768MB",
        ),
    ),
    Format(
        "memory.transition",
        r"Memory pressure transition: (?P<level>normal|warning|critical)",
        PressureChanged,
        ("Memory pressure transition: warning", "Memory pressure transition: normal"),
    ),
)
