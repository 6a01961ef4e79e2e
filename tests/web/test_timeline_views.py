"""The parts of the timeline: each brings the element that it replaces, and time alone makes none of them another."""

from __future__ import annotations

from dataclasses import replace

from app.web.board import TEMPLATES
from app.web.rendering import Renderer
from app.web.timeline_views import Bar, TimelineView
from tests.web.scenes import ROOT, site


def shown() -> TimelineView:
    """The timeline of the usual scene."""
    view = site().board.frame().views["timeline"]
    assert isinstance(view, TimelineView)
    return view


def test_every_part_brings_its_own_element() -> None:
    """The markup of a part begins with the element whose place it takes; the whole picture has each of them once."""
    renderer, view = Renderer(ROOT / "templates", str), shown()
    whole = renderer.fragment("timeline", view)

    assert len(view.parts()) == 5 + 4 * 7 + 2
    for name, part in view.parts().items():
        markup = renderer.fragment(TEMPLATES[type(part)], part)
        assert f'id="{name}"' in markup.partition(">")[0]
        assert whole.count(f'id="{name}"') == 1
        assert markup.strip() in whole


def test_parts_are_sent_by_themselves() -> None:
    """The frame of the picture is the same while only a part differs."""
    view = shown()
    other = replace(view, lanes=view.lanes[:1], marks=(), now_x=1.0)

    assert view == other
    assert view != replace(view, height=view.height + 1)


def test_what_grows_is_the_same() -> None:
    """A bar that reaches further because time went on is the same bar."""
    assert Bar("working", 10, 0, open=True, drawn=5) == Bar("working", 10, 0, open=True, drawn=6)
    assert Bar("working", 10, 5, drawn=5) != Bar("working", 10, 6, drawn=6)
