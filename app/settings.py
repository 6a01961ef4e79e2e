"""What Seatwatch was told: flags, then SEATWATCH_* variables, then config.toml, then defaults.

This is the only reader of the environment. It also knows where the folders lie that Seatwatch carries with it.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from app import checks
from app.core.preferences import CHECKS, Preferences, truth
from app.errors import ResourceMissing
from app.given import Given
from app.ingest.discovery import LogFolder, Whereabouts, discover
from app.zone import host_zone

APP = "seatwatch"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8585
KEEP_DAYS, KEEP_MB = 30, 500
OPERATIONAL = ("logs", "host", "port", "db", "tz", "demo", "no_open", "probes")
KEPT = ("token", "allow_host", "keep_days", "keep_mb", "poll")
NAMES = (*OPERATIONAL, *KEPT, *CHECKS)
"""Every setting: ``--no-open`` as a flag, ``SEATWATCH_NO_OPEN`` as a variable, ``no_open`` in config.toml."""
COLLECTOR = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""No setting of ours: the variable by which every program learns where OpenTelemetry's collector is."""
FLAGS = (*OPERATIONAL, "range", "language", "theme", "privacy", "home_line")
"""Those that are flags too. What one is told of is set once and for long, and its addresses are no matter for `ps`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, checked. ``logs`` None: look in the known places. ``origins`` tells where each one came from.

    ``probes``: look at this machine's memory, processes and connections too. ``config`` is the file that was read and
    that keeps what is changed later. ``token`` is what who looks from elsewhere must show, None where none was chosen;
    ``allow_host`` are more names that the server answers to. ``keep_days`` and ``keep_mb`` (10⁶ bytes) limit the
    history. ``poll``: look at the log folder at short intervals, where no change events come. ``collector`` is the
    address of an OpenTelemetry collector, None unless the environment names one.
    """

    logs: Path | None
    host: str
    port: int
    database: Path
    zone: tzinfo
    demo: bool
    open_browser: bool
    probes: bool = True
    token: str | None = None
    allow_host: tuple[str, ...] = ()
    keep_days: int = KEEP_DAYS
    keep_mb: int = KEEP_MB
    poll: bool = False
    collector: str | None = None
    preferences: Preferences = field(default_factory=Preferences)
    config: Path | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the page."""
        return is_loopback(self.host)


def load_settings(
    flags: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None, config_path: Path | None = None
) -> Settings:
    """The settings of this run. Raises `WrongUsage`, which names the setting and where it was given.

    ``flags`` maps names of `NAMES` to values; None means that the flag was not given. ``env`` is the process's own
    unless given; ``config_path`` the file in the platform's config folder, which need not exist.
    """
    env = os.environ if env is None else env
    config = config_path or config_file()
    given = Given(NAMES, flags or {}, env, config)
    demo = given.read("demo", truth, lambda: False)
    return Settings(
        logs=given.read("logs", checks.path, lambda: None),
        host=given.read("host", checks.host, lambda: DEFAULT_HOST),
        port=given.read("port", checks.port, lambda: DEFAULT_PORT),
        # What the demo makes up must never be mixed with what really happened.
        database=given.read("db", checks.path, lambda: data_folder() / ("demo.sqlite" if demo else "seatwatch.sqlite")),
        zone=given.read("tz", checks.zone, lambda: host_zone(env)),
        demo=demo,
        open_browser=not given.read("no_open", truth, lambda: False),
        probes=given.read("probes", truth, lambda: True),
        token=given.read("token", checks.token, lambda: None),
        allow_host=given.read("allow_host", checks.host_names, tuple),
        keep_days=given.read("keep_days", checks.days, lambda: KEEP_DAYS),
        keep_mb=given.read("keep_mb", checks.megabytes, lambda: KEEP_MB),
        poll=given.read("poll", truth, lambda: False),
        collector=env.get(COLLECTOR) or None,
        preferences=_preferences(given),
        config=config,
        origins=given.origins,
    )


def _preferences(given: Given) -> Preferences:
    usual = Preferences()
    return Preferences(
        **{name: given.read(name, check, partial(getattr, usual, name)) for name, check in CHECKS.items()}
    )


def config_file() -> Path:
    """Where config.toml lies, whether or not it exists."""
    return platformdirs.user_config_path(APP, appauthor=False) / "config.toml"


def told_path(path: Path) -> str:
    """A path as a person writes it, with ``~`` for the home folder."""
    home = Path.home()
    return f"~{os.sep}{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def data_folder() -> Path:
    """Where the database lies unless another place is named."""
    return platformdirs.user_data_path(APP, appauthor=False)


def find_logs(settings: Settings, env: Mapping[str, str] | None = None) -> LogFolder:
    """The log folder to read: the one that was named, else the newest of the known places.

    Raises `LogFolderMissing`, `LogFolderUnreadable` and `NoLogsFound`.
    """
    return discover(sys.platform, Path.home(), os.environ if env is None else env, settings.logs)


def watch_logs(settings: Settings, folder: Path, env: Mapping[str, str] | None = None) -> Callable[[], Path | None]:
    """What tells, once, that the app writes its logs elsewhere than in ``folder`` by now; never for a named folder."""
    if settings.demo or settings.logs is not None:
        return lambda: None
    return Whereabouts(folder, sys.platform, Path.home(), os.environ if env is None else env).moved_to


def is_loopback(host: str) -> bool:
    """Whether an address or name of a host is this machine and nobody else's."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def resource_dir(name: str, package: Path | None = None) -> Path:
    """The folder ``templates``, ``static`` or ``migrations``: within the wheel, or at the top of a checkout.

    ``package`` is the folder of this package. Raises `ResourceMissing`.
    """
    package = package or Path(__file__).resolve().parent
    places = (package / "_resources" / name, package.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise ResourceMissing(name, places)
