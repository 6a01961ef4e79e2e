"""Looks at everything that Seatwatch needs on this machine, in the order in which it would need it. Changes nothing."""

from __future__ import annotations

import glob
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from app import __version__
from app.core.census import census
from app.core.state import State
from app.doctor.findings import Finding, age, size
from app.doctor.looks import database_finding, port_finding, private_finding, probe_findings
from app.errors import SeatwatchError, WrongUsage
from app.ingest.discovery import candidates
from app.logs import log_file
from app.reading import FolderReading, read_folder
from app.settings import Settings, config_file, find_logs, load_settings

LIBRARIES = (
    "fastapi", "starlette", "uvicorn", "jinja2", "sqlmodel", "sqlalchemy", "watchfiles", "psutil", "typer",
    "platformdirs",
)  # fmt: skip
"""Those whose versions change what Seatwatch does."""
QUIET_SECONDS = 150
"""The app writes a line at least every minute or two while it runs."""
AHEAD_SECONDS = 300
LEAST_FREE = 1_000_000_000


@dataclass(slots=True)
class Report:
    """What was found, and what only a bug report takes of the logs: shapes of unknown lines, and names to keep out."""

    findings: list[Finding] = field(default_factory=list)
    shapes: list[tuple[str, int]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


def examine(
    flags: Mapping[str, Any],
    now: datetime,
    config: Path | None = None,
    tell: Callable[[int], object] = lambda _left: None,
) -> Report:
    """Look at everything, with the settings that ``flags`` and their other places give. Never raises for what it finds.

    ``now`` is the time of the host, in UTC; ``config`` the file to read instead of the platform's; ``tell`` as in
    `app.reading.read_folder`.
    """
    report = Report([_program()])
    config = config or config_file()
    settings, found = _settings(flags, config)
    report.findings += found
    report.findings += _logs(settings, now, report, tell)
    report.findings.append(_guarded("database", lambda: database_finding(settings.database)))
    report.findings.append(_guarded("free space", lambda: _space(settings.database)))
    database = settings.database
    own = [config, database, *(one for one in database.parent.glob(f"{glob.escape(database.name)}[-.]*"))]
    report.findings.append(_guarded("permissions", lambda: private_finding(own)))
    report.findings.append(_guarded("port", lambda: port_finding(settings.host, settings.port)))
    report.findings.append(_guarded("own log", lambda: _own_log(log_file(settings.database))))
    report.findings += probe_findings(now) if settings.probes else [Finding("probes", "ok", "Probes are switched off.")]
    return report


def _program() -> Finding:
    versions = {name: _version(name) for name in LIBRARIES}
    missing = [name for name, found in versions.items() if found is None]
    facts = {
        "seatwatch": __version__,
        "python": platform.python_version(),
        "system": platform.system().lower(),
        "machine": platform.machine().lower(),
        **versions,
    }
    what = f"Seatwatch {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}."
    if missing:
        return Finding(
            "program", "problem", f"{what} Missing: {', '.join(missing)}.", "Install Seatwatch again.", facts
        )
    return Finding("program", "ok", what, facts=facts)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _settings(flags: Mapping[str, Any], config: Path) -> tuple[Settings, list[Finding]]:
    """The settings, or the defaults where they make no sense."""
    try:
        settings = load_settings(flags, config_path=config)
    except WrongUsage as wrong:
        told = Finding("settings", "problem", f"{wrong.what} {wrong.why}", wrong.todo, {"valid": False})
        return load_settings({}, {}, config.with_name("none")), [told]
    given = {name: origin for name, origin in settings.origins.items() if origin != "default"}
    where = f"{config} is read." if config.exists() else "There is no config.toml."
    said = ", ".join(f"{name} by {origin}" for name, origin in given.items() if origin != str(config)) or "none"
    facts: dict[str, Any] = {"valid": True, "config_file": config.exists(), "changed": len(given)}
    zone = _zone(settings.zone)
    return settings, [Finding("settings", "ok", f"{where} Given otherwise: {said}.", facts=facts), zone]


def _zone(zone: tzinfo) -> Finding:
    offset = datetime.now(zone).utcoffset()
    minutes = 0 if offset is None else round(offset.total_seconds() / 60)
    return Finding("zone", "ok", f"The logs' times are read as {zone}.", facts={"offset_minutes": minutes})


def _logs(settings: Settings, now: datetime, report: Report, tell: Callable[[int], object]) -> Iterator[Finding]:
    yield from _places(settings)
    try:
        folder = find_logs(settings).folder
    except SeatwatchError as missing:
        yield Finding("logs", "problem", f"{missing.what} {missing.why}", missing.todo, {"found": False})
        return
    files = sorted(one for one in folder.iterdir() if one.name.endswith(".log"))
    yield Finding("logs", "ok", f"{folder} is read.", facts={"found": True, "files": len(files)})
    for one in files:
        yield _guarded("log file", partial(_file, one, now))
    try:
        reading = read_folder(folder, settings.zone, tell)
    except SeatwatchError as wrong:
        yield Finding("log lines", "problem", f"{wrong.what} {wrong.why}", wrong.todo, {"readable": False})
        return
    yield from _lines(reading, now, report)


def _places(settings: Settings) -> Iterator[Finding]:
    if settings.logs is not None:
        yield Finding("log places", "ok", f"The folder was named: {settings.logs}.", facts={"named": True})
        return
    for place in candidates(sys.platform, Path.home(), os.environ):
        has_log = (place / "main.log").is_file()
        yield Finding("log places", "ok", f"{place}: {'has' if has_log else 'no'} main.log", facts={"has_log": has_log})


def _file(path: Path, now: datetime) -> Finding:
    seen = path.stat()
    written = max(0.0, now.timestamp() - seen.st_mtime)
    facts = {"bytes": seen.st_size, "age_seconds": round(written)}
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        what = f"{path.name} cannot be read: {error.strerror}."
        return Finding("log file", "problem", what, "Give yourself the right to read it.", {**facts, "readable": False})
    return Finding("log file", "ok", f"{path.name}: {size(seen.st_size)}, written {age(written)} ago.", facts=facts)


def _lines(reading: FolderReading, now: datetime, report: Report) -> Iterator[Finding]:
    state = reading.state_at(reading.last_at)
    found = census(reading.tally, reading.observed, state)
    report.shapes = [(one.shape, one.lines) for one in found.shapes]
    report.names = _names(state)
    unknown = sum(one.lines for one in found.shapes) + found.more_shapes
    facts = {"lines": reading.tally.lines, "events": len(reading.observed), "unrecognized": unknown}
    what = f"{reading.tally.lines:,} lines, {len(reading.observed):,} events, {unknown:,} lines of unknown shape."
    if unknown:
        todo = "Send the report that --bundle writes: your version of the app writes lines that Seatwatch should learn."
        yield Finding("log lines", "note", what, todo, facts)
    else:
        yield Finding("log lines", "ok", what, facts=facts)
    yield _newest(reading.last_at, now)


def _newest(last: datetime, now: datetime) -> Finding:
    seconds = (now - last).total_seconds()
    facts = {"age_seconds": round(seconds)}
    if seconds < -AHEAD_SECONDS:
        what = f"The newest line is {age(-seconds)} ahead of this host's clock."
        todo = "The logs' times are of another zone, or a clock is wrong: name the zone with --tz."
        return Finding("newest line", "problem", what, todo, facts)
    what = f"The newest line is {age(seconds)} old."
    if seconds > QUIET_SECONDS:
        todo = "If the app runs: it sleeps, is stuck, or writes to another folder; name that with --logs."
        return Finding("newest line", "note", what, todo, facts)
    return Finding("newest line", "ok", what, facts=facts)


def _names(state: State) -> set[str]:
    """Titles and folders of sessions, and the names of the person and the machine, to be kept out of a bug report."""
    found = {one.title for one in state.sessions.values()} | {one.cwd for one in state.sessions.values()}
    found |= {Path(one.cwd).name for one in state.sessions.values() if one.cwd}
    return {name for name in (*found, Path.home().name, platform.node()) if name and len(name) > 1}


def _space(database: Path) -> Finding:
    folder = next((one for one in (database.parent, *database.parents) if one.is_dir()), Path.home())
    free = shutil.disk_usage(folder).free
    what, facts = f"{size(free)} are free where the database lies.", {"free_bytes": free}
    if free < LEAST_FREE:
        return Finding("free space", "problem", what, "Free some, or set keep_mb to less.", facts)
    return Finding("free space", "ok", what, facts=facts)


def _own_log(path: Path) -> Finding:
    if not path.is_file():
        return Finding("own log", "ok", "There is no own log yet.", facts={"exists": False})
    lines = path.read_text("utf-8", "replace").splitlines()
    errors = sum('"level": "error"' in line for line in lines)
    facts = {"exists": True, "lines": len(lines), "errors": errors}
    if errors:
        return Finding("own log", "note", f"{path} tells of {errors} errors.", "Send it with a bug report.", facts)
    return Finding("own log", "ok", f"{path} tells of no error.", facts=facts)


def _guarded(topic: str, look: Callable[[], Finding]) -> Finding:
    """A look that the system may refuse."""
    try:
        return look()
    except OSError as error:
        what = f"It cannot be looked at: {error.strerror or type(error).__name__}."
        return Finding(topic, "problem", what, "Run the doctor as the user who runs Seatwatch.", {"readable": False})
