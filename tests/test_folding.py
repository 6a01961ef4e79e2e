"""A restart goes on from the saved fold, and what it then knows is what it would know without one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.core.events import Observed
from app.demo.writer import LogFolder
from app.folding import SAVE_SECONDS, Fold, Saver
from app.storage.store import Store
from tests.following import FAR_OFF, LONG_AGO, Followed, told


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    """A pipeline on a simulated machine's folder, of whose story the first half is read and stored."""
    _, lines, _ = told(11, 90)
    folder = LogFolder(tmp_path / "logs")
    folder.append(lines[: len(lines) // 2])
    folder.close()
    one = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite")
    one.catch_up()
    yield one
    one.close()


def more(followed: Followed) -> None:
    """The second half of the story is written, read and stored."""
    _, lines, _ = told(11, 90)
    for line in lines[len(lines) // 2 :]:
        with (followed.logs / line.file).open("ab") as file:
            file.write(line.text.encode())
    followed.look()


def contents(fold: Fold) -> tuple[Any, ...]:
    """Everything in a fold, to compare."""
    return fold.state, fold.history.window(LONG_AGO, FAR_OFF), fold.census, fold.trail


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each replay from now on gives out."""
    counts: list[int] = []
    replay = Store.replay

    def counting(store: Store, since: datetime | None = None, *, after: int = 0) -> Iterator[Observed]:
        found = list(replay(store, since, after=after))
        counts.append(len(found))
        yield from found

    monkeypatch.setattr(Store, "replay", counting)
    return counts


def test_only_what_came_since_is_folded_again(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saved half and the events behind it give the fold of all of them."""
    followed.look()  # it is saved now, and not again for ten minutes
    half = len(followed.stored())
    more(followed)
    everything = Fold()
    everything.take(followed.stored())
    counts = counted(monkeypatch)

    resumed = Saver(followed.store).resumed()

    assert contents(resumed) == contents(everything) == contents(followed.pipeline.fold)
    assert 0 < half < half + counts[0] == len(followed.stored())


def test_another_database_of_the_same_name_is_folded_anew(followed: Followed, tmp_path: Path) -> None:
    """What was saved belongs to the event that it ends with, and that one is not here."""
    Saver(followed.store).save(followed.pipeline.fold)
    followed.store.forget()

    resumed = Saver(followed.store).resumed()

    assert contents(resumed) == contents(Fold())


def test_a_damaged_file_costs_a_fold(followed: Followed) -> None:
    """It is as if there were none."""
    Saver(followed.store).save(followed.pipeline.fold)
    path = followed.path.with_name(followed.path.name + "-fold")
    path.write_bytes(path.read_bytes()[:-10])

    resumed = Saver(followed.store).resumed()

    assert contents(resumed) == contents(followed.pipeline.fold)


def test_it_is_due_at_once_and_then_every_ten_minutes(followed: Followed) -> None:
    """A start after a long fold must not have to do it again; after that a little is lost at most."""
    now = [100.0]
    saver = Saver(followed.store, lambda: now[0])

    assert saver.is_due
    saver.save(followed.pipeline.fold)
    assert not saver.is_due
    now[0] += SAVE_SECONDS
    assert saver.is_due


def test_nothing_new_is_not_written_again(followed: Followed) -> None:
    """A machine that is left alone for a night writes nothing."""
    saver = Saver(followed.store)
    saver.save(followed.pipeline.fold)
    path = followed.path.with_name(followed.path.name + "-fold")
    path.unlink()

    saver.save(followed.pipeline.fold)

    assert not path.exists()


def test_a_full_disk_is_no_trouble(followed: Followed) -> None:
    """A cache that cannot be written is only not there."""
    path = followed.path.with_name(followed.path.name + "-fold")
    (path / "in the way").mkdir(parents=True)

    Saver(followed.store).save(followed.pipeline.fold)

    assert contents(Saver(followed.store).resumed()) == contents(followed.pipeline.fold)


def test_a_new_database_forgets_it(followed: Followed) -> None:
    """The logs are read anew from their beginning, and nothing of before may be added to that."""
    saver = Saver(followed.store)
    saver.save(followed.pipeline.fold)

    saver.forget()

    assert not followed.path.with_name(followed.path.name + "-fold").exists()
