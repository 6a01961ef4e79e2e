"""``seatwatch export``: what ``/share`` gives, from a log folder that is read once, without server and browser."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from app.core.aliases import Aliases
from app.core.recorder import Recorder
from app.core.reducer import reduce
from app.core.state import State
from app.errors import WrongUsage
from app.export.faces import font_folders
from app.live import Snapshot
from app.reading import FolderReading
from app.settings import resource_dir
from app.web.language import LANGUAGES, speaking
from app.web.ranges import Unclear, Window, window_of
from app.web.rendering import Renderer, StaticUrls
from app.web.seating import replay_from
from app.web.share_files import FORMS, Form, Studio, form_of
from app.web.share_ink import THEMES, Theme, theme_named
from app.web.share_scene import Scene, places_of, scene

BEFORE = timedelta(days=8)
"""So much before the window is folded with its history, to know who sat where when it opens."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be written: ``form`` "" leaves it to the end of the name of ``out``."""

    out: Path
    form: str = ""
    language: str = "en"
    theme: str = "dark"
    titles: bool = False


def export(
    reading: FolderReading, zone: tzinfo, at: datetime | None, asked: Mapping[str, str], order: Order
) -> tuple[Form, bool]:
    """Write what is ordered of the window that ``asked`` names as an address does (``range``, ``from``, ``to``).

    ``at`` is the moment to tell it from, None for that of the last line. The answer is the form, and whether a file was
    there before: it is replaced, as programs that call a command again expect. Raises `WrongUsage` and `FaceMissing`.
    """
    form, theme = _form(order), _theme(order)
    if order.language not in LANGUAGES:
        raise WrongUsage(
            f"There is no language {order.language!r}.",
            f"Seatwatch speaks: {', '.join(LANGUAGES)}.",
            "Choose one of these with --lang, or leave it out for English.",
        )
    with speaking(order.language):
        shown = scene_at(reading, zone, at or reading.last_at, asked, titles=order.titles)
        static = resource_dir("static")
        renderer = Renderer(resource_dir("templates"), StaticUrls(static).url)
        made = form.make(Studio(renderer, static, font_folders(sys.platform)), shown, theme)
    return form, _written(order.out, made)


def scene_at(
    reading: FolderReading, zone: tzinfo, at: datetime, asked: Mapping[str, str], *, titles: bool = False
) -> Scene:
    """The scene of the window at ``at``, or at its own end where that comes before. Raises `WrongUsage`."""
    window = _window(asked, at, zone)
    start, end = (at - window.length, at) if window.live else window.bounds(at)
    moment = min(end, at)
    if reading.first_at is not None and moment < reading.first_at:
        raise WrongUsage(
            f"The log does not reach back to {moment.astimezone(zone):%Y-%m-%d %H:%M:%S}.",
            f"It begins at {reading.first_at.astimezone(zone):%Y-%m-%d %H:%M:%S}.",
            "Name a time within it.",
        )
    state, recorder = _folded(reading, moment, BEFORE + (end - start))
    snapshot = Snapshot(1, state, recorder, sources=reading.sources, ready=True)
    history = replace(recorder.window(start, moment), end=end)
    places = places_of(state, recorder.window(replay_from(state, moment), moment).spans)
    return scene(snapshot, history, moment, zone, slots=places, aliases=Aliases(), titles=titles, pin=window.pin)


def _folded(reading: FolderReading, until: datetime, keep: timedelta) -> tuple[State, Recorder]:
    """The state at a moment and the history that leads there, with the titles that are known."""
    state, recorder = State(), Recorder(keep)
    for one in reading.observed:
        if one.event.at <= until:
            before, state = state, reduce(state, one.event)
            recorder.note(before, one, state)
    return (reading.beside.add_to(state) if reading.beside is not None else state), recorder


def _window(asked: Mapping[str, str], at: datetime, zone: tzinfo) -> Window:
    try:
        return window_of(asked, at, zone)
    except Unclear as unclear:
        raise WrongUsage(
            "What is to be shown makes no sense.",
            str(unclear.args[0]),
            "Give --range 15m, 1h, 2h, 6h, 24h or 7d; or --from and --to, such as 2026-10-02T13:40.",
        ) from unclear


def _form(order: Order) -> Form:
    form = FORMS.get(order.form.lower().lstrip(".")) if order.form else form_of(order.out.name)
    if form is None:
        raise WrongUsage(
            f"{order.form or order.out.name!r} names no form that can be written.",
            f"There are: {', '.join(FORMS)}.",
            "Let the name of --out end with one of these, or name one with --format.",
        )
    return form


def _theme(order: Order) -> Theme:
    if order.theme not in THEMES:
        raise WrongUsage(
            f"There is no theme {order.theme!r}.",
            f"There are: {', '.join(THEMES)}.",
            "Choose one of these with --theme.",
        )
    return theme_named(order.theme)


def _written(out: Path, made: bytes) -> bool:
    """Whether there was such a file before. Nothing of it is lost when the new one cannot be written."""
    fresh = out.with_name(f".{out.name}.new")
    try:
        there = out.exists()
        fresh.write_bytes(made)
        fresh.replace(out)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise WrongUsage(
            f"{out} cannot be written.",
            f"The system says: {error.strerror or error}.",
            "Name another place with --out, or make this one writable for you and check its free space.",
        ) from error
    return there
