"""How fast a folder becomes complete state and database: ``python -m tests.benchmarks.reading [MB] [ROUNDS]``.

Read by Seatwatch into a new database, by ``lnav`` without a screen and with a format of our own (it indexes the time
and level of every line), and by ``grep -c``; the rounds take turns, the best of each counts. ``lnav`` is Debian's
package, and without it its row is left out. Printed beside them: what a process costs that reads nothing, and the
highest memory while reading.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.logs import written

FORMAT = {
    "$schema": "https://lnav.org/schemas/format-v1.schema.json",
    "claude_log": {
        "title": "Claude desktop app",
        "description": "main.log and the logs beside it",
        "regex": {
            "line": {
                "pattern": r"^(?:\[VM\] )?(?<timestamp>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) \[(?<level>\w+)\] (?<body>.*)$"
            }
        },
        "level-field": "level",
        "level": {"error": "error", "warning": "warn", "info": "info"},
        "sample": [{"line": "2026-10-01 00:00:00 [info] [CCD] said"}],
    },
}
COUNT = ";SELECT count(*) AS lines, max(log_time) AS last FROM claude_log"


def timed(command: list[str]) -> float:
    """Seconds until ``command`` has ended well."""
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def read_here(folder: str) -> None:
    """Read ``folder`` into a new database, as a first start does; print the seconds, events and highest memory."""
    from tests.following import Followed  # noqa: PLC0415  this is the process that is measured

    with tempfile.TemporaryDirectory() as place:
        followed = Followed(Path(folder), Path(place) / "seatwatch.sqlite")
        started = time.perf_counter()
        followed.catch_up()
        seconds = time.perf_counter() - started
        events = len(followed.stored())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        followed.close()
    print(json.dumps({"seconds": seconds, "events": events, "peak": peak}))


def ours(folder: Path) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.reading", "--here", str(folder)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def lnav(folder: Path, place: Path) -> Callable[[], float] | None:
    """What has lnav index the folder; None where there is no lnav."""
    program = shutil.which("lnav")
    if program is None:
        return None
    formats = place / "formats" / "seatwatch"
    formats.mkdir(parents=True)
    (formats / "claude.json").write_text(json.dumps(FORMAT))
    files = [str(file) for file in sorted(folder.glob("main*.log"))]
    return lambda: timed([program, "-I", str(place), "-n", "-c", COUNT, *files])


def main() -> None:
    """Write, read, print."""
    size, rounds = (int(given) for given in (*sys.argv[1:], *("50", "3")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "logs"
        lines = written(folder, size * 1_000_000)
        files = [str(file) for file in folder.glob("*.log")]
        total = sum(Path(file).stat().st_size for file in files) / 1e6
        others: dict[str, Callable[[], float] | None] = {
            "lnav": lnav(folder, Path(place) / "lnav"),
            "grep -c": lambda: timed(["grep", "-c", "CliGovernor", *files]),
        }
        seen: dict[str, list[float]] = {"Seatwatch": []}
        for _ in range(rounds):
            told = ours(folder)
            seen["Seatwatch"].append(told["seconds"])
            for name, run in others.items():
                if run is not None:
                    seen.setdefault(name, []).append(run())
        start = min(timed([sys.executable, "-m", "app", "--version"]) for _ in range(rounds))
    best = {name: min(times) for name, times in seen.items()}
    share = 100 * told["events"] / lines
    print(f"{total:.1f} MB, {lines:,} lines, {told['events']:,.0f} events ({share:.1f} % of the lines)")
    for name, seconds in best.items():
        print(f"{name:12} {seconds:6.2f} s {total / seconds:8.1f} MB/s   ratio {best['Seatwatch'] / seconds:6.1f}")
    print(
        f"start of a process that reads nothing {start:.2f} s; highest memory while reading {told['peak'] / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        read_here(sys.argv[2])
    else:
        main()
