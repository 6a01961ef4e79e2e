"""What is shared: one moment, without anything that tells whose it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest

from app.core.aliases import Aliases
from app.core.state import State
from app.live import Snapshot
from app.web.language import speaking
from app.web.share_scene import places_of, scene
from tests.web.scenes import NOW, ago, mark, past, session, seven_of_eight, sid, snapshot
from tests.web.sharing import TRACES, marked_snapshot, scene_of


def test_nothing_in_a_scene_tells_whose_it_is() -> None:
    """All that a scene holds, however deep, is free of every marker, so that no file can have one."""
    told = repr(scene_of(marked_snapshot())).lower()

    assert [trace for trace in TRACES if trace in told] == []


def test_the_sentence_names_sessions_by_their_letter() -> None:
    """The sentence is the page's own, with letters in the place of titles, in both languages."""
    shown = scene_of()
    with speaking("ja"):
        japanese = "".join(part.text for part in shown.sentence().parts)

    assert "Session E is likely to be closed first" in "".join(part.text for part in shown.sentence().parts)
    assert "タスク E" in japanese
    assert shown.name("E") == "Session E"


def test_titles_stay_when_asked_for() -> None:
    """With titles sessions are called as on the page, and the footer says so."""
    shown = scene_of(titles=True)

    assert "Meeting notes" in "".join(part.text for part in shown.sentence().parts)
    assert shown.promise().startswith("Sessions have their titles")
    assert scene_of().promise().startswith("Sessions are called by letters")


def test_where_logs_were_looked_for_is_not_said() -> None:
    """Without logs the sentence of the page lists folders; that of a picture does not."""
    shown = scene_of(Snapshot(1, State(), snapshot().history, looked_in=("/Users/someone/x",), ready=True))

    assert [part.text for part in shown.sentence().parts] == ["No Claude logs found."]
    assert shown.sentence().small == ()


def test_tiles_keep_the_places_of_the_page() -> None:
    """Seats are told by who came first, and follow the sessions through their new names."""
    state = seven_of_eight()
    assert places_of(state, past(state).spans) == {sid(n): n - 1 for n in range(1, 8)}
    assert scene_of().look.slots == {letter: n for n, letter in enumerate("ABCDEFG")}


def test_a_session_of_the_past_has_a_name_as_well() -> None:
    """A session that only the history knows gets the next letter, the same in every picture with these letters."""
    shown, aliases = snapshot(marks=(mark("evicted_for_seat", 26, 9),)), Aliases()
    history = shown.history.window(ago(hours=2), NOW)
    first, second = (scene(shown, history, NOW, UTC, slots={}, aliases=aliases) for _ in range(2))

    assert first.history.marks[0].session == second.history.marks[0].session == "H"
    assert first.name("H") == "Session H"


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        (UTC, "UTC"),
        (ZoneInfo("Asia/Tokyo"), "JST (UTC+09:00)"),
        (ZoneInfo("America/St_Johns"), "NDT (UTC-02:30)"),
        (ZoneInfo("America/Sao_Paulo"), "UTC-03:00"),
        (timezone(timedelta(hours=2)), "UTC+02:00"),
        (timezone(timedelta(hours=2), "quasar-macbook"), "UTC+02:00"),
    ],
)
def test_zones_are_told_by_their_offset(zone: tzinfo, name: str) -> None:
    """The footer gives the offset, with the usual abbreviation where there is one, and no other name."""
    shown = snapshot()
    at = datetime(2026, 10, 2, 10, 24, tzinfo=UTC)
    found = scene(shown, shown.history.window(ago(hours=1), NOW), at, zone, slots={}, aliases=Aliases())

    assert found.zone_name() == name


def test_the_moment_is_told_in_full() -> None:
    """Day, year and time stand there, for who looks at it next year; the window has dates only where they differ."""
    shown = scene_of(hours=2)

    assert shown.taken_at() == f"2 Oct 2026, {NOW.astimezone(shown.look.zone):%H:%M:%S}"
    assert shown.window().count(":") == 2
    assert "1 Oct" in scene_of(hours=30).window()
    assert shown.version().startswith("Seatwatch ")


def test_the_present_state_is_judged_alike() -> None:
    """Who is first is the same session in the scene as on the page."""
    assert scene_of().look.head == "E"
    assert scene_of(snapshot(seven_of_eight(sessions={}))).look.head is None
    assert session(1).id not in scene_of().state.sessions
