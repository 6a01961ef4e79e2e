"""The wall's own board: what a screen across the room shows, made once for all walls that look alike.

It makes nothing until a wall asks, so the page pays nothing for it, and it shares the seating with `app.web.board`:
a tile stands in the same place on both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from markupsafe import Markup

from app.core.aliases import Aliases
from app.core.governor import cap_of, seats_taken
from app.core.pressure import pressure_at
from app.core.state import State
from app.live import Snapshot
from app.web.board import Board, Frame
from app.web.language import DEFAULT, speaking
from app.web.presenters import clocks, number_view, strip_view
from app.web.sentence import app_silence
from app.web.wall_presenters import (
    last_eviction,
    renamed,
    wall_bounds,
    wall_foot,
    wall_picture,
    wall_seats,
)
from app.web.wall_sentence import wall_sentence
from app.web.wall_views import WallPicture, WallSeats, WallTile

LOOKS_BACK = timedelta(days=7)
"""So far back the last eviction is looked for: the history in memory holds little more."""
COMPOSED = (WallSeats,)
"""Views whose markup is made anew for who opens the wall: their parts are sent by themselves."""


@dataclass(frozen=True, slots=True)
class WallLook:
    """How one wall looks: in which language, and whether titles are hidden."""

    language: str = DEFAULT
    private: bool = False


@dataclass(slots=True)
class WallKept:
    """What is kept for one look: its frame by moment, the picture by what is seen on it, markup by place."""

    frame: tuple[tuple[int, int], Frame] | None = None
    state: tuple[State, State] | None = None
    picture: tuple[object, WallPicture] | None = None
    markup: dict[str, tuple[object, Markup]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WallFeed:
    """What one wall's stream tells: see `app.web.stream.Feed`. ``hide`` is what its address asked of titles."""

    wall: WallBoard
    language: str = DEFAULT
    hide: bool = False

    @property
    def version(self) -> str:
        """What an open wall compares itself with."""
        return self.wall.version

    def frame(self) -> Frame:
        """The frame of now."""
        return self.wall.frame(self.wall.look(self.language, hide=self.hide))

    def markup(self, frame: Frame, name: str) -> Markup:
        """The markup of one place of it."""
        return self.wall.markup(self.wall.look(self.language, hide=self.hide), frame, name)


@dataclass(slots=True)
class WallBoard:
    """Makes the walls' frames of the newest snapshot. ``version`` changes whenever an open wall is outdated."""

    board: Board
    version: str
    _evicted: tuple[object, datetime | None] = (None, None)
    _kept: dict[WallLook, WallKept] = field(default_factory=dict)

    def look(self, language: str, *, hide: bool) -> WallLook:
        """The look of a wall that asks for hidden titles or not; the preference for privacy hides them anyway."""
        return WallLook(language, hide or self.board.live.preferences.privacy)

    def frame(self, look: WallLook) -> Frame:
        """The frame of this moment."""
        snapshot, at = self.board.live.current, self.board.clock()
        moment = (snapshot.version, int(at.timestamp()))
        kept = self._kept.setdefault(look, WallKept())
        if kept.frame is not None and kept.frame[0] == moment:
            return kept.frame[1]
        with speaking(look.language):
            slots = self.board.slots(snapshot, at)  # by the whole state: who sat before decides who sits where
            views = self._views(kept, self._named(kept, look, snapshot), at, slots)
        frame = Frame(snapshot.version, clocks(snapshot, at), views, _patience(views, at), look.language)
        kept.frame = (moment, frame)
        return frame

    def markup(self, look: WallLook, frame: Frame, name: str) -> Markup:
        """The markup of one place, made once for all walls of this look."""
        view, markup = frame.views[name], self._kept.setdefault(look, WallKept()).markup
        known = markup.get(name)
        if known is not None and (known[0] is view or (known[0] == view and not isinstance(view, COMPOSED))):
            return known[1]
        template = "wall_tile" if isinstance(view, WallTile) else TEMPLATES[name]
        with speaking(look.language):
            made = self.board.renderer.fragment(template, view)
        markup[name] = (view, made)
        return made

    def _named(self, kept: WallKept, look: WallLook, snapshot: Snapshot) -> Snapshot:
        """The snapshot under the names that this look says; a state is renamed once."""
        state = snapshot.state
        # What only the newest part of the logs says has letters of its own: those of the whole must not begin with it.
        aliases = self.board.live.aliases if snapshot.ready else Aliases()
        if kept.state is None or kept.state[0] is not state:
            if look.private:
                aliases.meet(state)
            kept.state = (state, renamed(state, aliases.letter if look.private else None))
        return replace(snapshot, state=kept.state[1])

    def _views(
        self, kept: WallKept, snapshot: Snapshot, at: datetime, slots: Mapping[str, int]
    ) -> Mapping[str, object]:
        zone = self.board.zone
        seats = wall_seats(snapshot, at, slots)
        return {
            "strip": strip_view(snapshot),
            "number": number_view(snapshot),
            "sentence": wall_sentence(snapshot, at, zone),
            "seats": seats,
            **{f"seat-{tile.slot}": tile for tile in seats.tiles},
            "picture": self._picture(kept, snapshot, at),
            "foot": wall_foot(snapshot, at, zone, self._evicted_at(snapshot, at)),
        }

    def _picture(self, kept: WallKept, snapshot: Snapshot, at: datetime) -> WallPicture:
        """The picture, drawn anew with each minute and with each change that is seen on it at once."""
        state = snapshot.state
        seen = (
            wall_bounds(at), snapshot.known, snapshot.ready, seats_taken(state), cap_of(state),
            pressure_at(state.pressure, at).level, state.app.running, app_silence(state, at) is None, _closed(state),
        )  # fmt: skip
        if kept.picture is None or kept.picture[0] != seen:
            kept.picture = (seen, wall_picture(snapshot, at, self.board.zone))
        return kept.picture[1]

    def _evicted_at(self, snapshot: Snapshot, at: datetime) -> datetime | None:
        """When a session was closed last; looked for again whenever one more was counted."""
        counted = (snapshot.known, snapshot.ready, _closed(snapshot.state))
        if self._evicted[0] != counted:
            self._evicted = (counted, last_eviction(snapshot.history.marks(at - LOOKS_BACK, at)))
        return self._evicted[1]


TEMPLATES: Mapping[str, str] = {
    "strip": "wall_strip", "number": "number", "sentence": "wall_sentence", "seats": "wall_seats",
    "picture": "wall_picture", "foot": "wall_foot",
}  # fmt: skip


def _closed(state: State) -> tuple[int, int]:
    """How often sessions were really closed."""
    return state.counts.evicted_cap, state.counts.evicted_pressure


def _patience(views: Mapping[str, object], at: datetime) -> float:
    """Seconds until the minute is over or a session reaches its 60 s line."""
    tiles = views["seats"].tiles if isinstance(views["seats"], WallSeats) else ()
    waits = [tile.until - at.timestamp() for tile in tiles if tile.until is not None]
    return max(0.05, min([60 - at.timestamp() % 60, *waits]))
