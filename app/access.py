"""Who may see the page from beyond this machine: the token that they must show, and the names that we answer to.

The token is kept beside the database and not made anew with each start: a screen on the wall, or Prometheus, would be
locked out by every restart, and whoever could read the file could read the database as well.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from app.errors import WrongUsage

TOKEN_BYTES = 32
"""As many as SHA-256 has: nobody guesses it, however fast the network is."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,200}")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not bound to


def token_file(database: Path) -> Path:
    """Where the token of a database lies."""
    return database.with_name(f"{database.name}.token")


def kept_token(path: Path) -> str:
    """The token in the file at ``path``, which is made when there is none, for its owner's eyes only.

    Raises `WrongUsage` when the file cannot be read or written, or holds no token.
    """
    try:
        with suppress(FileExistsError):
            _make(path)
        path.chmod(0o600)
        token = path.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise _unusable(path, f"the system says: {getattr(error, 'strerror', None) or error}") from error
    if not _TOKEN.fullmatch(token):
        raise _unusable(path, "it does not hold 32 to 200 letters, digits, - and _")
    return token


def _make(path: Path) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")


def _unusable(path: Path, reason: str) -> WrongUsage:
    return WrongUsage(
        f"The token in {path} cannot be used.",
        f"Without one nobody may look from another machine, and {reason}.",
        "Delete the file and Seatwatch makes another, or name a token with SEATWATCH_TOKEN.",
    )


def names_of(host: str, machine: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """The names to answer to besides those of the loopback, for a server on ``host`` of the machine of that name.

    Bound to all addresses it also answers to the one that a connection came in by, which `app.web.security` compares:
    asking for all addresses beforehand would ask the network, and they change.
    """
    if host in EVERYWHERE:
        short = machine.partition(".")[0]
        own = tuple(dict.fromkeys(name for name in (machine, short, f"{short}.local") if short))
    else:
        own = (host,)
    return (*own, *allowed)


def address_of(host: str, port: int, machine: str) -> str:
    """The address to open: an address that means all of them is none, so the machine's name stands for it."""
    if host in EVERYWHERE:
        host = machine or "localhost"
    try:
        is_long = ipaddress.ip_address(host).version == 6
    except ValueError:
        is_long = False
    return f"http://[{host}]:{port}" if is_long else f"http://{host}:{port}"
