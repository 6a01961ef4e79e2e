"""Measures each module of the core by its own tests alone: ``make coverage``.

A module that is only covered because something else happens to call it is not tested. Every one must reach 100 % of its
branches by the test file that mirrors it; the list of what is missing is printed.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.test_mirror import APP, homes, modules

# The project's own rules name the whole package as source, which would count every module here.
RULES = """
[run]
branch = True
include = {module}
data_file = {data}
[report]
fail_under = 100
show_missing = True
exclude_also =
    assert_never
    if TYPE_CHECKING:
    \\.\\.\\.$
"""


def missing(module: Path) -> str | None:
    """What the own tests of ``module`` leave out, as coverage prints it; None when nothing."""
    tests = [str(home) for home in homes(module) if home.is_file()]
    with TemporaryDirectory() as folder:
        rules = Path(folder, "coverage.ini")
        rules.write_text(RULES.format(module=APP / module, data=Path(folder, "data")), "utf-8")
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={rules}", "-m", "pytest", "-q"]
        command += ["-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider"]
        ran = subprocess.run([*command, *tests], capture_output=True, text=True, check=False)
        if ran.returncode:
            return f"{module}: its tests fail\n{ran.stdout}"
        report = [sys.executable, "-m", "coverage", "report", f"--rcfile={rules}"]
        told = subprocess.run(report, capture_output=True, text=True, check=False)
        return None if told.returncode == 0 else f"{module}:\n{told.stdout}"


def main() -> int:
    """Measure all of them, two at a time."""
    core = [module for module in modules() if module.parts[0] == "core"]
    with ThreadPoolExecutor(2) as pool:
        found = [text for text in pool.map(missing, core) if text is not None]
    sys.stdout.write(
        "\n".join([*found, f"{len(core) - len(found)} of {len(core)} modules are covered by their own tests\n"])
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
