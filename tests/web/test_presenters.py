"""The head of the page and the seats as views."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from app.core.state import App, PendingEviction, Phase, SeatCheck, State
from app.live import Snapshot, SourceStatus
from app.web.presenters import clocks, epoch, in_a_row, meta_view, number_view, seats_view, strip_view
from app.web.views import TileKind, TileView
from tests.web.scenes import HOSTILE, NOW, ROOT, ago, session, seven_of_eight, sid, snapshot, state

IDLE = Phase.IDLE
KEPT = {"scheduled": ago(hours=1)}


def tiles(current: State, slots: dict[str, int] | None = None) -> tuple[TileView, ...]:
    """The tiles of a state; holders sit in the order of their numbers."""
    order = {one.id: n for n, one in enumerate(current.seat_holders)}
    return seats_view(snapshot(current), NOW, order if slots is None else slots).tiles


def test_number_of_seats() -> None:
    """The number is the log's own; over the cap it says so; before anything was read it is not known."""
    assert (number_view(snapshot()).taken, number_view(snapshot()).cap) == (7, 8)
    assert number_view(snapshot()).label == "7 of 8 seats taken"
    assert number_view(snapshot(state(*(session(n) for n in range(9))))).over
    assert number_view(snapshot(State(), ready=False)).taken is None


@pytest.mark.parametrize(
    ("one", "kind", "word", "said", "elapsed"),
    [
        (session(1, Phase.WORKING, idle=183), "working", "working", "for {span}", "3 m 03 s"),
        (session(1, Phase.STARTING, idle=3), "working", "starting", "for {span}", "3 s"),
        (session(1, IDLE, idle=842), "first", "1st to go", "silent {span}", "14 m 02 s"),
        (session(1, IDLE, idle=42), "safe", "safe for {span}", "silent {span}", "42 s"),
        (session(1, IDLE, idle=900, holds=KEPT), "kept", "kept: scheduled wake-up", "silent {span}", "15 m 00 s"),
        (session(1, Phase.WAITING, waiting_for={"r": ago(minutes=22)}),
         "waiting", "waits for you", "for {span}", "22 m 00 s"),
    ],
)  # fmt: skip
def test_each_state_has_its_tile(one: object, kind: str, word: str, said: str, elapsed: str) -> None:
    """A tile says the state in words, and since when."""
    tile = tiles(state(one))[0]  # type: ignore[arg-type]

    assert (tile.kind, tile.word, tile.said, tile.elapsed) == (kind, word, said, elapsed)


def test_safe_tile_counts_down_to_the_line() -> None:
    """Under a minute of silence the tile says for how long it is safe, and its bar fills towards the 60 s line."""
    tile = tiles(state(session(1, IDLE, idle=42)))[0]

    assert (tile.left, tile.fill, tile.until) == ("0:18", 42, epoch(NOW) + 18)


def test_past_the_line_the_bar_is_full() -> None:
    """The second in the queue is named so, with a full bar and no countdown."""
    second = tiles(seven_of_eight())[5]

    assert (second.kind, second.word, second.fill, second.until) == ("queued", "2nd to go", 60, None)


def test_a_session_on_its_way_out_is_not_ranked() -> None:
    """What the governor has said it closes is no longer in the queue, and the tile says so."""
    going = PendingEviction(ago(seconds=1), "evicted_for_seat")
    tile = tiles(state(session(1, IDLE, idle=900, eviction=going)))[0]

    assert (tile.kind, tile.word, tile.bar) == ("silent", "being closed", False)


def test_an_app_out_of_touch_makes_times_uncertain() -> None:
    """After 150 s without a sign a tile says that its time is not certain."""
    quiet = state(session(1, IDLE, idle=900), app=App(True, None, None, None, ago(minutes=5)))

    assert tiles(quiet)[0].hint == "time not certain"


def test_free_seats_fill_the_gaps() -> None:
    """Every seat has a tile; free ones are dashed and offer themselves while the app runs."""
    shown = tiles(state(session(1), session(2)), {sid(1): 0, sid(2): 3})

    assert [tile.kind for tile in shown] == ["working", "free", "free", "working", "free", "free", "free", "free"]
    assert shown[1].word == "one more fits"
    assert tiles(state(app=App(running=False)))[0].word == ""


def test_over_the_cap_there_are_more_tiles() -> None:
    """The ninth session on eight seats gets a tile that is marked; the rows stay those of eight."""
    current = state(*(session(n) for n in range(9)))
    shown = tiles(current)
    row = seats_view(snapshot(current), NOW, {})

    assert [tile.over for tile in shown] == [False] * 8 + [True]
    assert (row.wide, row.mid, row.dense) == (8, 8, False)


def test_a_tile_beyond_the_cap_stays_when_a_seat_becomes_free() -> None:
    """Who sat down ninth does not jump when another leaves; the empty place is not offered, since none is free."""
    slots = {sid(n): n for n in range(9) if n != 3}
    shown = tiles(state(*(session(n) for n in range(9) if n != 3)), slots)

    assert (shown[3].kind, shown[8].kind, shown[8].over) == ("spare", "working", False)
    assert shown[3].title == "no seat"


