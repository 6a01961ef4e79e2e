"""The files that are shared, and that nothing in them tells whose they are."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from app.errors import FaceMissing
from app.web.language import speaking
from app.web.share_files import FORMS, form_of, saved_as
from tests.export.pixels import read_png
from tests.hostile_texts import CONTROLS, MARKUP, STRUCTURE
from tests.web.scenes import session, snapshot, state
from tests.web.sharing import MARKERS, TRACES, eventful, marked_snapshot, scene_of, studio

OUTSIDE = re.compile(r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[\w.-]+")


def readable(suffix: str, made: bytes) -> str:
    """All that a file holds, as text: of a PNG every chunk, its pixels decompressed."""
    if suffix != "png":
        # What is carried of a face is letters by chance, and not what anybody wrote.
        return re.sub(r"base64,[\w+/=]+", "", made.decode())
    png = read_png(made)
    chunks = b"".join(kind.encode() + body for kind, body in png.chunks)
    return (chunks + b"".join(png.rows)).decode("latin-1") + made.decode("latin-1")


@pytest.mark.parametrize("suffix", [suffix for suffix in FORMS if suffix != "png"])
def test_no_file_tells_whose_it_is(suffix: str) -> None:
    """Titles, ids, folders, users, machines, accounts, sources and log text are nowhere in any file."""
    shown = scene_of(marked_snapshot())
    with speaking("ja" if suffix == "html" else "en"):
        told = readable(suffix, FORMS[suffix].make(studio(), shown, "dark")).lower()

    assert [trace for trace in TRACES if trace in told] == []
    assert len(told) > 1000


def test_no_chunk_of_a_picture_tells_whose_it_is(tmp_path: Path) -> None:
    """The pixels are those of a text without markers, and the file has no chunk that could hold another."""
    made = FORMS["png"].make(studio(tmp_path), scene_of(marked_snapshot()), "light")
    kinds = set(re.findall(r"(?:IHDR|IDAT|IEND|tEXt|iTXt|zTXt|eXIf|tIME|iCCP|pHYs)", made.decode("latin-1")))

    assert made.startswith(b"\x89PNG")
    assert kinds == {"IHDR", "IDAT", "IEND"}
    assert [trace for trace in TRACES if trace.encode() in made.lower()] == []


@pytest.mark.parametrize("suffix", [suffix for suffix in FORMS if suffix != "png"])
def test_with_titles_only_titles_are_told(suffix: str) -> None:
    """Titles that were asked for are there, and everything else stays away."""
    shown = scene_of(marked_snapshot(), titles=True)
    told = readable(suffix, FORMS[suffix].make(studio(), shown, "dark")).lower()
    bare = told.replace(MARKERS["title"], "").replace("quasar-ti…", "").replace("quasar-t…", "").replace("quasar-…", "")

    assert MARKERS["title"] in told
    assert [trace for trace in TRACES if trace in bare] == []


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_a_file_stands_for_itself(suffix: str) -> None:
    """SVG and HTML load nothing and run nothing: their face is within, and there is no script and no address."""
    made = FORMS[suffix].make(studio(), scene_of(eventful()), "light").decode()

    assert "data:font/woff2;base64," in made
    assert OUTSIDE.findall(readable(suffix, made.encode())) == []
    assert "<script" not in made
    assert "href" not in made
    assert "src=" not in made


def test_html_has_the_table_and_a_policy_of_its_own() -> None:
    """The page of one file holds the picture, what happened as a table, and a policy that forbids everything else."""
    made = FORMS["html"].make(studio(), scene_of(eventful()), "dark").decode()

    assert made.startswith("<!doctype html>")
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'; font-src data:\"" in made
    assert "Session H was closed to free memory, after 28 minutes of silence" in made
    assert made.count("<tr>") == 4
    assert "<svg" in made
    empty = FORMS["html"].make(studio(), scene_of(), "dark").decode()
    assert "Nothing in this time" in empty


@pytest.mark.parametrize("suffix", ["svg", "html", "csv", "json", "trace.json"])
def test_hostile_titles_stay_text(suffix: str) -> None:
    """Markup, controls and formulas in titles come out as text, in every form that is text."""
    hostile = [*MARKUP.values(), *CONTROLS.values(), *STRUCTURE.values()]
    shown = scene_of(snapshot(state(*(session(n, title=text) for n, text in enumerate(hostile)), cap=60)), titles=True)
    made = FORMS[suffix].make(studio(), shown, "dark").decode()

    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", made)
    if suffix in ("svg", "html"):
        assert not re.search(r"<(?:script|img|foreignObject|hx-partial|!DOCTYPE x)|<!ENTITY|<svg onload", made)


def test_csv_and_json_are_read_back() -> None:
    """A spreadsheet and a program find the same events."""
    shown = scene_of(eventful())
    table = FORMS["csv"].make(studio(), shown, "dark").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    plain = json.loads(FORMS["json"].make(studio(), shown, "dark"))

    assert [row["what"] for row in rows] == [event["what"] for event in plain["events"]]
    assert len(rows) == 3
    assert json.loads(FORMS["trace.json"].make(studio(), shown, "dark"))["traceEvents"]


def test_japanese_needs_a_face_for_pixels_alone(tmp_path: Path) -> None:
    """Without a Japanese face there is no PNG in Japanese, but every other form, which a browser draws."""
    with speaking("ja"):
        with pytest.raises(FaceMissing):
            FORMS["png"].make(studio(tmp_path), scene_of(), "dark")
        assert "タスク E" in FORMS["svg"].make(studio(tmp_path), scene_of(), "dark").decode()


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.png", "png"),
        ("A.PNG", "png"),
        ("a.trace.json", "trace.json"),
        ("trace.json", "json"),
        ("a.json", "json"),
        ("a.svg.gz", None),
        ("png", None),
        ("", None),
    ],
)
def test_the_form_by_the_name(name: str, suffix: str | None) -> None:
    """The longest end that fits decides."""
    form = form_of(name)

    assert (form.suffix if form else None) == suffix


def test_names_to_save_under() -> None:
    """A file is named for its moment and nothing else."""
    assert re.fullmatch(r"seatwatch-2026-10-02-\d{4}\.trace\.json", saved_as(scene_of(), FORMS["trace.json"]))
