"""What an event of the log says, in the page's words: the name of each kind, and how a session lost its process."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.events import (
    Event,
    EvictionForeseen,
    MemoryEvictionBegan,
    PauseDeclined,
    PermissionRequested,
    SeatEvictionBegan,
    SessionFailed,
    SessionPaused,
    SessionStopped,
    TurnEnded,
    UsageLimited,
)
from app.core.state import Ending, Session
from app.web.titles import plain
from app.web.words import _, protection_word, span_words

LONGEST = 60
"""Words of the log that stand in a sentence are cut to this."""


def kind_word(kind: str) -> str:
    """The kind of an event, by its class name; a kind without words of its own keeps its name."""
    return _life_words().get(kind) or _turn_words().get(kind) or kind


def _life_words() -> Mapping[str, str]:
    return {
        "SessionStarted": _("Started"),
        "SessionResumed": _("Resumed with a new process"),
        "SessionMapped": _("Its process reported for the first time"),
        "WarmUpIntended": _("A start ahead of need was planned"),
        "SessionWarmed": _("Started ahead of need"),
        "WarmUpSkipped": _("A start ahead of need was given up"),
        "SessionSeenAlive": _("Its process was seen alive"),
        "IdleTimerArmed": _("Its idle timer was set"),
        "IdleTimerFired": _("Its idle timer ran out"),
        "PauseDeclined": _("Passed over: something protects it"),
        "SessionPaused": _("Paused"),
        "QueryCompleted": _("Its run came to its end"),
        "SessionTornDown": _("Ended with background work in it"),
        "SessionTimedOut": _("Gave no answer and was given up"),
        "SessionFailed": _("Its process ended with an error"),
        "SessionStopped": _("Stopped on request"),
        "SessionRetitled": _("Given a title"),
        "SessionSaveFailed": _("Could not be saved"),
        "PeerMessageLost": _("A message from another session was lost"),
        "EvictionForeseen": _("Named as the one to close; nothing was closed"),
        "SeatEvictionBegan": _("Chosen to be closed to make room"),
        "MemoryEvictionBegan": _("Chosen to be closed to free memory"),
        "EvictionFailed": _("Was to be closed, and lives on"),
        "WakeDeferred": _("Its waking was put off"),
        "CloudSessionSeen": _("Seen in the cloud"),
        "BridgeClosed": _("Its connection to the cloud is dead"),
    }


def _turn_words() -> Mapping[str, str]:
    return {
        "TurnBegan": _("A turn began"),
        "TurnAnswered": _("The first answer of a turn came"),
        "TurnEnded": _("A turn ended"),
        "SessionInterrupted": _("A turn was cut short"),
        "FocusChanged": _("Shown in the window"),
        "PermissionRequested": _("Asks for your permission"),
        "PermissionAnswered": _("Your answer came"),
        "RemoteControlEnabled": _("Remote control was switched on"),
        "WorkflowStarted": _("A background task began"),
        "WorkflowEnded": _("A background task ended"),
        "ScheduleExpired": _("Its schedule ran out"),
        "UsageLimited": _("Met the account's limit"),
        "ServiceOverloaded": _("Met an overloaded service"),
        "TurnErrorReported": _("A turn failed with an error"),
        "Unrecognized": _("A line of a shape that is not known"),
    }


def event_words(event: Event) -> str:
    """An event as a row says it: what it is, and the number or word of the log that matters most in it."""
    what = kind_word(type(event).__name__)
    detail = _detail(event)
    return _("{what}: {detail}").format(what=what, detail=detail) if detail else what


def _detail(event: Event) -> str:
    match event:
        case EvictionForeseen() | SeatEvictionBegan() | MemoryEvictionBegan():
            return _("silent for {span}").format(span=span_words(event.idle_seconds))
        case PauseDeclined(reason=str(reason)):
            return protection_word(reason)
        case SessionPaused():
            said = {"idle_timeout": _("after its idle time"), "governor_evict": _("closed by the app")}
            return said.get(event.reason) or plain(event.reason, LONGEST)
        case SessionFailed():
            return plain(event.signal or ("" if event.exit_code is None else str(event.exit_code)), LONGEST)
        case SessionStopped():
            return {"stopped": "", "archived": _("archived"), "deleted": _("deleted"), "cleared": _("cleared")}[
                event.how
            ]
        case TurnEnded():
            spent = "" if event.seconds is None else span_words(event.seconds)
            return plain(event.reason, LONGEST) if event.reason else spent
        case PermissionRequested():
            return plain(event.tool, LONGEST)
        case UsageLimited():
            return plain(event.resets or "", LONGEST)
        case _:
            return ""


def ending_words(session: Session) -> str:
    """How a session that has no process lost it, as a sentence; "" while it has one."""
    if session.alive:
        return ""
    said: Mapping[Ending | None, str] = {
        "evicted_for_seat": _("The app closed it to make room for another session. Its conversation is kept."),
        "evicted_for_memory": _("The app closed it to free memory. Its conversation is kept."),
        "paused_idle": _("The app paused it after its idle time. Its conversation is kept."),
        "app_quit": _("It ended when Claude was quit."),
        "app_update": _("It ended when Claude closed itself to install an update."),
        "app_crashed": _("It was lost when Claude ended without a word."),
        "killed": _("Its process was killed from outside."),
        "failed": _("Its process ended with an error."),
        "timed_out": _("It gave no answer and was given up."),
        "stopped": _("It was stopped on request."),
        "archived": _("It was archived."),
        "deleted": _("It was deleted."),
    }
    return said.get(session.ended_by, _("It ended; the log does not say why."))
