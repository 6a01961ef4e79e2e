"""Session files as the app writes them."""

from __future__ import annotations

import json
from io import FileIO
from pathlib import Path

from app.ingest.titles import SessionFiles, open_plain

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
