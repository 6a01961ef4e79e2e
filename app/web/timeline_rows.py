"""The rows of the timeline that belong to no session: seats against the cap, gaps, pressure, free memory. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise

from app.core.governor import cap_of
from app.core.history import Gap
from app.web.looks import Look
from app.web.shapes import MERGE_PX, area_path, memory_line, seat_points
from app.web.timeline_views import AreaView, BandBar, BandsView, GapBar, GapsView, MemoryLineView, OpenStep
from app.web.words import _, level_word, moment

SEATS_TOP, SEATS_BASE = 26, 76
ROOM_FOR_A_NAME = 11
"""A gap wider than this percentage has its name written in it."""

Steps = Sequence[tuple[float, int, int]]


def area(look: Look, height: int) -> AreaView:
    """Seats against the cap."""
    cap = cap_of(look.state)
    points = seat_points(look.history.seats, look.axis, look.until_x, cap.value)
    most = max([cap.value, *(max(taken, limit) for _x, taken, limit in points)])

    def y(seats: int) -> float:
        return round(SEATS_BASE - (SEATS_BASE - SEATS_TOP) * seats / most, 1)

    last = _open_step(points, y) if look.live else None
    # The step that goes on is a shape of its own: it grows with time, and the path stays the same.
    closed = points[:-1] if last is not None else points
    return AreaView(
        height=height,
        cap_y=y(cap.value),
        cap_label=(_("cap {n}") if cap.origin == "log" else _("cap about {n}")).format(n=cap.value),
        path=area_path([(x, y(taken)) for x, taken, _cap in closed], SEATS_BASE) if len(closed) > 1 else "",
        over_path=_over_path(closed, y),
        last=last,
    )


def _open_step(points: Steps, y: Callable[[int], float]) -> OpenStep | None:
    if len(points) < 2:
        return None
    (x, taken, cap), (until, _taken, _cap) = points[-2:]
    top = y(taken)
    over = round(y(cap) - top, 1) if taken > cap else 0.0
    return OpenStep(round(x, 2), top, round(SEATS_BASE - top, 1), over, drawn=round(until - x, 2))


def _over_path(points: Steps, y: Callable[[int], float]) -> str:
    paths: list[str] = []
    for (x, taken, cap), (until, _taken, _cap) in pairwise(points):
        if taken > cap and until > x:
            paths.append(f"M{x * 10:.0f} {y(cap):g}H{until * 10:.0f}V{y(taken):g}H{x * 10:.0f}Z")
    return "".join(paths)


def bands(look: Look, y: int) -> BandsView:
    """Memory pressure."""
    found: list[BandBar] = []
    for band in look.history.bands:
        place = _place(look, band.start, band.end)
        if place is None:
            continue
        x, width, goes_on = place
        by_log = band.origin == "log"
        message = _("Memory pressure {level}, {start} to {end}")
        message = message if by_log else _("Memory pressure {level}, {start} to {end}, read by Seatwatch")
        title = message.format(level=level_word(band.level), start=look.when(band.start), end=_end(look, band.end))
        drawn = round(max(width, look.axis.percent(MERGE_PX)), 2)
        found.append(BandBar(band.level, round(x, 2), 0 if goes_on else drawn, title, goes_on, drawn=drawn))
    return BandsView(y, tuple(found))


def gaps(look: Look, bottom: int) -> GapsView:
    """Time without the app: it did not run, or its log was silent."""
    found: list[GapBar] = []
    for gap in look.history.gaps:
        place = _place(look, gap.start, gap.end)
        if place is None:
            continue
        x, width, goes_on = place
        word = _gap_word(gap)
        title = _("{what}, {start} to {end}").format(what=word, start=look.when(gap.start), end=_end(look, gap.end))
        label, drawn = word if width > ROOM_FOR_A_NAME else "", round(width, 2)
        found.append(GapBar(gap.kind, round(x, 2), 0 if goes_on else drawn, label, title, goes_on, drawn=drawn))
    return GapsView(bottom, SEATS_BASE + 6, tuple(found))


def _place(look: Look, start: datetime, end: datetime | None) -> tuple[float, float, bool] | None:
    """Left edge and width in percent, and whether it goes on; None when it lies outside of the window."""
    until = min(end or look.until, look.until)
    if start > look.until or until <= look.history.start:
        return None
    x = look.axis.x(start)
    return x, look.axis.x(until) - x, end is None and look.live


def _end(look: Look, end: datetime | None) -> str:
    return look.when(end) if end is not None else _("now")


def _gap_word(gap: Gap) -> str:
    return _("Claude not running") if gap.kind == "app_down" else _("log silent")


def memory(look: Look, top: int, height: int, box: int) -> MemoryLineView:
    """Free memory as a line from ``top`` down, in a box as high as ``box``."""
    samples = look.history.memory
    if not samples:
        return MemoryLineView(box, "", "")
    free = [sample.free_mb / 1024 for sample in samples]
    title = _("Free memory between {least} and {most} GB").format(least=f"{min(free):.1f}", most=f"{max(free):.1f}")
    return MemoryLineView(box, memory_line(samples, look.axis, top, height), title)


def summary(look: Look) -> str:
    """What the picture is of."""
    start, end = (moment(at, look.now, look.zone) for at in (look.history.start, look.history.end))
    return _("Sessions against the cap, {start} to {end}").format(start=start, end=end)
