"""Records to events: total, by the head of the body, with nothing about seats ever dropped."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.events import (
    EVENT_TYPES,
    Event,
    EvictionForeseen,
    MemoryEvictionBegan,
    NetworkFailed,
    Unrecognized,
    VmActive,
    VmDiskFilled,
)
from app.core.parser import NEEDLES, SHAPE_LENGTH, Family, parser_for, shape_of
from tests.core.helpers import NOON, A, record

FAMILIES: tuple[Family, ...] = get_args(Family)
PIECES = sorted({sample for family in FAMILIES for one in parser_for(family).formats for sample in one.samples})
HOSTILE = st.text(max_size=60) | st.sampled_from(PIECES) | st.sampled_from(["9" * 5000, "\x00", "\x1b[31m", "local_"])
BODIES = st.lists(HOSTILE, max_size=4).map("".join)


def parse(body: str, family: Family = "main.log") -> Event | None:
    """The event of a body."""
    return parser_for(family).parse(record(body))


@pytest.mark.parametrize("family", FAMILIES)
@given(body=BODIES, more=st.lists(BODIES, max_size=2))
@example(body="[CliGovernor] at cap=" + "9" * 5000 + f"; would evict {A} (idle {'9' * 5000}s) for user spawn", more=[])
@example(body=f"[CCD] Session {A} warmed successfully in {'9' * 5000}ms", more=[])
def test_any_text_gives_an_event_or_none(family: Family, body: str, more: list[str]) -> None:
    """The log is hostile: whatever it says, the parser answers."""
    event = parse("\n".join((body.replace("\n", " "), *more)), family)
    assert event is None or type(event) in EVENT_TYPES.values()


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        (f"[CliGovernor] throttled {A} for 30s", "[CliGovernor] throttled <id> for <n>s"),
        ("[CliGovernor] sweep done", "[CliGovernor] sweep done"),
        ("[WarmLifecycle:tabs] Closing /Users/someone/x 3", "[WarmLifecycle:tabs] Closing <path> <n>"),
        (f"[CCD] Pausing session {A}", "[CCD] Pausing session <id>"),
        ("[CCD] Pausing 'a private title' C:\\work\\x", "[CCD] Pausing <text> <path>"),
        (
            "[CliGovernor] cli 38e8f5a3-8cc2-44c2-93ad-d8ee3b3fa4ab cse_01AbC",
            "[CliGovernor] cli <id> <id>",
        ),
    ],
)
def test_unknown_line_about_seats_is_kept_as_its_shape(body: str, shape: str) -> None:
    """Ids, numbers, paths and quoted texts are replaced, so equal shapes count together and tell nothing private."""
    assert parse(body) == Unrecognized(NOON, shape)


def test_unknown_line_of_the_vm_is_kept() -> None:
    """In the VM's log of the Electron side the scope that must be known is ``[VM``."""
    assert parse("[VM:start] Quantum mode 7", "cowork_vm_node.log") == Unrecognized(NOON, "[VM:start] Quantum mode <n>")


@pytest.mark.parametrize(
    ("family", "body"),
    [
        ("main.log", "[CCD] Initialized with version 2.1.284"),
        ("main.log", "[VM:start] not of this log"),
        ("main.log", ""),
        ("main.log", "[unclosed tag"),
        ("cowork_vm_node.log", "[CliGovernor] not of this log"),
        ("cowork_vm_swift.log", "[VM] anything"),
        ("cowork_vm_swift.log", " - Rootfs: /Users/someone/x"),
    ],
)
def test_other_unknown_lines_say_nothing(family: Family, body: str) -> None:
    """Lines of scopes that nobody must know give no event."""
    assert parse(body, family) is None


