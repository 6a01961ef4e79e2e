"""From a snapshot and an instant to what the head of the page and the seats show. Pure; no markup."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.core.governor import SAFE_SECONDS, Candidate, cap_of, counted_seats, ranking, seats_taken
from app.core.state import Phase, Session, State
from app.core.trouble import Trouble
from app.live import Snapshot
from app.web.links import session_href
from app.web.sentence import app_silence
from app.web.telling import failure_words, place_words
from app.web.titles import plain, title_of
from app.web.troubles import trouble_words
from app.web.views import Clocks, MetaView, NumberView, SeatsView, StripView, TileKind, TileView
from app.web.words import (
    _,
    gigabytes,
    listed,
    n_,
    ordinal,
    phase_word,
    platform_word,
    protection_word,
    span_clock,
    span_short,
)

DENSE_FROM = 17
"""From so many seats on their tiles are drawn smaller."""
MOST_TILES = 64
"""So many are drawn: a log may name any number as its cap."""


def epoch(at: datetime) -> int:
    """Whole seconds since 1970: what the script of the page counts in."""
    return int(at.timestamp())


def clocks(snapshot: Snapshot, at: datetime) -> Clocks:
    """The server's time and that of the newest log line."""
    newest = snapshot.last_line_at or snapshot.state.at
    return Clocks(epoch(at), epoch(newest) if newest is not None else None)


def number_view(snapshot: Snapshot) -> NumberView:
    """The number that leads the page."""
    state = snapshot.state
    if not snapshot.known or state.at is None:
        return NumberView(None, None, over=False, label=_("Seats taken: not known yet"))
    taken, cap = seats_taken(state), cap_of(state).value
    label = _("{taken} of {cap} seats taken").format(taken=taken, cap=cap)
    return NumberView(taken, cap, over=taken > cap, label=label)


def meta_view(state: State) -> MetaView:
    """Platform, memory and version, as far as the log tells."""
    facts = []
    if state.app.platform:
        facts.append(platform_word(plain(state.app.platform, 20)))
    if state.memory is not None and state.memory.total_mb:
        facts.append(gigabytes(state.memory.total_mb))
    if state.app.version:
        facts.append(_("Claude {version}").format(version=plain(state.app.version, 30)))
    return MetaView(tuple(facts))


def _source_trouble(path: str, problem: str) -> str:
    said = trouble_words(problem)
    return said if isinstance(problem, Trouble) else f"{plain(path, 200)}: {said}"


def strip_view(snapshot: Snapshot) -> StripView:
    """The note across the page. Trouble comes before demo data, demo data before loading."""
    looked = tuple(_("Looked in {place}").format(place=plain(place, 300)) for place in snapshot.looked_in)
    troubles = [trouble_words(snapshot.problem)] if snapshot.problem else []
    troubles += [_source_trouble(source.path, source.problem) for source in snapshot.sources if source.problem]
    if troubles:
        return StripView("problem", _("Not everything can be read."), tuple(troubles))
    if snapshot.demo:
        title = _("Demo data. No Claude logs were found.") if looked else _("Demo data. These sessions are made up.")
        return StripView("demo", title, looked)
    if not snapshot.ready:
        lines = sum(source.lines for source in snapshot.sources)
        size = sum(source.bytes for source in snapshot.sources)
        read = _("{read} of {all} MB").format(
            read=f"{size / 1_000_000:.1f}", all=f"{max(size, snapshot.to_read) / 1_000_000:.1f}"
        )
        so_far = listed((n_("{n} line so far", "{n} lines so far", lines), read))
        filling = (_("What you see is from the newest part of the logs; what came before follows."),)
        return StripView("loading", _("Reading the history."), (so_far, *(filling if snapshot.filling else ())))
    if snapshot.state.at is None and not snapshot.sources:
        hint = _("Start Claude once and this page comes to life by itself; or start Seatwatch with --logs FOLDER.")
        return StripView("nologs", _("Waiting for logs."), (hint,))
    if undelivered := [one for one in snapshot.deliveries if one.failure]:
        reasons = tuple(f"{place_words(one.place)}: {failure_words(one.failure)}" for one in undelivered)
        return StripView("problem", _("A notification could not be delivered."), reasons)
    return StripView("none", "", ())


