"""Finding a Prometheus for the tests."""

from __future__ import annotations

import pytest

from tests import promtool


def test_commands_are_found() -> None:
    """Where the tests run both commands are there."""
    assert promtool.main() == 0
    assert all(promtool.command(name).endswith(name) for name in promtool.COMMANDS)


def test_system_without_packages_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is found and nothing can be installed the reason is said."""
    monkeypatch.setenv("PATH", "")

    assert promtool.main() == 1
    assert "no apt-get" in capsys.readouterr().err
