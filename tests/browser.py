"""Sees to it that there is a Chromium for the browser tests: ``python tests/browser.py``, or ``make browser``.

The tests use a browser of the system, not one that Playwright downloads: that one would be fetched again for every
version of Playwright, and not at all where only the system's own packages can be had.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WANTED = ("Chromium for the browser tests", "chromium", "fonts-liberation")
HELP = """There is no Chromium for the browser tests.
{why}
Install Chromium or Google Chrome, or name one in SEATWATCH_CHROMIUM; then run `make test` again.
Without one: .venv/bin/pytest -m "not e2e" runs all the other tests.
"""


def find_chromium(env: Mapping[str, str] = os.environ) -> str | None:
    """The path of a Chromium, Chrome or Edge: the one that SEATWATCH_CHROMIUM names, else the first that is found."""
    named = env.get("SEATWATCH_CHROMIUM")
    if named:
        return shutil.which(named)
    found = (shutil.which(name, path=env.get("PATH")) for name in NAMES)
    apps = (app for app in APPS if Path(app).is_file())
    return next((path for path in (*found, *apps) if path), None)


def install(what: str, *packages: str) -> str | None:
    """Install Debian's ``packages`` where that needs no password. None when it worked, else why not."""
    if shutil.which("apt-get") is None:
        return "This system has no apt-get, so it cannot be installed from here."
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if root and (shutil.which("sudo") is None or _run([*root, "true"]) != 0):
        return "Installing it needs root, or sudo without a password."
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    print(f"Installing {what} (once)", flush=True)  # noqa: T201  this is a command
    _run([*apt, "update"])
    if _run([*apt, "install", "--yes", "--no-install-recommends", *packages]) != 0:
        return f"apt-get could not install the package {packages[0]}."
    return None


def main() -> int:
    """0 when there is a Chromium, after installing one if need be; else 1, with what to do on stderr."""
    if find_chromium():
        return 0
    named = os.environ.get("SEATWATCH_CHROMIUM")
    why = f"SEATWATCH_CHROMIUM names {named}, which is not there." if named else install(*WANTED)
    if why is None and find_chromium() is None:
        why = "The package was installed, but none of its names is a command."
    if why is None:
        return 0
    sys.stderr.write(HELP.format(why=why))
    return 1


def _run(command: list[str]) -> int:
    # Without stdin a question has no one to ask and fails, rather than waiting for ever.
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
