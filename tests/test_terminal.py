"""What the command line prints for people."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from io import StringIO
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from app.core.diagnosis import Verdict
from app.core.events import (
    AppStarted,
    EvictionForeseen,
    HeartbeatSeen,
    SeatEvictionBegan,
    SessionPaused,
    SessionStarted,
    TurnEnded,
)
from app.core.state import State
from app.core.tally import Tally
from app.reading import FolderReading
from app.terminal import VERDICTS, clock, name_of, print_state, print_why
from tests.core.helpers import CODE, COWORK, NOON, A, B, C, after, state_after

READING = FolderReading((), Tally({("info", ""): 1234}), (), {}, NOON)


def printed(state: State, seconds: float = 0, width: int = 160) -> str:
    """What is printed of a state, judged so long after noon, on a terminal of that width."""
    out = Console(file=StringIO(), width=width, force_terminal=False)
    print_state(state, after(seconds), ZoneInfo("Asia/Tokyo"), READING, out)
    return out.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def told(answer: dict[str, Any]) -> str:
    """What is printed of an answer."""
    out = Console(file=StringIO(), width=160, force_terminal=False)
    print_why({"session": A, "title": None, "note": None, "evidence": [], "others": [], **answer}, out)
    return out.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def two_silent() -> State:
    """Two Code sessions fell silent five minutes apart, a Cowork session runs."""
    return state_after(
        AppStarted(NOON, "2.26454.0", "darwin", "arm64"),
        SessionStarted(NOON, A, CODE),
        SessionStarted(NOON, B, CODE),
        SessionStarted(NOON, C, COWORK),
        TurnEnded(NOON, A, 60, None),
        TurnEnded(after(300), B, 60, None),
    )


def row_of(text: str, name: str) -> str:
    """The table's row that begins with a name."""
    return next(row for row in text.splitlines() if name in row)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0, "0:00"), (59, "0:59"), (842, "14:02"), (3599, "59:59"), (3600, "1:00:00"), (7390, "2:03:10")],
)
def test_clock(seconds: int | None, text: str) -> None:
    """Minutes and seconds, with hours once there are any, and nothing for nothing."""
    assert clock(seconds) == text


def test_the_headline_says_where_the_cap_is_from() -> None:
    """Seats against the cap, the moment in the asked zone, the app, the pressure and the VM."""
    text = printed(two_silent(), 330)

    assert "2/8 seats taken, cap assumed" in text
    assert "at 2026-10-02 21:05:30, Claude 2.26454.0, running; memory pressure unknown; VM unknown" in text
    assert "Counted in 1,234 lines" in text


def test_an_app_that_is_not_there_is_said_so() -> None:
    """No version and no start are words, not blanks."""
    assert "Claude of unknown version, not running" in printed(State())


def test_sessions_have_their_place_in_the_queue() -> None:
    """The longest silent is first; who is silent for under a minute is safe from a warm start; Cowork has no seat."""
    text = printed(two_silent(), 330)

    assert "5:30" in row_of(text, A)
    assert "1 " in row_of(text, A)
    assert "2 (safe)" in row_of(text, B)
    assert "starting, no seat" in row_of(text, C)


def test_a_session_that_was_closed_is_not_among_the_living() -> None:
    """The table is of sessions with a process; what was closed is counted."""
    closed = state_after(
        SeatEvictionBegan(after(400), A, 8, 400, "warm"),
        SessionPaused(after(400), A, "governor_evict"),
        start=two_silent(),
    )
    text = printed(closed, 400)

    assert A not in text
    assert "This build closes sessions for real." in text
    assert row_of(text, "closed to make room").split()[-2] == "1"
    assert "cap from the log" in text


def test_warnings_alone_are_told_apart() -> None:
    """Nothing was closed by lines that only warn."""
    warned = state_after(EvictionForeseen(after(400), A, 8, 400, "user"), start=two_silent())
    text = printed(warned, 400)

    assert "This build has only warned so far." in text
    assert "0, 1" in row_of(text, "would be closed (warm start, user)")
    assert row_of(text, "closed to make room").split()[-2] == "0"


def test_log_text_is_never_markup() -> None:
    """Titles and versions with brackets are printed as they are."""
    state = two_silent()
    named = replace(state.sessions[A], title="[red]deck[/red] [link=x]")
    state = replace(state, sessions={**state.sessions, A: named}, app=replace(state.app, version="[bold]2[/]"))
    text = printed(state)

    assert "[red]deck[/red] [link=x]" in text
    assert "Claude [bold]2[/]," in text


