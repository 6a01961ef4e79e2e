"""coworkd.log, coworkd-user.log and user-<SID>.log: the daemon inside the VM's guest.

All of it is known and silent. Which clock the guest writes by, its own or the host's, is not documented: the words say
that the daemon runs, but not when, and the two logs of the host's side say the same with a time that can be trusted.
The lines are counted, those of unknown shape too.
"""

from __future__ import annotations

from app.core.formats.base import Format

FORMATS = (
    Format("guest.starting", r"starting coworkd\b", None, ("starting coworkd",)),
    Format("guest.connected", r"connected, waiting for commands", None, ("connected, waiting for commands",)),
    Format(
        "guest.helper_updated",
        r"sandbox-helper update detected",
        None,
        ("sandbox-helper update detected (old=0a1b2c new=3d4e5f)",),
    ),
    Format(
        "guest.process",
        r"\[Process:[^\]]+\] (?:Created|Cleaned up)",
        None,
        (
            "[Process:0a1b2c3d-0000-4000-8000-0000000000aa] Created",
            "[Process:0a1b2c3d-0000-4000-8000-0000000000aa] Cleaned up",
        ),
    ),
)

MUST_KNOW: tuple[str, ...] = ()
"""The guest's log is chatty about processes; nothing in it is about seats."""
