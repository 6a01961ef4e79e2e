"""Which faces draw the words of a picture: Inter, that Seatwatch carries, and a Japanese face of the system.

A Japanese face has several megabytes, so none is carried. Where the system has none, that is said: boxes in place of
words are no picture.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

INTER = "vendor/inter-latin-wght-5.3.0.ttf"
"""Within the folder of static files."""

JAPANESE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "Hiragino Sans": (("ヒラギノ角ゴシック W3.ttc", "ヒラギノ角ゴシック W6.ttc"),),
    "Yu Gothic": (("YuGothR.ttc", "YuGothB.ttc"), ("YuGothM.ttc", "YuGothB.ttc")),
    "Meiryo": (("meiryo.ttc", "meiryob.ttc"),),
    "Noto Sans CJK JP": (
        ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"),
        ("NotoSansCJKjp-Regular.otf", "NotoSansCJKjp-Bold.otf"),
    ),
    "Noto Sans JP": (("NotoSansJP-Regular.otf", "NotoSansJP-Bold.otf"), ("NotoSansJP-Regular.ttf",)),
    "BIZ UDGothic": (("BIZ-UDGothicR.ttc", "BIZ-UDGothicB.ttc"),),
    "IPAexGothic": (("ipaexg.ttf",),),
    "IPAGothic": (("ipag.ttf",), ("ipag.otf",)),
    "TakaoGothic": (("TakaoGothic.ttf",),),
    "VL Gothic": (("VL-Gothic-Regular.ttf",),),
    "MS Gothic": (("msgothic.ttc",),),
}
"""Families that are read well at the sizes of a picture, best first: the files of each, the regular weight first."""

FOLDERS: Mapping[str, tuple[str, ...]] = {
    "darwin": ("/System/Library/Fonts", "/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts"),
}
"""Where each system keeps the faces of everybody."""

_LATIN = re.compile(
    "[\u0000-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u0304\u0308\u0329"
    "\u2000-\u206f\u20ac\u2122\u2191-\u2193\u2212\u2215\ufeff]*"
)
"""What the carried face has."""
_KANJI = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
IDEOGRAPHIC = re.compile(f"[{_KANJI}]+")
"""A stretch that takes a Japanese face."""


@dataclass(frozen=True, slots=True)
class Face:
    """A family and its files: of its regular weight, and of its bold one where there is one."""

    family: str
    files: tuple[Path, ...]


def font_folders(platform: str) -> tuple[Path, ...]:
    """Where a platform (as `sys.platform` calls it) keeps its faces."""
    return tuple(Path(folder) for folder in FOLDERS.get(platform, FOLDERS["linux"]))


def japanese_face(folders: Iterable[Path]) -> Face | None:
    """The best Japanese face in ``folders`` and those below them; None when there is none."""
    files = _files(folders)
    for family, variants in JAPANESE.items():
        for names in variants:
            if names[0] in files:
                return Face(family, tuple(files[name] for name in names if name in files))
    return None


def _files(folders: Iterable[Path]) -> dict[str, Path]:
    """Every file by its name, composed: macOS hands out names with their marks apart."""
    return {
        unicodedata.normalize("NFC", path.name): path
        for folder in folders
        for path in sorted(folder.rglob("*.[to]t[fc]"))
    }


def takes_japanese(text: str) -> bool:
    """Whether the text has characters of Japanese."""
    return IDEOGRAPHIC.search(text) is not None


def takes_others(text: str) -> bool:
    """Whether it has characters that neither Inter nor a Japanese face has, as a title in Thai would."""
    return not all(_LATIN.fullmatch(piece) for piece in IDEOGRAPHIC.split(text))
