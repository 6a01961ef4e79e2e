"""The sentence as the wall says it: what the page says, short enough to be read from across a room.

Which case applies is the page's business (`app.web.sentence`); a case that is short already is said as it stands there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo

from app.live import Snapshot
from app.web.sentence import Situation, Words, app_silence, newest_eviction, one_after_the_other, phrase, sentence
from app.web.views import Part
from app.web.wall_views import Size, WallSaid
from app.web.words import _, number, span_words

ROOM: tuple[tuple[int, Size], ...] = ((72, "large"), (110, "medium"))
"""So many letters fit into three lines of each size; more than the last take the smallest."""


def wall_sentence(snapshot: Snapshot, at: datetime, zone: tzinfo) -> WallSaid:
    """The sentence for this snapshot at ``at``, in its short form where it has one."""
    said = sentence(snapshot, at, zone)
    parts = said.parts
    if (short := SHORT.get(said.case)) is not None:
        parts = short(Situation.of(snapshot, at, zone)) or parts
    return WallSaid(said.case, parts, size_of(parts), said.tone)


def size_of(parts: tuple[Part, ...]) -> Size:
    """The largest size in which these words have room. A full-width character is as wide as two letters."""
    text = "".join(part.text for part in parts)
    width = sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)
    return next((size for room, size in ROOM if width <= room), "small")


def _silent(now: Situation) -> Words:
    silence = app_silence(now.state, now.at)
    if silence is None:
        return ()
    message = _("The app's log has been silent for {span}. Idle times are not certain.")
    return phrase(message, span=span_words(int(silence.total_seconds())))


def _just_evicted(now: Situation) -> Words:
    gone = newest_eviction(now)
    if gone is None:
        return ()
    session, span = gone
    if session.ended_by == "evicted_for_memory":
        return phrase(_("{title} was closed {span} ago to free memory."), title=session, span=span)
    return phrase(_("{title} was closed {span} ago to make room."), title=session, span=span)


def _first(now: Situation, lead: str) -> Words:
    """Who goes first, after how things stand."""
    if now.head is None:
        return one_after_the_other(phrase(lead), phrase(_("Nothing can be closed now.")))
    if now.head.eligible_in_seconds > 0:
        message = _("{title} goes first, silent for less than a minute.")
    else:
        message = _("{title} goes first, silent for {span}.")
    said = phrase(message, title=now.head.session, span=span_words(now.head.idle_seconds))
    return one_after_the_other(phrase(lead), said)


def _no_logs(_now: Situation) -> Words:
    # Without the places that were searched: a path may carry a person's name, and nobody types it off a wall.
    return phrase(_("No Claude logs found."))


def _full(now: Situation) -> str:
    return _("All {cap} seats are taken.").format(cap=number(now.cap.value))


def _at_cap(now: Situation) -> Words:
    return _first(now, _full(now))


def _one(_now: Situation) -> str:
    return _("One seat left.")


def _one_left(now: Situation) -> Words:
    return _first(now, _one(now))


def _tight(_now: Situation) -> str:
    return _("Memory is tight.")


def _very_tight(_now: Situation) -> str:
    return _("Memory is very tight.")


def _nothing_to_close(now: Situation) -> Words:
    return one_after_the_other(phrase(_full(now)), phrase(_("Nothing can be closed now.")))


def _all_busy(now: Situation) -> Words:
    lead = _("All {cap} seats are working.").format(cap=number(now.cap.value))
    return one_after_the_other(phrase(lead), phrase(_("Nothing can be closed now.")))


def _all_protected(now: Situation) -> Words:
    lead = _("All {cap} seats are protected.").format(cap=number(now.cap.value))
    return one_after_the_other(phrase(lead), phrase(_("Nothing can be closed now.")))


def _warns(lead: Callable[[Situation], str]) -> Callable[[Situation], Words]:
    """How things stand, and that this version has closed nothing so far."""

    def said(now: Situation) -> Words:
        warned = phrase(_("So far this version of the app has only warned."))
        return one_after_the_other(phrase(lead(now)), warned)

    return said


def _over(now: Situation) -> Words:
    message = _("{taken} sessions on {cap} seats. Warm starts are put off.")
    return phrase(message, taken=number(now.taken), cap=number(now.cap.value))


SHORT: Mapping[str, Callable[[Situation], Words]] = {
    "no_logs": _no_logs,
    "silent": _silent,
    "just_evicted": _just_evicted,
    "pressure_warning_warns": _warns(_tight),
    "pressure_critical_warns": _warns(_very_tight),
    "over_cap": _over,
    "all_busy": _all_busy,
    "all_protected": _all_protected,
    "none_eligible": _nothing_to_close,
    "at_cap": _at_cap,
    "at_cap_warns": _warns(_full),
    "one_left": _one_left,
    "one_left_warns": _warns(_one),
}
"""The cases whose sentence is too long for a wall. All others are said as on the page."""
