"""The timeline as shapes: seats against the cap, a lane per session, pressure and free memory on one axis. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.core.history import Span
from app.core.state import Phase
from app.web import timeline_rows
from app.web.glyphs import APP, ON_APP_ROW, RINGS, Places, glyphs
from app.web.links import session_href
from app.web.looks import Look
from app.web.presenters import epoch
from app.web.shapes import KINDS, MERGE_PX, Piece, bars, merge
from app.web.timeline_axis import ticks
from app.web.timeline_views import Bar, LaneView, NameView, TimelineView, TwinRow
from app.web.titles import title_by_id
from app.web.words import _, clock, n_, phase_word, span_words

MOST_LANES = 14
"""So many sessions have a lane; the rest is a number."""
MOST_CLOSED = 5
"""So many, those that were closed last, have a lane before who holds a seat: eight seats leave room for them."""
MOST_BARS = 320
"""So many bars are drawn at most: beyond it neighbours become one, so a day stays as light as an hour."""

LANES_TOP, LANE, ROW = 90, 25, 22

Spans = Mapping[str, Sequence[Span]]


def timeline(look: Look, order: Sequence[str] = ()) -> tuple[TimelineView, tuple[str, ...]]:
    """The picture, and the sessions of its lanes from top to bottom.

    ``order`` is that of the lanes so far: who still has one keeps its place, who is new takes one that became free.
    """
    spans = _by_session(look)
    chosen, hidden = choose_lanes(look, spans)
    settled = settle(order, chosen)
    return _picture(look, settled, hidden, spans), settled


def settle(order: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    """``chosen``, with those who are in ``order`` at their places there as far as possible."""
    staying, coming = set(chosen), [session for session in chosen if session not in set(order)]
    settled: list[str] = []
    for session in order:
        if session in staying:
            settled.append(session)
        elif coming:
            settled.append(coming.pop(0))
    return (*settled, *coming)


def _picture(look: Look, chosen: Sequence[str], hidden: int, spans: Spans) -> TimelineView:
    rows = Rows.below(len(chosen), app=any(mark.kind in ON_APP_ROW for mark in look.history.marks))
    pieces = [_pieces(spans[session], look) for session in chosen]
    lanes = _lanes(pieces, chosen, look)
    events = Counter(mark.session for mark in look.history.marks)
    area = timeline_rows.area(look, rows.height)
    heights = {RINGS: round(area.cap_y) - 9, APP: rows.app, **{str(lane.n): lane.y for lane in lanes}}
    rows_of = {session: str(n) for n, session in enumerate(chosen)}
    places = Places(heights, rows_of, {session: spans[session][-1].start for session in chosen})
    return TimelineView(
        slides=look.live,
        start=epoch(look.history.start),
        end=epoch(look.history.end),
        height=rows.height,
        plot_bottom=rows.axis - 14,
        ticks=ticks(look.axis, look.zone),
        app_y=rows.app if rows.has_app else None,
        axis_y=rows.axis,
        more=_more(len(lanes), hidden) if look.state.at is not None else "",
        summary=timeline_rows.summary(look),
        pin_x=round(look.axis.x(look.pin), 2) if look.pin is not None else None,
        pin_label=clock(look.pin, look.zone) if look.pin is not None else "",
        now_x=look.now_x,
        area=area,
        memory=timeline_rows.memory(look, rows.memory + 2, ROW - 7, rows.height),
        bands=timeline_rows.bands(look, rows.band),
        gaps=timeline_rows.gaps(look, rows.axis - 14),
        lanes=lanes,
        names=tuple(
            NameView(lane.n, title_by_id(look.state, session), lane.dim, lane.first, session_href(session))
            for session, lane in zip(chosen, lanes, strict=True)
        ),
        marks=glyphs(look, places),
        twin=tuple(
            _twin(n, session, look, pieces[n], events[session], phase=_phase(session, look, spans[session]))
            for n, session in enumerate(chosen)
        ),
    )


def _more(shown: int, hidden: int) -> str:
    if not shown:
        return _("No session lived in this window.")
    return n_("and {n} more session", "and {n} more sessions", hidden) if hidden else ""


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the rows under the lanes lie."""

    band: int
    memory: int
    app: int
    axis: int
    height: int
    has_app: bool

    @classmethod
    def below(cls, lanes: int, *, app: bool) -> Rows:
        """The rows below so many lanes; the row of the app's own marks only where there are any."""
        band = LANES_TOP + lanes * LANE + 6
        memory = band + ROW
        last = memory + ROW + (ROW if app else 0)
        return cls(band, memory, memory + ROW + 8, last + 20, last + 26, app)


