"""``why`` as one plain object: who was meant, what is proven, what is only said."""

from __future__ import annotations

from dataclasses import replace as changed
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.beside import Beside
from app.core.state import Session
from app.errors import Unanswerable, WrongUsage
from app.explain import explain, find_session, moment_of
from app.ingest.titles import SessionFiles
from app.reading import FolderReading, read_folder
from tests.core.helpers import CODE, NOON

A, B = (f"local_{letter * 8}-0000-4000-8000-000000000001" for letter in "ab")
LAST = datetime(2026, 10, 2, 9, 59, 59, tzinfo=UTC)
GOVERNOR_LINES = 3837
"""The governor's lines in a log that a user counted: none of them closed a session."""


SIGN_OF_LIFE = "[ScheduledTasks] tick 13815"
"""What the app writes every minute; when it does not, that is what `why` speaks of."""


def stamped(when: datetime, body: str) -> str:
    """A line of main.log at an instant."""
    return f"{when:%Y-%m-%d %H:%M:%S} [info] {body}\n"


def line(clock: str, body: str, level: str = "info") -> str:
    """A line of main.log at an hour of the day."""
    return f"2026-10-02 {clock} [{level}] {body}\n"


STORY = (
    line("09:00:01", f"Starting local session {A} in {CODE}")
    + line("09:00:02", f"Starting local session {B} in {CODE}")
    + line("09:05:00", f"[CCD CycleHealth] healthy cycle for {A} (67s, hadFirstResponse=true)")
    + line("09:05:00", f"[CCD CycleHealth] healthy cycle for {B} (67s, hadFirstResponse=true)")
    + line("09:10:00", SIGN_OF_LIFE)
    + line("09:20:00", f"[CliGovernor] at cap=8; would evict {A} (idle 900s) for warm spawn")
    + line("09:20:00", "[CliGovernor] at cap; yielding warm spawn")
    + line("09:30:00", f"[CliGovernor] pressure evicting {B} (idle 1500s)", "warn")
    + line("09:30:00", f"[CCD] Pausing session {B} (governor_evict)")
    + line("09:31:00", "[CliGovernor] at cap; yielding warm spawn")
    + line("09:59:59", SIGN_OF_LIFE)
)


def read(folder: Path, text: str = STORY) -> FolderReading:
    """The reading of a folder with this main.log."""
    folder.mkdir(exist_ok=True)
    (folder / "main.log").write_text(text)
    return read_folder(folder, UTC)


@pytest.fixture
def told(tmp_path: Path) -> FolderReading:
    """What was read of the story."""
    return read(tmp_path)


def session(number: int, title: str | None = None, name: str | None = None) -> Session:
    """A session of this title."""
    return Session(id=name or f"local_{number:08}", order=number, since=NOON, title=title)


def test_the_lines_that_prove_it_are_given(told: FolderReading) -> None:
    """The line with the cause and the line that closed it, with time, file and number."""
    answer = explain(told, B, LAST, ZoneInfo("Asia/Tokyo"))

    assert (answer["session"], answer["verdict"], answer["certainty"]) == (B, "evicted_for_memory", "certain")
    assert answer["at"] == "2026-10-02T18:30:00+09:00"
    assert [(one["at"], one["source"], one["line"]) for one in answer["evidence"]] == [
        ("2026-10-02T18:30:00+09:00", "main.log", 8),
        ("2026-10-02T18:30:00+09:00", "main.log", 9),
    ]
    assert "pressure evicting" in answer["evidence"][0]["text"]
    assert answer["now"]["phase"] == "evicted"
    assert answer["note"] is None


def test_what_else_went_on_within_two_minutes_is_listed(told: FolderReading) -> None:
    """A start that was put off a minute later is there; what lies ten minutes back is not."""
    answer = explain(told, B, LAST, UTC)

    assert [(one["kind"], one["line"], one["source"]) for one in answer["others"]] == [("put_off", 10, "main.log")]
    assert "yielding" in answer["others"][0]["text"]


def test_would_evict_is_no_proof(told: FolderReading) -> None:
    """A line that only warned closes nothing: the session lives, and the note says what the line is worth."""
    answer = explain(told, A, LAST, UTC)

    assert answer["verdict"] == "still_running"
    assert answer["note"] == '1 "would evict" line names it: they closed nothing.'
    assert not any("would evict" in one["text"] for one in answer["evidence"])


