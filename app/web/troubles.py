"""What cannot be read or kept, in the words of the page. Pure; no markup."""

from __future__ import annotations

from app.core.trouble import Trouble
from app.errors import ConfigFault, ConfigUnusable, DatabaseDamaged, DatabaseUnusable, SeatwatchError
from app.web.titles import plain
from app.web.words import _

LONGEST = 300
"""Paths and the words of the system are cut to this."""


def trouble_words(problem: str) -> str:
    """A problem in the language of the page; one that is not made of a kind and values stays as it is."""
    if not isinstance(problem, Trouble):
        return plain(problem, LONGEST)
    place = plain(problem.values.get("place", ""), LONGEST)
    why = reason_words(plain(problem.values.get("reason", ""), LONGEST))
    aside = plain(problem.values.get("aside", ""), LONGEST)
    messages = {
        "folder_unreadable": _("The log folder {place} cannot be read: {reason}."),
        "file_unreadable": _("{place} cannot be read: {reason}."),
        "not_stored": _("The database cannot take what was read, so it waits: {reason}."),
        "made_anew": _("The database was damaged. What the logs still hold was read into a new one."),
        "not_made_anew": _("The database is damaged, and no new one can be made: {reason}."),
        "stopped": _("Seatwatch follows the logs no more: {reason}. Start it again."),
    }
    said = messages[problem.kind].format(place=place, reason=why)
    return said + " " + _("The damaged one is kept as {place}.").format(place=aside) if aside else said


def unread_words(error: SeatwatchError) -> str:
    """Why what is kept cannot be told; what is no matter of the database stays in its own words."""
    if isinstance(error, DatabaseDamaged | DatabaseUnusable):
        reason = reason_words(plain(error.reason, LONGEST))
        return _("The database cannot be read: {reason}.").format(reason=reason)
    return plain(f"{error.what} {error.why}", 2 * LONGEST)


def unkept_words(error: SeatwatchError, file: str) -> str:
    """Why a change of the settings cannot be kept in ``file``, and what to do; other errors in their own words."""
    if not isinstance(error, ConfigUnusable):
        return plain(f"{error.what} {error.why} {error.todo}", 3 * LONGEST)
    messages: dict[ConfigFault, str] = {
        "unreadable": _("{file} cannot be read: {reason}. Correct the file, or remove it."),
        "malformed": _("{file} cannot be understood. Correct the file, or remove it."),
        "unwritable": _(
            "{file} cannot be written: {reason}. Make it and its folder writable for you, and check the free space."
        ),
    }
    message = messages[error.fault]
    if error.line is not None:
        message = _("{file} cannot be understood at line {line}. Correct it there, or remove the file.")
    return message.format(file=file, reason=reason_words(plain(error.reason, LONGEST)), line=error.line)


def reason_words(reason: str) -> str:
    """The system's own reason; the frequent ones in the language of the page."""
    known = {
        "Permission denied": _("permission denied"),
        "No such file or directory": _("it is not there"),
        "Not a directory": _("it is not a folder"),
        "No space left on device": _("no space left on the disk"),
        "Read-only file system": _("nothing can be written there"),
        "Operation not permitted": _("permission denied"),
        "Is a directory": _("it is a folder"),
        "database or disk is full": _("no space left on the disk"),
        "database is locked": _("another program holds it"),
        "Input/output error": _("the disk reports an error"),
    }
    return known.get(reason, reason.removesuffix("."))
