"""Single looks of the doctor: the database, the port, who may read our files, the probes."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from app.core.samples import HostSample
from app.doctor.findings import Fact, Finding, size
from app.errors import SeatwatchError

ASK_SECONDS = 2.0
STATES: Mapping[str, tuple[str, str]] = {
    "older": ("It was made by an older version.", "The next start brings it up to date."),
    "newer": ("It was made by a newer version.", "Update Seatwatch, or name another database with --db."),
    "foreign": ("It is the database of another program.", "Name another database with --db."),
    "damaged": ("It is damaged.", "The next start sets it aside and reads the logs into a new one."),
    "unreadable": ("It cannot be read.", "Make it readable for you, or name another database with --db."),
}


def database_finding(path: Path) -> Finding:
    """How the database is; it is opened for reading only."""
    from app.storage.examined import examine_database  # noqa: PLC0415  SQLAlchemy takes a while to load

    found = examine_database(path)
    facts: dict[str, Fact] = {
        "state": found.state,
        "bytes": found.size,
        "schema": found.version,
        "events": found.events,
        "held": found.held,
        "set_aside": found.aside,
    }
    if found.state == "missing":
        return Finding("database", "ok", f"There is none at {path} yet: the next start makes it.", facts=facts)
    use = "A running Seatwatch has it." if found.held else "Nobody uses it now."
    if found.state in STATES:
        what, todo = STATES[found.state]
        level = "note" if found.state == "older" else "problem"
        return Finding("database", level, f"{path}: {what} {use}", todo, facts)  # type: ignore[arg-type]  # one of two
    events = "" if found.events is None else f"{found.events:,} events, "
    return Finding("database", "ok", f"{path}: {events}{size(found.size)}. {use}", facts=facts)


def port_finding(host: str, port: int) -> Finding:
    """Whether the port is free, and if not, whether a Seatwatch has it."""
    from app.errors import PortTaken  # noqa: PLC0415
    from app.server import listen  # noqa: PLC0415  it loads the web server

    try:
        listen(host, port).close()
    except PortTaken:
        other = _seatwatch_at(port)
        if other is not None:
            facts: dict[str, Fact] = {"free": False, "seatwatch": True}
            return Finding("port", "ok", f"Seatwatch {other} answers at port {port} of {host}.", facts=facts)
        what, todo = f"Another program listens on port {port} of {host}.", "Stop it, or name a port with --port."
        return Finding("port", "problem", what, todo, {"free": False, "seatwatch": False})
    except SeatwatchError as wrong:
        return Finding("port", "problem", f"{wrong.what} {wrong.why}", wrong.todo, {"free": False})
    return Finding("port", "ok", f"Port {port} of {host} is free.", facts={"free": True})


def _seatwatch_at(port: int) -> str | None:
    """The version of the Seatwatch that answers on this machine; None where none does."""
    with suppress(OSError, HTTPException, ValueError, KeyError, TypeError):
        connection = HTTPConnection("127.0.0.1", port, timeout=ASK_SECONDS)
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            if answer.status == 401 and "Seatwatch" in (answer.getheader("www-authenticate") or ""):
                return "with a token"
            told: Any = json.loads(answer.read(100_000))
            return str(told["version"])[:20] if "sources" in told else None
        finally:
            connection.close()
    return None


def private_finding(paths: Iterable[Path]) -> Finding:
    """Whether nobody else may read what Seatwatch keeps."""
    if sys.platform == "win32":
        return Finding("permissions", "ok", "The system keeps the files in your own profile.", facts={"checked": False})
    open_ones = [path for path in paths if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    if open_ones:
        names = ", ".join(map(str, open_ones))
        todo = f"Run: chmod 600 {' '.join(map(str, open_ones))}"
        return Finding(
            "permissions", "problem", f"Others may read {names}.", todo, {"checked": True, "open": len(open_ones)}
        )
    return Finding("permissions", "ok", "Only you may read what Seatwatch keeps.", facts={"checked": True, "open": 0})


def probe_findings(now: datetime) -> list[Finding]:
    """What the probes can see of this machine and what they cannot."""
    from app.probes.host import HostProbe  # noqa: PLC0415
    from app.probes.system import this_system  # noqa: PLC0415

    try:
        system = this_system()
        sample: HostSample = HostProbe(system).look(now)
        blind = (*sample.unknown, *system.blind_spots())
    except Exception as error:  # a system that none of them knows
        what = f"The probes do not work on this machine: {type(error).__name__}."
        return [
            Finding("probes", "note", what, "Seatwatch reads the logs alone; --no-probes says so.", {"work": False})
        ]
    facts: dict[str, Fact] = {"work": True, "total_mb": sample.total_mb, "unseen": len(blind)}
    memory = "unknown" if sample.total_mb is None else f"{sample.available_mb} of {sample.total_mb} MB free"
    found = [Finding("probes", "ok", f"Memory: {memory}.", facts=facts)]
    for one in blind:
        reason: dict[str, Fact] = {"reason": one.reason}
        found.append(Finding("probes", "note", f"Not seen: {one.part} ({one.reason}).", one.detail, reason))
    return found
