"""The picture that all open pages share: views and markup are made once for each language and range that is looked at.

A frame is made anew when the snapshot's version or the second changes; `app.web.drawing` makes its part of the past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from markupsafe import Markup

from app.live import Live, Snapshot
from app.web.advising import advice_view, notes_view
from app.web.cards import next_view, vm_view
from app.web.drawing import Drawn, Seen, draw, redraw_after, still
from app.web.happened import announce_view
from app.web.language import DEFAULT, speaking
from app.web.machine_cards import memory_view, vm_held
from app.web.machine_views import TrendView
from app.web.past import Past
from app.web.ports_card import ports_view
from app.web.presenters import clocks, meta_view, number_view, seats_view, strip_view
from app.web.ranges import Window
from app.web.rendering import Renderer
from app.web.seating import Seating, arrivals, replay_from
from app.web.sentence import sentence
from app.web.timeline_views import (
    AreaView,
    BandsView,
    GapsView,
    LaneView,
    MarksView,
    MemoryLineView,
    MoreView,
    NameView,
    TimelineView,
    TwinRow,
)
from app.web.views import AnnounceView, Clocks, SeatsView, StepView, TileView

COMPOSED = (SeatsView, TimelineView)
"""Views that are sent whole to a page that opens, and part by part from then on."""

TEMPLATES: Mapping[type, str] = {
    TileView: "tile", LaneView: "lane", NameView: "lane_name", MarksView: "marks", AreaView: "area",
    MemoryLineView: "memory_line", BandsView: "bands", GapsView: "gaps", TwinRow: "twin", TrendView: "trend",
    MoreView: "more",
}  # fmt: skip
"""The templates of views that have several places; the others are called like their place."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Frame:
    """All views of one moment, by the name of their place on the page, in one language.

    ``patience`` is after how many seconds time alone changes something, None when only a new snapshot can. ``ranged``
    are the places that show the window; all others are about now.
    """

    version: int
    clocks: Clocks
    views: Mapping[str, object]
    patience: float | None
    language: str = DEFAULT
    window: Window = field(default_factory=Window)
    ranged: frozenset[str] = frozenset()

    def changes(self, sent: Mapping[str, object]) -> list[str]:
        """The places whose view differs from what was sent. What a place brings along whole is not named again."""
        changed = [name for name, view in self.views.items() if name not in sent or sent[name] != view]
        if "seats" in changed:
            changed = [name for name in changed if not name.startswith("seat-")]
        if "timeline" in changed and isinstance(whole := self.views["timeline"], TimelineView):
            parts = whole.parts()
            changed = [name for name in changed if name not in parts]
        return changed

    def whole(self) -> list[str]:
        """The places that together make the page."""
        return self.changes({})


@dataclass(slots=True)
class Kept:
    """What is kept for one language: the head of the page by moment, timelines by range, markup by place, steps."""

    head_of: tuple[int, int] = (-1, -1)
    announced: tuple[int, AnnounceView] = (-1, AnnounceView(""))
    head: Mapping[str, object] = field(default_factory=dict)
    frames: dict[Window, tuple[tuple[int, int], Frame]] = field(default_factory=dict)
    drawn: dict[Window, Drawn] = field(default_factory=dict)
    markup: dict[tuple[Window | None, str], tuple[object, Markup]] = field(default_factory=dict)
    steps: dict[str, tuple[StepView, Markup]] = field(default_factory=dict)


