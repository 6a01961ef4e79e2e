"""Scenes to share, and a log in which every field that could tell whose it is holds a marker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

from app.core.aliases import Aliases
from app.core.history import MarkKind, Span
from app.core.state import App, Phase, Session, State
from app.export.faces import font_folders
from app.live import Snapshot
from app.web.rendering import Renderer, StaticUrls
from app.web.seating import replay_from
from app.web.share_files import Studio
from app.web.share_scene import Scene, places_of, scene
from tests.web.scenes import NOW, ROOT, ZONE, FixedRecorder, ago, mark, past, session, sid, snapshot, state

MARKERS: Mapping[str, str] = {
    "title": "quasar-title", "id": "0decade1-feed-4bad-8cab-00facade1234", "folder": "quasar-folder",
    "user": "quasaruser", "machine": "quasar-macbook", "account": "quasar@mail.example", "text": "quasar-said",
    "source": "quasar-main.log", "version": "9.9-quasar", "platform": "quasar-os", "guest": "Quasar Linux",
    "reset": "5pm (quasar)", "request": "req-quasar", "problem": "quasar-problem",
}  # fmt: skip
"""A text for each field; what all of them share, and each part of the id, may be nowhere in a file."""

TRACES = ("quasar", *MARKERS["id"].split("-"), "local_")
"""What gives a marker away, in small letters."""

SESSION = f"local_{MARKERS['id']}"


def marked() -> State:
    """A state of nine sessions, one of which carries every marker."""
    folder = f"/Users/{MARKERS['user']}/{MARKERS['machine']}/{MARKERS['folder']}"
    told = Session(
        SESSION, 0, ago(minutes=14), phase=Phase.IDLE, title=MARKERS["title"], cwd=folder, idle_since=ago(minutes=14),
        live_since=ago(hours=1),
    )  # fmt: skip
    others = [
        replace(
            session(n, title=f"{MARKERS['title']} {n}"), cwd=folder, waiting_for={MARKERS["request"]: ago(minutes=9)}
        )
        for n in range(1, 9)
    ]
    return state(
        told, *others, app=App(True, MARKERS["version"], MARKERS["platform"], ago(hours=3), ago(seconds=20)),
        cloud_sessions={MARKERS["account"]: NOW},
    )  # fmt: skip


def marked_snapshot() -> Snapshot:
    """The same with marks that name it, its log and its folder."""
    said = f"{MARKERS['text']} {MARKERS['account']} {SESSION}"
    kinds: tuple[MarkKind, ...] = (
        "evicted_for_seat", "evicted_for_memory", "would_evict", "paused_idle", "put_off", "killed", "failed",
        "usage_limit", "network", "account_switched", "undelivered", "save_failed", "ports", "signed_out",
        "app_started", "vm_ready", "vm_failed",
    )  # fmt: skip
    marks = tuple(
        replace(
            mark(kind, 3 + n * 7),
            detail=MARKERS["reset"],
            source=MARKERS["source"],
            text=said,
            session=SESSION if n % 4 else None,
        )
        for n, kind in enumerate(kinds)
    )
    shown = snapshot(marked(), marks, problem=MARKERS["problem"], looked_in=(f"/{MARKERS['folder']}",))
    return replace(shown, folder=f"/{MARKERS['folder']}/logs")


def scene_of(shown: Snapshot | None = None, *, titles: bool = False, hours: float = 2) -> Scene:
    """The scene of a snapshot, of its last hours."""
    shown = shown or snapshot()
    spans = shown.history.window(replay_from(shown.state, NOW), NOW).spans
    history = shown.history.window(NOW - timedelta(hours=hours), NOW)
    places = places_of(shown.state, spans)
    return scene(shown, history, NOW, ZONE, slots=places, aliases=Aliases(), titles=titles)


def eventful() -> Snapshot:
    """Seven of eight, after the eighth was closed, a start was put off, and another session was only named."""
    marks = (
        mark("evicted_for_memory", 45, 8, idle_seconds=1700),
        mark("put_off", 50, detail="8"),
        mark("would_evict", 40, 6),
    )
    shown = snapshot()
    history = past(shown.state, marks)
    closed = Span(sid(8), Phase.WORKING, ago(hours=1), ago(minutes=45))
    return replace(shown, history=FixedRecorder(replace(history, spans=(*history.spans, closed))))


@cache
def renderer() -> Renderer:
    """The project's own templates, compiled once."""
    return Renderer(ROOT / "templates", StaticUrls(ROOT / "static").url)


def studio(*folders: Path) -> Studio:
    """A studio with the faces of these folders, by default of those of Linux."""
    return Studio(renderer(), ROOT / "static", folders or font_folders("linux"))
