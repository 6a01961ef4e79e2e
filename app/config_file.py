"""config.toml, where a person's settings are kept: read as it is, changed without losing a comment.

It may hold addresses that are secrets, so it is only its owner's to read, and it is replaced whole: a crash in the
middle leaves the old file or the new one, never half of either.
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.errors import ConfigUnusable, WrongUsage

_LINE = re.compile(r"\bline (\d+)\b")


def read_config(path: Path, names: Iterable[str]) -> Mapping[str, Any]:
    """What the file says, {} without one. Raises `WrongUsage` for a name not in ``names``, else `ConfigUnusable`."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    unknown = sorted(set(found) - set(names))
    if unknown:
        raise WrongUsage(
            f"{path} has a setting that does not exist: {', '.join(unknown)}.",
            f"The settings are: {', '.join(names)}.",
            "Correct the name, or remove the line.",
        )
    return found


def change_config(path: Path, changes: Mapping[str, Any]) -> None:
    """Set the names in ``changes``, leave out those that are None, and keep all else, comments too.

    Raises `ConfigUnusable` when the file cannot be read or written.
    """
    import tomlkit  # noqa: PLC0415  only a change needs it, and the start-up time is a budget
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(path.read_text("utf-8") if path.exists() else "")
    except (OSError, ValueError, TOMLKitError) as error:
        raise _unreadable(path, error) from error
    for name, value in changes.items():
        if value is None:
            document.pop(name, None)
        else:
            document[name] = list(value) if isinstance(value, tuple) else value
    try:
        _replace(path, tomlkit.dumps(document))
    except OSError as error:
        raise ConfigUnusable("unwritable", path, error.strerror or str(error)) from error


def _replace(path: Path, text: str) -> None:
    """Write beside the file and put the new one in its place; a link stays a link."""
    path = path.resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".config-", dir=path.parent)  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _unreadable(path: Path, error: Exception) -> ConfigUnusable:
    if isinstance(error, OSError):
        return ConfigUnusable("unreadable", path, error.strerror or str(error))
    line = _LINE.search(str(error))  # both readers of TOML tell it in these words, one of them in no other way
    return ConfigUnusable("malformed", path, str(error), int(line[1]) if line is not None else None)
