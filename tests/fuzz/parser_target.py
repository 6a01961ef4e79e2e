"""The chain from bytes to state under atheris, which looks for inputs that reach new code: ``make fuzz``.

Run: ``python -m tests.fuzz.parser_target SECONDS``. It begins with the samples of all formats and the corpus; an input
that breaks the chain is printed and kept in ``.fuzz``. The corpus in the repository only takes what broke something:
the samples bring the rest back within a minute.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

LONGEST = 4096
"""Bytes of an input: several records, a block, a rotation of stamps."""
FOUND = Path(".fuzz")
"""Where findings are kept, within the folder that it is run in."""


def main() -> None:
    """Fuzz for the seconds that the first argument names (60 without one)."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    try:
        atheris: Any = importlib.import_module("atheris")
    except ModuleNotFoundError:
        print("There is no atheris for this system: only Linux on x86-64 has one.")  # noqa: T201
        return
    with atheris.instrument_imports(include=["app.core"]):
        from tests.fuzz.chain import judge  # noqa: PLC0415  what is imported here is watched
        from tests.fuzz.seeds import CORPUS, dictionary, seeds  # noqa: PLC0415

    FOUND.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        begin = Path(home, "seeds")
        begin.mkdir()
        for number, seed in enumerate(seeds()):
            (begin / str(number)).write_bytes(seed)
        words = Path(home, "words")
        words.write_text(dictionary())
        own = Path(home, "own")
        own.mkdir()
        options = [
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST}",
            f"-dict={words}",
            "-timeout=10",
            "-rss_limit_mb=1500",
        ]
        options += [f"-artifact_prefix={FOUND}/", "-print_final_stats=1", str(own), str(begin), str(CORPUS)]
        atheris.Setup([sys.argv[0], *options], judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