def seats_view(snapshot: Snapshot, at: datetime, slots: Mapping[str, int]) -> SeatsView:
    """Every seat in its place: holders in their slots, what the app counts and we do not see, then free seats."""
    state = snapshot.state
    if not snapshot.known or state.at is None:
        return SeatsView((), 0)
    cap, taken = cap_of(state).value, seats_taken(state)
    by_slot = {slots[s.id]: s for s in state.seat_holders if s.id in slots}
    queue = {one.session.id: one for one in ranking(state, at)}
    sure = app_silence(state, at) is None
    unseen = max(0, taken - counted_seats(state))
    seats = max(cap, max(by_slot, default=-1) + 1, len(by_slot) + unseen)
    count = min(seats, MOST_TILES)
    free = max(0, cap - taken)
    tiles: list[TileView] = []
    for slot in range(count):
        over = slot >= cap and taken > cap
        if (session := by_slot.get(slot)) is not None:
            tiles.append(_holder(slot, session, queue.get(session.id), at, over=over, sure=sure))
        elif unseen:
            unseen -= 1
            tiles.append(
                _vacant(slot, "nameless", _("taken"), _("the app counts it, its session is not in the log"), over)
            )
        elif free:
            free -= 1
            tiles.append(_vacant(slot, "free", _("free"), _("one more fits") if state.app.running else "", over))
        else:
            tiles.append(_vacant(slot, "spare", _("no seat"), "", over))
    # By the cap and not by the tiles: a session over the cap must not move the others into new rows.
    drawn = min(cap, MOST_TILES)
    wide, mid = in_a_row(drawn, 6, 10), in_a_row(drawn, 5, 8)
    return SeatsView(tuple(tiles), count, cap >= DENSE_FROM, wide, mid, _not_drawn(seats - count, free))


def _not_drawn(hidden: int, free: int) -> str:
    """What the seats beyond the last tile are."""
    if free and free == hidden:
        return n_("and {n} more free seat", "and {n} more free seats", free)
    return n_("and {n} more seat", "and {n} more seats", hidden) if hidden else ""


def in_a_row(count: int, least: int, most: int) -> int:
    """How many tiles stand in a row so that rows are few and evenly filled."""
    if count <= most:
        return count
    return min(range(most, least - 1, -1), key=lambda n: -(-count // n) * (n + 3) - count)


def _vacant(slot: int, kind: TileKind, title: str, word: str, over: bool) -> TileView:
    return TileView(
        slot + 1, kind, title, word, hint="", said="", since=None, over=over, bar=False, until=None,
        elapsed="", left="", fill=0,
    )  # fmt: skip


def _holder(slot: int, session: Session, place: Candidate | None, at: datetime, *, over: bool, sure: bool) -> TileView:
    kind, word = _kind_and_word(session, place)
    since = session.idle_since if session.phase is Phase.IDLE and session.idle_since else _since(session)
    elapsed = max(0, int((at - since).total_seconds()))
    safe = kind == "safe"
    return TileView(
        slot=slot + 1,
        kind=kind,
        title=title_of(session),
        word=word,
        hint="" if sure else _("time not certain"),
        said=_("silent {span}") if session.phase is Phase.IDLE else _("for {span}"),
        since=epoch(since),
        over=over,
        bar=place is not None,
        until=epoch(since + timedelta(seconds=SAFE_SECONDS)) if safe else None,
        elapsed=span_short(elapsed),
        left=span_clock(max(0, SAFE_SECONDS - elapsed)) if safe else "",
        fill=min(SAFE_SECONDS, elapsed) if place is not None else 0,
        href=session_href(session.id),
    )


def _since(session: Session) -> datetime:
    return min(session.waiting_for.values(), default=session.since)


def _kind_and_word(session: Session, place: Candidate | None) -> tuple[TileKind, str]:
    if place is not None:
        if place.eligible_in_seconds > 0:
            return "safe", _("safe for {span}")
        return ("first" if place.rank == 1 else "queued"), _("{rank} to go").format(rank=ordinal(place.rank))
    if session.phase is Phase.WAITING:
        return "waiting", phase_word(session.phase)
    if session.phase is Phase.IDLE:
        kept = listed(protection_word(protection) for protection in session.protected_by)
        return ("kept", _("kept: {what}").format(what=kept)) if kept else ("silent", _("being closed"))
    return "working", phase_word(session.phase)