def _by_session(look: Look) -> dict[str, list[Span]]:
    """The spans by session, in order of time. One session's do not overlap: its last one is the latest."""
    found: defaultdict[str, list[Span]] = defaultdict(list)
    spans = look.history.spans
    for span in spans[: bisect_right(spans, look.until, key=lambda one: one.start)]:
        found[span.session].append(span)
    return found


def choose_lanes(look: Look, spans: Spans) -> tuple[list[str], int]:
    """The sessions that get a lane, in the order of their tiles, those without a process below; and how many get none.

    When there are too many, who comes next and who was closed last are kept first, then who holds a seat: a tile that
    has no lane looks like a mistake, and a task that was closed is what one comes to look for.
    """
    latest = {session: min(mine[-1].end or look.until, look.until) for session, mine in spans.items()}
    marks = (m for m in look.history.marks if m.kind in ("evicted_for_seat", "evicted_for_memory"))
    closed = sorted({m.session for m in marks if m.session in latest} - look.alive, key=lambda s: latest[s])
    newest = set(closed[-MOST_CLOSED:])
    queue = {one.session.id: one.rank for one in look.queue}

    def relevance(session: str) -> tuple[int, int, float]:
        since = -latest[session].timestamp()
        if session in look.alive:
            rank = queue.get(session, len(queue) + 1)
            return (0 if rank <= 3 else 1 if session in look.slots else 2), rank, since
        return (0, 0, since) if session in newest else (3 if session in closed else 4, 0, since)

    def place(session: str) -> tuple[int, float, str]:
        if session in look.alive:
            return look.slots.get(session, 1000), 0.0, session
        return 2000, latest[session].timestamp(), session

    kept = sorted(latest, key=lambda s: (relevance(s), s))[:MOST_LANES]
    return sorted(kept, key=place), len(latest) - len(kept)


def _lanes(pieces: Sequence[Sequence[Piece]], chosen: Sequence[str], look: Look) -> tuple[LaneView, ...]:
    least = look.axis.percent(MERGE_PX)
    merged = [merge(mine, least) for mine in pieces]
    while sum(map(len, merged)) > MOST_BARS and least < 50:
        least *= 1.5
        merged = [merge(mine, least) for mine in merged]
    return tuple(
        LaneView(
            n=n,
            y=LANES_TOP + n * LANE + LANE // 2,
            dim=session not in look.alive,
            first=session == look.head,
            bars=_drawn(session, merged[n], look),
            now_x=look.until_x,
        )
        for n, session in enumerate(chosen)
    )


def _pieces(spans: Sequence[Span], look: Look) -> list[Piece]:
    x, until = look.axis.x, look.until
    pieces: list[Piece] = []
    reached, x1 = look.axis.start, 0.0
    for span in spans:
        # Most spans begin where the one before ended, and placing instants is most of what drawing a busy day costs.
        x0 = x1 if span.start == reached else x(span.start)
        reached = until if span.end is None or span.end > until else span.end
        x1 = x(reached)
        pieces.append(Piece(KINDS[span.phase], x0, x1))
    return pieces


def _drawn(session: str, pieces: list[Piece], look: Look) -> tuple[Bar, ...]:
    drawn = bars(pieces, look.axis, look.until_x, alive=look.live and session in look.alive)
    if session == look.head and drawn and drawn[-1].kind == "silent":
        return (*drawn[:-1], replace(drawn[-1], kind="next"))
    return drawn


def _twin(n: int, session: str, look: Look, pieces: Sequence[Piece], events: int, *, phase: Phase) -> TwinRow:
    spent: dict[str, float] = {}
    for piece in pieces:
        spent[piece.kind] = spent.get(piece.kind, 0.0) + piece.x1 - piece.x0

    def said(kind: str) -> str:
        return span_words(round(spent[kind] / look.axis.scale)) if kind in spent else _("none")

    return TwinRow(
        n=n,
        session=title_by_id(look.state, session),
        state=phase_word(phase),
        events=n_("{n} event", "{n} events", events),
        working=said("working"),
        silent=said("silent"),
        waiting=said("waiting"),
    )


def _phase(session: str, look: Look, spans: Sequence[Span]) -> Phase:
    """What the session does where the picture ends."""
    if look.live and session in look.state.sessions:
        return look.state.sessions[session].phase
    return spans[-1].phase if session in look.alive else Phase.ENDED
