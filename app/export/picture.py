"""An SVG picture as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import FaceMissing
from app.export.faces import japanese_face, takes_japanese, takes_others

if TYPE_CHECKING:
    from app.export.faces import Face

SCALE = 2
"""Pixels for each unit of the picture, across and down: sharp on the screens that people read on."""


def png_of(svg: str, words: str, inter: Path, folders: Sequence[Path], scale: float = SCALE) -> bytes:
    """The picture drawn. ``words`` is all that is written in it, ``inter`` the face for it, ``folders`` those of the
    system's faces.

    The file holds pixels and nothing else: no time, no name of a program, no text. Raises `FaceMissing` when the words
    are Japanese and the system has no face for them.
    """
    face = japanese_face(folders) if takes_japanese(words) else None
    if face is None and takes_japanese(words):
        raise FaceMissing("Japanese", folders)
    return _drawn(svg, inter, face, scale, everything=takes_others(words))


def _drawn(svg: str, inter: Path, face: Face | None, scale: float, *, everything: bool) -> bytes:
    import resvg_py  # noqa: PLC0415 - only who makes a picture waits for it

    files = [inter, *(face.files if face is not None else ())]
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=scale,
        font_files=[str(file) for file in files],
        # To read every face of a system takes seconds on some, so it is done for titles in rare scripts only.
        skip_system_fonts=not everything,
        font_family="Inter",
    )
    return bytes(drawn)
