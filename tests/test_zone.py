"""The host's time zone from each place a system may keep it in, with its daylight saving."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo

import pytest

from app.zone import HostZone, host_zone, zone_named

SUMMER = datetime(2026, 7, 1, 12, tzinfo=UTC)
WINTER = datetime(2026, 12, 1, 12, tzinfo=UTC)


def zone_file(folder: Path, name: str) -> Path:
    """A made-up zone database with one zone in it, as long as the name says ``zoneinfo``."""
    place = folder / "zoneinfo" / name
    place.parent.mkdir(parents=True)
    place.write_bytes(zone_bytes(name))
    return place


def zone_bytes(name: str) -> bytes:
    """The compiled rules of a zone, from the system or from the tzdata package."""
    for root in TZPATH:
        if (Path(root) / name).is_file():
            return (Path(root) / name).read_bytes()
    return files("tzdata").joinpath("zoneinfo", *name.split("/")).read_bytes()


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    """An empty folder that plays /etc."""
    place = tmp_path / "etc"
    place.mkdir()
    return place


@pytest.fixture
def new_york_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The C library keeps New York's time."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_variable_leads(etc: Path) -> None:
    """TZ names the zone, with or without the colon of POSIX."""
    assert host_zone({"TZ": "Asia/Tokyo"}, etc) == ZoneInfo("Asia/Tokyo")
    assert host_zone({"TZ": ":Europe/Berlin"}, etc) == ZoneInfo("Europe/Berlin")


def test_variable_may_name_a_file(etc: Path) -> None:
    """TZ may be the path of a zone file."""
    zone = host_zone({"TZ": str(zone_file(etc, "Asia/Tokyo"))}, etc)

    assert SUMMER.astimezone(zone).utcoffset() == timedelta(hours=9)


def test_variable_with_rules_goes_to_the_c_library(etc: Path) -> None:
    """Rules spelled out in TZ are left to the C library, which understands them."""
    assert isinstance(host_zone({"TZ": "JST-9"}, etc), HostZone)


def test_link_names_the_zone(etc: Path) -> None:
    """/etc/localtime is a link into the zone database: its target is the name."""
    (etc / "localtime").symlink_to(zone_file(etc, "America/New_York"))

    assert host_zone({}, etc) == ZoneInfo("America/New_York")


def test_copied_zone_file_keeps_its_rules(etc: Path) -> None:
    """A copied /etc/localtime has no name but does have both offsets."""
    (etc / "localtime").write_bytes(zone_bytes("America/New_York"))

    zone = host_zone({}, etc)

    assert SUMMER.astimezone(zone).utcoffset() == timedelta(hours=-4)
    assert WINTER.astimezone(zone).utcoffset() == timedelta(hours=-5)


def test_text_file_names_the_zone(etc: Path) -> None:
    """/etc/timezone is read when there is no /etc/localtime."""
    (etc / "timezone").write_text("Asia/Tokyo\n", "utf-8")

    assert host_zone({}, etc) == ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize("content", [b"", b"not a zone\n", b"\xff\xfe"])
def test_damaged_files_are_passed_over(etc: Path, content: bytes) -> None:
    """Files that hold no zone lead to the C library, not to a crash."""
    (etc / "localtime").write_bytes(content)
    (etc / "timezone").write_bytes(content)

    assert isinstance(host_zone({}, etc), HostZone)


def test_link_that_leads_nowhere_is_passed_over(etc: Path) -> None:
    """A link in a circle, or to a zone that nobody knows, leads to the next place."""
    (etc / "localtime").symlink_to(etc / "localtime")
    (etc / "timezone").write_text("Asia/Tokyo", "utf-8")

    assert host_zone({}, etc) == ZoneInfo("Asia/Tokyo")

    (etc / "localtime").unlink()
    (etc / "localtime").symlink_to(etc / "zoneinfo" / "Mars" / "Olympus")
    assert host_zone({}, etc) == ZoneInfo("Asia/Tokyo")


def test_zone_of_the_c_library_has_daylight_saving(new_york_clock: None) -> None:
    """Without a name the offsets of summer and winter still differ, and local times come back as they went."""
    zone = HostZone()

    assert SUMMER.astimezone(zone).utcoffset() == timedelta(hours=-4)
    assert WINTER.astimezone(zone).utcoffset() == timedelta(hours=-5)
    assert SUMMER.astimezone(zone).tzname() == "EDT"
    assert SUMMER.astimezone(zone).astimezone(UTC) == SUMMER
    assert SUMMER.astimezone(zone).dst() is None


def test_zone_of_the_c_library_tells_the_two_halves_of_the_fold(new_york_clock: None) -> None:
    """The hour that autumn gives twice is told apart by its fold."""
    first = datetime(2026, 11, 1, 5, 30, tzinfo=UTC).astimezone(HostZone())
    second = datetime(2026, 11, 1, 6, 30, tzinfo=UTC).astimezone(HostZone())

    assert (first.hour, first.fold) == (1, 0)
    assert (second.hour, second.fold) == (1, 1)
    assert second.utcoffset() == timedelta(hours=-5)


def test_a_time_without_a_date_has_no_offset() -> None:
    """A time of day alone has no offset; the zone names itself all the same."""
    assert HostZone().utcoffset(None) is None
    assert HostZone().tzname(None) is None
    assert str(HostZone()) == "the host's zone"


def test_zone_by_name_and_by_offset() -> None:
    """A zone is given by its name or by an offset."""
    assert zone_named("Asia/Tokyo") == ZoneInfo("Asia/Tokyo")
    assert SUMMER.astimezone(zone_named("-08:00")).utcoffset() == timedelta(hours=-8)


@pytest.mark.parametrize("name", ["Mars/Olympus", "America", "../../etc/passwd", "+99:00", "-", "\0"])
def test_no_such_zone(name: str) -> None:
    """A zone that does not exist, a folder of zones and a trick with paths are all a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        zone_named(name)
