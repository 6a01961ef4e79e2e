"""Notices in words: what each says, and that a title is only ever text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.aliases import Aliases
from app.core.events import PortsCrossed
from app.core.notices import Notice
from app.core.preferences import CRITICAL, EVICTED, FIRST_TO_GO, KINDS, PORTS, VM_STALLED
from app.core.state import Phase, Pressure, State
from app.web.language import speaking
from app.web.telling import by_letter, by_title, harmless, letter_of, trial
from tests.web.scenes import HOSTILE, NOW, ZONE, ago, session, seven_of_eight, sid

FULL = replace(
    seven_of_eight(), cap=7, pressure=Pressure("critical", ago(minutes=2)), ports=PortsCrossed(NOW, 85, 204, 240, 90, 6)
)
NOTICES = {
    FIRST_TO_GO: Notice(FIRST_TO_GO, NOW, (sid(5),), "seat"),
    EVICTED: Notice(EVICTED, NOW, (sid(5),), "memory"),
    CRITICAL: Notice(CRITICAL, NOW),
    VM_STALLED: Notice(VM_STALLED, ago(minutes=3), detail="waiting_for_network"),
    PORTS: Notice(PORTS, NOW, in_use=204, budget=240),
}


def said(notice: Notice, state: State = FULL, language: str = "en") -> str:
    """The notice in words, with titles."""
    with speaking(language):
        letter = letter_of(notice, state, NOW, ZONE, by_title(state))
    return f"{letter.title} | {letter.body}"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (
            FIRST_TO_GO,
            "Seatwatch: Meeting notes is first to go | All 7 seats are taken. Meeting notes has been silent for "
            "14 minutes; the next start is likely to close it.",
        ),
        (
            EVICTED,
            "Seatwatch: Meeting notes was closed | It was closed to free memory. Its conversation is kept; open it to "
            "go on.",
        ),
        (
            CRITICAL,
            "Seatwatch: memory pressure is critical | These could be closed at any moment: Meeting notes, Data merge.",
        ),
        (
            VM_STALLED,
            "Seatwatch: the VM's start has stalled | Since 19:21 it has been stuck in “waiting for network”. Cowork "
            "tasks cannot work until it is up.",
        ),
        (
            PORTS,
            "Seatwatch: 204 of 240 ports in use | At this pace the line is full in 6 minutes. When none is left, new "
            "connections fail. Close what you do not need.",
        ),
    ],
)
def test_what_each_kind_says(kind: str, words: str) -> None:
    """Each kind says in a line what is the matter, and in a sentence what it means."""
    assert said(NOTICES[kind]) == words


@pytest.mark.parametrize("kind", KINDS)
def test_japanese_says_it_in_japanese(kind: str) -> None:
    """Every kind speaks Japanese, and names the session alike."""
    words = said(NOTICES[kind], language="ja")

    assert words != said(NOTICES[kind])
    assert any("ぁ" <= letter <= "ん" for letter in words)
    assert ("Meeting notes" in words) == bool(NOTICES[kind].sessions) or kind == CRITICAL


def test_other_circumstances() -> None:
    """Memory as the threat, a seat as the cause, a VM without a step, a slope that does not end, nobody to close."""
    calm = replace(FULL, sessions={}, ports=PortsCrossed(NOW, 85, 204, 240, 90, None))

    assert "Memory is short. Meeting notes" in said(replace(NOTICES[FIRST_TO_GO], detail="memory"))
    assert "closed to free a seat" in said(replace(NOTICES[EVICTED], detail="seat"))
    assert "Since 19:21 it has not gone on." in said(replace(NOTICES[VM_STALLED], detail=""))
    assert "At this pace" not in said(NOTICES[PORTS], calm)
    assert "No session can be closed" in said(NOTICES[CRITICAL], calm)


def test_many_at_once() -> None:
    """A night's worth of closed sessions is one sentence of bounded length."""
    words = said(Notice(EVICTED, NOW, tuple(sid(n) for n in range(1, 43))))

    assert words.startswith(
        "Seatwatch: 42 sessions were closed | Task 1, Task 2, Task 3, Task 4, Meeting notes and 37 more."
    )
    assert len(words) < 300


def test_letters_instead_of_titles() -> None:
    """Where titles must not go, sessions have letters, the same ones each time."""
    aliases = Aliases.of(FULL)
    letter = letter_of(NOTICES[EVICTED], FULL, NOW, ZONE, by_letter(aliases))

    assert letter.title == "Seatwatch: Session E was closed"
    assert "Meeting" not in letter.title + letter.body


@pytest.mark.parametrize(
    "title",
    [
        HOSTILE,
        "<b>bold</b> &amp; **more** [here](http://example.com) <!channel> @everyone `rm`",
        "x" * 5000,
        "\n\n\r\x00",
    ],
)
def test_a_title_is_only_text(title: str) -> None:
    """No markup, mention, link, control or length of a title gets into a notification."""
    hostile = replace(FULL, sessions={sid(1): session(1, Phase.EVICTED, title=title)})
    words = said(Notice(EVICTED, NOW, (sid(1),), title), hostile)

    assert not set(words) & set("<>&*`@[]\\\n\r\x00\x1b\u202e")
    assert "://" not in words
    assert len(words) < 300


def test_the_step_of_a_vm_is_only_text() -> None:
    """What the VM's log calls a step is log text as well."""
    words = said(replace(NOTICES[VM_STALLED], detail="<img>\x1b[31m" + "y" * 500))

    assert "<" not in words
    assert len(words) < 200


def test_what_the_button_sends() -> None:
    """A test says that it is one."""
    assert trial().title == "Seatwatch: a test"
    assert harmless("a_b #1 ~") == "a_b #1 ~"
