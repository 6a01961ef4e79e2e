"""Marks on the timeline: where they stand, what they say, how near ones become one."""

from __future__ import annotations

from app.core.history import History, Mark
from app.core.state import Phase
from app.web.glyphs import APP, MOST_GLYPHS, RINGS, Places, glyphs
from app.web.looks import Look
from app.web.timeline_views import Glyph
from tests.web.scenes import NOW, ZONE, ago, mark, session, sid, state

PLACES = Places({RINGS: 20, APP: 300, **{str(n): 100 + n for n in range(1, 9)}}, {sid(n): str(n) for n in range(1, 9)})
KNOWN = state(session(1), session(9, Phase.EVICTED))


def placed(*marks: Mark, places: Places = PLACES) -> tuple[Glyph, ...]:
    """The glyphs of these marks, in order of time."""
    rows = glyphs(Look(History(ago(hours=2), NOW, marks=marks), KNOWN, NOW, ZONE, {}), places)
    return tuple(sorted((one for row in rows for one in row.glyphs), key=lambda one: one.x))


def test_each_mark_has_its_row() -> None:
    """Starts put off stand at the cap, the app's and the VM's own below, all others in their session's lane."""
    shown = placed(mark("put_off", 60, 1), mark("vm_ready", 30), mark("would_evict", 15, 1))

    assert [(one.kind, one.y, one.x) for one in shown] == [
        ("put_off", 20, 50.0),
        ("vm", 300, 75.0),
        ("would_be", 101, 87.5),
    ]


def test_marks_without_a_row_are_left_out() -> None:
    """Pressure has its band; a session without a lane and a time outside the window have no place."""
    assert placed(mark("pressure_warning", 5), mark("killed", 5, 77), mark("killed", 5), mark("put_off", 500)) == ()


def test_a_mark_says_when_what_and_the_line() -> None:
    """Hover and focus show the local time, the sentence, and the log's own words."""
    (one,) = placed(mark("evicted_for_seat", 26, 1, idle_seconds=1025))

    assert one.title == (
        "18:58:00  Task 1 was closed to make room for another session, after 17 minutes of silence\n"
        "main.log:260  a line of evicted_for_seat"
    )
    assert one.id == f"m{int(ago(minutes=26).timestamp())}-260"


def test_evictions_are_labelled_where_nothing_follows() -> None:
    """A closed session's lane has the label; a lane that goes on has the mark alone; far right it stands before."""
    places = Places({"0": 100, "1": 125}, {sid(9): "0", sid(1): "1"})
    gone, back = mark("evicted_for_memory", 60, 9, idle_seconds=1721), mark("evicted_for_seat", 60, 1)
    late = mark("evicted_for_seat", 2, 9)

    assert [(one.label, one.rest) for one in placed(gone, back, places=places)] == [
        ("closed", " · memory pressure, silent 28 m"), ("", ""),
    ]  # fmt: skip
    (one,) = placed(late, places=places)
    assert (one.label, one.before, one.rest) == ("closed", True, "")


def test_a_long_label_ends_before_now() -> None:
    """What a label adds is left out where it would run across the now-line; the mark itself still tells it."""
    places = Places({"0": 100}, {sid(9): "0"})
    early, near = mark("evicted_for_seat", 40, 9), mark("evicted_for_seat", 24, 9)

    assert [(one.label, one.rest) for one in placed(early, places=places)] == [("closed", " · at cap")]
    assert [(one.label, one.rest, one.before) for one in placed(near, places=places)] == [("closed", "", False)]


def test_a_label_in_front_of_its_mark_covers_no_other() -> None:
    """Where marks stand close together, as in a picture of a day, a mark before it is worth more than the word."""
    places = Places({"0": 100}, {sid(9): "0"})
    near, far, late = mark("killed", 6, 9), mark("killed", 60, 9), mark("evicted_for_seat", 2, 9)

    assert [one.label for one in placed(near, late, places=places)] == ["", ""]
    assert [one.label for one in placed(far, late, places=places)] == ["", "closed"]


def test_a_lane_that_goes_on_has_no_label_in_it() -> None:
    """Where the session came back later the label would lie over its bars."""
    gone = mark("evicted_for_memory", 60, 9)
    before, after = (
        placed(gone, places=Places({"0": 100}, {sid(9): "0"}, {sid(9): ago(minutes=minutes)})) for minutes in (70, 50)
    )

    assert [one.label for one in (*before, *after)] == ["closed", ""]


def test_near_marks_of_a_kind_become_one() -> None:
    """A minute of retries is one ring that says how many and between when."""
    shown = placed(mark("put_off", 60), mark("put_off", 59.8), mark("put_off", 59.7), mark("put_off", 30))

    assert len(shown) == 2
    assert shown[0].title.startswith("3 times between 18:24:00 and 18:24:18  A warm start was put off")


def test_marks_stay_few() -> None:
    """However many lines there are, a bounded number of marks is drawn."""
    many = placed(*(mark("would_evict", m / 10, 1 + m % 8) for m in range(1200)))

    assert 0 < len(many) <= MOST_GLYPHS
