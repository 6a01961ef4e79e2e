"""The files that are shared: one scene in each form, with its type and the name it is saved under."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from app.export.faces import INTER
from app.export.picture import png_of
from app.export.table import csv_of, json_of
from app.web.language import spoken
from app.web.rendering import Renderer
from app.web.share_ink import INKS, Theme
from app.web.share_picture import picture, svg_of, words_of
from app.web.share_rows import COLUMNS, as_plain, as_trace, event_rows
from app.web.share_scene import Scene

WEB_FACE = "vendor/inter-latin-wght-5.3.0.woff2"
"""Carried within SVG and HTML files, which are opened where there is no Inter."""


@dataclass
class Studio:
    """Makes files of scenes, in the language that is spoken. ``static`` is the folder of static files, ``folders`` are
    those of the system's faces.
    """

    renderer: Renderer
    static: Path
    folders: tuple[Path, ...]

    def png(self, scene: Scene, theme: Theme) -> bytes:
        """The picture in pixels, two for each unit. Raises `FaceMissing`."""
        svg = svg_of(self.renderer, picture(scene, theme))
        return png_of(svg, words_of(svg), self.static / INTER, self.folders)

    def svg(self, scene: Scene, theme: Theme) -> bytes:
        """The picture, with its face in it."""
        return svg_of(self.renderer, picture(scene, theme, self._face)).encode()

    def html(self, scene: Scene, theme: Theme) -> bytes:
        """A page of one file: the picture, and what happened as a table. It loads nothing and runs nothing."""
        view = picture(scene, theme, self._face)
        context = {
            "view": view,
            "picture": Markup(svg_of(self.renderer, view)),  # noqa: S704 - made by the escaping environment
            "rows": event_rows(scene),
            "ink": INKS[theme],
            "language": spoken(),
        }
        return self.renderer.page("share_file.html", context).encode()

    def csv(self, scene: Scene, _theme: Theme) -> bytes:
        """What happened, as a table."""
        return csv_of(COLUMNS, (row.cells() for row in event_rows(scene)))

    def json(self, scene: Scene, _theme: Theme) -> bytes:
        """Seats, sessions and what happened, for programs."""
        return json_of(as_plain(scene))

    def trace(self, scene: Scene, _theme: Theme) -> bytes:
        """The window as a trace that Perfetto opens."""
        return json_of(as_trace(scene))

    @cached_property
    def _face(self) -> str:
        face = base64.b64encode((self.static / WEB_FACE).read_bytes()).decode()
        return f"data:font/woff2;base64,{face}"


Make = Callable[[Studio, Scene, Theme], bytes]


@dataclass(frozen=True, slots=True)
class Form:
    """One form: the end of its name, its media type, and how it is made."""

    suffix: str
    media_type: str
    make: Make


FORMS: Mapping[str, Form] = {
    one.suffix: one
    for one in (
        Form("png", "image/png", Studio.png),
        Form("svg", "image/svg+xml", Studio.svg),
        Form("html", "text/html; charset=utf-8", Studio.html),
        Form("csv", "text/csv; charset=utf-8", Studio.csv),
        Form("json", "application/json", Studio.json),
        Form("trace.json", "application/json", Studio.trace),
    )
}
"""Every form by the end of its name."""


def form_of(name: str) -> Form | None:
    """The form that a file's name asks for: the longest end that fits; None when none does."""
    lowered = name.lower()
    fits = [form for suffix, form in FORMS.items() if lowered.endswith(f".{suffix}")]
    return max(fits, key=lambda form: len(form.suffix), default=None)


def saved_as(scene: Scene, form: Form) -> str:
    """``seatwatch-2026-10-02-1341.png``: the moment and nothing else, in letters that every system takes."""
    local = scene.at.astimezone(scene.look.zone)
    return f"seatwatch-{local:%Y-%m-%d-%H%M}.{form.suffix}"
