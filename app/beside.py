"""What lies beside the log: the session files with their titles, and the registry of live processes.

Both are read from the app's own folders, by change and stat first. They only add to what the log says: a title never
makes a session, and a count of processes is a check of ours.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from app.core.evolve import replace
from app.core.sessions import Sessions
from app.core.state import Session, State
from app.ingest.discovery import candidates
from app.ingest.places import user_data_places
from app.ingest.registry import live_registry, pid_alive
from app.ingest.titles import SessionFile, SessionFiles

REGISTRY = Path(".claude", "sessions")
"""Where every CLI process notes itself, within the home folder."""


class _Told(NamedTuple):
    """Sessions as they were last made: ``told`` of ``sessions`` and ``files``."""

    sessions: Mapping[str, Session]
    files: Mapping[str, SessionFile]
    told: Mapping[str, Session]


@dataclass(slots=True)
class Beside:
    """What lies beside one log folder. ``processes`` counts live CLI processes of the app; None when nobody tells.

    ``pids`` are those of them that name their session.
    """

    files: SessionFiles
    registry: Path | None = None
    processes: int | None = None
    pids: Mapping[int, str] = field(default_factory=dict)
    _told: _Told | None = None

    @classmethod
    def of(cls, folder: Path, *, home: Path | None = None, env: Mapping[str, str] = os.environ) -> Beside:
        """What lies beside ``folder``. The registry is the machine's: only the app's own log folder goes with it."""
        home = home or Path.home()
        places = user_data_places(folder, sys.platform, home, env)
        own = folder in candidates(sys.platform, home, env) or any(place != folder.parent for place in places)
        return cls(SessionFiles(places), home / REGISTRY if own else None)

    def refresh(self, wanted: Collection[str]) -> bool:
        """Look again, for these sessions; whether anything is different from before."""
        changed, before = self.files.refresh(wanted), self.processes
        found = live_registry(self.registry, pid_alive) if self.registry is not None else None
        self.processes = found.hosted if found is not None else None
        if found is not None:
            self.pids = {pid: session for session, pids in found.by_host_session.items() for pid in pids}
        return changed or self.processes != before

    def add_to(self, state: State) -> State:
        """The state with the titles that the files give."""
        files, known = self.files.known, self._told
        # Most lines change no session, and months of them are many.
        if known is None or known.sessions is not state.sessions or known.files is not files:
            known = self._told = _Told(state.sessions, files, titled(state.sessions, files))
        return state if known.told is state.sessions else replace(state, sessions=known.told)


def titled(sessions: Mapping[str, Session], files: Mapping[str, SessionFile]) -> Mapping[str, Session]:
    """The sessions, each with its title, and with its kind where the app keeps its file among Cowork's own."""
    changed = [
        replace(session, title=file.title or session.title, kind=file.kind, cwd=session.cwd or file.cwd)
        for key, session in sessions.items()
        if (file := files.get(key)) is not None
    ]
    return Sessions.of(sessions).having(*changed) if changed else sessions
