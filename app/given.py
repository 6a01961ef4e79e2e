"""The places where a setting may be given, in their order: a flag, a variable, a line of config.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from app.checks import HINTS
from app.config_file import read_config
from app.errors import WrongUsage

T = TypeVar("T")
PREFIX = "SEATWATCH_"
SECRETS = frozenset({"notify_to", "token"})
"""Settings whose values are never printed, not even wrong ones."""


class Given:
    """What was given, and in `origins` where each setting that was read came from.

    Raises `TypeError` for a flag that is none of ``names``, `WrongUsage` for a file that cannot be read.
    """

    def __init__(self, names: Sequence[str], flags: Mapping[str, Any], env: Mapping[str, str], config: Path) -> None:
        unknown = sorted(set(flags) - set(names))
        if unknown:
            raise TypeError(f"no such settings: {unknown}")
        self.origins: dict[str, str] = {}
        self._flags = flags
        self._env = env
        self._config = config
        self._file = read_config(config, names)

    def read(self, name: str, check: Callable[[Any], T], default: Callable[[], T]) -> T:
        """The checked value of the setting from the first place that has it. Raises `WrongUsage`."""
        for origin, value in self._places(name):
            if value is None or value == "":
                continue
            self.origins[name] = origin
            try:
                return check(value)
            except (ValueError, TypeError) as error:
                shown = "its value is not shown" if name in SECRETS else repr(value)
                raise WrongUsage(
                    f"The setting '{name}' makes no sense: {shown}.",
                    f"It was given by {origin}, and {str(error) or 'it cannot be read'}.",
                    f"Correct it, or leave it out: {HINTS[name]}",
                ) from error
        self.origins[name] = "default"
        return default()

    def _places(self, name: str) -> tuple[tuple[str, Any], ...]:
        variable = f"{PREFIX}{name.upper()}"
        return (
            (f"--{name.replace('_', '-')}", self._flags.get(name)),
            (variable, self._env.get(variable)),
            (str(self._config), self._file.get(name)),
        )
