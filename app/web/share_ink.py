"""The colours of a picture: the tokens of ``static/app.css`` as values, for a picture has no style sheet beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Theme: TypeAlias = Literal["dark", "light"]
THEMES: tuple[Theme, ...] = get_args(Theme)


@dataclass(frozen=True, slots=True)
class Ink:
    """One theme, named as the style sheet names it with a dash for each underscore."""

    page: str
    panel: str
    raised: str
    line: str
    ink: str
    muted: str
    faint: str
    working: str
    silent: str
    next: str
    out: str
    vm: str
    silent_line: str
    area: str
    next_tint: str
    next_ground: str
    level_normal: str
    next_ink: str
    working_ink: str
    out_ink: str


INKS: Mapping[Theme, Ink] = {
    "dark": Ink(
        page="#0d1014", panel="#13171d", raised="#1a2027", line="#262e38",
        ink="#e9eef4", muted="#8a96a6", faint="#566170",
        working="#45b8a6", silent="#3a4757", next="#e6a93c", out="#f2684a", vm="#7f8cf0",
        silent_line="#7b8a9c", area="#1c3536", next_tint="#2a261e", next_ground="#4a3a1a", level_normal="#1f4644",
        next_ink="#e6a93c", working_ink="#45b8a6", out_ink="#f2684a",
    ),
    "light": Ink(
        page="#f6f5f1", panel="#ffffff", raised="#f0eee8", line="#dedbd2",
        ink="#1a1e23", muted="#5f6a76", faint="#9aa3ad",
        working="#138a78", silent="#b9c2cc", next="#b87400", out="#b82a16", vm="#4a58c9",
        silent_line="#8390a0", area="#d3e9e4", next_tint="#faf0e2", next_ground="#f2ddb4", level_normal="#cfe7e2",
        next_ink="#985f00", working_ink="#0f7a6a", out_ink="#b82a16",
    ),
}  # fmt: skip


def theme_named(name: str | None) -> Theme:
    """The theme of this name; dark when there is none of it."""
    return "light" if name == "light" else "dark"