def test_what_to_do_stands_under_the_headline() -> None:
    """One to three sentences, with titles where there are any, before the first table."""
    awake = state_after(HeartbeatSeen(after(300)), start=two_silent())
    named = replace(awake.sessions[A], title="Tax [folder]")
    full = replace(awake, cap=2, sessions={**awake.sessions, A: named})
    head = printed(full, 330).split("Sessions with a process")[0]

    assert "- Tax [folder] is likely to go first, silent for 5 minutes." in head
    assert "- Nothing to do." in printed(State())


def test_the_census_follows() -> None:
    """What the log is made of stands below the counts, with the lines of the tally."""
    text = printed(State())

    assert text.index("Counted in 1,234 lines") < text.index("Census") < text.index("Lines by scope")


def test_eighty_columns_are_enough() -> None:
    """On a narrow terminal ids are cut in the middle and each session keeps to one row."""
    text = printed(two_silent(), 330, width=80)
    rows = [line for line in text.split("Counted in")[0].splitlines() if "local_" in line]

    assert max(map(len, text.splitlines())) <= 80
    assert [row.split()[1] for row in rows[-3:]] == [f"local_0a1b…00000000{n}" for n in (1, 2, 3)]
    assert "2 (safe)" in rows[-2]
    assert "starting, no seat" in rows[-1]


def test_terminal_escapes_do_nothing() -> None:
    """Escapes, direction overrides and line feeds of titles, sources and log lines are shown as what they are."""
    nasty = "\x1b]8;;about:blank\x07\x1b[31m\u202e\nx"
    state = two_silent()
    state = replace(state, sessions={**state.sessions, A: replace(state.sessions[A], title=nasty)})
    line = {"at": "2026-10-02T12:00:00+00:00", "source": nasty, "line": 7, "text": nasty}
    stop = {"at": "2026-10-02T12:00:00+00:00", "session": nasty, "verdict": "killed", "certainty": "certain"}
    shown = told({"title": nasty, "verdict": "killed", "certainty": "certain", "note": nasty, "evidence": [line],
                  "stops": [stop]})  # fmt: skip

    for text in (printed(state, 330), shown):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "\u202e" not in text


def test_names_of_sessions() -> None:
    """A title is left as it is; a long id is cut where ids differ least, a short one not at all."""
    session = two_silent().sessions[A]

    assert name_of(replace(session, title="A" * 50), 20) == "A" * 50
    assert name_of(session, 42) == A
    assert name_of(session, 21) == "local_0a1b…0000000001"
    assert len(name_of(session, 20)) == 20


@pytest.mark.parametrize("verdict", get_args(Verdict))
def test_every_verdict_has_its_sentence(verdict: Verdict) -> None:
    """Each is told in words, with how certain it is."""
    text = told({"verdict": verdict, "certainty": "likely"})

    assert f"{VERDICTS[verdict]} (likely)" in text
    assert set(VERDICTS) == set(get_args(Verdict))


def test_the_proof_and_the_surroundings_are_apart() -> None:
    """Two tables, of which one is missing when there is nothing in it."""
    line = {"at": "2026-10-02T12:00:00+00:00", "source": "main.log", "line": 7, "text": "[CCD] Pausing [bold]"}
    text = told({"verdict": "paused_idle", "certainty": "certain", "note": "A [note].", "evidence": [line]})

    assert A in text
    assert "A [note]." in text
    assert "The lines that say so" in text
    assert "Around that time" not in text
    assert "[CCD] Pausing [bold]" in row_of(text, "main.log")
    assert "Around that time" in told({"verdict": "unknown", "certainty": "possible", "others": [line]})


def test_around_a_time_every_stop_is_listed() -> None:
    """Without a session the title is left out and each stop has its sentence."""
    stop = {"at": "2026-10-02T12:00:00+00:00", "session": B, "verdict": "killed", "certainty": "certain"}
    text = told({"session": None, "verdict": "unknown", "certainty": "certain", "stops": [stop]})

    assert text.startswith("The log does not say. (certain)")
    assert f"{B}  Its process was killed from outside." in text


def test_a_title_stands_for_the_session() -> None:
    """Where there is a title, it is the heading."""
    assert told({"title": "Tax [folder]", "verdict": "unknown", "certainty": "possible"}).startswith("Tax [folder]\n")


def test_without_a_console_the_terminal_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    """Both print to standard output by themselves."""
    print_state(State(), NOON, UTC, READING)
    print_why({"session": None, "verdict": "unknown", "certainty": "certain", "evidence": [], "others": []})

    out = capsys.readouterr().out
    assert "seats taken" in out
    assert "The log does not say." in out
