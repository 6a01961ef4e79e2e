"""The timeline as shapes: seats against the cap, a lane per session, pressure and free memory on one axis. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

from app.core.governor import cap_of, ranking
from app.core.history import Gap, History, Span
from app.core.state import Phase, Session, State
from app.web.glyphs import ON_APP_ROW, Places, glyphs
from app.web.presenters import epoch
from app.web.shapes import KINDS, MERGE_PX, Axis, Piece, area_path, bars, memory_line, merge, seat_points
from app.web.timeline_views import BandBar, Bar, GapBar, Lane, Tick, TimelineView, TwinRow
from app.web.titles import title_by_id
from app.web.words import _, clock, level_word, n_, phase_word, span_words

WINDOW = timedelta(hours=2)
"""What the page shows when nobody asked for anything else."""
AHEAD = 0.045
"""The share of the plot to the right of now, so that the now-line and what lies under it are seen."""
MOST_LANES = 14
"""So many sessions have a lane; the rest is a number."""
MOST_BARS = 320
"""So many bars are drawn at most: beyond it neighbours become one, so a day stays as light as an hour."""

SEATS_TOP, SEATS_BASE, LANES_TOP, LANE, ROW = 26, 76, 90, 25, 22
STEPS = [timedelta(minutes=m) for m in (1, 2, 5, 15, 30, 60, 120, 180, 360, 720, 1440)]


def window_of(at: datetime, length: timedelta = WINDOW) -> tuple[datetime, datetime]:
    """The window that is drawn at ``at``: a little of it lies ahead."""
    end = at + length * AHEAD
    return end - length, end


def timeline(history: History, state: State, at: datetime, zone: tzinfo, slots: Mapping[str, int]) -> TimelineView:
    """The picture of ``history`` as it stands at ``at``; ``slots`` orders the lanes like the tiles."""
    axis = Axis(history.start, history.end)
    now_x = round(axis.x(at), 3)
    cap, sure = cap_of(state).value, cap_of(state).origin == "log"
    chosen, hidden = choose_lanes(history, state, at, slots)
    lanes = _lanes(chosen, history, state, axis, at)
    rows = Rows.below(len(lanes), app=any(mark.kind in ON_APP_ROW for mark in history.marks))
    points = seat_points(history.seats, axis, now_x, cap)
    most = max([cap, *(max(taken, limit) for _x, taken, limit in points)])

    def y(seats: int) -> float:
        return round(SEATS_BASE - (SEATS_BASE - SEATS_TOP) * seats / most, 1)

    lane_y = {session: lane.y for session, lane in zip(chosen, lanes, strict=True)}
    return TimelineView(
        start=epoch(history.start),
        end=epoch(history.end),
        now_x=now_x,
        height=rows.height,
        plot_bottom=rows.axis - 14,
        cap_y=y(cap),
        base_y=SEATS_BASE,
        cap_label=(_("cap {n}") if sure else _("cap about {n}")).format(n=cap),
        seats_path=area_path([(x, y(taken)) for x, taken, _cap in points], SEATS_BASE),
        over_path=_over_path(points, y),
        ticks=ticks(axis, zone),
        lanes=lanes,
        glyphs=glyphs(history.marks, axis, Places(lane_y, round(y(cap)) - 9, rows.app), state, zone),
        bands=_bands(history, axis, at, zone),
        gaps=_gaps(history, axis, at, zone),
        band_y=rows.band,
        memory_path=memory_line(history.memory, axis, rows.memory + 2, ROW - 7),
        memory_title=_memory_title(history),
        app_y=rows.app if rows.has_app else None,
        axis_y=rows.axis,
        more=_more(len(lanes), hidden),
        summary=_summary(history, zone),
        twin=tuple(_twin(session, history, state, at) for session in chosen),
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


def choose_lanes(history: History, state: State, at: datetime, slots: Mapping[str, int]) -> tuple[list[str], int]:
    """The sessions that get a lane, in the order of their tiles, those without a process below; and how many get none.

    When there are too many, those that were closed or come next are kept before those that only work or wait.
    """
    latest: dict[str, datetime] = {}
    for span in history.spans:
        if span.phase in KINDS and span.start <= at:
            end = min(span.end or at, at)
            latest[span.session] = max(latest.get(span.session, end), end)
    closed = {m.session for m in history.marks if m.kind in ("evicted_for_seat", "evicted_for_memory")}
    queue = {one.session.id: one.rank for one in ranking(state, at)}

    def relevance(session: str) -> tuple[int, int, float]:
        if session in closed and not _alive(session, state):
            return 0, 0, -latest[session].timestamp()
        if queue.get(session, 99) <= 3:
            return 0, queue[session], 0.0
        return (1 if _alive(session, state) else 2), 0, -latest[session].timestamp()

    def place(session: str) -> tuple[int, float, str]:
        if _alive(session, state):
            return slots.get(session, 1000), 0.0, session
        return 2000, latest[session].timestamp(), session

    kept = sorted(latest, key=lambda s: (relevance(s), s))[:MOST_LANES]
    return sorted(kept, key=place), len(latest) - len(kept)


def _lanes(chosen: Sequence[str], history: History, state: State, axis: Axis, at: datetime) -> tuple[Lane, ...]:
    spans: dict[str, list[Span]] = {session: [] for session in chosen}
    for span in history.spans:
        if span.session in spans and span.phase in KINDS and span.start <= at:
            spans[span.session].append(span)
    pieces = {session: [_piece(span, axis, at) for span in mine] for session, mine in spans.items()}
    least = axis.percent(MERGE_PX)
    merged = {session: merge(mine, least) for session, mine in pieces.items()}
    while sum(map(len, merged.values())) > MOST_BARS and least < 50:
        least *= 1.5
        merged = {session: merge(mine, least) for session, mine in pieces.items()}
    head = next((one.session.id for one in ranking(state, at)), None)
    return tuple(
        Lane(
            label=title_by_id(state, session),
            y=LANES_TOP + i * LANE + LANE // 2,
            dim=not _alive(session, state),
            first=session == head,
            bars=_drawn(merged[session], axis, axis.x(at), alive=_alive(session, state), first=session == head),
        )
        for i, session in enumerate(chosen)
    )


def _piece(span: Span, axis: Axis, at: datetime) -> Piece:
    return Piece(KINDS[span.phase], axis.x(span.start), axis.x(min(span.end or at, at)))


def _drawn(pieces: list[Piece], axis: Axis, now_x: float, *, alive: bool, first: bool) -> tuple[Bar, ...]:
    drawn = bars(pieces, axis, now_x, alive=alive)
    if first and drawn and drawn[-1].kind == "silent":
        return (*drawn[:-1], replace(drawn[-1], kind="next"))
    return drawn


def _alive(session: str, state: State) -> bool:
    known = state.sessions.get(session)
    return known is not None and known.alive


def _over_path(points: list[tuple[float, int, int]], y: Callable[[int], float]) -> str:
    paths: list[str] = []
    for (x, taken, cap), (until, _taken, _cap) in pairwise(points):
        if taken > cap and until > x:
            paths.append(f"M{x * 10:.0f} {y(cap):g}H{until * 10:.0f}V{y(taken):g}H{x * 10:.0f}Z")
    return "".join(paths)


def ticks(axis: Axis, zone: tzinfo) -> tuple[Tick, ...]:
    """Round local times, at most ten of them; every other one is major."""
    step = next((s for s in STEPS if axis.length / s <= 9), STEPS[-1])
    minute = timedelta(minutes=1)
    at = axis.start.replace(second=0, microsecond=0)
    if at < axis.start:
        at += minute
    found: list[Tick] = []
    grain = minute if step < timedelta(minutes=15) else timedelta(minutes=15)
    while at.minute % (grain // minute):
        at += minute
    while at <= axis.end:
        local = at.astimezone(zone)
        of_day = local.hour * 60 + local.minute
        if of_day % (step // minute) == 0:
            label = local.strftime("%d %b") if step >= timedelta(days=1) else clock(at, zone, seconds=False)
            found.append(Tick(round(axis.x(at), 2), label, major=of_day % (2 * step // minute) == 0))
        at += grain
    return tuple(found)


def _bands(history: History, axis: Axis, at: datetime, zone: tzinfo) -> tuple[BandBar, ...]:
    found: list[BandBar] = []
    for band in history.bands:
        end = min(band.end or at, at)
        if band.start > at or end <= axis.start:
            continue
        x, until = axis.x(band.start), axis.x(end)
        title = _("Memory pressure {level}, {start} to {end}").format(
            level=level_word(band.level), start=clock(band.start, zone),
            end=clock(band.end, zone) if band.end else _("now"),
        )  # fmt: skip
        width = max(until - x, axis.percent(MERGE_PX))
        found.append(BandBar(band.level, round(x, 2), round(width, 2), title, band.end is None))
    return tuple(found)


def _gaps(history: History, axis: Axis, at: datetime, zone: tzinfo) -> tuple[GapBar, ...]:
    found: list[GapBar] = []
    for gap in history.gaps:
        end = min(gap.end or at, at)
        if gap.start > at or end <= axis.start:
            continue
        x, width = axis.x(gap.start), axis.x(end) - axis.x(gap.start)
        word = _gap_word(gap)
        title = _("{what}, {start} to {end}").format(
            what=word, start=clock(gap.start, zone), end=clock(gap.end, zone) if gap.end else _("now")
        )
        found.append(GapBar(gap.kind, round(x, 2), round(width, 2), word if width > 11 else "", title))
    return tuple(found)


def _gap_word(gap: Gap) -> str:
    return _("Claude not running") if gap.kind == "app_down" else _("log silent")


def _memory_title(history: History) -> str:
    if not history.memory:
        return ""
    free = [sample.free_mb / 1024 for sample in history.memory]
    return _("Free memory between {least:.1f} and {most:.1f} GB").format(least=min(free), most=max(free))


def _summary(history: History, zone: tzinfo) -> str:
    return _("Sessions against the cap, {start} to {end}").format(
        start=clock(history.start, zone, seconds=False), end=clock(history.end, zone, seconds=False)
    )


def _twin(session: str, history: History, state: State, at: datetime) -> TwinRow:
    known: Session | None = state.sessions.get(session)
    spent: dict[str, timedelta] = {}
    for span in history.spans:
        if span.session == session and span.phase in KINDS and span.start <= at:
            length = min(span.end or at, at) - max(span.start, history.start)
            spent[KINDS[span.phase]] = spent.get(KINDS[span.phase], timedelta()) + max(length, timedelta())

    def said(kind: str) -> str:
        return span_words(int(spent[kind].total_seconds())) if kind in spent else _("none")

    events = sum(mark.session == session for mark in history.marks)
    return TwinRow(
        session=title_by_id(state, session),
        state=phase_word(known.phase if known is not None else Phase.ENDED),
        working=said("working"),
        silent=said("silent"),
        waiting=said("waiting"),
        events=n_("{n} event", "{n} events", events),
    )
