"""The verdicts of *why* in the page's words: what happened, how sure that is, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.diagnosis import Certainty, Verdict
from app.core.state import Session
from app.web.sentence import Words, phrase
from app.web.words import _

LASTING: frozenset[Verdict] = frozenset({"waiting_for_you", "still_running", "vm_stalled", "app_wedged"})
"""Verdicts about what goes on, not about a moment."""


def verdict_words(verdict: Verdict, session: Session, span: str, as_of: str = "") -> Words:
    """The verdict as a sentence about ``session``.

    ``span`` is how long ago it happened, or for how long it has been so, "" when that is not known. ``as_of`` is the
    time that was asked about where that is past: what went on then may have ended since.
    """
    message = {**_closed(), **_troubled(), **_alive()}[verdict]
    said = phrase(message, title=session)
    if as_of and verdict in LASTING:
        said = phrase(_("As of {time}: {what}"), time=as_of, what=said)
        return phrase(_("{what}, for {span}."), what=said, span=span) if span else phrase(_("{what}."), what=said)
    if span and verdict in LASTING:
        return phrase(_("{what}, for {span} now."), what=said, span=span)
    return phrase(_("{what}, {span} ago."), what=said, span=span) if span else phrase(_("{what}."), what=said)


def _closed() -> Mapping[Verdict, str]:
    return {
        "evicted_for_seat": _("{title} was closed by the app to make room for another session"),
        "evicted_for_memory": _("{title} was closed by the app to free memory"),
        "paused_idle": _("{title} was paused by the app after its idle time"),
        "app_quit": _("{title} ended because Claude was quit"),
        "app_update": _("{title} ended because Claude restarted itself for an update"),
        "app_crashed": _("{title} was lost when Claude ended without a word"),
        "killed": _("{title} lost its process: something outside of the app killed it"),
        "failed": _("{title} stopped with an error"),
        "timed_out": _("{title} gave no answer and the app gave it up"),
    }


def _troubled() -> Mapping[Verdict, str]:
    return {
        "usage_limit": _("{title} stopped at the account's usage limit"),
        "overloaded": _("{title} stopped because the service was overloaded"),
        "signed_out": _("{title} stopped because Claude was signed out"),
        "network": _("{title} stopped because the network failed"),
        "vm_stalled": _("{title} does not go on because the Cowork VM did not start"),
        "vm_disk_full": _("{title} stopped because the disk of the Cowork VM is full"),
        "app_wedged": _("{title} stands still because the app itself does"),
    }


def _alive() -> Mapping[Verdict, str]:
    return {
        "waiting_for_you": _("{title} has not stopped: it waits for your answer"),
        "still_running": _("{title} has not stopped: it runs"),
        "unknown": _("{title} ended for a reason that the log does not tell"),
    }


def verdict_name(verdict: Verdict) -> str:
    """The verdict in a few words, for a list."""
    return {
        "evicted_for_seat": _("closed to make room"),
        "evicted_for_memory": _("closed to free memory"),
        "paused_idle": _("paused after its idle time"),
        "app_quit": _("Claude was quit"),
        "app_update": _("Claude was updated"),
        "app_crashed": _("Claude ended without a word"),
        "killed": _("killed from outside"),
        "failed": _("stopped with an error"),
        "timed_out": _("gave no answer"),
        "usage_limit": _("usage limit"),
        "overloaded": _("overloaded service"),
        "signed_out": _("signed out"),
        "network": _("network failed"),
        "vm_stalled": _("the VM did not start"),
        "vm_disk_full": _("the VM's disk is full"),
        "app_wedged": _("the app stood still"),
        "waiting_for_you": _("waits for you"),
        "still_running": _("runs"),
        "unknown": _("not known why"),
    }[verdict]


def certainty_word(certainty: Certainty) -> str:
    """How sure it is, in a word."""
    return {"certain": _("certain"), "likely": _("likely"), "possible": _("possible")}[certainty]


def certainty_words(certainty: Certainty, *, proven: bool) -> str:
    """How sure it is, as a sentence; ``proven`` when there are lines to show."""
    if not proven:
        said: Mapping[Certainty, str] = {
            "certain": _("Certain: it follows from what the log shows of it now."),
            "likely": _("Likely: no line says so in so many words, the lines around it point there."),
            "possible": _("Possible at most: the log has no line that tells."),
        }
        return said[certainty]
    said = {
        "certain": _("Certain: the log says so itself."),
        "likely": _("Likely: the log shows that it stopped, and what it says before fits this cause best."),
        "possible": _("Possible: the log shows that it stopped, and does not name the cause."),
    }
    return said[certainty]


def advice_words(verdict: Verdict) -> str:
    """What to do about a stop of this kind."""
    return {**_advice_for_closed(), **_advice_for_troubled()}[verdict]


def _advice_for_closed() -> Mapping[Verdict, str]:
    return {
        "evicted_for_seat": _(
            "Open it and it goes on where it was. To keep it, leave a seat free, or switch on remote control for it."
        ),
        "evicted_for_memory": _(
            "Open it and it goes on where it was. To keep it, run fewer sessions at once, or free memory."
        ),
        "paused_idle": _("Open it and it goes on where it was. A session that works is not paused."),
        "app_quit": _("Start Claude and open the session: its conversation is kept."),
        "app_update": _(
            "Open it again. Remote control is off after an update: switch it on anew where a session must live."
        ),
        "app_crashed": _("Start Claude and open the session. If it happens again, look at free memory just before."),
        "killed": _("Open it again. The system kills the largest process when memory runs out: look at memory then."),
        "failed": _("Read the line below for the error, then open the session and ask it to go on."),
        "timed_out": _("Open it and ask it to go on. If it happens again, restart Claude."),
        "still_running": _("Nothing to do."),
    }


def _advice_for_troubled() -> Mapping[Verdict, str]:
    return {
        "usage_limit": _("Wait until the limit resets; the line below says when. Then ask it to go on."),
        "overloaded": _("Ask it to go on in a few minutes: the service is busy, and it is not your account's limit."),
        "signed_out": _("Sign in to Claude again, then ask it to go on."),
        "network": _("See that this machine is online, then ask it to go on."),
        "vm_stalled": _("Quit Claude and start it again. If the VM still does not start, restart the machine."),
        "vm_disk_full": _("Make room on the VM's disk: delete Cowork sessions that are done, then restart Claude."),
        "app_wedged": _("If the machine slept, wait a minute. If not, quit Claude and start it again."),
        "waiting_for_you": _("Open it and answer. It holds its seat until you do."),
        "unknown": _("Look at what the log says of it, and at what else went on at that time."),
    }
