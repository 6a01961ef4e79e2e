"""The addresses of what a page speaks of."""

from __future__ import annotations

from app.web.links import session_href, why_href
from tests.web.scenes import HOSTILE, NOW, sid


def test_a_session_has_one_address() -> None:
    """Its id stands in it; what a hostile one holds neither ends the address nor leaves its folder."""
    assert session_href(sid(1)) == f"/sessions/{sid(1)}"
    assert session_href("../../x?y#z") == "/sessions/..%2F..%2Fx%3Fy%23z"
    assert not set(session_href(HOSTILE)) & set("<>\"' \x1b")


def test_why_is_asked_of_a_session_of_a_moment_or_of_both() -> None:
    """Moments are in UTC, so that no plus sign can be lost on the way."""
    assert why_href() == "/why"
    assert why_href("local_1") == "/why?session=local_1"
    assert why_href(None, NOW) == "/why?at=2026-10-02T10%3A24%3A00Z"
    assert why_href("a&b", NOW) == "/why?session=a%26b&at=2026-10-02T10%3A24%3A00Z"
