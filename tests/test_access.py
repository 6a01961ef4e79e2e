"""The token and the names of a server that others may reach."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from app.access import TOKEN_BYTES, address_of, kept_token, names_of, token_file
from app.errors import WrongUsage


def test_a_token_is_made_once_and_kept(tmp_path: Path) -> None:
    """The second start shows the same one, so that a screen which has it is not locked out."""
    path = token_file(tmp_path / "seatwatch.sqlite")

    first = kept_token(path)

    assert path == tmp_path / "seatwatch.sqlite.token"
    assert len(first) >= TOKEN_BYTES * 4 / 3
    assert kept_token(path) == first
    assert kept_token(tmp_path / "another") != first


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    """Made with mode 0600, and brought back to it."""
    path = tmp_path / "token"
    kept_token(path)
    made = stat.S_IMODE(path.stat().st_mode)
    path.chmod(0o644)
    kept_token(path)

    assert (made, stat.S_IMODE(path.stat().st_mode)) == (0o600, 0o600)


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 40 + b"\n\n" + b"y" * 40, b"\xff" * 40])
def test_a_file_without_a_token_is_told(content: bytes, tmp_path: Path) -> None:
    """What, why, what to do, and nothing of what it holds."""
    (tmp_path / "token").write_bytes(content)

    with pytest.raises(WrongUsage, match="Delete the file") as caught:
        kept_token(tmp_path / "token")

    assert "xxx" not in str(caught.value)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The system's reason is passed on."""
    with pytest.raises(WrongUsage, match="No such file"):
        kept_token(tmp_path / "nowhere" / "token")


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("0.0.0.0", ("mac.example", "mac", "mac.local", "wall:80")),  # noqa: S104  this is the test's subject
        ("::", ("mac.example", "mac", "mac.local", "wall:80")),
        ("192.0.2.7", ("192.0.2.7", "wall:80")),
        ("mac.lan", ("mac.lan", "wall:80")),
    ],
)
def test_names_are_those_of_the_host_and_the_setting(host: str, names: tuple[str, ...]) -> None:
    """On all addresses the machine's own names count, else the one that was asked for."""
    assert names_of(host, "mac.example", ("wall:80",)) == names


def test_a_machine_without_a_name_adds_none() -> None:
    """An empty host name is no name."""
    assert names_of("::", "", ()) == ()


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("::1", "http://[::1]:80"),
        ("0.0.0.0", "http://mac.example:80"),  # noqa: S104  this is the test's subject
        ("mac.lan", "http://mac.lan:80"),
    ],
)
def test_the_address_can_be_opened(host: str, address: str) -> None:
    """A browser on another machine can do nothing with 0.0.0.0."""
    assert address_of(host, 80, "mac.example") == address
