"""What an event of the log says, in the page's words."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import get_args

import pytest

from app.core.events import (
    EVENT_TYPES,
    Event,
    EvictionForeseen,
    PauseDeclined,
    PermissionRequested,
    SessionFailed,
    SessionPaused,
    SessionStarted,
    SessionStopped,
    TurnEnded,
    UsageLimited,
)
from app.core.state import Ending, Phase
from app.web.language import speaking
from app.web.said import ending_words, event_words, kind_word
from tests.web.scenes import HOSTILE, NOW, session, sid

OF_A_SESSION = [name for name, kind in EVENT_TYPES.items() if "session" in {one.name for one in fields(kind)}]


@pytest.mark.parametrize("kind", OF_A_SESSION)
def test_every_kind_about_a_session_has_words(kind: str) -> None:
    """No class name of ours stands on the page, in either language."""
    with speaking("ja"):
        japanese = kind_word(kind)

    assert kind_word(kind) != kind
    assert japanese not in (kind, kind_word(kind))


def test_a_kind_without_words_keeps_its_name() -> None:
    """A new kind of event is named rather than left out."""
    assert kind_word("SomethingNew") == "SomethingNew"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (SessionStarted(NOW, sid(1), "/x"), "Started"),
        (EvictionForeseen(NOW, sid(1), 8, 840, "warm"),
         "Named as the one to close; nothing was closed: silent for 14 minutes"),
        (PauseDeclined(NOW, sid(1), "remote_control"), "Passed over: something protects it: remote control"),
        (PauseDeclined(NOW, sid(1), None), "Passed over: something protects it"),
        (SessionPaused(NOW, sid(1), "governor_evict"), "Paused: closed by the app"),
        (SessionPaused(NOW, sid(1), "idle_timeout"), "Paused: after its idle time"),
        (SessionPaused(NOW, sid(1), HOSTILE), "Paused: <script>alert(1)</script> <img src=x onerror=alert(2)>'\"`{{…"),
        (SessionFailed(NOW, sid(1), 1, None), "Its process ended with an error: 1"),
        (SessionFailed(NOW, sid(1), None, "SIGKILL"), "Its process ended with an error: SIGKILL"),
        (SessionStopped(NOW, sid(1), "archived"), "Stopped on request: archived"),
        (SessionStopped(NOW, sid(1), "stopped"), "Stopped on request"),
        (TurnEnded(NOW, sid(1), 67, None), "A turn ended: 1 minute"),
        (TurnEnded(NOW, sid(1), None, None), "A turn ended"),
        (TurnEnded(NOW, sid(1), 67, "api_error"), "A turn ended: api_error"),
        (PermissionRequested(NOW, sid(1), "r1", "Bash"), "Asks for your permission: Bash"),
        (UsageLimited(NOW, sid(1), "11:30pm", None), "Met the account's limit: 11:30pm"),
        (UsageLimited(NOW, sid(1), None, None), "Met the account's limit"),
    ],
)  # fmt: skip
def test_an_event_in_words(event: Event, words: str) -> None:
    """The kind, and the number or word of the log that matters most in it."""
    assert event_words(event) == words


@pytest.mark.parametrize("ending", get_args(Ending))
def test_every_ending_is_a_sentence(ending: Ending) -> None:
    """How a session lost its process is said in a sentence; one that has a process lost none."""
    ended = replace(session(1, Phase.ENDED), ended_by=ending)

    assert ending_words(ended).endswith(".")
    assert ending_words(session(1)) == ""
