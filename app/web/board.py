"""The picture that all open pages share: views and markup are made once, whoever looks.

A frame is made anew when the snapshot's version or the second changes. The timeline follows a new mark at once,
other changes after a few seconds, and the mere passing of time every two minutes: the page moves its now-line itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from markupsafe import Markup

from app.core.history import History, Mark
from app.live import Live, Snapshot
from app.web.cards import memory_view, next_view, vm_view
from app.web.happened import announce_view, happened_view
from app.web.presenters import clocks, meta_view, number_view, seats_view, strip_view
from app.web.rendering import Renderer
from app.web.seating import Seating, arrivals, replay_from
from app.web.sentence import sentence
from app.web.timeline import timeline, window_of
from app.web.timeline_views import TimelineView
from app.web.views import AnnounceView, Clocks, HappenedView, SeatsView, TileView

REDRAW_AFTER = timedelta(seconds=15)
"""The timeline follows changes that are no marks after this: it is two pixels, and the tiles tell them at once."""
SLIDE_AFTER = timedelta(minutes=2)
"""The timeline is drawn anew after this even if nothing changed, so that its now-line stays inside."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Frame:
    """All views of one moment, by the name of their place on the page.

    ``patience`` is after how many seconds time alone changes something, None when only a new snapshot can.
    """

    version: int
    clocks: Clocks
    views: Mapping[str, object]
    patience: float | None

    def changes(self, sent: Mapping[str, object]) -> list[str]:
        """The places whose view differs from what was sent; tiles go with their row when that is sent whole."""
        changed = [name for name, view in self.views.items() if name not in sent or sent[name] != view]
        if "seats" in changed:
            return [name for name in changed if not name.startswith("seat-")]
        return changed


@dataclass(slots=True)
class Drawn:
    """The history's part of a frame, and what tells whether it still holds."""

    at: datetime
    version: int
    marks: object
    key: object
    timeline: TimelineView
    happened: HappenedView
    announce: AnnounceView
    pending: bool = False


@dataclass(slots=True)
class Board:
    """Makes frames of the newest snapshot and keeps what is made."""

    live: Live
    zone: tzinfo
    clock: Callable[[], datetime]
    renderer: Renderer
    _seating: Seating = field(default_factory=Seating)
    _seated: bool = False
    _frame: Frame | None = None
    _frame_of: tuple[int, int] = (-1, -1)
    _drawn: Drawn | None = None
    _markup: dict[str, tuple[object, Markup]] = field(default_factory=dict)

    def frame(self) -> Frame:
        """The frame of this moment."""
        snapshot, at = self.live.current, self.clock()
        moment = (snapshot.version, int(at.timestamp()))
        if self._frame is None or self._frame_of != moment:
            self._frame, self._frame_of = self._make(snapshot, at), moment
        return self._frame

    def markup(self, frame: Frame, name: str) -> Markup:
        """The markup of one place, made once for all who need it."""
        view = frame.views[name]
        kept = self._markup.get(name)
        if kept is not None and kept[0] == view:
            return kept[1]
        template = "tile" if isinstance(view, TileView) else name
        made = self.renderer.fragment(template, view)
        self._markup[name] = (view, made)
        return made

    def _make(self, snapshot: Snapshot, at: datetime) -> Frame:
        state = snapshot.state
        slots = self._slots(snapshot, at)
        drawn = self._draw(snapshot, at, slots)
        seats = seats_view(snapshot, at, slots)
        views: dict[str, object] = {
            "strip": strip_view(snapshot),
            "meta": meta_view(state),
            "number": number_view(snapshot),
            "sentence": sentence(snapshot, at, self.zone),
            "seats": seats,
            **{f"seat-{tile.slot}": tile for tile in seats.tiles},
            "next": next_view(state, at, self.zone),
            "memory": memory_view(state, at, self.zone),
            "vm": vm_view(state.vm, at, self.zone),
            "timeline": drawn.timeline,
            "happened": drawn.happened,
            "announce": drawn.announce,
        }
        return Frame(snapshot.version, clocks(snapshot, at), views, _patience(seats, drawn, at))

    def _slots(self, snapshot: Snapshot, at: datetime) -> dict[str, int]:
        if snapshot.ready and not self._seated:
            past = snapshot.history.window(replay_from(snapshot.state, at), at)
            self._seating.replay(past.spans, snapshot.state)
            self._seated = True
        self._seating.update(arrivals(snapshot.state))
        return self._seating.slots

    def _draw(self, snapshot: Snapshot, at: datetime, slots: Mapping[str, int]) -> Drawn:
        kept = self._drawn
        age = at - kept.at if kept is not None else SLIDE_AFTER
        if (
            kept is not None
            and kept.version == snapshot.version
            and not kept.pending
            and timedelta() <= age < SLIDE_AFTER
        ):
            return kept
        start, end = window_of(at)
        # Asked until now and not until the edge: nothing is silent or faded yet in what lies ahead.
        history = replace(snapshot.history.window(start, at), end=end)
        marks, key = _marks_key(history), _key(history)
        if kept is not None and kept.marks == marks and timedelta() <= age < SLIDE_AFTER:
            kept.pending = kept.key != key
            if not kept.pending or age < REDRAW_AFTER:
                kept.version = snapshot.version
                return kept
        day = snapshot.history.window(at - DAY, at).marks
        self._drawn = Drawn(
            at, snapshot.version, marks, key,
            timeline(history, snapshot.state, at, self.zone, slots),
            happened_view(day, _today(day, at, self.zone), snapshot.state, self.zone),
            announce_view(day, snapshot.state),
        )  # fmt: skip
        return self._drawn


def _marks_key(history: History) -> object:
    return history.marks[-1] if history.marks else None


def _key(history: History) -> object:
    """Changes whenever something was added to the history or came to its end."""
    tails = (history.spans[-1:], history.seats[-1:], history.bands[-1:], history.gaps[-1:], history.memory[-1:])
    still = tuple(span for span in history.spans if span.end is None)
    return tails, still


def _today(marks: tuple[Mark, ...], at: datetime, zone: tzinfo) -> tuple[Mark, ...]:
    today = at.astimezone(zone).date()
    return tuple(mark for mark in marks if mark.at.astimezone(zone).date() == today)


def _patience(seats: SeatsView, drawn: Drawn, at: datetime) -> float | None:
    """Seconds until a session reaches its 60 s line or the timeline may follow."""
    waits = [tile.until - at.timestamp() for tile in seats.tiles if tile.until is not None]
    if drawn.pending:
        waits.append((drawn.at + REDRAW_AFTER - at).total_seconds())
    return max(0.05, min(waits)) if waits else None