@dataclass(slots=True)
class Board:
    """Makes frames of the newest snapshot and keeps what is made: a language costs from its first page on.

    ``pages`` is how many are open.
    """

    live: Live
    zone: tzinfo
    clock: Callable[[], datetime]
    renderer: Renderer
    pages: int = 0
    _seating: Seating = field(default_factory=Seating)
    _seated: bool = False
    _kept: dict[str, Kept] = field(default_factory=dict)

    def frame(self, language: str = DEFAULT, window: Window | None = None, past: Past | None = None) -> Frame:
        """The frame of this moment; ``past`` is what the store tells of a fixed window, None for what is in memory."""
        window = window or Window()
        snapshot, at = self.live.current, self.clock()
        moment = (snapshot.version, int(at.timestamp()))
        kept = self._kept.setdefault(language, Kept())
        known = kept.frames.get(window)
        if known is not None and known[0] == moment:
            return known[1]
        follow: datetime | None = None
        with speaking(language):
            slots = self.slots(snapshot, at)
            head, seen = self._head(kept, snapshot, at, slots), Seen(snapshot, at, self.zone, slots)
            if window.live:
                drawn = kept.drawn[window] = draw(kept.drawn.get(window), window, seen)
                views = drawn.views
                follow = drawn.at + redraw_after(window) if drawn.pending else None
            else:
                views = still(window, past, seen)
        frame = Frame(
            snapshot.version, clocks(snapshot, at), {**head, **views}, _patience(head, follow, at),
            language, window, frozenset(views),
        )  # fmt: skip
        if window.live:
            kept.frames[window] = (moment, frame)
        return frame

    def head(self, language: str = DEFAULT) -> Frame:
        """The part of a frame that is about now: all that a page of a fixed window still has to be told."""
        snapshot, at = self.live.current, self.clock()
        kept = self._kept.setdefault(language, Kept())
        with speaking(language):
            views = self._head(kept, snapshot, at, self.slots(snapshot, at))
        return Frame(snapshot.version, clocks(snapshot, at), views, _patience(views, None, at), language)

    def markup(self, frame: Frame, name: str) -> Markup:
        """The markup of one place, made once for all who need it."""
        view, kept = frame.views[name], self._kept.setdefault(frame.language, Kept()).markup
        key = (frame.window if name in frame.ranged else None, name)
        known = kept.get(key)
        # A composed view equals another whose parts differ, since those have places of their own; its markup does not.
        if known is not None and (known[0] is view or (known[0] == view and not isinstance(view, COMPOSED))):
            return known[1]
        with speaking(frame.language):
            made = self.renderer.fragment(TEMPLATES.get(type(view), name), view)
        # A fixed window is looked at once: keeping its markup would fill the memory with what nobody asks for again.
        if frame.window.live or key[0] is None:
            kept[key] = (view, made)
        return made

    def step(self, frame: Frame, name: str, view: StepView) -> Markup:
        """The markup of a step of one place, made once for all pages that take the same one."""
        kept = self._kept.setdefault(frame.language, Kept()).steps
        known = kept.get(name)
        if known is None or known[0] != view:
            with speaking(frame.language):
                known = (view, self.renderer.fragment("step", view))
            kept[name] = known
        return known[1]

    def _head(self, kept: Kept, snapshot: Snapshot, at: datetime, slots: Mapping[str, int]) -> Mapping[str, object]:
        """Everything that is about now, whatever range is looked at."""
        state, moment = snapshot.state, (snapshot.version, int(at.timestamp()))
        if kept.head_of == moment:
            return kept.head
        if kept.announced[0] != snapshot.told:
            spoken = announce_view(snapshot.history.marks(at - DAY, at), state)
            kept.announced = (snapshot.told, spoken)
        seats, machine = seats_view(snapshot, at, slots), snapshot.machine.fresh(at)
        kept.head_of = moment
        kept.head = {
            "strip": strip_view(snapshot),
            "meta": meta_view(state),
            "number": number_view(snapshot),
            "sentence": sentence(snapshot, at, self.zone),
            "advice": advice_view(snapshot, at, self.zone),
            "notes": notes_view(snapshot, at, self.zone),
            "seats": seats,
            **{f"seat-{tile.slot}": tile for tile in seats.tiles},
            "next": next_view(state, at, self.zone),
            "memory": memory_view(state, machine, at, self.zone),
            "vm": vm_view(state.vm, at, self.zone, vm_held(machine)),
            "ports": ports_view(machine, at, self.zone),
            "announce": kept.announced[1],
        }
        return kept.head

    def slots(self, snapshot: Snapshot, at: datetime) -> dict[str, int]:
        """Who sits where, by session id: the same on every page that shows this snapshot."""
        if snapshot.known and not self._seated:
            past = snapshot.history.window(replay_from(snapshot.state, at), at)
            self._seating.replay(past.spans, snapshot.state)
            self._seated = True
        self._seating.update(arrivals(snapshot.state))
        return self._seating.slots


def _patience(head: Mapping[str, object], follow: datetime | None, at: datetime) -> float | None:
    """Seconds until a session reaches its 60 s line, or until the instant at which the timeline may follow."""
    tiles = head["seats"].tiles if isinstance(head["seats"], SeatsView) else ()
    waits = [tile.until - at.timestamp() for tile in tiles if tile.until is not None]
    if follow is not None:
        waits.append((follow - at).total_seconds())
    return max(0.05, min(waits)) if waits else None