def test_seats_that_only_the_app_counts_are_shown() -> None:
    """Where the app counts more than we see, the page shows a taken seat without a name."""
    shown = tiles(state(session(1), seat_offset=1, seat_check=SeatCheck(NOW, 2, 1)))

    assert [tile.kind for tile in shown[:3]] == ["working", "nameless", "free"]


def test_no_kind_of_tile_is_a_class_that_hides() -> None:
    """Its kind is a class of a tile's element: one that is there for who listens alone would take it off the page."""
    css = (ROOT / "static" / "app.css").read_text("utf-8")
    hiding = set(re.findall(r"^\.([\w-]+) \{[^}]*(?:clip-path|display: none)", css, re.MULTILINE))

    assert "unseen" in hiding
    assert hiding.isdisjoint(get_args(TileKind))


@pytest.mark.parametrize(
    ("count", "wide", "mid"),
    [(6, 6, 6), (8, 8, 8), (9, 9, 5), (10, 10, 5), (12, 6, 6), (16, 8, 8), (21, 7, 7), (32, 8, 8), (42, 9, 7)],
)
def test_rows_are_evenly_filled(count: int, wide: int, mid: int) -> None:
    """From 6 to 42 seats the rows are few and even."""
    assert (in_a_row(count, 6, 10), in_a_row(count, 5, 8)) == (wide, mid)


def test_many_seats_are_dense() -> None:
    """From 17 tiles on they are smaller; without anything read there are none."""
    assert seats_view(snapshot(state(cap=21)), NOW, {}).dense
    assert not seats_view(snapshot(state()), NOW, {}).dense
    assert seats_view(snapshot(State(), ready=False), NOW, {}).tiles == ()


@pytest.mark.parametrize(
    ("cap", "drawn", "more"),
    [
        (64, 64, ""),
        (65, 64, "and 1 more free seat"),
        (1_000_000_000, 64, "and 999,999,936 more free seats"),
    ],
)
def test_an_absurd_cap_is_not_drawn(cap: int, drawn: int, more: str) -> None:
    """A log may name any cap: 64 tiles are drawn and the rest is a number."""
    view = seats_view(snapshot(state(session(1), cap=cap)), NOW, {sid(1): 0})

    assert (len(view.tiles), view.count, view.more) == (drawn, drawn, more)
    assert [tile.kind for tile in view.tiles[:2]] == ["working", "free"]
    assert 1 <= view.wide <= 10


def test_more_holders_than_tiles() -> None:
    """Beyond the last tile even taken seats are only counted."""
    holders = [session(n) for n in range(70)]
    view = seats_view(snapshot(state(*holders, cap=8)), NOW, {one.id: n for n, one in enumerate(holders)})

    assert (len(view.tiles), view.more) == (64, "and 6 more seats")


def test_passing_time_alone_is_no_change() -> None:
    """Two views of one state a second apart are equal: the page counts on by itself."""
    current = seven_of_eight()
    slots = {one.id: n for n, one in enumerate(current.seat_holders)}
    later = NOW.replace(second=NOW.second + 1)

    assert seats_view(snapshot(current), NOW, slots).tiles == seats_view(snapshot(current), later, slots).tiles


def test_meta_tells_what_the_log_told() -> None:
    """Platform, memory and version, as far as they are known."""
    assert meta_view(seven_of_eight()).facts == ("macOS", "24 GB", "Claude 2.9939.4")
    assert meta_view(State()).facts == ()


def test_clocks_give_the_server_and_the_log() -> None:
    """The page counts from the server's time and the newest line's."""
    assert (clocks(snapshot(), NOW).now, clocks(snapshot(), NOW).last_line) == (epoch(NOW), epoch(NOW) - 2)
    assert clocks(snapshot(State()), NOW).last_line is None


def trouble(shown: Snapshot) -> Snapshot:
    """The same with a source that cannot be read."""
    return replace(shown, sources=(SourceStatus("/logs/main.log", 0, 0, None, f"No permission. {HOSTILE}"),))


@pytest.mark.parametrize(
    ("shown", "kind", "title"),
    [
        (snapshot(), "none", ""),
        (snapshot(demo=True, looked_in=("/a",)), "demo", "Demo data. No Claude logs were found."),
        (snapshot(demo=True), "demo", "Demo data. These sessions are made up."),
        (snapshot(State(), ready=False), "loading", "Reading the history."),
        (snapshot(State(), sources=()), "nologs", "Waiting for logs."),
        (snapshot(problem="The database is full."), "problem", "Not everything can be read."),
        (trouble(snapshot(demo=True)), "problem", "Not everything can be read."),
    ],
)
def test_strip_says_what_is_not_as_usual(shown: Snapshot, kind: str, title: str) -> None:
    """Trouble, demo data, loading and missing logs are said across the page, in this order."""
    assert (strip_view(shown).kind, strip_view(shown).title) == (kind, title)


def test_strip_tells_where_and_how_far() -> None:
    """The strip has the places that were searched, what was read so far, and the path of a source in trouble."""
    assert strip_view(snapshot(demo=True, looked_in=("/a", "/b"))).lines == ("Looked in /a", "Looked in /b")
    assert strip_view(snapshot(State(), ready=False)).lines == ("35,000 lines so far, 4.6 of 4.6 MB",)
    assert strip_view(trouble(snapshot())).lines[0].startswith("/logs/main.log: No permission. <script>")
