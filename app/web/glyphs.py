"""The marks of the timeline: where they stand, what they say, and how many are told apart. Pure; no markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.core.history import Mark, MarkKind
from app.web.happened import log_line, what_happened
from app.web.looks import Look
from app.web.timeline_views import Glyph, GlyphKind, MarksView
from app.web.words import _, n_, span_brief

NEAR_PX = 7.0
"""Marks of one kind nearer than this would lie on each other: they become one with a number."""
MOST_GLYPHS = 48
"""So many marks are drawn at most; beyond it marks further apart become one."""

LONGEST_LINE = 130
"""The log line of a mark is cut to this: a picture of a day has dozens of them."""
RINGS, APP = "rings", "app"
"""The rows of starts put off, and of the app and the VM; lanes have their number as name."""
LABEL_PX = 70.0
"""So much room a label takes in front of its mark: it covers no other mark there."""
REST_PX = 230.0
"""What a label adds after its mark takes as much as this; it must not run across the now-line."""
TURN_AT = 87.0
"""Labels of marks further right than this percentage stand before their mark, on the end of its own bar."""

SHAPES: Mapping[MarkKind, GlyphKind] = {
    "evicted_for_seat": "evicted", "evicted_for_memory": "evicted", "paused_idle": "paused", "put_off": "put_off",
    "would_evict": "would_be", "killed": "trouble", "failed": "trouble", "timed_out": "trouble",
    "usage_limit": "trouble", "overloaded": "trouble", "signed_out": "trouble", "network": "trouble",
    "app_crashed": "trouble", "app_started": "app", "app_quit": "app", "app_update": "app", "account_switched": "app",
    "undelivered": "trouble", "save_failed": "trouble", "remote_lost": "trouble",
    "vm_ready": "vm", "vm_failed": "trouble", "vm_disk_full": "trouble", "ports": "ports",
}  # fmt: skip
ON_APP_ROW = frozenset(
    {
        "signed_out",
        "network",
        "app_crashed",
        "app_started",
        "app_quit",
        "app_update",
        "account_switched",
        "remote_lost",
        "vm_ready",
        "vm_failed",
        "vm_disk_full",
        "ports",
    }
)
"""Marks that belong to no session's lane."""


@dataclass(slots=True)
class Cluster:
    """Marks of one kind in one row that are drawn as one, newest last."""

    kind: GlyphKind
    row: str
    x: float
    marks: list[Mark]


@dataclass(frozen=True, slots=True)
class Places:
    """The rows in which marks stand, in pixels from the top: those of `RINGS`, `APP` and of lanes by their number.

    ``lanes`` tells which row a session has, ``begun`` when its last bar begins.
    """

    rows: Mapping[str, int]
    lanes: Mapping[str, str]
    begun: Mapping[str, datetime] = field(default_factory=dict)


def glyphs(look: Look, places: Places) -> tuple[MarksView, ...]:
    """The marks of the window by row, in order of time."""
    axis = look.axis
    clusters: list[Cluster] = []
    for mark in sorted(look.history.marks, key=lambda m: m.at):
        row = _row_of(mark, places)
        if row is not None and axis.start <= mark.at <= axis.end:
            clusters.append(Cluster(SHAPES[mark.kind], row, axis.x(mark.at), [mark]))
    near = NEAR_PX
    clusters = _cluster(clusters, axis.percent(near))
    while len(clusters) > MOST_GLYPHS and near < 500:
        near *= 1.4
        clusters = _cluster(clusters, axis.percent(near))
    last_x: dict[str, float] = {}
    for one in clusters:
        if one.kind != "would_be":
            last_x[one.row] = max(last_x.get(one.row, 0.0), one.x)
    found: dict[str, list[Glyph]] = {row: [] for row in places.rows}
    for one in clusters:
        last = one.marks[-1]
        over = places.begun.get(last.session or "", last.at) <= last.at
        labelled = over and one.x >= last_x.get(one.row, 0.0) and not _crowded(one, clusters, axis.percent(LABEL_PX))
        found[one.row].append(_glyph(one, places.rows[one.row], look, labelled=labelled))
    return tuple(MarksView(row, tuple(drawn)) for row, drawn in found.items())


def _crowded(one: Cluster, others: list[Cluster], room: float) -> bool:
    """Whether a label in front of the mark would lie on another mark of its row."""
    return one.x > TURN_AT and any(other.row == one.row and one.x - room < other.x < one.x for other in others)


def _row_of(mark: Mark, places: Places) -> str | None:
    if mark.kind == "put_off":
        return RINGS
    if mark.kind in ON_APP_ROW:
        return APP
    if mark.kind not in SHAPES or mark.session is None:
        return None
    return places.lanes.get(mark.session)


def _cluster(placed: list[Cluster], near: float) -> list[Cluster]:
    """Join those of one kind and row that stand less than ``near`` percent after the first of their cluster."""
    clusters: list[Cluster] = []
    open_at: dict[tuple[GlyphKind, str], Cluster] = {}
    for one in placed:
        key = (one.kind, one.row)
        cluster = open_at.get(key)
        if cluster is not None and one.x - cluster.x < near:
            cluster.marks.extend(one.marks)
        else:
            open_at[key] = one
            clusters.append(one)
    return clusters


def _glyph(one: Cluster, y: int, look: Look, *, labelled: bool) -> Glyph:
    mark, times = one.marks[-1], len(one.marks)
    what = "".join(part.text for part in what_happened(mark, look.state))
    when = look.when(mark.at)
    if times > 1:
        when = _("{n} between {first} and {last}").format(
            n=n_("{n} time", "{n} times", times), first=look.when(one.marks[0].at), last=when
        )
    labelled = labelled and one.kind == "evicted" and mark.session not in look.alive
    return Glyph(
        id=f"m{int(mark.at.timestamp())}-{mark.line}",
        kind=one.kind,
        x=round(one.x, 2),
        y=y,
        title=f"{when}  {what}\n{log_line(mark, LONGEST_LINE)}",
        label=_("closed") if labelled else "",
        rest=_rest(mark) if labelled and one.x + look.axis.percent(REST_PX) <= look.until_x else "",
        before=one.x > TURN_AT,
    )


def _rest(mark: Mark) -> str:
    """What the label adds where there is room for it."""
    at_cap = mark.kind == "evicted_for_seat"
    if mark.idle_seconds is None:
        return _(" · at cap") if at_cap else _(" · memory pressure")
    message = _(" · at cap, silent {span}") if at_cap else _(" · memory pressure, silent {span}")
    return message.format(span=span_brief(mark.idle_seconds))
