"""What the probes ask of a machine."""

from __future__ import annotations

import sys

import pytest

from app.core.samples import Unknown
from app.probes.system import LONGEST_NAME, level_by_share, run_command, this_system, tidy, unknown_of


@pytest.mark.parametrize(
    ("platform", "kind", "name"),
    [
        ("linux", "LinuxSystem", "linux"),
        ("darwin", "MacSystem", "macos"),
        ("win32", "WindowsSystem", "windows"),
        ("freebsd14", "WindowsSystem", "other"),
    ],
)
def test_each_platform_has_its_system(platform: str, kind: str, name: str) -> None:
    """Every platform gets the system made for it; an unknown one gets what psutil serves everywhere."""
    system = this_system(platform)

    assert (type(system).__name__, system.platform) == (kind, name)


@pytest.mark.parametrize(
    ("total", "available", "level"),
    [
        (1000, 51, "normal"), (1000, 50, "normal"), (1000, 49, "warning"), (1000, 20, "warning"),
        (1000, 19, "critical"), (1000, 0, "critical"), (0, 0, "unknown"), (None, 5, "unknown"), (1000, None, "unknown"),
    ],
)  # fmt: skip
def test_level_by_share(total: int | None, available: int | None, level: str) -> None:
    """Below 5 % is a warning, below 2 % critical, and what is not known has no level."""
    assert level_by_share(total, available) == level


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "denied"), "permission"), (FileNotFoundError(2, "gone"), "missing"),
        (TimeoutError("late"), "timeout"), (KeyError("x"), "missing"), (AttributeError("x"), "missing"),
        (ValueError("x"), "failed"), (OSError(5, "broken"), "failed"),
    ],
)  # fmt: skip
def test_errors_become_reasons(error: Exception, reason: str) -> None:
    """What cannot be read says why, in one of a few words and in the system's own."""
    found = unknown_of("swap", error)

    assert (found.part, found.reason) == ("swap", reason)
    assert found.detail


def test_hostile_names_are_made_showable() -> None:
    """Escapes, line ends and direction overrides go from a name, and a long one is cut."""
    assert tidy("\x1b[31mred\x1b[0m\nname\u202e\x00 x") == "red name x"
    assert tidy("y" * 5000) == "y" * LONGEST_NAME
    assert tidy("\udcff\ud800") == "??"
    assert unknown_of("x", OSError("a\nb\x1b[2J")) == Unknown("x", "failed", "a b")


def test_a_command_says_what_it_prints() -> None:
    """The output of a command is text, whatever bytes it holds."""
    assert run_command(sys.executable, "-c", "print('seen')").strip() == "seen"
    assert (
        run_command(sys.executable, "-c", r"import sys; sys.stdout.buffer.write(b'\xff')")
        == "\N{REPLACEMENT CHARACTER}"
    )


def test_a_command_that_fails_is_an_error_of_the_system() -> None:
    """A command that is missing, ends badly or takes too long is an OSError that says which."""
    with pytest.raises(FileNotFoundError):
        run_command("no-such-command-anywhere")
    with pytest.raises(OSError, match="ended with 3"):
        run_command(sys.executable, "-c", "raise SystemExit(3)")
    with pytest.raises(TimeoutError, match=r"more than 0\.05 s"):
        run_command(sys.executable, "-c", "import threading; threading.Event().wait(30)", seconds=0.05)
