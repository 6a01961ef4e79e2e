"""Which faces there are, and which words take which."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from app.export.faces import FOLDERS, JAPANESE, font_folders, japanese_face, takes_japanese, takes_others


def faces(folder: Path, *names: str) -> Path:
    """A folder of files with these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_the_best_family_wins(tmp_path: Path) -> None:
    """Of several families the one that reads best is taken, with its bold weight, however deep it lies."""
    folder = faces(tmp_path, "a/ipag.ttf", "b/c/NotoSansCJK-Regular.ttc", "b/c/NotoSansCJK-Bold.ttc", "Inter.ttf")
    face = japanese_face([folder])

    assert face is not None
    assert face.family == "Noto Sans CJK JP"
    assert [file.name for file in face.files] == ["NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"]


def test_names_with_their_marks_apart(tmp_path: Path) -> None:
    """macOS hands out Japanese file names decomposed: they are found all the same."""
    name = unicodedata.normalize("NFD", "ヒラギノ角ゴシック W3.ttc")
    face = japanese_face([faces(tmp_path, name)])

    assert face is not None
    assert face.family == "Hiragino Sans"
    assert len(face.files) == 1


def test_there_may_be_none(tmp_path: Path) -> None:
    """A system without a Japanese face, or without the folder, has none: nothing else is taken in its place."""
    assert japanese_face([faces(tmp_path, "DejaVuSans.ttf", "NotoSansCJK-Bold.ttc"), tmp_path / "missing"]) is None


def test_every_family_can_be_found(tmp_path: Path) -> None:
    """Each variant of each family is recognised by the file of its regular weight."""
    for family, variants in JAPANESE.items():
        for number, names in enumerate(variants):
            face = japanese_face([faces(tmp_path / family / str(number), names[0])])
            assert face is not None
            assert face.family == family


@pytest.mark.parametrize("platform", [*FOLDERS, "freebsd14"])
def test_each_platform_has_its_folders(platform: str) -> None:
    """Each platform says where its faces lie; unknown ones keep them as Linux does."""
    assert font_folders(platform) == tuple(Path(one) for one in FOLDERS.get(platform, FOLDERS["linux"]))


@pytest.mark.parametrize(
    ("text", "japanese", "others"),
    [
        ("Session A · 14 m 02 s – “closed”…", False, False),
        ("タスク A は14分待機", True, False),
        ("退去", True, False),
        ("ＦＵＬＬ　ｗｉｄｔｈ", True, False),
        ("Ünïcode ÿ", False, False),
        ("สวัสดี", False, True),
        ("席 привет", True, True),
        ("", False, False),
    ],
)
def test_what_a_text_takes(text: str, japanese: bool, others: bool) -> None:
    """Latin is carried; Japanese takes a face of the system; the rest takes whatever the system has."""
    assert takes_japanese(text) is japanese
    assert takes_others(text) is others
