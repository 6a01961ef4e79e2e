"""The host's time zone, with its rules of daylight saving wherever the system lets them be known.

Log lines carry local wall time. A fixed offset would put every line of the other half of the year an hour off, so it
is never used: where no name of a zone is to be had, the C library is asked for each instant.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

ETC = Path("/etc")


class HostZone(tzinfo):
    """The zone of the C library: rules without a name, as on Windows, where the system keeps no zone files."""

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        """Local time less UTC at a local time."""
        return None if moment is None else self._there(moment).utcoffset()

    def dst(self, _moment: datetime | None, /) -> timedelta | None:
        """Not known: the C library does not tell which part of the offset is daylight saving."""
        return None

    def tzname(self, moment: datetime | None, /) -> str | None:
        """The abbreviation at a local time."""
        return None if moment is None else self._there(moment).tzname()

    def fromutc(self, moment: datetime, /) -> datetime:
        """The local time of an instant, with its fold."""
        there = moment.replace(tzinfo=UTC).astimezone()
        local = there.replace(tzinfo=self)
        return local if local.utcoffset() == there.utcoffset() else local.replace(fold=1)

    def __str__(self) -> str:
        return "the host's zone"

    @staticmethod
    def _there(moment: datetime) -> datetime:
        return moment.replace(tzinfo=None).astimezone()


def host_zone(env: Mapping[str, str], etc: Path = ETC) -> tzinfo:
    """The zone that programs of this host write their local times in: TZ, /etc/localtime, /etc/timezone, C library."""
    return _from_variable(env.get("TZ", "")) or _from_link(etc) or _from_text(etc) or HostZone()


def zone_named(name: str) -> tzinfo:
    """The zone of that name (``Asia/Tokyo``) or offset (``+09:00``). ValueError when there is none such."""
    try:
        if name.startswith(("+", "-")):
            return timezone(datetime.strptime(name, "%z").utcoffset() or timedelta(0))
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error


def _from_variable(value: str) -> tzinfo | None:
    # A leading colon is POSIX for "what follows names a file". Rules spelled out (JST-9) fall to the C library.
    value = value.removeprefix(":")
    if not value:
        return None
    if value.startswith("/"):
        return _from_file(Path(value))
    return _try_named(value) or HostZone()


def _from_link(etc: Path) -> tzinfo | None:
    place = etc / "localtime"
    # realpath, not Path.resolve: links that lead in a circle are no error to it.
    _, found, name = os.path.realpath(place).partition("/zoneinfo/")
    if found:
        zone = _try_named(name.removeprefix("posix/").removeprefix("right/"))
        if zone is not None:
            return zone
    return _from_file(place)


def _from_text(etc: Path) -> tzinfo | None:
    try:
        name = (etc / "timezone").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return _try_named(name)


def _from_file(path: Path) -> tzinfo | None:
    try:
        with path.open("rb") as file:
            return ZoneInfo.from_file(file, key=str(path))
    except (OSError, ValueError):
        return None


def _try_named(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
