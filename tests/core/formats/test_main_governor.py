"""What the governor's lines and the memory lines become."""

from __future__ import annotations

import pytest

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
    Unrecognized,
    WakeDeferred,
)
from app.core.parser import parser_for
from tests.core.helpers import DITTO, NOON, A, record

MEMORY = (
    "[process-memory] trigger=interval tree_rss_sum=3558MB tree_footprint_sum=2460MB electron(9)=2100MB "
    "children(18)=558MB top=[electron_renderer:5832:889MB child:42661:376MB] sys_free=7541MB/24576MB sys_free_raw=429MB"
)


def parse(body: str) -> Event | None:
    """The event of a body of main.log."""
    return parser_for("main.log").parse(record(body))


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"at cap=8; would evict {A} (idle 53s) for user spawn", EvictionForeseen(NOON, A, 8, 53, "user")),
        (
            f"at cap=21; would evict {DITTO} (idle 83238s) for warm spawn",
            EvictionForeseen(NOON, DITTO, 21, 83238, "warm"),
        ),
        (f"at cap=6; would evict {A} (idle 9s)", EvictionForeseen(NOON, A, 6, 9, None)),
        (f"at cap=6; would evict {A} (idle 9s) for cold spawn", EvictionForeseen(NOON, A, 6, 9, None)),
        (f"at cap=8; evicting {A} (idle 393s) for warm spawn", SeatEvictionBegan(NOON, A, 8, 393, "warm")),
        ("at cap; yielding warm spawn", StartYielded(NOON, "warm")),
        ("at cap=8; yielding user spawn", StartYielded(NOON, "user")),
        (f"pressure evicting {A} (idle 286s)", MemoryEvictionBegan(NOON, A, 286)),
        (f"sweep: evicting {A} (idle 286s)", MemoryEvictionBegan(NOON, A, 286)),
        (f"pressure sweep; evicting {A} (idle 286s) to free memory", MemoryEvictionBegan(NOON, A, 286)),
        (
            "getFreeMemoryRatio failed; treating memory pressure as clear {\n  err: Error: EPERM\n}",
            PressureUnreadable(NOON),
        ),
        (f"evict pauseSession failed {{\n  sessionId: '{A}',\n  err: Error: busy\n}}", EvictionFailed(NOON, A)),
        (f"evict pauseSession failed {{ sessionId: '{A}', err: 'busy' }}", EvictionFailed(NOON, A)),
        ("evict pauseSession failed", EvictionFailed(NOON, None)),
        ("acquire(warm) effective=7/8", None),
        ("at cap=x; would evict somebody", Unrecognized(NOON, "[CliGovernor] at cap=x; would evict somebody")),
        ("sweep skipped", Unrecognized(NOON, "[CliGovernor] sweep skipped")),
    ],
)
def test_line_of_the_governor(body: str, event: Event | None) -> None:
    """Would evict, evicting, yielding and failing are four different things."""
    assert parse("[CliGovernor] " + body) == event


@pytest.mark.parametrize(
    ("rest", "level", "victims", "effective"),
    [
        (" (warning): would evict 2 idle session(s), 8 effective", "warning", 2, 8),
        (" (critical): would evict 0 idle session(s), 0 effective", "critical", 0, 0),
        (" (critical): evicting 0 of 0 idle session(s)", "critical", 0, None),
        (" (warning): evicted 1 of 5 idle session(s), 6 effective", "warning", 1, 6),
        (" (warning): 3 of 5 idle session(s) can go", "warning", 3, None),
        (" (critical)", "critical", None, None),
        (" (critical); throttled", "critical", None, None),
    ],
)
def test_pressure_line_in_every_wording(rest: str, level: str, victims: int | None, effective: int | None) -> None:
    """The level is in every wording; the numbers are where they can be told."""
    event = parse("[CliGovernor] memory pressure" + rest)
    assert isinstance(event, PressureReported)
    assert (event.level, event.victims, event.effective) == (level, victims, effective)


def test_unknown_level_is_not_taken_for_another() -> None:
    """A level that nobody has seen is counted as an unknown shape."""
    assert isinstance(parse("[CliGovernor] memory pressure (serious)"), Unrecognized)


def test_wake_that_was_put_off_by_another_part_of_the_app() -> None:
    """The engine that wakes sessions obeys the cap, too."""
    body = f"[AutoFixEngine] CLI process cap hit; deferring wake for {A} to next sweep"
    assert parse(body) == WakeDeferred(NOON, A)


def test_memory_line_gives_each_number_by_its_name() -> None:
    """The raw number is kept apart from the one that tells how much is free."""
    assert parse(MEMORY) == MemorySampled(
        NOON, "interval", tree_rss_mb=3558, tree_footprint_mb=2460, electron_count=9, electron_mb=2100,
        child_count=18, child_mb=558, free_mb=7541, total_mb=24576, free_raw_mb=429,
    )  # fmt: skip


def test_memory_line_of_an_older_build_leaves_out_what_it_lacks() -> None:
    """A number that is not there is unknown, not zero."""
    assert parse("[process-memory] sys_free_raw=529MB") == MemorySampled(
        NOON, "interval", None, None, None, None, None, None, None, None, free_raw_mb=529
    )
    stall = parse("[process-memory] trigger=stall tree_rss_sum=529MB")
    assert isinstance(stall, MemorySampled)
    assert (stall.trigger, stall.tree_rss_mb, stall.free_mb) == ("stall", 529, None)


def test_transition_of_the_operating_system() -> None:
    """macOS names each new level once."""
    assert parse("Memory pressure transition: normal") == PressureChanged(NOON, "normal")
    assert parse("Memory pressure transition: critical (was warning)") == PressureChanged(NOON, "critical")
    assert parse("Memory pressure transition: odd") is None
