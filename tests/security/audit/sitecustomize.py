"""Python imports this by itself at its start if its folder is on the path: it notes what the process reaches for.

Each line of the file that ``AUDIT_FILE`` names is a JSON list: the event, and what it was about. Only what leaves the
process counts: connections, names that are asked for, files that are written, made, renamed or removed.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

NETWORK = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"}
FILES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
         "sqlite3.connect", "shutil.rmtree", "subprocess.Popen", "os.exec", "os.posix_spawn"}  # fmt: skip
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def about(event: str, args: tuple[Any, ...]) -> list[str] | None:
    """What is to be written down of an event; None for one that leaves nothing behind."""
    if event == "open":
        path, _mode, flags = args
        return [str(path)] if isinstance(flags, int) and flags & WRITES and not isinstance(path, int) else None
    if event in NETWORK:
        return [str(one) for one in (args[1:] if event.startswith("socket.connect") or "send" in event else args)]
    return [str(one) for one in args] if event in FILES else None


def begin(path: str) -> None:
    """Write down everything from here on."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        found = about(event, args)
        if found is not None:
            os.write(file, (json.dumps([event, *found]) + "\n").encode())

    sys.addaudithook(hook)


if "AUDIT_FILE" in os.environ:
    begin(os.environ["AUDIT_FILE"])
