"""A look at a history: what is alive, what is next, and where now is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.core.history import History, Span
from app.core.state import LIVE, Phase
from app.web.looks import Look
from app.web.shapes import KINDS
from tests.web.scenes import NOW, ZONE, ago, past, seven_of_eight, sid

SPANS = (
    Span(sid(1), Phase.WORKING, ago(hours=3), ago(hours=1)),
    Span(sid(2), Phase.IDLE, ago(hours=3), ago(minutes=5)),
    Span(sid(3), Phase.WORKING, ago(hours=3), None),
    Span(sid(4), Phase.WORKING, ago(minutes=20), None),
)


def test_a_live_look_is_about_now() -> None:
    """Who lives is the state's word, somebody is next, and the picture is known until now."""
    current = seven_of_eight()
    look = Look(replace(past(current), end=NOW + timedelta(minutes=5)), current, NOW, ZONE, {})

    assert look.alive == set(current.sessions)
    assert look.head == sid(5)
    assert look.now_x == look.until_x < 100


def test_a_look_back_is_about_its_own_end() -> None:
    """Who lived at the edge counts as alive, nobody is next, and now lies outside."""
    look = Look(History(ago(hours=2), ago(minutes=30), SPANS), seven_of_eight(), NOW, ZONE, {}, live=False)

    assert look.alive == {sid(2), sid(3)}
    assert look.head is None
    assert (look.now_x, look.until_x) == (None, 100)


def test_times_of_another_day_say_it() -> None:
    """A window over several days cannot be read by the hour alone."""
    look = Look(past(seven_of_eight()), seven_of_eight(), NOW, ZONE, {})

    assert (look.when(ago(minutes=1)), look.when(ago(days=1))) == ("19:23:00", "1 Oct, 19:24:00")


def test_every_live_phase_has_a_kind_of_bar() -> None:
    """Spans are of live sessions only, so none is left without a bar."""
    assert set(KINDS) == set(LIVE)
