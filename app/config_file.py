"""config.toml, where a person's settings are kept: read as it is, changed without losing a comment.

It may hold addresses that are secrets, so it is only its owner's to read, and it is replaced whole: a crash in the
middle leaves the old file or the new one, never half of either.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.errors import WrongUsage


def read_config(path: Path, names: Iterable[str]) -> Mapping[str, Any]:
    """What the file says, {} without one. Raises `WrongUsage` when it cannot be read or has a name not in ``names``."""
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

    Raises `WrongUsage` when the file cannot be read or written.
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
        raise WrongUsage(
            f"{path} cannot be written.",
            f"The system says: {error.strerror or error}.",
            "Make it and its folder writable for you, and check the free space.",
        ) from error


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


def _unreadable(path: Path, error: Exception) -> WrongUsage:
    reason = getattr(error, "strerror", None) or str(error)
    return WrongUsage(f"{path} cannot be read.", f"{reason}.", "Correct the file, or remove it.")
