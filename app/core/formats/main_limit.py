"""main.log: usage limits, overload, sign-in and network, by their exact shapes only.

Numbers such as 429 and 529 stand in many harmless lines (``sys_free_raw=429MB``, ``0 files-api 429s retried``); only
the shapes here count.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.core.events import (
    BridgeClosed,
    CloudSessionSeen,
    Event,
    RemoteBridgeChanged,
    ServiceOverloaded,
    SignInLost,
    TurnErrorReported,
    UsageLimited,
)
from app.core.formats.base import CLOUD, SESSION, Format
from app.core.records import Record

_S = "local_0a1b2c3d-0000-4000-8000-000000000001"
_USAGE = re.compile(
    r"You've hit your (?:\w+ )*limit|You're out of extra usage|You've reached your .{1,60}? limit\. Switch to"
)
_OVERLOAD = re.compile(r"API Error: (?:529\b|Overloaded|Server is temporarily limiting requests)")
_RESETS = re.compile(r"resets (?P<text>(?:(?P<day>[A-Z][a-z]{2} \d{1,2}) at )?(?P<clock>\d{1,2}(?::\d\d)?[ap]m)"
                     r"(?: \((?P<zone>[\w/+-]+)\))?)")  # fmt: skip


def reset_instant(text: str, at: datetime) -> datetime | None:
    """The instant of ``11:30pm (Asia/Tokyo)`` or ``May 23 at 5pm (UTC)``, the next such after ``at``.

    None when the text has another shape or names a zone that is not known here.
    """
    found = _RESETS.search("resets " + text)
    if found is None or found["zone"] is None:
        return None
    try:
        zone = ZoneInfo(found["zone"])
        clock = datetime.strptime(found["clock"], "%I:%M%p" if ":" in found["clock"] else "%I%p")  # noqa: DTZ007 - only its hour and minute are used
        here = at.astimezone(zone)
        moment = here.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
        if found["day"]:
            day = datetime.strptime(f"{found['day']} {here.year}", "%b %d %Y")  # noqa: DTZ007 - only its day is used
            moment = moment.replace(month=day.month, day=day.day)
            moment = moment.replace(year=here.year + 1) if moment < here - timedelta(days=180) else moment
        elif moment <= here:
            moment += timedelta(days=1)
    except (ValueError, LookupError, OSError, OverflowError):  # an impossible date or a zone that is not known here
        return None
    return moment.astimezone(UTC)


def _api_error(match: re.Match[str], record: Record) -> Event:
    text = match["text"]
    if match["kind"] == "api_error" and _USAGE.match(text):
        resets = _RESETS.search(text)
        return UsageLimited(
            at=record.at,
            session=match["session"],
            resets=resets["text"] if resets else None,
            resets_at=reset_instant(resets["text"], record.at) if resets else None,
        )
    if match["kind"] == "api_error" and _OVERLOAD.match(text):
        return ServiceOverloaded(record.at, match["session"])
    return TurnErrorReported(record.at, match["session"], match["kind"], text)


def _work(match: re.Match[str], record: Record) -> Event | None:
    """The session stands in the lines that follow, where the work is for one."""
    named = re.search(CLOUD, "\n".join(record.more))
    return CloudSessionSeen(record.at, named["session"]) if named else None


FORMATS = (
    Format(
        "limit.api_error",
        r"\[CCD CycleHealth\] " + SESSION + r" (?P<kind>\w+) \(\w*\): (?P<text>.*)",
        _api_error,
        (
            f"[CCD CycleHealth] {_S} api_error (success): You've hit your session limit · resets 11:30pm (Asia/Tokyo)",
            f"[CCD CycleHealth] {_S} api_error (success): You've hit your weekly limit · resets 5pm (Europe/Berlin)",
            f"[CCD CycleHealth] {_S} api_error (success): You're out of extra usage · resets May 23 at 5pm (UTC)",
            f"[CCD CycleHealth] {_S} api_error (success): You've reached your Opus limit. Switch to another model, or "
            "wait.",
            f"[CCD CycleHealth] {_S} api_error (success): API Error: 529 Overloaded. Try again in a moment.",
            f"[CCD CycleHealth] {_S} api_error (success): API Error: Server is temporarily limiting requests (not your "
            "usage limit) · Rate limited",
            f"[CCD CycleHealth] {_S} cli_execution_error (error): the CLI ended early",
        ),
    ),
    Format(
        "auth.refresh",
        r"\[oauth\] CLI requested token refresh",
        None,
        ("[oauth] CLI requested token refresh after 401",),
    ),
    Format(
        "auth.failed",
        r"oauth failed: authorize returned \d+",
        SignInLost,
        ("oauth failed: authorize returned 403 {\n  status: 403\n}",),
    ),
    Format(
        "auth.stale",
        r"\[sessions-bridge\] Cowork OAuth stale-session",
        SignInLost,
        ("[sessions-bridge] Cowork OAuth stale-session (session_stale_relogin); parking bridge until re-login",),
    ),
    Format(
        "bridge.state",
        r"\[remote-control\] bridge_state: (?P<status>connected|ready|reconnecting)\b",
        RemoteBridgeChanged,
        (
            "[remote-control] bridge_state: connected",
            "[remote-control] bridge_state: ready",
            "[remote-control] bridge_state: reconnecting",
        ),
    ),
    Format(
        "cloud.transport_closed",
        r"\[sessions-bridge\] Transport permanently closed for session " + CLOUD,
        BridgeClosed,
        ("[sessions-bridge] Transport permanently closed for session cse_01AbC code=4090",),
    ),
    Format(
        "cloud.budget_exhausted",
        r"\[sessions-bridge\] Cap-redispatch budget exhausted for " + CLOUD,
        BridgeClosed,
        (
            "[sessions-bridge] Cap-redispatch budget exhausted for cse_01AbC (3); transport stays dead until app "
            "restart or system resume",
        ),
    ),
    Format(
        "cloud.bridge",
        r"\[sessions-bridge\] (?!Transport permanently|Cap-redispatch|Cowork OAuth|Handling session work)[^\n]*?\b"
        + CLOUD,
        CloudSessionSeen,
        (
            "[sessions-bridge] Received user message for session cse_01AbC",
            "[sessions-bridge] Query completed for session cse_01AbC (pendingTurns=0, isError=false)",
            "[sessions-bridge] Session cse_01AbC reconnected successfully",
            "[sessions-bridge] Reconnecting transport for session cse_01AbC, attempt 2/6, delay=4000ms",
            "[sessions-bridge] Forwarded permission request 0a1b2c3d for session cse_01AbC (Bash)",
        ),
    ),
    Format(
        "cloud.work",
        r"\[sessions-bridge\] Handling session work \{",
        _work,
        ("[sessions-bridge] Handling session work {\n  sessionId: 'cse_01AbC',\n  kind: 'message'\n}",),
    ),
    Format(
        "cloud.folders",
        r"LocalAgentModeSessions\.(?:grant|clear)RemoteSessionFolder\w*: " + CLOUD,
        CloudSessionSeen,
        (
            "LocalAgentModeSessions.grantRemoteSessionFolders: cse_01AbC [2]",
            "LocalAgentModeSessions.clearRemoteSessionFolderGrants: cse_01AbC",
        ),
    ),
    Format(
        "cloud.guest",
        r"\[remote-bash\] user=" + CLOUD,
        CloudSessionSeen,
        ("[remote-bash] user=rcw-01abc mounts=work:rw cmdLen=80",),
    ),
)
