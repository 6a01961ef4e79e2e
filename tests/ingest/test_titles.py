"""Titles from the session files on disk."""

from __future__ import annotations

import json
import os
import tempfile
import unicodedata
from io import FileIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ingest.titles import (
    MAX_BYTES,
    MAX_LOOKS,
    MAX_TITLE,
    SessionFile,
    SessionFiles,
    clean,
    open_plain,
    user_data_places,
)

ONE = "local_00000000-0000-4000-8000-000000000001"
TWO = "local_00000000-0000-4000-8000-000000000002"
DISPATCH = "local_ditto_00000000-0000-4000-8000-000000000003"
CODE = "claude-code-sessions"
COWORK = "local-agent-mode-sessions"


class Opener:
    """Opens as the real one does, and remembers what; ``error`` is raised instead while it is set."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.error: OSError | None = None

    def __call__(self, path: str) -> FileIO:
        self.opened.append(Path(path).stem)
        if self.error is not None:
            raise self.error
        return open_plain(path)


def path_of(place: Path, session: str, folder: str = CODE, account: str = "acct") -> Path:
    """Where the app keeps the file of ``session``; its folder exists."""
    path = place / folder / account / "org" / f"{session}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def write(place: Path, session: str, title: object, folder: str = CODE, **fields: object) -> Path:
    """A session file as the app writes it."""
    path = path_of(place, session, folder)
    path.write_text(json.dumps({"sessionId": session, "cwd": "/src/made-up", "title": title, **fields}))
    return path


def replace_atomically(path: Path, title: str) -> None:
    """As the app saves: a new file takes the old one's name."""
    new = path.with_name("new.tmp")
    new.write_text(json.dumps({"title": title}))
    new.replace(path)


def title_in(files: SessionFiles, session: str = ONE) -> str | None:
    """The title known of a session."""
    return files.known[session].title


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


@pytest.mark.parametrize(
    "name", ["scheduled-tasks.json", "archived-sessions.idx", "local_.json", "local_a.json.tmp", "Xlocal_a.json",
             "local_a b.json", "local_a\n.json", "local_..\u2215..\u2215x.json", f"local_{'a' * 200}.json"],
)  # fmt: skip
def test_other_names_are_ignored(tmp_path: Path, name: str) -> None:
    """Only ``local_<id>.json`` is a session file."""
    path_of(tmp_path, ONE).with_name(name).write_text('{"title": "No"}')
    opener = Opener()
    files = SessionFiles([tmp_path], opener)

    assert not files.refresh()
    assert opener.opened == []


def test_file_link_is_not_followed(tmp_path: Path) -> None:
    """A link in the place of a session file leads nowhere, also for the opener itself."""
    (tmp_path / "secret.json").write_text('{"title": "Secret"}')
    link = path_of(tmp_path / "data", ONE)
    link.symlink_to(tmp_path / "secret.json")
    files = SessionFiles([tmp_path / "data"])

    assert not files.refresh()
    with pytest.raises(OSError, match="symbolic"):
        open_plain(str(link))


@pytest.mark.parametrize("level", [CODE, f"{CODE}/acct", f"{CODE}/acct/org"])
def test_folder_link_is_not_followed(tmp_path: Path, level: str) -> None:
    """A link in the place of any folder leads nowhere, so that nothing out of the place is ever read."""
    write(tmp_path / "elsewhere", ONE, "Secret")
    link = tmp_path / "data" / level
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere" / level)
    opener = Opener()

    assert not SessionFiles([tmp_path / "data"], opener).refresh()
    assert opener.opened == []


def test_file_that_becomes_a_link_is_forgotten(tmp_path: Path) -> None:
    """What is no file any more has no title."""
    path = write(tmp_path, ONE, "Was here")
    files = SessionFiles([tmp_path])
    files.refresh()
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")

    assert files.refresh()
    assert not files.known