def test_several_warnings_are_counted(tmp_path: Path) -> None:
    """The note counts them since the process began."""
    more = line("09:40:00", f"[CliGovernor] at cap=8; would evict {A} (idle 2100s) for user spawn")

    assert (
        explain(read(tmp_path, STORY + more), A, LAST, UTC)["note"]
        == '2 "would evict" lines name it: they closed nothing.'
    )


def test_who_was_started_again_is_said_to_live(tmp_path: Path) -> None:
    """The verdict is about the last stop, the note about now."""
    resumed = read(tmp_path, STORY + line("09:59:59", f"Resuming session {B} in {CODE}"))

    answer = explain(resumed, B, LAST, UTC)

    assert answer["verdict"] == "evicted_for_memory"
    assert answer["note"] == "It was started again since and is alive now."


def test_who_waits_for_an_answer_now_is_said_to(tmp_path: Path) -> None:
    """A session that stopped once and asks something now needs its user more than its history."""
    asking = STORY + line("09:59:58", f"Resuming session {B} in {CODE}")
    asking += line(
        "09:59:59", f"Emitted tool permission request 1b4e28ba-2fa1-11d2-883f-0016d3cca427 for Bash in session {B}"
    )

    answer = explain(read(tmp_path, asking), B, LAST, UTC)

    assert answer["now"]["phase"] == "waiting"
    assert answer["note"] == "It runs again and waits for your answer now."


def test_earlier_stops_are_kept(tmp_path: Path) -> None:
    """Each stop before the last one, newest first."""
    again = STORY + line("09:40:00", f"Resuming session {B} in {CODE}")
    again += line("09:50:00", f"[CCD] Pausing session {B} (idle_timeout)")

    answer = explain(read(tmp_path, again), B, LAST, UTC)

    assert answer["verdict"] == "paused_idle"
    assert [(one["verdict"], one["at"]) for one in answer["earlier"]] == [
        ("evicted_for_memory", "2026-10-02T09:30:00+00:00")
    ]


def test_a_moment_before_the_stop_knows_nothing_of_it(told: FolderReading) -> None:
    """`why` judges from everything said by then, and from nothing said later."""
    answer = explain(told, B, LAST.replace(minute=10), UTC)

    assert (answer["verdict"], answer["evidence"]) == ("still_running", [])


def test_without_a_session_what_stopped_around_the_time_is_told(told: FolderReading) -> None:
    """The nearest stop is the answer, and all of them are listed."""
    answer = explain(told, None, LAST.replace(minute=33), UTC)

    assert (answer["session"], answer["verdict"]) == (B, "evicted_for_memory")
    assert [one["session"] for one in answer["stops"]] == [B]
    assert answer["note"] is None


def test_without_a_stop_around_the_time_that_is_the_answer(told: FolderReading) -> None:
    """Nothing within ten minutes is a certain answer, in the shape of every other."""
    answer = explain(told, None, LAST, UTC)

    assert (answer["session"], answer["verdict"], answer["stops"]) == (None, "unknown", [])
    assert answer["note"] == "Nothing stopped within ten minutes of that time."


@pytest.mark.parametrize("session", [None, A])
def test_a_time_before_the_log_is_refused(told: FolderReading, session: str | None) -> None:
    """With the span that the log does cover, in the asked zone."""
    with pytest.raises(WrongUsage) as caught:
        explain(told, session, LAST - timedelta(days=1), ZoneInfo("Asia/Tokyo"))

    assert caught.value.what == "The log does not reach back to 2026-10-01 18:59:59."
    assert caught.value.why == "It covers 2026-10-02 18:00:01 to 2026-10-02 18:59:59."


def test_a_log_without_events_knows_no_session(tmp_path: Path) -> None:
    """Lines that mean nothing make no answer, but no fault either."""
    quiet = read(tmp_path, line("09:00:00", "[CCD] nothing"))

    assert explain(quiet, None, LAST, UTC)["stops"] == []
    with pytest.raises(WrongUsage, match="none at all"):
        explain(quiet, A, LAST, UTC)


def test_a_session_is_meant_by_id_beginning_or_title() -> None:
    """An id before a title, a whole title before a part of an id, that before a part of a title."""
    one, two = session(1, "Tax folder"), session(2, "Photo index")
    three = session(3, "0000000")

    everyone = (one, two)
    assert find_session(everyone, one.id) is one
    assert find_session(everyone, "local_00000002") is two
    assert find_session(everyone, "00000002") is two
    assert find_session(everyone, "TAX FOLDER") is one
    assert find_session(everyone, "index") is two
    assert find_session((*everyone, three), "0000000") is three


