"""From a snapshot and an instant to what the wall shows. Pure; no markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from app.core.governor import cap_of, ranking
from app.core.history import Mark
from app.core.machine import LEAD_PERCENT, Machine
from app.core.pressure import pressure_known
from app.core.state import Phase, Session, State
from app.core.vm import vm_at
from app.live import Snapshot
from app.web.cards import vm_view
from app.web.looks import Look
from app.web.machine_cards import pressure_word
from app.web.presenters import epoch, seats_view
from app.web.timeline_rows import area, bands, gaps, summary
from app.web.titles import plain, title_of
from app.web.views import TileView
from app.web.wall_views import Tone, WallFact, WallFoot, WallPicture, WallSeats, WallTile
from app.web.words import _, clock, gigabytes, moment, number, ordinal, p_

WINDOW = timedelta(hours=2)
"""What the picture shows: it ends with the minute of now."""
WIDE_TILES = 5
"""With more tiles in a row than this a state has room for a word or two."""
MINUTE = timedelta(minutes=1)
LONGEST_TITLE = 40
"""A longer one would leave no room for what the sentence says of it."""
APART = 0.8
"""Closings nearer than this, in percent of the picture, are one mark: more cannot be told apart from across a room."""
RECENT = timedelta(minutes=10)
"""A session that was closed longer ago is not the first thing to say any more."""
TONES: Mapping[str, Tone] = {"warning": "next", "critical": "out"}
EVICTIONS = ("evicted_for_seat", "evicted_for_memory")


def renamed(state: State, letter_of: Callable[[str], str] | None) -> State:
    """The state with the titles that the wall says: short ones; with ``letter_of``, letters in place of all of them.

    Everything that is said is made from the state that comes out, so a hidden title is nowhere to be said. Sessions of
    which a wall says nothing are not in it: a state holds those of months, and each event makes another state.
    """
    horizon = state.at - RECENT if state.at is not None else None
    told = [
        one
        for one in state.sessions.values()
        if one.alive or (one.phase is Phase.EVICTED and horizon is not None and one.since >= horizon)
    ]
    return replace(state, sessions={one.id: _renamed(one, letter_of) for one in told})


def _renamed(session: Session, letter_of: Callable[[str], str] | None) -> Session:
    if letter_of is None:
        return replace(session, title=plain(title_of(session), LONGEST_TITLE))
    return replace(session, title=_("Session {letter}").format(letter=letter_of(session.id)), cwd=None)


def wall_seats(snapshot: Snapshot, at: datetime, slots: Mapping[str, int]) -> WallSeats:
    """Every seat in its place, in rows for a wide screen."""
    seats = seats_view(snapshot, at, slots)
    if not seats.count:
        return WallSeats(())
    # By the cap and not by the tiles: a session over the cap must not move the others into new columns.
    columns = columns_of(min(cap_of(snapshot.state).value, seats.count))
    ranks = {slots.get(one.session.id, -1) + 1: one.rank for one in ranking(snapshot.state, at)}
    tiles = tuple(_tile(one, ranks.get(one.slot), brief=columns > WIDE_TILES) for one in seats.tiles)
    return WallSeats(tiles, seats.count, columns, -(-seats.count // columns), seats.more)


def columns_of(seats: int) -> int:
    """How many tiles stand in a row: few rows as long as a title still has room, then more of them."""
    rows = max(2 if seats <= 8 else 3, -(-seats // (7 if seats <= 56 else 8)))
    return max(3, -(-seats // rows))


def _tile(tile: TileView, rank: int | None, *, brief: bool) -> WallTile:
    words = {"free": "", "safe": p_("wall", "safe"), "nameless": _("not in the log")}
    if brief:
        words |= {"waiting": p_("wall", "asks you"), "kept": p_("wall", "kept")}
    if rank is not None:
        words["queued"] = ordinal(rank)  # the first one says what is counted, as the design has it
    return WallTile(
        slot=tile.slot,
        kind=tile.kind,
        title=tile.title,
        word=words.get(tile.kind, tile.word),
        over=tile.over,
        sure=not tile.hint,
        since=tile.since,
        until=tile.until,
        elapsed=tile.elapsed,
        left=tile.left,
    )


def wall_bounds(at: datetime) -> tuple[datetime, datetime]:
    """First and last instant of the picture: it takes a step with each minute, as the time beside it does."""
    end = at.replace(second=0, microsecond=0) + MINUTE
    return end - WINDOW, end


def wall_picture(snapshot: Snapshot, at: datetime, zone: tzinfo) -> WallPicture:
    """Seats against the cap over the last two hours, the pressure under them, and who was closed."""
    start, end = wall_bounds(at)
    # Asked until now and not until the edge: nothing is silent or faded yet in what lies ahead.
    look = Look(replace(snapshot.history.window(start, at), end=end), snapshot.state, at, zone, {})
    places: list[float] = []
    for mark in look.history.marks:
        x = round(look.axis.x(mark.at), 2)
        if mark.kind in EVICTIONS and (not places or x - places[-1] >= APART):
            places.append(x)
    return WallPicture(
        epoch(start), epoch(end), summary(look), area(look, 0), bands(look, 0), gaps(look, 0), tuple(places)
    )


def last_eviction(marks: tuple[Mark, ...]) -> datetime | None:
    """When a session was closed last, None when none was."""
    return max((mark.at for mark in marks if mark.kind in EVICTIONS), default=None)


def wall_foot(snapshot: Snapshot, at: datetime, zone: tzinfo, evicted_at: datetime | None) -> WallFoot:
    """The bottom row; ``evicted_at`` is when a session was closed last. What is not known of the ports is not said."""
    start, now = _edges(at, zone)
    if not snapshot.known or snapshot.state.at is None:
        return WallFoot(start, (), now)
    machine = snapshot.machine.fresh(at)
    facts = [
        _pressure(snapshot.state, machine, at),
        _vm(snapshot.state, at, zone),
        _ports(machine),
        _evicted(evicted_at, at, zone),
    ]
    return WallFoot(start, tuple(fact for fact in facts if fact is not None), now)


def _edges(at: datetime, zone: tzinfo) -> tuple[str, str]:
    """The times at both ends of the picture.

    Where the clocks were changed between them each names its own time: else two hours would look like one, or three.
    """
    begun = at - WINDOW
    start, now = moment(begun, at, zone), clock(at, zone, seconds=False)
    first, last = begun.astimezone(zone), at.astimezone(zone)
    if first.utcoffset() == last.utcoffset():
        return start, now
    return f"{start} {first.tzname() or ''}".rstrip(), f"{now} {last.tzname() or ''}".rstrip()


def _pressure(state: State, machine: Machine, at: datetime) -> WallFact:
    level = pressure_known(state, at).level
    free = state.memory.free_mb if state.memory is not None and state.app.running else None
    if free is None and machine.host is not None:
        free = machine.host.available_mb
    rest = "" if free is None else _("{size} free").format(size=gigabytes(free))
    return WallFact(
        _("Memory pressure {level}").format(level=pressure_word(state, level)), rest, TONES.get(level, "plain")
    )


def _vm(state: State, at: datetime, zone: tzinfo) -> WallFact:
    view = vm_view(state.vm, at, zone)
    runs = vm_at(state.vm, at).phase == "ready" and state.vm.memory_gb is not None
    return WallFact(f"{_('VM')} {view.phase}", f"{state.vm.memory_gb} GB" if runs else "", view.tone)


def _ports(machine: Machine) -> WallFact | None:
    """How many of the home line's ports are taken; None for a line without a number to compare with."""
    ports = machine.ports
    if ports is None or ports.usage.line.budget is None:
        return None
    taken = _("{taken} of {budget}").format(taken=number(ports.usage.in_use), budget=number(ports.usage.line.budget))
    tone: Tone = "out" if ports.mark >= LEAD_PERCENT else "next" if ports.mark else "plain"
    return WallFact(_("Ports"), taken, tone, listed=False)


def _evicted(evicted_at: datetime | None, at: datetime, zone: tzinfo) -> WallFact:
    if evicted_at is None:
        return WallFact("", _("No eviction seen"))
    return WallFact("", _("Last eviction {time}").format(time=moment(evicted_at, at, zone)))
