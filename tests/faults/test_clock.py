"""What clocks do while Seatwatch follows: set back, the hour that comes twice, the hour that never comes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.core.reducer import fold
from app.core.state import State
from tests.faults.truth import judge
from tests.faults.writer import LogWriter
from tests.following import Followed

BERLIN = ZoneInfo("Europe/Berlin")
BACK = datetime(2026, 10, 25, 0, 0, tzinfo=UTC)
"""An hour before 03:00 summer time becomes 02:00: 02:00 to 03:00 comes twice from here."""
FORTH = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
"""Half an hour before 02:00 becomes 03:00."""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[LogWriter]:
    """An app that writes."""
    (tmp_path / "logs").mkdir()
    one = LogWriter(tmp_path / "logs")
    yield one
    one.close()


def write_at(writer: LogWriter, at: datetime) -> None:
    """A line that says something, with the wall time in Berlin at an instant."""
    writer.now = at.astimezone(BERLIN).replace(tzinfo=None)
    writer.number += writer.number % 4 == 1  # the next number would stand in a line of no interest
    writer.lines(1)


def instants(followed: Followed) -> list[datetime]:
    """When the stored events were, in the order of the fold."""
    return [one.event.at for one in followed.stored()]


@pytest.mark.parametrize("restarts", [True, False])
@pytest.mark.parametrize("rotates", [True, False])
@pytest.mark.parametrize("start", [BACK, FORTH])
def test_summer_time_begins_and_ends(
    writer: LogWriter, tmp_path: Path, start: datetime, rotates: bool, restarts: bool
) -> None:
    """Every line keeps its instant, whatever is rotated or started anew within the hour that comes twice or never."""
    told = [start + timedelta(minutes=10 * step) for step in range(18)]
    followed = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite", BERLIN)
    for step, at in enumerate(told):
        write_at(writer, at)
        if rotates and step % 3 == 1:
            writer.rotate()
        followed.settle()
        if restarts:
            followed.close()
            followed.open()
            followed.catch_up()
    found = instants(followed)
    followed.close()

    assert found == told


@pytest.mark.parametrize("seconds", range(6))
def test_the_archives_of_the_first_pass_are_gone_at_a_start(writer: LogWriter, tmp_path: Path, seconds: int) -> None:
    """The second pass is known as one although the files that told of it were deleted meanwhile."""
    told = [BACK + timedelta(minutes=minutes, seconds=seconds) for minutes in (30, 50, 65, 115)]
    followed = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite", BERLIN)
    for at in told[:3]:
        write_at(writer, at)
        followed.settle()
        writer.rotate()
    followed.look()
    followed.close()
    for archive in (1, 2, 3):
        (tmp_path / "logs" / f"main{archive}.log").unlink()
    write_at(writer, told[3])
    followed.open()
    followed.catch_up()
    followed.settle()
    found = instants(followed)
    followed.close()

    assert found == told


@pytest.mark.parametrize("seconds", [1, 70, 4_000, 90_000])
def test_a_clock_that_is_set_back(writer: LogWriter, tmp_path: Path, seconds: int) -> None:
    """By a second or a day: the order of the file is the order of what happened, over a rotation and a restart too."""
    followed = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite")
    for step in range(6):
        writer.lines(60)
        writer.back(seconds)
        writer.lines(60)
        if step % 2:
            writer.rotate()
            writer.back(seconds)
            writer.lines(60)
        if step % 3:
            followed.look()
        else:
            followed.close()
            followed.open()
            followed.catch_up()
    followed.settle()
    verdict = judge(writer.close(), followed.stored())
    state = followed.state
    followed.close()
    writer._open()

    assert verdict.faultless, str(verdict)
    assert state == fold(State(), verdict.expected)
