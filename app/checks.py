"""What a setting's value means: from a flag, a variable or config.toml to the value that the rest works with.

Every check raises `ValueError` or `TypeError` with the reason when a value makes no sense. Those of preferences are
in `app.core.preferences`, for the page needs them too.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any

from app.zone import zone_named

HINTS: Mapping[str, str] = {
    "logs": "without it Seatwatch looks where the app writes its logs.",
    "host": "without it only this machine can reach the page, at 127.0.0.1.",
    "port": "any from 1 to 65535, or 0 for a free one; without it 8585.",
    "db": "without it the database lies in the data folder of the platform.",
    "tz": "a name such as Asia/Tokyo or an offset such as +09:00; without it the zone of this host.",
    "demo": "true or false; without it the real logs are read.",
    "no_open": "true or false; without it a browser opens at the start.",
    "probes": "true or false; without it Seatwatch also looks at this machine's memory, processes and connections.",
    "token": "at least 32 letters, digits, - or _; without it Seatwatch makes one where one is needed, and keeps it.",
    "allow_host": "host names with commas between; without it the server answers to this machine's own names.",
    "keep_days": "a whole number from 1 to 3650; without it events are kept for 30 days.",
    "keep_mb": "a whole number from 10 to 1000000; without it the history takes up to 500 MB.",
    "poll": "true or false; without it the system tells of changes, and Seatwatch looks by itself every second.",
    "range": "15m, 1h, 2h, 6h, 24h or 7d; without it the page shows two hours.",
    "language": "auto, en or ja; without it the browser decides.",
    "theme": "auto, light or dark; without it the system decides.",
    "privacy": "true or false; without it the wall shows titles.",
    "home_line": "the name of a home line or its number of ports; without it ports have no budget.",
    "notify": "names of what to be told of, with commas between; without it Seatwatch tells nothing.",
    "notify_desktop": "true or false; without it this machine's desktop tells what was asked for.",
    "notify_to": "addresses of services, with commas between; without it nothing leaves this machine.",
    "notify_titles": "true or false; without it services are told no titles.",
    "quiet_hours": "two times such as 22:00-07:00; without it every hour is as good.",
}
"""What each setting may be, and what happens without it."""

MEANINGS: Mapping[str, str] = {
    "logs": "The app's log folder.",
    "host": "The address to listen on; any but this machine's own opens the page to others, with a token.",
    "port": "The port to listen on.",
    "db": "The database file.",
    "tz": "The zone of the log's times.",
    "demo": "Made-up sessions, in a database of their own.",
    "no_open": "Open no browser at the start.",
    "probes": "Look at this machine's memory, processes and connections beside the logs.",
    "token": "What who looks from another machine must show; one that is chosen is asked for on this machine too.",
    "allow_host": "More host names that the server answers to, each perhaps with a port.",
    "keep_days": "How many days of events are kept.",
    "keep_mb": "How large the history may grow, in MB; the oldest events go first.",
    "poll": "Look at the logs four times a second: for bind and network mounts, where the system tells of no change.",
    "range": "The stretch of time that a page shows at first.",
    "language": "The language for readers who have not chosen one.",
    "theme": "Light or dark for readers who have not chosen.",
    "privacy": "Hide titles on the wall.",
    "home_line": "The home line, whose ports are then compared with those in use.",
    "notify": "What to be told of: first_to_go, evicted, critical, vm_stalled, ports.",
    "notify_desktop": "Tell it on this machine's desktop.",
    "notify_to": "Apprise addresses of services to tell it to; they are never shown.",
    "notify_titles": "Let titles of sessions go to those services.",
    "quiet_hours": "Two times between which nothing is told.",
}
"""What each setting is for, as the reference says it."""


def path(value: Any) -> Path:
    """A path, with ``~`` for the home folder."""
    if not isinstance(value, str | Path):
        raise TypeError("a path is a text")
    if "\0" in str(value):
        raise ValueError("a path has no NUL in it")
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("the home folder that it names is not known") from error


def host(value: Any) -> str:
    """An address of either kind, or the name of a host."""
    text = str(value).strip().removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if re.fullmatch(r"(?!-)[A-Za-z0-9.-]{1,253}", text) and not re.fullmatch(r"[0-9.]+", text):
            return text
    raise ValueError("it is neither an address nor the name of a host")


def port(value: Any) -> int:
    """A port; 0 for a free one."""
    if isinstance(value, bool | float):
        raise TypeError("a port is a whole number")
    number = int(value)
    if not 0 <= number <= 65_535:
        raise ValueError("a port lies between 0 and 65535")
    return number


def zone(value: Any) -> tzinfo:
    """A zone by its name or offset."""
    return zone_named(str(value))


def token(value: Any) -> str:
    """A token that fits into an address as it is. Raises without showing any of it."""
    text = str(value).strip()
    if not re.fullmatch(r"[A-Za-z0-9_-]{32,200}", text):
        raise ValueError("it is not made of 32 to 200 letters, digits, - and _")
    return text


def host_names(value: Any) -> tuple[str, ...]:
    """Names or addresses of hosts, each perhaps with a port: a list, or text with commas between them."""
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        raise TypeError("it is no list of names")
    return tuple(dict.fromkeys(_authority(str(one).strip()) for one in listed if str(one).strip()))


def _authority(text: str) -> str:
    name, colon, number = text.rpartition(":")
    if colon and number.isascii() and number.isdecimal() and (name.endswith("]") or ":" not in name):
        address = host(name)
        return f"[{address}]:{port(number)}" if ":" in address else f"{address}:{port(number)}"
    address = host(text)
    return f"[{address}]" if ":" in address else address


def days(value: Any) -> int:
    """So many days, up to ten years."""
    return _between(value, 1, 3650)


def megabytes(value: Any) -> int:
    """So many millions of bytes, up to a terabyte; with less than ten there would be hardly any history."""
    return _between(value, 10, 1_000_000)


def _between(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool | float):
        raise TypeError("it is no whole number")
    number = int(value)
    if not least <= number <= most:
        raise ValueError(f"it does not lie between {least} and {most}")
    return number
