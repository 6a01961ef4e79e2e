"""What the wall shows: seats in rows for a wide screen, the picture, the bottom row, and names instead of titles."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.core.aliases import Aliases
from app.core.events import MemorySampled
from app.core.history import Gap, SeatStep
from app.core.machine import Machine, Ports
from app.core.ports import Usage, line_named
from app.core.samples import ConnectionsSample, HostSample, Tcp
from app.core.state import App, Phase, Pressure, State, Vm
from app.live import Snapshot
from app.web.language import speaking
from app.web.wall_presenters import (
    LONGEST_TITLE,
    WINDOW,
    columns_of,
    last_eviction,
    renamed,
    wall_bounds,
    wall_foot,
    wall_picture,
    wall_seats,
)
from app.web.wall_views import Tone, WallFact, WallTile
from tests.web.scenes import (
    HOSTILE,
    NOW,
    ZONE,
    FixedRecorder,
    ago,
    mark,
    past,
    session,
    seven_of_eight,
    snapshot,
    state,
)

IDLE = Phase.IDLE
BERLIN = ZoneInfo("Europe/Berlin")
SLOTS = {session(n).id: n - 1 for n in range(1, 50)}


def tiles(shown: Snapshot) -> tuple[WallTile, ...]:
    """The tiles of a snapshot whose sessions sit in the order of their numbers."""
    return wall_seats(shown, NOW, SLOTS).tiles


@pytest.mark.parametrize(
    ("seats", "columns", "rows"),
    [
        (1, 3, 1), (6, 3, 2), (7, 4, 2), (8, 4, 2), (9, 3, 3), (12, 4, 3), (16, 6, 3), (21, 7, 3), (24, 6, 4),
        (28, 7, 4), (32, 7, 5), (42, 7, 6), (49, 7, 7), (56, 7, 8), (64, 8, 8),
    ],
)  # fmt: skip
def test_rows_are_few_and_evenly_filled(seats: int, columns: int, rows: int) -> None:
    """Two rows for a usual Mac, three up to 21 seats, and never more than eight columns."""
    assert columns_of(seats) == columns
    assert -(-seats // columns_of(seats)) == rows


def test_every_number_of_seats_has_a_place() -> None:
    """The rows of any number of seats are as few as style sheet knows, without an empty one."""
    for seats in range(1, 65):
        rows = -(-seats // columns_of(seats))
        assert 3 <= columns_of(seats) <= 8
        assert rows <= 8


def test_states_of_the_tiles() -> None:
    """A tile says its state and for how long; a safe one for how long still; a free one nothing but that."""
    shown = tiles(snapshot())

    assert [(one.kind, one.word) for one in shown] == [
        *[("working", "working")] * 4, ("first", "1st to go"), ("queued", "2nd"), ("safe", "safe"), ("free", ""),
    ]  # fmt: skip
    assert [(one.elapsed, one.until is not None) for one in shown[4:7]] == [
        ("14 m 02 s", False), ("8 m 10 s", False), ("42 s", True),
    ]  # fmt: skip
    assert shown[6].left == "0:18"


def test_narrow_tiles_say_less() -> None:
    """With seven tiles in a row a state is one word or two; with four it says what protects a session."""
    held = session(2, IDLE, idle=900, holds={"remote_control": ago(hours=1)})
    asking = session(1, Phase.WAITING, waiting_for={"r": ago(minutes=1)})
    few, many = (tiles(snapshot(state(asking, held, cap=cap))) for cap in (8, 21))

    assert [one.word for one in few[:2]] == ["waits for you", "kept: remote control"]
    assert [one.word for one in many[:2]] == ["asks you", "kept"]


def test_a_session_over_the_cap_moves_nobody() -> None:
    """Nine sessions on eight seats stand in the columns of eight, the ninth below them."""
    view = wall_seats(snapshot(state(*(session(n) for n in range(1, 10)))), NOW, SLOTS)

    assert (view.columns, view.rows, view.count) == (4, 3, 9)
    assert [one.over for one in view.tiles] == [False] * 8 + [True]


def test_guesses_are_marked() -> None:
    """While the app's log is silent no idle time is certain."""
    silent = state(session(1, IDLE, idle=900), app=App(True, "1", "darwin", ago(hours=3), ago(minutes=4)))

    assert tiles(snapshot())[4].sure
    assert not tiles(snapshot(silent))[0].sure