def test_an_ambiguous_name_lists_who_could_be_meant() -> None:
    """Neither is guessed: the ids are given, to choose from."""
    one, two = session(1, "Tax folder"), session(2, "Tax folder")

    with pytest.raises(Unanswerable, match="means more than one session") as caught:
        find_session((one, two), "tax")
    assert caught.value.kind == "several"
    assert caught.value.why == f"There are: Tax folder ({one.id}), Tax folder ({two.id})."
    with pytest.raises(WrongUsage, match="means more than one session"):
        find_session((one, two), "0000")


@pytest.mark.parametrize("text", ["nobody", "local_", ""])
def test_an_unknown_name_lists_the_newest(text: str) -> None:
    """Nobody, the bare prefix and nothing mean no session; twelve names are given, and how many more there are."""
    everyone = [session(number) for number in range(15)]

    with pytest.raises(Unanswerable) as caught:
        find_session(everyone, text)

    assert caught.value.kind == ("nobody" if text == "nobody" else "several")
    assert caught.value.what in (f"There is no session {text!r}.", f"{text!r} means more than one session.")
    assert "local_00000014" in caught.value.why
    assert "and 3 more" in caught.value.why
    assert "local_00000002" not in caught.value.why


def test_a_title_that_is_hostile_is_only_text() -> None:
    """A title is compared and shown, whatever it looks like."""
    nasty = session(1, "<script>[bold]\\")

    assert find_session([nasty], "<SCRIPT>") is nasty


def test_on_thousands_of_warnings_the_answer_is_that_nothing_was_closed(tmp_path: Path) -> None:
    """A start that is put off again and again names one session 1,918 times: it lives, and no line proves otherwise."""
    text, now = STORY, LAST
    for number in range(GOVERNOR_LINES // 2):
        now += timedelta(seconds=10)
        idle = int((now - LAST).total_seconds()) + 3299
        body = f"[CliGovernor] at cap=8; would evict {A} (idle {idle}s) for warm spawn"
        text += stamped(now, body) + stamped(now, "[CliGovernor] at cap; yielding warm spawn")
        if number % 6 == 0:
            text += stamped(now, SIGN_OF_LIFE)
    reading = read(tmp_path, text)

    answer = explain(reading, A, now, UTC)

    assert answer["verdict"] == "still_running"
    assert answer["evidence"] == []
    assert answer["note"] == f'{GOVERNOR_LINES // 2 + 1:d} "would evict" lines name it: they closed nothing.'
    assert explain(reading, B, now, UTC)["verdict"] == "evicted_for_memory"
    assert explain(reading, None, now, UTC)["stops"] == []


def test_the_title_is_given_with_the_id(told: FolderReading, tmp_path: Path) -> None:
    """Where a session file gave one, the answer carries it, and it may be asked for by it."""
    place = tmp_path / "beside"
    file = place / "claude-code-sessions" / "a" / "o" / f"{B}.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"title": "Tax folder"}')
    beside = Beside(SessionFiles([place]))
    beside.refresh([B])

    assert explain(changed(told, beside=beside), "tax folder", LAST, UTC)["title"] == "Tax folder"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-10-02T13:41:30", datetime(2026, 10, 2, 4, 41, 30, tzinfo=UTC)),
        ("2026-10-02 13:41", datetime(2026, 10, 2, 4, 41, tzinfo=UTC)),
        ("2026-10-02T13:41:30+02:00", datetime(2026, 10, 2, 11, 41, 30, tzinfo=UTC)),
    ],
)
def test_a_moment_as_a_person_writes_it(text: str, moment: datetime) -> None:
    """A time without an offset is one of the log's zone."""
    assert moment_of(text, ZoneInfo("Asia/Tokyo")) == moment


@pytest.mark.parametrize("text", ["", "noon", "2026-13-01", "1970-12-31", "9001-01-01", "0001-01-01T00:00:00+14:00"])
def test_a_moment_that_is_a_slip(text: str) -> None:
    """Neither words nor years that no log has are moments; the example shows what is."""
    with pytest.raises(WrongUsage) as caught:
        moment_of(text, UTC)
    assert caught.value.todo == "Write it so, such as 2026-10-02T13:41:30+09:00."
