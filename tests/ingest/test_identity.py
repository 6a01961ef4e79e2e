"""Which file is which source, by inode and by content."""

from __future__ import annotations

from app.core.checkpoint import Checkpoint, FileFacts, Fingerprint
from app.ingest.files import FoundFile
from app.ingest.identity import Peek, match, reason
from app.ingest.source import Followed
from tests.ingest.logs import READING, lines

Contents = dict[str, bytes]


def file(name: str, inode: int, size: int) -> FoundFile:
    """A file as the folder shows it."""
    return FoundFile(name, "main.log", 0 if name == "main.log" else 1, FileFacts(size, 0, 1, inode), 0)


def source(name: str, inode: int, data: bytes) -> Followed:
    """A source of which ``data`` was read."""
    mark = Checkpoint(name, "main.log", name, 1, inode, Fingerprint.of(data, data, len(data)), len(data), 1)
    return Followed.start(mark, READING)


OLD, NEW = lines(1, 2, 3), lines(4, 5)


def looker(contents: Contents, asked: list[str]) -> Peek:
    """Reads files from memory; a missing one may not be read."""

    def look(found: FoundFile, offset: int) -> tuple[bytes, bytes]:
        asked.append(found.path)
        if found.path not in contents:
            raise PermissionError(13, "Permission denied")
        data = contents[found.path]
        return data[:1024], data[max(0, offset - 256) : offset]

    return look


def matched(contents: Contents, files: list[FoundFile], *sources: Followed) -> tuple[object, ...]:
    """The parts of the match, sources by their first name."""
    asked: list[str] = []
    found = match(files, sources, looker(contents, asked))
    return (
        {place: known.mark.source for place, known in found.known.items()},
        found.copies,
        [one.mark.source for one in found.replaced],
        [one.mark.source for one in found.absent],
        found.unreadable,
    )


def test_a_rename_is_seen_through() -> None:
    """The inode leads to the source under its new name; the file in its old place is new."""
    files = [file("main1.log", 7, len(OLD)), file("main.log", 8, len(NEW))]
    assert matched({"main1.log": OLD, "main.log": NEW}, files, source("a", 7, OLD)) == ({0: "a"}, set(), [], [], {})


def test_the_content_decides() -> None:
    """Other content under the same inode replaces the source; the same under another inode continues it."""
    a = source("a", 7, OLD)
    assert matched({"main.log": NEW}, [file("main.log", 7, len(NEW))], a) == ({}, set(), ["a"], [], {})
    assert matched({"main.log": OLD}, [file("main.log", 8, len(OLD))], a) == ({0: "a"}, set(), [], [], {})
    files = [file("main1.log", 8, len(OLD)), file("main.log", 7, len(NEW))]
    assert matched({"main1.log": OLD, "main.log": NEW}, files, a) == ({0: "a"}, set(), [], [], {})


def test_a_second_copy_is_no_source() -> None:
    """A file that holds what the source's own file holds is passed over."""
    files = [file("main1.log", 8, len(OLD)), file("main.log", 7, len(OLD))]
    assert matched({"main1.log": OLD, "main.log": OLD}, files, source("a", 7, OLD)) == ({1: "a"}, {0}, [], [], {})


def test_what_has_no_file_is_absent() -> None:
    """A source without a file is told apart from one whose file was replaced."""
    assert matched({}, [], source("a", 7, OLD)) == ({}, set(), [], ["a"], {})


def test_an_unreadable_file_keeps_its_source() -> None:
    """Without a look at the content the inode decides; an unknown file stays unknown."""
    files = [file("main1.log", 8, 5), file("main.log", 7, len(OLD))]
    unreadable = {0: "Permission denied", 1: "Permission denied"}
    found = matched({}, files, source("a", 7, OLD), source("b", 9, NEW))
    assert found == ({1: "a"}, set(), [], ["b"], unreadable)


def test_an_unchanged_file_is_not_opened() -> None:
    """Former holders of the inode cost nothing as long as the file stays as it was."""
    asked: list[str] = []
    now = file("main.log", 7, len(NEW))
    former, present = source("a", 7, OLD), source("b", 7, NEW)
    present.seen = now
    found = match([now], [former, present], looker({"main.log": NEW}, asked))
    assert found.known == {0: present}
    assert found.absent == [former]
    assert asked == []


def test_reasons() -> None:
    """An error without words is named by its kind."""
    assert reason(PermissionError(13, "Permission denied")) == "Permission denied"
    assert reason(OSError()) == "OSError"
