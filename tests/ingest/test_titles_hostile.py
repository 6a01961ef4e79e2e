"""Session files that lead away, hang, lie or shout: none of it gets through."""

from __future__ import annotations

import json
import os
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ingest.titles import (
    MAX_BYTES,
    MAX_TITLE,
    SessionFiles,
    clean,
    open_plain,
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
