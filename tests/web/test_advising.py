"""What to do now, and the quiet notes, in the words of the page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core import advice as core
from app.core.advised import (
    Advice,
    AnswerWaiting,
    AppSilent,
    CompetingVm,
    FirstToGo,
    Nothing,
    Orphans,
    OverCap,
    PortsShort,
    Protect,
    SmallMachine,
    StopBeforeCap,
)
from app.core.state import App, Limit, Phase, SeatCheck, State
from app.live import Snapshot
from app.web import advising
from app.web.advising import advice_view, notes_view
from app.web.views import AdviceItem, Part
from tests.web.scenes import HOSTILE, NOW, ZONE, ago, client, session, seven_of_eight, sid, snapshot, state

ONE, TWO, GONE = sid(1), sid(2), sid(9)
SAID: list[Advice] = [
    AppSilent(240),
    FirstToGo(ONE, 840, "start", 1),
    FirstToGo(ONE, 60, "start", 0),
    FirstToGo(ONE, 120, "memory", 0),
    Protect(ONE, 7300),
    SmallMachine(16_384, 3, 3, 0),
    SmallMachine(16_384, 5, 3, 2),
    OverCap(9, 8, 1),
    OverCap(11, 8, 3),
    AnswerWaiting((TWO,), 1320),
    AnswerWaiting((ONE, TWO), 3600),
    AnswerWaiting((ONE, TWO, GONE), 700),
    AnswerWaiting((GONE,), 700),
    StopBeforeCap(8, 8, 6, 2),
    PortsShort(230, 240, 3),
    CompetingVm("Docker Desktop", 8192),
    Orphans(1, 640),
    Orphans(3, 12_800),
    Nothing(),
]


def text(item: AdviceItem) -> str:
    """All of its words."""
    return "".join(part.text for part in item.parts)


def shown_of(one: Advice, monkeypatch: pytest.MonkeyPatch) -> AdviceItem:
    """How the page says an advice."""
    monkeypatch.setattr(advising, "advise", lambda _state, _at, _machine: (one,))
    (item,) = advice_view(snapshot(state(session(1), session(2))), NOW, ZONE).items
    return item


@pytest.mark.parametrize("one", SAID, ids=lambda one: one.kind)
def test_says_what_the_command_says(one: Advice, monkeypatch: pytest.MonkeyPatch) -> None:
    """In English each advice reads as `seatwatch inspect` prints it; a session that is not known goes by its id."""
    item = shown_of(one, monkeypatch)

    assert text(item) == core.sentence(one, {ONE: "Task 1", TWO: "Task 2"})
    assert item.kind == one.kind


def test_a_title_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session's title is a part of its own."""
    item = shown_of(Protect(ONE, 7200), monkeypatch)

    assert item.parts[0] == Part("Task 1", strong=True)


def test_a_usage_limit_says_when_it_resets() -> None:
    """The page adds the time of day to the length of time."""
    limited = Limit(ago(minutes=5), ONE, "11:30pm (Asia/Tokyo)", ago(hours=-4, minutes=-6))
    view = advice_view(snapshot(state(limited=limited)), NOW, ZONE)

    assert text(view.items[0]) == "The usage limit is reached. It resets in 4 hours, at 23:30."


def test_what_the_state_gives_is_shown() -> None:
    """The kinds are those of the core, in its order, three at most."""
    current = replace(seven_of_eight(), cap=7)
    view = advice_view(snapshot(current), NOW, ZONE)

    assert [item.kind for item in view.items] == [one.kind for one in core.advise(current, NOW)]
    assert [item.kind for item in view.items] == ["first_to_go", "protect", "stop_before_cap"]


@pytest.mark.parametrize("shown", [snapshot(State()), snapshot(ready=False)])
def test_nothing_is_said_before_anything_is_known(shown: Snapshot) -> None:
    """Neither advice nor notes while the logs are read, or without any."""
    assert advice_view(shown, NOW, ZONE).items == ()
    assert notes_view(shown, NOW, ZONE).lines == ()


def test_notes_tell_what_checks_our_count() -> None:
    """The app's own count where it differs, the live processes where they are known, and who holds no seat."""
    current = seven_of_eight(seat_check=SeatCheck(ago(minutes=64), 7, 6), cloud_sessions={"cse_1": NOW, "cse_2": NOW})

    assert notes_view(snapshot(current, processes=1), NOW, ZONE).lines == (
        "The app counted 7 at 18:20, we counted 6.",
        "1 session process is alive on this machine.",
        "2 cloud sessions, no seat.",
    )


@pytest.mark.parametrize("check", [None, SeatCheck(NOW, 7, 7)])
def test_notes_are_silent_about_what_agrees_or_is_not_known(check: SeatCheck | None) -> None:
    """A count that agrees, no registry and no cloud session are not worth a word."""
    assert notes_view(snapshot(seven_of_eight(seat_check=check)), NOW, ZONE).lines == ()


def test_the_page_has_both() -> None:
    """Advice and notes have their places, with hostile titles as text."""
    current = state(*(session(n, Phase.IDLE, idle=900, title=HOSTILE) for n in range(8)), cloud_sessions={"cse_1": NOW})
    with client(snapshot(current)) as browser:
        page = browser.get("/").text

    assert "What to do now" in page
    assert "1 cloud session, no seat." in page
    assert "<script>alert" not in page


def test_an_app_that_does_not_run_needs_nothing() -> None:
    """The place stays, and says so."""
    view = advice_view(snapshot(state(app=App(running=False))), NOW, ZONE)

    assert [text(item) for item in view.items] == ["Nothing to do."]
