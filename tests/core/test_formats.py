"""Formats both ways: each sample is known by exactly one format, each format has samples, and tails are free."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from app.core.events import Event, EvictionForeseen, NetworkFailed, SignInLost, Unrecognized, UsageLimited
from app.core.formats.base import Format
from app.core.parser import Family, parser_for
from tests.core.helpers import NOON, record

FAMILIES: tuple[Family, ...] = get_args(Family)
FORMATS = [(family, one) for family in FAMILIES for one in parser_for(family).formats]
SAMPLES = [(family, one, sample) for family, one in FORMATS for sample in one.samples]


def known_by(family: Family, body: str) -> list[str]:
    """The names of the formats that match a body."""
    return [one.name for one in parser_for(family).formats if re.match(one.pattern, body.split("\n", maxsplit=1)[0])]


def parsed(family: Family, body: str) -> Event | None:
    """The event of a body."""
    return parser_for(family).parse(record(body))


@pytest.mark.parametrize(("family", "one"), FORMATS, ids=lambda value: value.name if isinstance(value, Format) else "")
def test_every_format_has_a_sample_and_a_name_of_its_own(family: Family, one: Format) -> None:
    """A format without a sample is never looked up; two with one name could not be told apart."""
    assert one.samples
    assert [other.name for other in parser_for(family).formats].count(one.name) == 1


@pytest.mark.parametrize(("family", "one", "sample"), SAMPLES)
def test_sample_is_known_by_its_own_format_only(family: Family, one: Format, sample: str) -> None:
    """No format takes another's line, in whatever order they are tried."""
    assert known_by(family, sample) == [one.name]


@pytest.mark.parametrize(("family", "one", "sample"), SAMPLES)
def test_sample_gives_an_event_of_the_declared_class(family: Family, one: Format, sample: str) -> None:
    """A format that makes an event makes that one; a silent format makes none."""
    event = parsed(family, sample)
    if one.make is None:
        assert event is None
    elif isinstance(one.make, type):
        assert type(event) is one.make
    else:
        assert event is not None
        assert not isinstance(event, Unrecognized)
    assert event is None or event.at == NOON


@pytest.mark.parametrize(("family", "one", "sample"), SAMPLES)
def test_unknown_tail_changes_nothing_but_free_text(family: Family, one: Format, sample: str) -> None:
    """Builds add words to the end of their lines: such a line is still of the same format and the same kind."""
    first, *more = sample.split("\n")
    longer = "\n".join((first + " and more text", *more))

    assert known_by(family, longer) == [one.name]
    assert type(parsed(family, longer)) is type(parsed(family, sample))


WORDINGS = [
    ("[CCD] Pausing session local_x1 due to idle", "[CCD] Pausing session local_x1 (idle_timeout)"),
    (
        "[IdleManager:session] Idle timeout reached, disconnecting local_x1",
        "[WarmLifecycle:session] Idle timeout reached, disconnecting local_x1",
    ),
    (
        "[IdleManager:session] Starting idle timeout for local_x1: 900s",
        "[WarmLifecycle:session] Starting idle timeout for local_x1: 900s",
    ),
    ("[IdleManager:session] Warming up session local_x1", "[WarmLifecycle:session] Warming up session local_x1"),
    (
        "Update downloaded and ready to install { releaseName: 'Claude 2.9939.4' }",
        "[updater] Update downloaded and ready to install { releaseName: 'Claude 2.9939.4' }",
    ),
    ("[Lifecycle] Session local_x1: running ΓåÆ idle", "[Lifecycle] Session local_x1: running → idle"),
    (
        "[updater] Version changed since last launch: 2.2553.0 ΓåÆ 2.9939.4",
        "[updater] Version changed since last launch: 2.2553.0 → 2.9939.4",
    ),
    (
        "Restore: Skipping local_x1 ΓÇö live session already in memory",
        "Restore: Skipping local_x1 — live session already in memory",
    ),
]


@pytest.mark.parametrize(("old", "new"), WORDINGS)
def test_old_and_new_wording_mean_the_same(old: str, new: str) -> None:
    """Builds word the same fact in different ways, and a wrong decoding changes its arrows."""
    assert parsed("main.log", old) == parsed("main.log", new) is not None


HARMLESS = [
    "[process-memory] trigger=interval sys_free=7541MB/24576MB sys_free_raw=429MB",
    "[process-memory] trigger=interval sys_free=529MB/24576MB sys_free_raw=529MB",
    "[remote-file] staged 3 files, 0 files-api 429s retried",
    "[oauth] CLI requested token refresh after 401",
    "[EventLogging] Failed to send 12 events: HTTP 403 net::ERR_FAILED",
    "Failed to log event: 403 net::ERR_ABORTED",
    "[remote-tools-device] close 1006 net::ERR_CONNECTION_RESET",
    "[git] worker exited (0); will refork on next request",
    "gh pr view timed out",
    "Blocked permission check {\n  permission: 'background-sync',\n  isMainFrame: false",
    "Failed to set title bar overlay, this is probably expected",
    "fatal: git exited with code 128",
    "[bridge-ws] using net.WebSocket transport for wss://example.invalid",
    "request 429 of 529 You've hit your session limit",
]


@pytest.mark.parametrize("body", HARMLESS)
def test_harmless_line_is_no_failure(body: str) -> None:
    """Numbers and words that look like limits, sign-in or network trouble mean nothing outside their exact shapes."""
    event = parsed("main.log", body)
    assert event is None or type(event).__name__ in ("MemorySampled",)
    assert not isinstance(event, UsageLimited | SignInLost | NetworkFailed | EvictionForeseen)
