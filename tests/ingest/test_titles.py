"""Titles from the session files on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.ingest.titles import (
    MAX_BYTES,
    MAX_LOOKS,
    SessionFile,
    SessionFiles,
)
from tests.ingest.session_files import (
    CODE,
    COWORK,
    DISPATCH,
    ONE,
    TWO,
    Opener,
    path_of,
    replace_atomically,
    title_in,
    write,
)


def test_code_session_is_read(tmp_path: Path) -> None:
    """Title, folder, archive flag and schedule come from the file, the kind from where it lies."""
    write(tmp_path, ONE, "Tax folder", isArchived=True, scheduledTaskId="weekly")
    files = SessionFiles([tmp_path])

    assert files.refresh()
    assert files.known == {ONE: SessionFile(ONE, "code", "Tax folder", "/src/made-up", archived=True, scheduled=True)}


def test_cowork_session_is_read(tmp_path: Path) -> None:
    """A file among the agent-mode sessions is Cowork's; what it leaves out is none, not archived, not scheduled."""
    path_of(tmp_path, ONE, COWORK).write_text("{}")
    files = SessionFiles([tmp_path])

    files.refresh()

    assert files.known[ONE] == SessionFile(ONE, "cowork", None, None, archived=False, scheduled=False)


def test_dispatch_is_told_by_its_id(tmp_path: Path) -> None:
    """A dispatch parent lies among the Cowork sessions and is known by its id."""
    write(tmp_path, DISPATCH, "From the phone", COWORK)
    files = SessionFiles([tmp_path])

    files.refresh()

    assert files.known[DISPATCH].kind == "dispatch"


def test_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """A file that an editor saved with a byte order mark is read all the same."""
    path_of(tmp_path, ONE).write_bytes(b'\xef\xbb\xbf{"title": "Marked"}')
    files = SessionFiles([tmp_path])

    files.refresh()

    assert title_in(files) == "Marked"


def test_absent_places_are_fine(tmp_path: Path) -> None:
    """No folder, a file in its stead, or an empty one: nothing is known, nothing is wrong."""
    (tmp_path / "file").write_text("")
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / CODE).write_text("")
    files = SessionFiles([tmp_path / "none", tmp_path / "file", tmp_path / "kinds"])

    assert not files.refresh()
    assert (dict(files.known), dict(files.problems)) == ({}, {})


def test_unchanged_file_is_not_opened_again(tmp_path: Path) -> None:
    """The second look stats only, and says that nothing changed."""
    write(tmp_path, ONE, "Once")
    opener = Opener()
    files = SessionFiles([tmp_path], opener)
    files.refresh()

    assert not files.refresh()
    assert opener.opened == [ONE]


def test_only_wanted_files_are_opened(tmp_path: Path) -> None:
    """Files of sessions that nobody asks for stay closed, also when they change."""
    write(tmp_path, ONE, "Wanted")
    other = write(tmp_path, TWO, "Other")
    opener = Opener()
    files = SessionFiles([tmp_path], opener)
    files.refresh([ONE])
    replace_atomically(other, "Other, changed")

    assert not files.refresh([ONE])
    assert opener.opened == [ONE]
    assert set(files.known) == {ONE}


def test_what_is_no_longer_wanted_stays_known(tmp_path: Path) -> None:
    """A session that has ended keeps the title it had: the page still tells what became of it."""
    write(tmp_path, ONE, "Ended")
    files = SessionFiles([tmp_path])
    files.refresh([ONE])

    assert not files.refresh([])
    assert title_in(files) == "Ended"


def test_new_file_is_found(tmp_path: Path) -> None:
    """The file of a new session appears some seconds after the log's line, and is found then."""
    files = SessionFiles([tmp_path])
    files.refresh([ONE])
    write(tmp_path, ONE, "Late")

    assert files.refresh([ONE])
    assert title_in(files) == "Late"


def test_atomically_replaced_file_is_read_again(tmp_path: Path) -> None:
    """A new file under the old name counts, even with the size and time of the old one."""
    path = write(tmp_path, ONE, "")
    replace_atomically(path, "aaaa")
    files = SessionFiles([tmp_path])
    files.refresh()
    before = path.stat()
    replace_atomically(path, "bbbb")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert files.refresh()
    assert title_in(files) == "bbbb"


def test_change_in_other_fields_is_no_change(tmp_path: Path) -> None:
    """The app saves often; what we do not show leaves the page alone."""
    write(tmp_path, ONE, "Same", completedTurns=1)
    files = SessionFiles([tmp_path])
    files.refresh()
    write(tmp_path, ONE, "Same", completedTurns=10)

    assert not files.refresh()


