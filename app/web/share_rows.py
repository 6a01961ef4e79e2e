"""What happened in a scene, as rows and as values for programs: the kinds of events in words, never the log's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.governor import cap_of, ranking, seats_taken
from app.core.history import Mark
from app.core.pressure import pressure_at
from app.export.chrome_trace import Wording, trace_of
from app.web.happened import ICONS, what_happened, why
from app.web.share_scene import Scene
from app.web.words import _, level_word, phase_word

COLUMNS = ("time", "session", "kind", "what", "why", "idle_seconds")
"""The columns of the table: names for programs, so they are the same in every language."""


@dataclass(frozen=True, slots=True)
class SharedEvent:
    """One thing that happened. ``time`` is ISO 8601 with its offset; ``kind`` is a name, ``what`` and ``why`` words."""

    time: str
    session: str
    kind: str
    what: str
    why: str
    idle_seconds: int | None

    def cells(self) -> tuple[str | int | None, ...]:
        """The row in the order of `COLUMNS`."""
        return self.time, self.session, self.kind, self.what, self.why, self.idle_seconds


def event_rows(scene: Scene) -> tuple[SharedEvent, ...]:
    """Everything that happened in the window, oldest first."""
    marks = sorted((one for one in scene.history.marks if one.kind in ICONS), key=lambda mark: mark.at)
    return tuple(_row(mark, scene) for mark in marks)


def _row(mark: Mark, scene: Scene) -> SharedEvent:
    return SharedEvent(
        time=iso(mark.at, scene),
        session=scene.name(mark.session) if mark.session is not None else "",
        kind=mark.kind,
        what=words_for(mark, scene),
        why=why(mark),
        idle_seconds=mark.idle_seconds,
    )


def words_for(mark: Mark, scene: Scene) -> str:
    """The mark as a sentence."""
    return "".join(part.text for part in what_happened(mark, scene.state))


def iso(at: datetime, scene: Scene) -> str:
    """An instant in the zone of the scene."""
    return at.astimezone(scene.look.zone).isoformat(timespec="seconds")


def about(scene: Scene) -> dict[str, str]:
    """Time, window, zone and version: what the footer of the picture says."""
    return {
        "made_by": scene.version(),
        "at": iso(scene.at, scene),
        "zone": scene.zone_name(),
        "from": iso(scene.history.start, scene),
        "to": iso(scene.history.end, scene),
    }


def as_plain(scene: Scene) -> dict[str, Any]:
    """The scene as plain values: what it is about, seats, pressure, the sentence, sessions and events."""
    state, at, cap = scene.state, scene.at, cap_of(scene.state)
    queue = {one.session.id: one for one in ranking(state, at)}
    shown = {span.session for span in scene.history.spans} | {s.id for s in state.sessions.values() if s.alive}
    sessions = sorted((one for one in state.sessions.values() if one.id in shown), key=lambda one: one.order)
    return {
        **about(scene),
        "demo": scene.snapshot.demo,
        "seats": {"taken": seats_taken(state), "cap": cap.value, "cap_origin": cap.origin},
        "pressure": pressure_at(state.pressure, at).level,
        "sentence": "".join(part.text for part in scene.sentence().parts),
        "sessions": [
            {
                "name": scene.name(one.id),
                "kind": one.kind,
                "phase": one.phase.value,
                "since": iso(one.since, scene),
                "holds_seat": one.holds_seat,
                "protected_by": list(one.protected_by),
                "idle_seconds": queue[one.id].idle_seconds if one.id in queue else None,
                "rank": queue[one.id].rank if one.id in queue else None,
            }
            for one in sessions
        ],
        "events": [dict(zip(COLUMNS, row.cells(), strict=True)) for row in event_rows(scene)],
    }


def as_trace(scene: Scene) -> Mapping[str, Any]:
    """The scene as a trace for Perfetto, named in the language that is spoken."""
    fixed = {
        "sessions": _("Sessions"),
        "app": _("app, VM"),
        "seats": _("seats"),
        "memory": _("free mem"),
        "pressure": _("pressure"),
        "gap": _("no log"),
        "app_down": _("Claude not running"),
        "silent": _("log silent"),
        **{level: level_word(level) for level in ("normal", "warning", "critical")},
    }
    wording = Wording(scene.name, phase_word, lambda mark: words_for(mark, scene), fixed)
    return trace_of(scene.history, scene.at, wording, about(scene))
