"""What the tests of the composition root share: a log folder, and settings that touch nothing of the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.settings import Settings, load_settings
from tests.e2e.served import SESSION

LINE = f"2026-10-02 09:00:01 [info] Starting local session {SESSION.format(1)} in /Users/someone/alpha\n"


def log_folder(place: Path) -> Path:
    """A log folder with one session."""
    folder = place / "logs"
    folder.mkdir()
    (folder / "main.log").write_text(LINE * 2)
    return folder


def settings(place: Path, **flags: Any) -> Settings:
    """Settings with a database of their own and no browser, beside what is given."""
    given = {"db": place / "seatwatch.sqlite", "tz": "UTC", "port": 0, "no_open": True, **flags}
    return load_settings(given, {}, place / "no.toml")
