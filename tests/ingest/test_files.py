"""Which files of a folder are logs, and in which order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.ingest.files import FAMILIES, LookOutdated, look, name_of, open_log, read_at


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("main.log", ("main.log", 0)),
        ("main1.log", ("main.log", 1)),
        ("main12.log", ("main.log", 12)),
        ("cowork_vm_node3.log", ("cowork_vm_node.log", 3)),
        ("cowork_vm_swift.log", ("cowork_vm_swift.log", 0)),
        ("coworkd.log", ("coworkd.log", 0)),
        ("coworkd1.log", ("coworkd.log", 1)),
        ("coworkd-user.log", ("coworkd-user.log", 0)),
        ("user-S-1-5-21-1004336348-1177238915-1001.log", ("coworkd-user.log", 0)),
        ("cowork-service.log", ("cowork-service.log", 0)),
        ("user-someone.log", None),
        ("user-S-1-5.log.bak", None),
        ("main0.log", None),
        ("main.old.log", None),
        ("main-window.log", None),
        ("claude.ai-web.log", None),
        ("main.log.swp", None),
    ],
)
def test_names(name: str, kind: tuple[str, int] | None) -> None:
    """Only the known logs and their numbered archives count; a user's own is told by the security id in its name."""
    assert name_of(name) == kind


def test_a_folder_is_listed_from_old_to_new(tmp_path: Path) -> None:
    """Each family comes from its highest number down to the live file; what is no plain file is left out."""
    for name in ("main.log", "main2.log", "main10.log", "cowork_vm_node.log", "mcp.log"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "main3.log").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "main4.log")
    (tmp_path / "main5.log").symlink_to(tmp_path / "nowhere")
    found = look(tmp_path)
    assert [(file.family, file.archive) for file in found] == [
        (FAMILIES[0], 10), (FAMILIES[0], 2), (FAMILIES[0], 0), (FAMILIES[1], 0)
    ]  # fmt: skip
    assert found[0].facts.size == 1


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """Its absence is said, not taken for an empty folder."""
    with pytest.raises(FileNotFoundError):
        look(tmp_path / "none")


def test_reads_end_with_the_file(tmp_path: Path) -> None:
    """A read beyond the end gives what there is."""
    (tmp_path / "main.log").write_bytes(b"abcdef")
    with open_log(look(tmp_path)[0]) as handle:
        assert read_at(handle, 4, 100) == b"ef"
        assert read_at(handle, 6, 100) == b""


def test_a_path_that_leads_elsewhere_by_now(tmp_path: Path) -> None:
    """A file that was renamed away, and another one in its place, are not taken for the one that was listed."""
    (tmp_path / "main.log").write_bytes(b"old")
    (file,) = look(tmp_path)
    (tmp_path / "main.log").rename(tmp_path / "main1.log")
    with pytest.raises(LookOutdated):
        open_log(file)
    (tmp_path / "main.log").write_bytes(b"new")
    with pytest.raises(LookOutdated):
        open_log(file)


def test_of_two_names_for_one_log_the_one_last_written_is_read(tmp_path: Path) -> None:
    """A copy of the guest's log beside the log itself is not read a second time, whichever is listed first."""
    copy, own, other = "coworkd-user.log", "user-S-1-5-21-7-1001.log", "user-S-1-5-21-7-1002.log"
    for seconds, name in enumerate((own, copy, other)):
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (seconds, seconds))

    assert [Path(file.path).name for file in look(tmp_path)] == [other]
    os.utime(tmp_path / copy, (9, 9))
    assert [Path(file.path).name for file in look(tmp_path)] == [copy]
