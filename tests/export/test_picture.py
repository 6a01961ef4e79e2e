"""An SVG picture as PNG."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.errors import FaceMissing
from app.export.faces import INTER, JAPANESE, font_folders, japanese_face
from app.export.picture import png_of
from tests.export.pixels import read_png
from tests.web.scenes import ROOT

FACE = ROOT / "static" / INTER
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def svg(words: str, family: str = "Inter") -> str:
    """A small picture with words in it."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><title>hidden</title>'
        f'<rect width="120" height="40" fill="#fff"/><text x="4" y="30" font-size="28" font-family="{family}">{words}'
        "</text></svg>"
    )


def test_a_picture_is_pixels_and_nothing_else(tmp_path: Path) -> None:
    """The file has the size asked for, and no chunk that could hold a time, a name or a text."""
    drawn = read_png(png_of(svg("Seat"), "Seat", FACE, [tmp_path], 3))

    assert (drawn.width, drawn.height) == (360, 120)
    assert {kind for kind, _body in drawn.chunks} == {"IHDR", "IDAT", "IEND"}
    assert drawn.colours(0, 0, 360, 120)[BLACK] > 500


def test_the_same_picture_is_the_same_file(tmp_path: Path) -> None:
    """Nothing of the moment or the machine goes into the file."""
    assert png_of(svg("Seat"), "Seat", FACE, [tmp_path]) == png_of(svg("Seat"), "Seat", FACE, [tmp_path])


def test_japanese_without_a_face_is_refused(tmp_path: Path) -> None:
    """Where the system has no Japanese face there is no picture of boxes: the error says where it looked."""
    with pytest.raises(FaceMissing, match="no face for them") as refused:
        png_of(svg("席"), "席", FACE, [tmp_path])

    assert refused.value.looked_in == (str(tmp_path),)


def test_japanese_is_drawn_where_there_is_a_face() -> None:
    """Two characters give two different pictures, which two boxes would not; a system without a face says so."""
    face = japanese_face(font_folders(sys.platform))
    try:
        one, other = (
            png_of(svg(words, ",".join(JAPANESE)), words, FACE, font_folders(sys.platform)) for words in ("退", "席")
        )
    except FaceMissing:
        assert face is None
        return

    assert read_png(one).colours(0, 0, 120, 80)[BLACK] > 200
    assert one != other


def test_other_scripts_take_what_the_system_has(tmp_path: Path) -> None:
    """A title in a script that is not carried does not end the picture."""
    assert read_png(png_of(svg("สวัสดี"), "สวัสดี", FACE, [tmp_path])).height == 80
