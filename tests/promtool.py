"""Sees to it that there is a Prometheus for the tests: ``python -m tests.promtool``, or ``make prometheus``.

``promtool`` reads metrics and rules as Prometheus itself does, and the server runs the rules against real scrapes.
"""

from __future__ import annotations

import shutil
import sys

from tests.browser import install

COMMANDS = ("promtool", "prometheus")
HELP = """There is no Prometheus for the tests of metrics and rules.
{why}
Install Prometheus, so that `promtool` and `prometheus` are commands; then run `make test` again.
"""


def command(name: str) -> str:
    """The path of one of `COMMANDS`; installs Prometheus where it lacks and can be had. Fails with what to do."""
    if (found := shutil.which(name)) is None:
        why = install("Prometheus for the tests of metrics and rules", "prometheus")
        found = shutil.which(name)
        assert found is not None, HELP.format(why=why or f"The package was installed, but {name} is no command.")
    return found


def main() -> int:
    """0 when both commands are there, after installing them if need be; else 1, with what to do on stderr."""
    try:
        for name in COMMANDS:
            command(name)
    except AssertionError as missing:
        sys.stderr.write(str(missing))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
