"""Templates: everything escaped, nothing missing, nothing unused."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from app.core.history import MarkKind
from app.core.state import Phase
from app.web import timeline_views, views, wall_views
from app.web.rendering import Renderer, StaticUrls
from tests.web.scenes import HOSTILE, ROOT, ago, client, mark, session, snapshot, state

TEMPLATES = ROOT / "templates"
SOURCES = {path.relative_to(TEMPLATES).as_posix(): path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")}


class Elements(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def hostile_page() -> str:
    """The page of a machine on which every free text is hostile."""
    kinds: tuple[MarkKind, ...] = ("failed", "killed", "usage_limit", "put_off", "evicted_for_seat")
    marks = tuple(
        mark(kind, minutes, 1, text=HOSTILE, source=HOSTILE, detail=HOSTILE)
        for minutes, kind in enumerate(kinds, start=3)
    )  # fmt: skip
    current = state(
        session(1, Phase.IDLE, idle=900, title=HOSTILE),
        session(2, title=None, cwd=f"/code/{HOSTILE}"),
        session(3, Phase.EVICTED, since=ago(seconds=20), title=HOSTILE, ended_by="evicted_for_seat"),
    )
    current = dataclasses.replace(
        current,
        app=dataclasses.replace(current.app, version=HOSTILE, platform=HOSTILE),
        vm=dataclasses.replace(current.vm, guest=HOSTILE, network=HOSTILE, ready_at=ago(minutes=4), step=HOSTILE),
    )
    with client(snapshot(current, marks, problem=HOSTILE, looked_in=(HOSTILE,))) as browser:
        return browser.get("/").text


def test_hostile_text_is_text_everywhere() -> None:
    """Titles, folders, versions, guests, log lines and problems cannot add an element, attribute or colour code."""
    page = hostile_page()
    elements = Elements(page)

    assert page.count("&lt;script&gt;alert(1)") > 10
    assert elements.tags.count("script") == 6
    assert "img" not in elements.tags
    assert not [name for name, _value in elements.attributes if name.startswith("on") or name == "style"]
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "{{ 7" in page


def test_nothing_is_marked_safe() -> None:
    """No template turns escaping off, and no style or script stands in one: the policy would refuse it.

    The file to save has nothing beside it and a policy of its own, which takes its one style block.
    """
    for name, source in SOURCES.items():
        if name == "share_file.html":
            source = re.sub(r"<style>[^<]*</style>", "", source)  # noqa: PLW2901
        assert "|safe" not in source.replace(" ", ""), name
        assert "autoescape" not in source, name
        assert " style=" not in source, name
        assert not re.search(r"<script(?![^>]*src=)|<style", source), name


def view_fields() -> list[tuple[str, str]]:
    """Every field of every view."""
    return [
        (kind.__name__, field.name)
        for module in (views, timeline_views, wall_views)
        for kind in vars(module).values()
        if dataclasses.is_dataclass(kind) and isinstance(kind, type)
        for field in dataclasses.fields(kind)
    ]


@pytest.mark.parametrize(("view", "name"), view_fields(), ids=str)
def test_every_field_of_a_view_is_drawn(view: str, name: str) -> None:
    """What no template asks for is not made."""
    used = {word for source in SOURCES.values() for word in re.findall(r"\.(\w+)", source)}

    assert name in used, view


def test_a_missing_name_is_an_error(tmp_path: Path) -> None:
    """A typo in a template fails instead of drawing nothing."""
    (tmp_path / "fragments").mkdir()
    (tmp_path / "fragments" / "_x.html").write_text("{{ view.nope }}")

    with pytest.raises(UndefinedError):
        Renderer(tmp_path, str).fragment("x", views.AnnounceView("a"))


def test_fragments_are_escaped_whatever_their_name(tmp_path: Path) -> None:
    """Escaping does not depend on the ending of a template's name."""
    (tmp_path / "page.txt").write_text("{{ text }}")

    assert Renderer(tmp_path, str).page("page.txt", {"text": "<b>"}) == "&lt;b&gt;"


def test_addresses_follow_the_content(tmp_path: Path) -> None:
    """The address of a static file changes with its content; a vendored one has its version in its name."""
    (tmp_path / "a.css").write_text("one")
    first = StaticUrls(tmp_path).url("a.css")
    (tmp_path / "a.css").write_text("two")

    assert re.fullmatch(r"/static/a\.css\?v=[0-9a-f]{8}", first)
    assert StaticUrls(tmp_path).url("a.css") != first
    assert StaticUrls(tmp_path).url("vendor/x-1.2.3.js") == "/static/vendor/x-1.2.3.js"
