"""What Seatwatch was told: flags, then SEATWATCH_* variables, then config.toml, then defaults.

This is the only reader of the environment. It also knows where the folders lie that Seatwatch carries with it.
"""

from __future__ import annotations

import ipaddress
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from app.errors import ResourceMissing, WrongUsage
from app.ingest.discovery import LogFolder, Whereabouts, discover
from app.zone import host_zone, zone_named

APP = "seatwatch"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8585
NAMES = ("logs", "host", "port", "db", "tz", "demo", "no_open")
"""Every setting: ``--no-open`` as a flag, ``SEATWATCH_NO_OPEN`` as a variable, ``no_open`` in config.toml."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, checked. ``logs`` None: look in the known places. ``origins`` tells where each one came from."""

    logs: Path | None
    host: str
    port: int
    database: Path
    zone: tzinfo
    demo: bool
    open_browser: bool
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
    given = _Given(flags or {}, env, config_path or config_file())
    demo = given.read("demo", _boolean, lambda: False)
    return Settings(
        logs=given.read("logs", _path, lambda: None),
        host=given.read("host", _host, lambda: DEFAULT_HOST),
        port=given.read("port", _port, lambda: DEFAULT_PORT),
        # What the demo makes up must never be mixed with what really happened.
        database=given.read("db", _path, lambda: data_folder() / ("demo.sqlite" if demo else "seatwatch.sqlite")),
        zone=given.read("tz", _zone, lambda: host_zone(env)),
        demo=demo,
        open_browser=not given.read("no_open", _boolean, lambda: False),
        origins=given.origins,
    )


def config_file() -> Path:
    """Where config.toml lies, whether or not it exists."""
    return platformdirs.user_config_path(APP, appauthor=False) / "config.toml"


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


class _Given:
    """The three places where a setting may be given, in their order."""

    def __init__(self, flags: Mapping[str, Any], env: Mapping[str, str], config: Path) -> None:
        unknown = sorted(set(flags) - set(NAMES))
        if unknown:
            raise TypeError(f"no such settings: {unknown}")
        self.origins: dict[str, str] = {}
        self._flags = flags
        self._env = env
        self._config = config
        self._file = _read_config(config)

    def read(self, name: str, check: Callable[[Any], T], default: Callable[[], T]) -> T:
        """The checked value of the setting from the first place that has it."""
        for origin, value in self._places(name):
            if value is None or value == "":
                continue
            self.origins[name] = origin
            try:
                return check(value)
            except (ValueError, TypeError) as error:
                reason = str(error) or "it cannot be read"
                raise WrongUsage(
                    f"The setting '{name}' makes no sense: {value!r}.",
                    f"It was given by {origin}, and {reason}.",
                    f"Correct it, or leave it out: {HINTS[name]}",
                ) from error
        self.origins[name] = "default"
        return default()

    def _places(self, name: str) -> tuple[tuple[str, Any], ...]:
        variable = f"SEATWATCH_{name.upper()}"
        return (
            (f"--{name.replace('_', '-')}", self._flags.get(name)),
            (variable, self._env.get(variable)),
            (str(self._config), self._file.get(name)),
        )


HINTS = {
    "logs": "without it Seatwatch looks where the app writes its logs.",
    "host": f"without it only this machine can reach the page, at {DEFAULT_HOST}.",
    "port": f"any from 1 to 65535, or 0 for a free one; without it {DEFAULT_PORT}.",
    "db": "without it the database lies in the data folder of the platform.",
    "tz": "a name such as Asia/Tokyo or an offset such as +09:00; without it the zone of this host.",
    "demo": "true or false; without it the real logs are read.",
    "no_open": "true or false; without it a browser opens at the start.",
}


def _read_config(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text("utf-8")
        found = tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WrongUsage(f"{path} cannot be read.", f"{reason}.", "Correct the file, or remove it.") from error
    unknown = sorted(set(found) - set(NAMES))
    if unknown:
        raise WrongUsage(
            f"{path} has a setting that does not exist: {', '.join(unknown)}.",
            f"The settings are: {', '.join(NAMES)}.",
            "Correct the name, or remove the line.",
        )
    return found


def _path(value: Any) -> Path:
    if not isinstance(value, str | Path):
        raise TypeError("a path is a text")
    if "\0" in str(value):
        raise ValueError("a path has no NUL in it")
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("the home folder that it names is not known") from error


def _host(value: Any) -> str:
    text = str(value).strip().removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if re.fullmatch(r"(?!-)[A-Za-z0-9.-]{1,253}", text) and not re.fullmatch(r"[0-9.]+", text):
            return text
    raise ValueError("it is neither an address nor the name of a host")


def _port(value: Any) -> int:
    if isinstance(value, bool | float):
        raise TypeError("a port is a whole number")
    number = int(value)
    if not 0 <= number <= 65_535:
        raise ValueError("a port lies between 0 and 65535")
    return number


def _zone(value: Any) -> tzinfo:
    return zone_named(str(value))


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError("it is neither true nor false")