def test_what_the_app_counts_and_we_do_not_see() -> None:
    """A seat whose session is not in the log is taken, and says why it has no name."""
    shown = tiles(snapshot(state(session(1), seat_offset=1)))

    assert [(one.kind, one.title, one.word) for one in shown[:2]] == [
        ("working", "Task 1", "working"), ("nameless", "taken", "not in the log"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "shown", [snapshot(ready=False), Snapshot(1, State(), FixedRecorder(past(state())), ready=True)]
)
def test_nothing_is_seated_before_anything_is_known(shown: Snapshot) -> None:
    """While the history is read, and without any line, there are no seats and no facts, only the time."""
    assert wall_seats(shown, NOW, {}).tiles == ()
    assert wall_foot(shown, NOW, ZONE, None).facts == ()
    assert wall_foot(shown, NOW, ZONE, None).now == "19:24"


def test_hidden_titles_are_nowhere() -> None:
    """With letters for names nothing of a title, a folder or an id is left in the state that is shown."""
    current = state(session(1, title="Tax folder", cwd="/home/someone/tax"), session(2, title=HOSTILE), session(3))
    hidden = renamed(current, Aliases().letter)

    assert [one.title for one in hidden.sessions.values()] == ["Session A", "Session B", "Session C"]
    assert {one.cwd for one in hidden.sessions.values()} == {None}
    with speaking("ja"):
        assert [one.title for one in renamed(current, Aliases().letter).sessions.values()][:1] == ["タスク A"]


def test_sessions_of_the_past_cost_nothing() -> None:
    """Of all the sessions that ever were, those that live and those that were just closed are told of."""
    gone = [
        session(1, Phase.ENDED), session(2, Phase.LOST), session(3, Phase.EVICTED, since=ago(minutes=20)),
        session(4, Phase.EVICTED, since=ago(minutes=1)), session(5),
    ]  # fmt: skip

    assert [one.title for one in renamed(state(*gone), None).sessions.values()] == ["Task 4", "Task 5"]
    assert [one.title for one in renamed(state(*gone, at=None), None).sessions.values()] == ["Task 5"]


def test_shown_titles_are_short_and_clean() -> None:
    """A title is cut to what a sentence on a wall has room for, and its control characters are gone."""
    named = renamed(state(session(1, title="x" * 90), session(2, title=HOSTILE)), None)
    first, second = (one.title or "" for one in named.sessions.values())

    assert len(first) == LONGEST_TITLE
    assert "\x1b" not in second
    assert "\u202e" not in second


def test_picture_ends_with_the_minute() -> None:
    """Two hours up to the end of this minute: it stands still until the clock beside it goes on."""
    early, late = NOW.replace(second=1), NOW.replace(second=59)

    assert wall_bounds(early) == wall_bounds(late)
    assert wall_bounds(NOW) == (NOW + timedelta(minutes=1) - WINDOW, NOW + timedelta(minutes=1))
    assert wall_picture(snapshot(), early, ZONE).area.path == wall_picture(snapshot(), late, ZONE).area.path


def test_picture_has_seats_pressure_gaps_and_closings() -> None:
    """The steps, the part over the cap, the stretches of pressure, time without the app, and who was closed."""
    marks = (
        mark("evicted_for_seat", 60, 5), mark("evicted_for_memory", 59.9, 6), mark("put_off", 20),
        mark("evicted_for_memory", 30, 6),
    )  # fmt: skip
    gap = Gap("silent", ago(minutes=100), ago(minutes=80))
    history = replace(past(seven_of_eight(), marks), gaps=(gap,))
    view = wall_picture(snapshot(history=FixedRecorder(history)), NOW, ZONE)

    assert view.area.path.startswith("M")
    assert view.area.over_path.startswith("M")
    assert [band.level for band in view.bands.bands] == ["normal", "critical", "normal"]
    assert [one.kind for one in view.gaps.gaps] == ["silent"]
    assert view.closed == (49.17, 74.17)
    assert view.label == "Sessions against the cap, 17:25 to 19:25"


def test_picture_of_nothing() -> None:
    """A log that has just begun has a picture without steps."""
    history = replace(past(state()), seats=(SeatStep(NOW, 0, 8),), bands=())
    view = wall_picture(snapshot(state(), history=FixedRecorder(history)), NOW, ZONE)

    assert (view.area.path, view.bands.bands, view.closed) == ("", (), ())


def test_last_eviction() -> None:
    """The newest of the marks that tell of a closing; put off starts and pauses are none."""
    marks = (mark("evicted_for_seat", 50, 1), mark("evicted_for_memory", 26, 2), mark("paused_idle", 3, 3))

    assert last_eviction(marks) == ago(minutes=26)
    assert last_eviction(marks[2:]) is None


def facts(current: State, evicted_at: datetime | None = None, machine: Machine | None = None) -> list[tuple[str, str]]:
    """The facts of the bottom row, each as its two parts."""
    shown = snapshot(current, machine=machine or Machine())
    return [(one.lead, one.rest) for one in wall_foot(shown, NOW, ZONE, evicted_at).facts]


def test_bottom_row() -> None:
    """Pressure with free memory, the VM with its size, and when a session was closed last."""
    assert facts(seven_of_eight(), ago(minutes=26)) == [
        ("Memory pressure normal", "1.9 GB free"), ("VM running", "4 GB"), ("", "Last eviction 18:58"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pressure", "word", "tone"),
    [
        (Pressure(os_level="normal", os_since=NOW), "normal", "plain"),
        (Pressure(os_level="warning", os_since=NOW), "warning", "next"),
        (Pressure(os_level="critical", os_since=NOW), "critical", "out"),
        (Pressure(), "not reported yet", "plain"),
    ],
)
def test_pressure_in_words_and_tone(pressure: Pressure, word: str, tone: str) -> None:
    """A level is said in a word, and coloured when it threatens anyone."""
    first = wall_foot(snapshot(state(session(1), pressure=pressure)), NOW, ZONE, None).facts[0]

    assert (first.lead, first.rest, first.tone) == (f"Memory pressure {word}", "", tone)


@pytest.mark.parametrize(
    ("vm", "lead", "tone"),
    [
        (Vm(), "VM not seen yet", "plain"),
        (Vm(started_at=ago(seconds=20), memory_gb=4), "VM starting", "plain"),
        (Vm(started_at=ago(minutes=9), step_started_at=ago(minutes=9), step="boot"), "VM start is stuck", "out"),
        (Vm(ready_at=ago(minutes=9), disk_full_at=ago(minutes=3)), "VM disk full since 19:21", "out"),
    ],
)
def test_vm_in_words(vm: Vm, lead: str, tone: str) -> None:
    """The VM's phase; its size only while it runs."""
    second = wall_foot(snapshot(state(session(1), vm=vm)), NOW, ZONE, None).facts[1]

    assert (second.lead, second.rest, second.tone) == (lead, "", tone)


def watched(taken: int, line: str, mark: int = 0) -> Machine:
    """A machine with so many ports of a line taken."""
    tcp = Tcp({"ESTABLISHED": taken}, {}, 9, 0)
    used = Usage(NOW, line_named(line), taken, taken, 9, whole=True)
    return Machine(connections=ConnectionsSample(NOW, tcp, tcp, ()), ports=Ports(used, tcp, mark=mark))


@pytest.mark.parametrize(("taken", "mark", "tone"), [(90, 0, "plain"), (180, 70, "next"), (204, 85, "out")])
def test_ports_against_the_line(taken: int, mark: int, tone: Tone) -> None:
    """How many of the home line's ports are taken, in the colour of how near the end is."""
    foot = wall_foot(snapshot(machine=watched(taken, "v6plus", mark)), NOW, ZONE, None)

    assert foot.facts[2] == WallFact("Ports", f"{taken} of 240", tone, listed=False)
    assert foot.facts[3].rest == "No eviction seen"


def test_ports_are_not_said_where_they_are_not_known() -> None:
    """Nothing is said without a probe, without a budget, and once the newest look is too old."""
    old = wall_foot(snapshot(machine=watched(90, "v6plus")), NOW + timedelta(minutes=3), ZONE, None)

    assert len(facts(seven_of_eight())) == len(old.facts) == 3
    assert len(facts(seven_of_eight(), None, watched(90, "transix"))) == 3


def test_no_memory_reading() -> None:
    """Without a reading no free memory is said, and one without a number is none."""
    nothing = MemorySampled(ago(seconds=40), "interval", None, None, None, None, None, None, None, None, None)

    assert facts(state(session(1)))[0] == ("Memory pressure normal", "")
    assert facts(state(session(1), memory=nothing))[0] == ("Memory pressure normal", "")


def test_an_app_that_does_not_run_tells_no_pressure() -> None:
    """Neither the level nor the free memory of its last line is told as that of now."""
    ended = App(running=False, down_since=ago(minutes=26))
    host = Machine(host=HostSample(NOW, total_mb=24576, available_mb=3072))

    assert facts(seven_of_eight(app=ended))[0] == ("Memory pressure not known", "")
    assert facts(seven_of_eight(app=ended), None, host)[0] == ("Memory pressure not known", "3 GB free")


def test_the_hosts_own_reading_stands_in() -> None:
    """Where the log gives no free memory the host's available memory is said."""
    host = Machine(host=HostSample(NOW, total_mb=24576, available_mb=3072))

    assert facts(state(session(1)), None, host)[0] == ("Memory pressure normal", "3 GB free")
    assert facts(seven_of_eight(), None, host)[0] == ("Memory pressure normal", "1.9 GB free")


def edges(at: str, zone: ZoneInfo) -> tuple[str, str]:
    """What stands at both ends of the bottom row at this moment (UTC)."""
    foot = wall_foot(snapshot(), datetime.fromisoformat(at).replace(tzinfo=UTC), zone, None)
    return foot.start, foot.now


@pytest.mark.parametrize(
    ("at", "start", "now"),
    [
        ("2026-10-02T14:59:59", "21:59", "23:59"),  # a second before midnight in Tokyo
        ("2026-10-02T15:00:00", "2 Oct, 22:00", "00:00"),
        ("2026-10-02T16:59:59", "2 Oct, 23:59", "01:59"),
        ("2026-10-02T17:00:00", "00:00", "02:00"),
    ],
)
def test_midnight(at: str, start: str, now: str) -> None:
    """After midnight the beginning is yesterday's and says so, until it is today's again."""
    assert edges(at, ZONE) == (start, now)


@pytest.mark.parametrize(
    ("at", "start", "now"),
    [
        ("2026-10-25T00:59:59", "00:59", "02:59"),  # summer time's last second; two hours lie between
        ("2026-10-25T01:00:00", "01:00 CEST", "02:00 CET"),  # the repeated hour begins: three seem to
        ("2026-10-25T01:59:00", "01:59 CEST", "02:59 CET"),
        ("2026-10-25T02:30:00", "02:30 CEST", "03:30 CET"),
        ("2026-10-25T03:00:00", "02:00", "04:00"),  # both ends lie in winter time
        ("2026-03-29T00:59:59", "28 Mar, 23:59", "01:59"),
        ("2026-03-29T01:00:00", "00:00 CET", "03:00 CEST"),  # the hour from 02:00 on does not exist
        ("2026-03-29T03:00:00", "03:00", "05:00"),
    ],
)
def test_nights_in_which_clocks_are_changed(at: str, start: str, now: str) -> None:
    """Where summer time ends or begins between the two ends, each names its own time."""
    assert edges(at, BERLIN) == (start, now)
