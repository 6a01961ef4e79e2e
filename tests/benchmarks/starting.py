"""How soon it serves after a start: ``python -m tests.benchmarks.starting [DAYS]``, by default a month of history.

The demo's app, busier than a real one, writes so many days; Seatwatch reads them once and is ended. Then it is started
again and again: with the fold that it saved, and without. Printed are the seconds from the start of the process until
``/healthz`` answers, and until everything is known; the ratio is to an empty FastAPI application's first answer.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.benchmarks.idle import EMPTY, free_port
from tests.benchmarks.logs import written

BYTES_A_DAY = 2_500_000
ROUNDS = 3


def health(port: int) -> dict[str, object] | None:
    """What ``/healthz`` says; None while nobody answers. An application without one answers all the same."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            found: dict[str, object] = json.load(answer)
            return found
    except HTTPError:
        return {"status": "ok"}
    except OSError:
        return None


def started(command: list[str], port: int) -> tuple[float, float]:
    """Seconds until the process answers, and until it knows everything; it is ended then."""
    began, answered = time.perf_counter(), 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while (found := health(port)) is None or found["status"] == "loading":
            if found is not None and not answered:
                answered = time.perf_counter() - began
            time.sleep(0.01)
        known = time.perf_counter() - began
        time.sleep(2)  # it saves its fold when nothing else is to do
        process.send_signal(signal.SIGINT)
    return answered or known, known


def main() -> None:
    """Write, read, start, print."""
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    port = free_port()
    with tempfile.TemporaryDirectory() as place:
        logs, database = Path(place) / "logs", Path(place) / "seatwatch.sqlite"
        lines = written(logs, days * BYTES_A_DAY, chatter=3.0)
        command = [sys.executable, "-m", "app", "serve", "--no-open", "--tz", "UTC", "--port", str(port)]
        command += ["--logs", str(logs), "--db", str(database), "--no-probes"]
        first = started(command, port)
        saved = [started(command, port) for _ in range(ROUNDS)]
        anew = []
        for _ in range(ROUNDS):
            with suppress(FileNotFoundError):
                database.with_name(database.name + "-fold").unlink()
            anew.append(started(command, port))
    empty = min(started([sys.executable, "-c", EMPTY.format(port=port)], port)[0] for _ in range(ROUNDS))
    print(f"{lines:,} lines of {days} days")
    rows = (("the first start", first), ("the fold was saved", min(saved)), ("it is folded anew", min(anew)))
    for name, (answered, known) in rows:
        print(f"{name:22} answers after {answered:6.2f} s, complete after {known:6.2f} s")
    print(f"an empty application   answers after {empty:6.2f} s; ratio {min(saved)[1] / empty:.1f}")


if __name__ == "__main__":
    main()
