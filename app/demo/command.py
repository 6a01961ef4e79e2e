"""``seatwatch demo``: made-up logs in a folder of the user's own, until Ctrl-C. It starts without the server."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import tzinfo
from pathlib import Path
from zoneinfo import available_timezones

from app.demo.writer import DemoWriter
from app.errors import WrongUsage

FAILURE_SECONDS = 1.0
"""How often the writing thread is asked whether it still writes."""


def write_demo(folder: Path, seed: int, speed: float, zone: tzinfo) -> None:
    """Write the demo's logs into ``folder`` until Ctrl-C, with times of ``zone`` where it has a name, else of UTC.

    Raises `WrongUsage` when the folder holds somebody's logs or cannot be written, at the start or later.
    """
    name = getattr(zone, "key", None)
    name = name if name in available_timezones() else "UTC"
    with suppress(KeyboardInterrupt):
        try:
            failure = _write_demo(folder, seed, speed, name)
        except OSError as error:
            failure = error
        raise WrongUsage(
            f"The demo cannot write into {folder}.",
            f"The system says: {failure.strerror or failure}.",
            "Name another folder with --write, or make this one writable for you and check its free space.",
        ) from failure
    print("Ended.")  # noqa: T201 - the terminal is the interface


def _write_demo(folder: Path, seed: int, speed: float, zone: str) -> OSError:
    """Write until writing fails; how it failed."""
    with DemoWriter(folder, seed, speed, zone=zone) as writer:
        writer.start()
        print(f"Writing made-up logs into {folder} (Ctrl-C ends it). To see them:")  # noqa: T201
        print(f"  seatwatch serve --logs {folder} --tz {zone}", flush=True)  # noqa: T201
        while writer.failure is None:
            threading.Event().wait(FAILURE_SECONDS)
        return writer.failure