def test_fifo_and_folder_do_not_hang(tmp_path: Path) -> None:
    """A FIFO or a folder under a session file's name is passed over."""
    os.mkfifo(path_of(tmp_path, ONE))
    path_of(tmp_path, TWO).mkdir()
    opener = Opener()

    assert not SessionFiles([tmp_path], opener).refresh()
    assert opener.opened == []


def test_file_gone_between_look_and_open_keeps_the_old_value(tmp_path: Path) -> None:
    """A file that goes away while we look is for the next look to judge."""
    write(tmp_path, ONE, "Old")
    opener = Opener()
    files = SessionFiles([tmp_path], opener)
    files.refresh()
    write(tmp_path, ONE, "Newer")
    opener.error = FileNotFoundError(2, "No such file or directory")

    assert not files.refresh()
    assert title_in(files) == "Old"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("\x1b[31mRed\x1b[0m \x9b1mbold", "Red bold"),
        ("\x1b]0;window\x07Title", "Title"),
        ("a\u202egpj.exe\u2066\u200f", "agpj.exe"),
        ("one\r\ntwo\tthree\u2028four", "one two three four"),
        ("nul\x00 bell\x07 \ud800half", "nul bell half"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("x" * 1000, "x" * MAX_TITLE),
        ("\x1b[2J\u202e \n", None),
        (["no", "text"], None),
        (7, None),
    ],
)
def test_titles_are_cleaned(tmp_path: Path, title: object, shown: str | None) -> None:
    """Escapes, controls and direction overrides go, line ends become spaces, length is bounded, words stay."""
    write(tmp_path, ONE, title)
    files = SessionFiles([tmp_path])

    files.refresh()

    assert title_in(files) == shown


@given(st.text())
def test_cleaned_text_is_harmless(text: str) -> None:
    """Whatever a title holds, what is shown has one line, no control, no override, and a bounded length."""
    shown = clean(text, 20) or ""

    assert len(shown) <= 20
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from(["title", "cwd"]), inner),
    max_leaves=12,
)
HOSTILE = [b"", b"[" * 100_000, b'{"title": ' + b"9" * 5000 + b"}", b'{"title": "\\ud800"}', b"\xff\xfe{\x00}\x00"]


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.sampled_from(HOSTILE))
def test_no_content_raises(content: bytes) -> None:
    """Any bytes and any JSON lead to a session or to a problem that is said, never to an exception."""
    with tempfile.TemporaryDirectory() as folder:
        path = path_of(Path(folder), ONE)
        path.write_bytes(content)
        files = SessionFiles([Path(folder)])

        files.refresh()

        assert (ONE in files.known) != (str(path) in files.problems)


