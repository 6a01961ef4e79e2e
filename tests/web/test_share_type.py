"""How wide words are and where lines break."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.web.share_type import cut, wide, width, wrapped
from app.web.views import Part

TEXTS = st.text(st.sampled_from("ab c席、。（）タ"), max_size=60)


def lines(*parts: Part, room: float = 200, most: int = 9) -> list[str]:
    """The lines of the parts, as plain text."""
    return ["".join(part.text for part in line) for line in wrapped(parts, 20, room, most)]


def test_widths() -> None:
    """Letters have Inter's widths, Japanese is as wide as high, bold is a little wider, and sizes scale."""
    assert width("", 20) == 0
    assert width("i", 20) < width("n", 20) < width("W", 20)
    assert width("席席", 20) == 40
    assert width("ab", 40) == pytest.approx(2 * width("ab", 20))
    assert width("ab", 20, bold=True) > width("ab", 20)
    assert width("é", 10) == pytest.approx(6.2)
    assert (wide("席"), wide("a"), wide("…")) == (True, False, False)


def test_cut() -> None:
    """What fits stays; what does not ends with an ellipsis that fits as well."""
    assert cut("short", 10, 100) == "short"
    assert cut("Meeting notes", 10, 40) == "Meetin…"
    assert cut("Meeting", 10, 0) == "…"
    assert cut("a    b", 10, 20) == "a…"


def test_lines_break_between_words() -> None:
    """A line ends before the word that does not fit; no line begins with the blank between."""
    assert lines(Part("one two three four five six")) == ["one two three four", "five six"]
    assert lines(Part("unbreakablyunbreakablyunbreakably x"), room=80) == ["unbreakablyunbreakablyunbreakably", "x"]


def test_japanese_breaks_anywhere_but_before_a_stop() -> None:
    """Japanese has no blanks: a line ends after any character, though never before a stop or after a bracket."""
    assert lines(Part("残り一席。始める。"), room=80) == ["残り一", "席。始め", "る。"]
    assert lines(Part("残り一（席）始"), room=80) == ["残り一", "（席）始"]


def test_japanese_breaks_after_a_stop_where_one_is_near() -> None:
    """A line ends after the last stop of its second half rather than within a word; one before that is too far."""
    assert lines(Part("残り一席です。始めると閉じる"), room=200) == ["残り一席です。", "始めると閉じる"]
    assert lines(Part("席。始めると閉じられる見込み"), room=200) == ["席。始めると閉じられ", "る見込み"]


def test_a_title_stays_whole_and_strong() -> None:
    """A title is moved to the next line rather than broken, and keeps its weight beside plain words."""
    found = wrapped((Part("puts "), Part("Session AB", True), Part(" at risk")), 20, 130, 3)

    assert [[(part.text, part.strong) for part in line] for line in found] == [
        [("puts ", False)],
        [("Session AB", True)],
        [("at risk", False)],
    ]


def test_a_long_title_breaks() -> None:
    """A title longer than a line is broken like other words."""
    assert len(lines(Part("a very long title of very many words", True))) > 1


def test_too_many_lines_end_with_an_ellipsis() -> None:
    """What is beyond the last line is told by its end."""
    assert lines(Part("one two three four five six"), most=1) == ["one two three four…"]
    assert lines(most=1) == []


@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=5))
@example([("席" * 21, False), ("", True)])
def test_nothing_is_lost_and_no_line_is_too_wide(pieces: list[tuple[str, bool]]) -> None:
    """All words are there in their order, and a line is wider than the room only where it cannot be broken."""
    parts = [Part(*piece) for piece in pieces]
    found = wrapped(parts, 20, 400, 99)
    text = "".join(part.text for line in found for part in line)

    assert "".join(text.split()) == "".join("".join(part.text for part in parts).split())
    for line in found:
        words = "".join(part.text for part in line).split()
        total = sum(width(part.text, 20, bold=part.strong) for part in line)
        assert total <= 410 or len(words) == 1 or any(wide(c) for c in text)