def test_deleted_file_is_forgotten(tmp_path: Path) -> None:
    """Who deletes a session has its title gone here too, wanted or not."""
    path = write(tmp_path, ONE, "Private")
    files = SessionFiles([tmp_path])
    files.refresh()
    path.unlink()

    assert files.refresh([])
    assert ONE not in files.known


def test_half_written_file_keeps_the_old_value(tmp_path: Path) -> None:
    """A file caught while it is written changes nothing, is said, and is read when it is whole."""
    path = write(tmp_path, ONE, "Old")
    files = SessionFiles([tmp_path])
    files.refresh()
    whole = json.dumps({"title": "New"})
    path.write_text(whole[:-4])

    assert not files.refresh()
    assert title_in(files) == "Old"
    assert "half-written" in files.problems[str(path)]
    path.write_text(whole)
    assert files.refresh()
    assert title_in(files) == "New"
    assert not files.problems


def test_half_written_file_is_looked_at_again(tmp_path: Path) -> None:
    """It is opened at the next looks though nothing shows a change, a few times and not for ever."""
    path_of(tmp_path, ONE).write_text("{")
    opener = Opener()
    files = SessionFiles([tmp_path], opener)

    for _ in range(3 * MAX_LOOKS):
        files.refresh()

    assert len(opener.opened) == MAX_LOOKS


def test_huge_file_is_skipped_and_said(tmp_path: Path) -> None:
    """Above the limit a file is not read, and the reason names the sizes; one of just the limit is read."""
    big = write(tmp_path, ONE, "Huge", pad="x" * MAX_BYTES)
    fits = write(tmp_path, TWO, "Fits")
    fits.write_text(fits.read_text().ljust(MAX_BYTES))
    files = SessionFiles([tmp_path])

    files.refresh()

    assert set(files.known) == {TWO}
    assert f"{big.stat().st_size:,}" in files.problems[str(big)]
    assert list(files.problems) == [str(big)]


def test_unreadable_file_keeps_the_old_value(tmp_path: Path) -> None:
    """A file that may not be read is said, tried again at each look, and back as soon as it can be read."""
    path = write(tmp_path, ONE, "Old")
    opener = Opener()
    files = SessionFiles([tmp_path], opener)
    files.refresh()
    write(tmp_path, ONE, "Newer")
    opener.error = PermissionError(13, "Permission denied")

    assert not files.refresh()
    assert not files.refresh()
    assert files.problems == {str(path): "The system says: Permission denied."}
    assert title_in(files) == "Old"
    opener.error = None
    assert files.refresh()
    assert title_in(files) == "Newer"


def test_unlistable_folder_keeps_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed for a moment takes no title away, and is said."""
    path = write(tmp_path, ONE, "Kept")
    files = SessionFiles([tmp_path])
    files.refresh()
    real = os.scandir

    def refuse(folder: str) -> object:
        if folder == str(path.parent):
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", refuse)

    assert not files.refresh()
    assert title_in(files) == "Kept"
    assert files.problems == {str(path.parent): "The system says: Permission denied."}


@pytest.mark.parametrize("denied", ["kind", "file"])
def test_denied_stat_keeps_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, denied: str) -> None:
    """Where not even a stat is allowed, of a folder or of a file, the old value stays and the reason is said."""
    path = write(tmp_path, ONE, "Kept")
    files = SessionFiles([tmp_path])
    files.refresh()
    real, target = os.lstat, str(path if denied == "file" else tmp_path / CODE)

    def refuse(name: str) -> os.stat_result:
        if name == target:
            raise PermissionError(13, "Permission denied")
        return real(name)

    monkeypatch.setattr(os, "lstat", refuse)

    assert not files.refresh()
    assert title_in(files) == "Kept"
    assert files.problems == {target: "The system says: Permission denied."}


def test_newest_of_two_files_counts(tmp_path: Path) -> None:
    """After a change of account a session has two files; the one written last speaks, in whichever place."""
    old, new = path_of(tmp_path / "a", ONE, account="old"), path_of(tmp_path / "b", ONE, account="new")
    for path, title, at in ((old, "Old account", 1000), (new, "New account", 2000)):
        path.write_text(json.dumps({"title": title}))
        os.utime(path, (at, at))
    files = SessionFiles([tmp_path / "b", tmp_path / "a"])

    files.refresh()
    assert title_in(files) == "New account"
    os.utime(old, (3000, 3000))
    files.refresh()
    assert title_in(files) == "Old account"