def test_nothing_in_the_folder_changes(tmp_path: Path) -> None:
    """Looking leaves every file and folder as it was, good, broken, huge or foreign."""
    write(tmp_path, ONE, "Good")
    path_of(tmp_path, TWO).write_text("{")
    path_of(tmp_path, DISPATCH, COWORK).write_bytes(b" " * (MAX_BYTES + 1))

    def facts() -> dict[Path, tuple[int, ...]]:
        seen = {path: path.lstat() for path in [tmp_path, *sorted(tmp_path.rglob("*"))]}
        return {p: (s.st_mode, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for p, s in seen.items()}

    before = facts()
    files = SessionFiles([tmp_path])
    files.refresh()
    files.refresh({ONE})

    assert facts() == before


def test_known_is_a_snapshot(tmp_path: Path) -> None:
    """What another thread holds does not change under it."""
    write(tmp_path, ONE, "First")
    files = SessionFiles([tmp_path])
    files.refresh()
    held = files.known
    replace_atomically(path_of(tmp_path, ONE), "Second")
    files.refresh()

    assert held[ONE].title == "First"
    assert title_in(files) == "Second"


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
def test_places_on_macos(tmp_path: Path, name: str) -> None:
    """Logs and data lie in two parts of the Library, under the same name."""
    found = user_data_places(tmp_path / "Library/Logs" / name, "darwin", tmp_path, {})

    assert found == [tmp_path / "Library/Application Support" / name]


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
@pytest.mark.parametrize("config", [".config", "elsewhere"])
def test_places_on_linux(tmp_path: Path, name: str, config: str) -> None:
    """The logs lie within the data, below the configuration folder of the system or of the user's choice."""
    env = {} if config == ".config" else {"XDG_CONFIG_HOME": str(tmp_path / config)}

    assert user_data_places(tmp_path / config / name / "logs", "linux", tmp_path, env) == [tmp_path / config / name]


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
@pytest.mark.parametrize(
    ("logs_in", "is_packaged"),
    [
        ("Local/{}/Logs", False),
        ("Local/{}/logs", False),
        ("Roaming/{}/logs", False),
        ("Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/{}/logs", True),
        ("Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Local/{}/Logs", True),
    ],
)
@pytest.mark.parametrize("by_env", [True, False])
def test_places_on_windows(tmp_path: Path, name: str, logs_in: str, is_packaged: bool, by_env: bool) -> None:
    """Data lies in the roaming folder or in the package's; the likelier of the two comes first."""
    data = tmp_path / ("Moved" if by_env else "AppData")
    env = {"LOCALAPPDATA": str(data / "Local"), "APPDATA": str(data / "Roaming")} if by_env else {}
    own = data / "Roaming" / name
    package = data / "Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming" / name

    found = user_data_places(data / logs_in.format(name), "win32", tmp_path, env)

    assert found == ([package, own] if is_packaged else [own, package])


@pytest.mark.parametrize("kind", [CODE, COWORK])
@pytest.mark.parametrize("platform", ["darwin", "linux", "win32"])
def test_parent_of_any_other_folder(tmp_path: Path, platform: str, kind: str) -> None:
    """A folder of the user's own has its sessions beside it, if there are any."""
    assert user_data_places(tmp_path / "copy/logs", platform, tmp_path / "home", {}) == []

    (tmp_path / "copy" / kind).mkdir(parents=True)

    assert user_data_places(tmp_path / "copy/logs", platform, tmp_path / "home", {}) == [tmp_path / "copy"]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("darwin", "Library/Logs/Claudette"),
        ("darwin", "Library/Logs/Claude/logs"),
        ("linux", ".config/claude/logs"),
        ("linux", ".config/Claude/archive"),
        ("linux", ".config/Other/logs"),
        ("win32", "AppData/Roaming/Other/logs"),
    ],
)
def test_other_folders_have_no_known_place(tmp_path: Path, platform: str, folder: str) -> None:
    """Another program's folder, or one within the app's, is not the app's log folder."""
    assert user_data_places(tmp_path / folder, platform, tmp_path, {}) == []


def test_linked_home_is_the_same_home(tmp_path: Path) -> None:
    """A log folder named by what a link leads to still belongs to the app."""
    real = tmp_path / "disk"
    (real / ".config/Claude/logs").mkdir(parents=True)
    (tmp_path / "home").symlink_to(real)

    found = user_data_places(real / ".config/Claude/logs", "linux", tmp_path / "home", {})

    assert found == [tmp_path / "home/.config/Claude"]


def test_linked_log_folder_is_the_apps(tmp_path: Path) -> None:
    """A log folder that was moved to another disk, with a link in its place, still belongs to the app."""
    (tmp_path / "disk").mkdir()
    (tmp_path / ".config/Claude").mkdir(parents=True)
    (tmp_path / ".config/Claude/logs").symlink_to(tmp_path / "disk")

    found = user_data_places(tmp_path / ".config/Claude/logs", "linux", tmp_path, {})

    assert found == [tmp_path / ".config/Claude"]


def test_places_and_files_fit_together(tmp_path: Path) -> None:
    """From a log folder to a title, as the program goes."""
    write(tmp_path / ".config/Claude", ONE, "Whole way")
    files = SessionFiles(user_data_places(tmp_path / ".config/Claude/logs", "linux", tmp_path, {}))

    assert files.refresh({ONE})
    assert title_in(files) == "Whole way"
