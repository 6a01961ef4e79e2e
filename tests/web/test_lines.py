"""Log lines as the pages show them."""

from __future__ import annotations

from app.core.events import Observed, WindowFocused
from app.web.lines import MOST, SHOWN, line_of_mark, line_view, place
from app.web.rendering import Renderer
from tests.web.scenes import HOSTILE, NOW, ROOT, ZONE, ago, mark


def seen(text: str, minutes: float = 5) -> Observed:
    """A line of this text."""
    return Observed(WindowFocused(ago(minutes=minutes)), "f1", 100, 7, text)


def test_a_line_says_where_it_stands_and_when() -> None:
    """File and number as an editor takes them, the local time, with its date on another day."""
    today = line_view(seen("a line"), {"f1": "main.log"}, NOW, ZONE)
    before = line_view(seen("a line", 60 * 24), {}, NOW, ZONE)

    assert (today.where, today.time, today.text, today.rest) == ("main.log:7", "19:19:00", "a line", "")
    assert today.stamp == "2026-10-02T19:19:00+09:00"
    assert (before.where, before.time) == ("f1:7", "1 Oct, 19:24:00")


def test_a_long_line_is_folded() -> None:
    """It is cut where a word ends, and nothing of what is kept of it is lost."""
    words = line_view(seen("word " * 200), {}, NOW, ZONE)
    solid = line_view(seen("x" * 5000), {}, NOW, ZONE)

    assert len(words.text) <= SHOWN
    assert f"{words.text} {words.rest}" == ("word " * 200).strip()
    assert (len(solid.text), len(solid.text + solid.rest)) == (SHOWN, MOST)


def test_a_hostile_line_is_text() -> None:
    """Codes of terminals and marks that turn the writing direction go; markup is shown as it was written."""
    view = line_view(seen(HOSTILE), {"f1": "\x1b[1mmain\u202e.log"}, NOW, ZONE)
    page = Renderer(ROOT / "templates", str).fragment("line", view)

    assert "\x1b" not in view.text + view.where
    assert "\u202e" not in view.text + view.where
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page


def test_a_marks_line() -> None:
    """A mark's line is told like an event's."""
    view = line_of_mark(mark("put_off", 5), {"main.log": "main.log"}, NOW, ZONE)

    assert (view.where, view.text) == ("main.log:50", "a line of put_off")
    assert place("main.log", 1757) == "main.log:1757"
