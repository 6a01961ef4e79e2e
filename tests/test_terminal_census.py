"""The census as people see it in a terminal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from io import StringIO

import pytest
from rich.console import Console

from app.core.census import census
from app.core.counted import Census
from app.core.events import (
    AppStarted,
    Event,
    EvictionForeseen,
    Observed,
    PressureReported,
    SessionRetitled,
    SessionStarted,
    Unrecognized,
)
from app.core.reducer import fold
from app.core.state import State
from app.core.tally import Tally
from app.terminal_census import SHOWN, print_census, safe

NOON = datetime(2026, 10, 2, 12, tzinfo=UTC)
SESSION = "local_0a1b2c3d-0000-4000-8000-000000000001"
HOSTILE = "[bold red]x[/] \x1b]8;;about:blank\x07\x1b[31m\u202e\n[/nope]"


def counted(*events: Event, tally: Tally | None = None) -> Census:
    """The census of these events, all of them in the source ``f1``."""
    seen = [Observed(event, "f1", n, n, "") for n, event in enumerate(events, start=1)]
    return census(tally or Tally(), seen, fold(State(), events))


def printed(found: Census, width: int = 200) -> str:
    """What a terminal of that width shows, with the colours and links that Rich would send."""
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None, _environ={})
    print_census(found, timezone(timedelta(hours=9)), {"f1": "main.log"}, console)
    return out.getvalue()


def test_an_empty_census() -> None:
    """With nothing counted there is one table, which says so, and no empty one."""
    text = printed(counted())

    assert "none" in text
    assert "Lines by scope" not in text
    assert "Lines not recognised" not in text
    assert "differs" not in text


def test_everything_is_shown() -> None:
    """Lines, the governor, victims, shapes, disagreements and scores stand in their tables, times in the zone."""
    text = printed(
        counted(
            AppStarted(NOON, "2.1", None, None),
            SessionStarted(NOON, SESSION, "/code"),
            SessionRetitled(NOON, SESSION, "Report"),
            EvictionForeseen(NOON, SESSION, 8, 90, "user"),
            PressureReported(NOON, "critical", 0, 4),
            Unrecognized(NOON, "[VM] new"),
            Unrecognized(NOON + timedelta(minutes=1), "[VM] new"),
            Unrecognized(NOON, "[VM] once"),
            tally=Tally({("info", "CliGovernor"): 3, ("warn", ""): 1997}, look_alikes=1234),
        )
    )

    for words in (
        "2,000", "1,234", "warn 1,997, info 3", "(no tag)", "99.9%", "The governor's lines: 3, 0.1% of all",
        "would evict, for the user", "other", "Report", "main.log:6", "2026-10-02 21:00:00 to 2026-10-02 21:01:00",
        "0 of 1 times", "memory line", "2.1", "memory critical, by the governor",
    ):  # fmt: skip
        assert words in text


def test_long_tables_are_summed_up() -> None:
    """Of many scopes, shapes and sessions the first are shown, and the rest in one line."""
    tally = Tally({("info", f"scope{n:02}"): 100 - n for n in range(SHOWN + 2)})
    shapes = [Unrecognized(NOON, f"[VM] shape{n:02}") for n in range(SHOWN + 3)]

    text = printed(counted(*shapes, tally=tally))

    assert "(2 more)" in text
    assert f"scope{SHOWN - 1:02}" in text
    assert f"scope{SHOWN:02}" not in text
    assert "(other shapes)" in text


def test_what_the_log_does_not_tell() -> None:
    """A version that is not known is called so, and a source without a name goes by its id."""
    out = StringIO()
    found = counted(EvictionForeseen(NOON, SESSION, 8, 90, "user"), Unrecognized(NOON, "[VM] x"))

    print_census(found, console=Console(file=out, width=200))

    assert "(unknown)" in out.getvalue()
    assert "f1:2" in out.getvalue()


def test_prints_to_the_terminal_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a console the census goes to standard output."""
    print_census(counted())

    assert "Census" in capsys.readouterr().out


def test_hostile_text_is_shown_as_text() -> None:
    """Markup, terminal escapes, links and direction overrides in titles, shapes and scopes do nothing."""
    text = printed(
        counted(
            SessionRetitled(NOON, SESSION, HOSTILE),
            EvictionForeseen(NOON, SESSION, 8, 90, "user"),
            Unrecognized(NOON, HOSTILE),
            tally=Tally({(HOSTILE, HOSTILE): 1}),
        )
    )

    assert "[bold red]x[/]" in text
    assert "\x1b]" not in text
    assert "\x1b[31m" not in text
    assert "\u202e" not in text


def test_safe_keeps_what_can_be_read() -> None:
    """Letters of any script stay as they are; what cannot be seen is marked."""
    assert safe("見送り é") == "見送り é"
    assert safe("a\x1bb\x00") == "a\ufffdb\ufffd"


def test_shapes_stay_readable_in_eighty_columns() -> None:
    """On a narrow terminal the times wrap before a shape becomes a stack of letters."""
    shape = "[VM:start] something of a new kind"
    text = printed(counted(Unrecognized(NOON, shape), Unrecognized(NOON + timedelta(minutes=1), shape)), 80)

    assert max(map(len, text.splitlines())) <= 80
    assert "[VM:start] something of" in text
