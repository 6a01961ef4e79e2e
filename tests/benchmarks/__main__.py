"""All benchmarks one after the other: ``make bench``. Each prints its figures and a ratio; a quiet machine helps."""

from __future__ import annotations

import subprocess
import sys
import time

ALL = (
    ("reading", "a folder of 50 MB becomes state and database", ()),
    ("starting", "a start with a month of history", ()),
    ("paint", "a line appended until it is painted", ("100",)),
    ("draw", "a busy day is drawn", ()),
    ("page", "the page, and its updates", ()),
    ("pages", "a hundred open pages", ("100",)),
    ("ask", "a year of five million events is asked", ("5000000",)),
    ("idle", "it is left alone", ("60",)),
    ("week", "three weeks, from the log to the page", ()),
    ("growth", "how the costs grow", ()),
)
"""What is measured, in words, and with what; ``soak`` takes an hour and is run by itself."""


def main() -> int:
    """Run them all, or those that are named; 1 when one of them failed."""
    chosen = [one for one in ALL if one[0] in sys.argv[1:] or not sys.argv[1:]]
    failed = 0
    for name, what, flags in chosen:
        print(f"\n## {name}: {what}", flush=True)
        began = time.monotonic()
        failed |= subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}", *flags], check=False).returncode
        print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
