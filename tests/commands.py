"""The command run within this process, as a shell would see it: what it prints and how it ends."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import NamedTuple
from unittest.mock import patch

import pytest

from app.cli import main


class Ended(NamedTuple):
    """How a command ended: its exit code, and what it printed to either stream."""

    code: int
    out: str
    err: str


def ended(*arguments: str) -> Ended:
    """Run ``seatwatch`` with these arguments."""
    out, err = StringIO(), StringIO()
    with (
        patch.object(sys, "argv", ["seatwatch", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    code = end.value.code
    return Ended(code if isinstance(code, int) else int(code is not None), out.getvalue(), err.getvalue())
