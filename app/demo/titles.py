"""Made-up titles, and the session files in which the app keeps them: its log has none."""

from __future__ import annotations

import json
from pathlib import Path

from app.demo.world import Session, World

TITLES = (
    "Q3 deck", "Invoice sort", "Repo cleanup", "Log survey", "Meeting notes", "Data merge", "Translate manual",
    "Tax folder", "Photo index", "Release notes", "Price list", "Schema draft", "Flaky test", "Travel plan",
    "Budget sheet", "Style guide", "Parser rewrite", "Survey results", "Onboarding", "Backup check", "Font licences",
    "Port to ARM", "Weekly report", "Map legend", "Podcast index", "Recipe book", "Contract review", "Chart colours",
    "Old mails", "Search index", "Course outline", "Bug triage", "Reading list", "Stock count", "Glossary", "Slides",
    "Garden plan", "Speed tests", "Press kit", "Floor plan",
)  # fmt: skip


def title_for(order: int) -> str:
    """The title of the session that came as number ``order``; titles repeat with a number once all are used."""
    round_, place = divmod(order, len(TITLES))
    return TITLES[place] if not round_ else f"{TITLES[place]} {round_ + 1}"


class SessionFiles:
    """The session records below ``root``, each kind in the folder that the app keeps it in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written: dict[str, str] = {}

    def path_of(self, world: World, session: Session) -> Path:
        """Where the app keeps this session's record."""
        kind = "claude-code-sessions" if session.kind == "code" else "local-agent-mode-sessions"
        return self.root / kind / world.account / world.org / f"{session.id}.json"

    def write(self, world: World) -> None:
        """Write the records that changed, as the app does some seconds after a change. Raises OSError."""
        for session in world.sessions.values():
            text = json.dumps(_record(session), indent=2) + "\n"
            if self._written.get(session.id) == text:
                continue
            path = self.path_of(world, session)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self._written[session.id] = text


def _record(session: Session) -> dict[str, object]:
    active = session.idle_since or session.turn_began or session.created_at
    return {
        "sessionId": session.id,
        "cwd": session.cwd,
        "title": session.title,
        "titleSource": "auto",
        "isArchived": session.archived,
        "createdAt": int(session.created_at.timestamp() * 1000),
        "lastActivityAt": int(active.timestamp() * 1000),
        "completedTurns": session.turns_done,
    }
