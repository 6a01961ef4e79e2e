"""What a session is called, and what of a hostile title is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.titles import LONGEST_TITLE, plain, short_name, title_by_id, title_of
from tests.web.scenes import HOSTILE, session, sid, state


@pytest.mark.parametrize(
    ("title", "cwd", "name"),
    [
        ("Q3 deck", "/Users/a/code/deck", "Q3 deck"),
        (None, "/Users/a/code/site-map", "site-map"),
        (None, "/Users/a/code/site-map/", "site-map"),
        (None, r"C:\work\invoice", "invoice"),
        ("\x1b[0m  ", "/home/brave-otter", "brave-otter"),
        (None, None, "Session 0001"),
        (None, "/", "Session 0001"),
    ],
)
def test_name_falls_back(title: str | None, cwd: str | None, name: str) -> None:
    """Title, else folder, else the beginning of the id."""
    assert title_of(session(1, title=title, cwd=cwd)) == name


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("a\u202eb\x00c\nd", "a b c d"),
        ("x" * 100, "x" * 79 + "…"),
        ("スライド", "スライド"),
    ],
)
def test_plain_text_is_left(raw: str, text: str) -> None:
    """Terminal codes, controls and direction overrides go; letters of every script stay."""
    assert plain(raw, LONGEST_TITLE) == text


@given(st.text(max_size=300))
def test_plain_is_short_and_printable(raw: str) -> None:
    """Whatever comes, one short printable line is left."""
    line = plain(raw, 40)

    assert len(line) <= 40
    assert line.isprintable()


def test_hostile_titles_keep_their_letters() -> None:
    """Markup in a title is text and stays text: escaping is the template's work."""
    assert plain(HOSTILE, 200).startswith("<script>alert(1)</script>")


def test_forgotten_sessions_have_a_name() -> None:
    """A mark may name a session that the state no longer has."""
    assert title_by_id(state(session(1)), sid(1)) == "Task 1"
    assert title_by_id(state(), "local_ditto_4189abcd-0000") == "Session 4189"
    assert short_name("") == "Session ?"