def test_shape_is_cut() -> None:
    """A shape is long enough to be told apart and too short to hold a conversation."""
    assert len(shape_of("word " * 1000)) == SHAPE_LENGTH


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (
            "Error: load failed\n    at net::ERR_INSUFFICIENT_RESOURCES",
            NetworkFailed(NOON, "ERR_INSUFFICIENT_RESOURCES"),
        ),
        ("Failed to fetch: net::ERR_NAME_NOT_RESOLVED", NetworkFailed(NOON, "ERR_NAME_NOT_RESOLVED")),
        (
            "RPC error: ensure user: useradd failed: exit status 12\n  No space left on device",
            VmDiskFilled(NOON),
        ),
        ("tool result: ENOSPC: no space left on device, mkdir '/sessions/brave-fox/tmp/x'", VmDiskFilled(NOON)),
        ("ENOSPC: no space left on device, mkdir '/Users/someone/x'", None),
        ("No space left on device: useradd failed", None),
        ("[EventLogging] net::ERR_FAILED", None),
    ],
)
def test_what_stands_deep_in_a_record_is_found(body: str, event: Event | None) -> None:
    """A full disk of the VM and a broken network show only inside stacks and tool results."""
    assert parse(body) == event


def test_needles_cover_what_is_looked_for_in_the_depths() -> None:
    """Records of unread scopes are kept only for their needles, so each thing looked for contains one."""
    for text in (b"net::ERR_FAILED", b"useradd failed: No space left on device", b"ENOSPC '/sessions/x'"):
        assert any(needle in text for needle in NEEDLES)


def test_hostile_repetition_takes_linear_time() -> None:
    """A block full of half a match is answered at once: the time limit of the test run is the judge."""
    assert parse("useradd failed " * 200_000) is None
    assert parse("ENOSPC " * 200_000) is None


def test_numbers_without_bound_are_cut() -> None:
    """An idle time of thousands of digits neither raises nor leads out of the calendar."""
    event = parse(f"[CliGovernor] pressure evicting {A} (idle {'9' * 5000}s)")
    assert isinstance(event, MemoryEvictionBegan)
    assert event.idle_seconds == 10**9


def test_leading_space_does_not_hide_a_format() -> None:
    """Formats are found by the first word, whatever space stands before it, if their pattern allows it."""
    assert parse("   - CPUs: 4", "cowork_vm_swift.log") is not None


@pytest.mark.parametrize(
    ("family", "key", "wanted"),
    [
        ("main.log", b"[CliGovernor]", True),
        ("main.log", b"[WarmLifecycle:anything]", True),
        ("main.log", b"[CCD]", True),
        ("main.log", b"Session", True),
        ("main.log", b"beforeQuit:", True),
        ("main.log", b"\xff\xfe", False),
        ("main.log", b"[growthbook]", False),
        ("cowork_vm_node.log", b"[VM:anything]", True),
        ("cowork_vm_node.log", b"[Keepalive]", True),
        ("cowork_vm_swift.log", b"Gvisor", False),
        ("cowork_vm_swift.log", b"-", True),
    ],
)
def test_only_keys_that_can_say_something_are_wanted(family: Family, key: bytes, wanted: bool) -> None:
    """What nobody can read is counted and never decoded."""
    assert parser_for(family).wants(key) is wanted


def test_heads_are_those_of_the_samples() -> None:
    """A format is looked up by the heads of its samples."""
    assert {"[CliGovernor]", "[CCD]", "Starting", "beforeQuit"} <= parser_for("main.log").heads


def test_parser_is_put_together_once() -> None:
    """Compiling a hundred patterns is done once for each family."""
    assert parser_for("main.log") is parser_for("main.log")


def test_same_body_means_different_things_in_different_logs() -> None:
    """Each family has its own formats."""
    assert parse("[startVM] VM already connected", "cowork_vm_node.log") == VmActive(NOON)
    assert parse("[startVM] VM already connected") is None
    assert isinstance(parse(f"[CliGovernor] at cap=6; would evict {A} (idle 9s)"), EvictionForeseen)


def test_log_of_the_guest_gives_no_event_at_all() -> None:
    """By whatever clock it is written: not even a full disk, which another log tells, is taken from it."""
    full = "useradd failed: exit status 12\n  No space left on device"

    assert parse(full, "coworkd.log") is parse(full, "coworkd-user.log") is None
    assert parse(full, "cowork-service.log") == VmDiskFilled(NOON)
    assert not any(parser_for("coworkd.log").wants(head.encode()) for head in parser_for("coworkd.log").heads)
