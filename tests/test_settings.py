"""Settings: which place wins, what a wrong value is told, and where Seatwatch's own folders are."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
import typer

from app.checks import HINTS
from app.core.preferences import Preferences
from app.errors import NoLogsFound, ResourceMissing, WrongUsage
from app.settings import FLAGS, NAMES, config_file, data_folder, find_logs, load_settings, resource_dir, told_path


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The path of a config.toml that does not exist yet."""
    return tmp_path / "config.toml"


def test_defaults(config: Path) -> None:
    """With nothing given the page is for this machine only and the logs are looked for."""
    settings = load_settings({}, {"TZ": "Asia/Tokyo"}, config)

    assert (settings.host, settings.port) == ("127.0.0.1", 8585)
    assert settings.logs is None
    assert settings.database == data_folder() / "seatwatch.sqlite"
    assert settings.zone == ZoneInfo("Asia/Tokyo")
    assert settings.open_browser
    assert not settings.demo
    assert settings.loopback
    assert set(settings.origins.values()) == {"default"}


def test_flag_beats_variable_beats_file_beats_default(config: Path) -> None:
    """Each place is asked in its order, and the origin of each value is kept."""
    config.write_text("port = 1001\nhost = 'localhost'\ntz = 'Asia/Tokyo'\n", "utf-8")
    env = {"SEATWATCH_PORT": "1002", "SEATWATCH_HOST": "::1"}

    settings = load_settings({"port": 1003, "host": None}, env, config)

    assert (settings.port, settings.host, settings.zone) == (1003, "::1", ZoneInfo("Asia/Tokyo"))
    assert settings.origins["port"] == "--port"
    assert settings.origins["host"] == "SEATWATCH_HOST"
    assert settings.origins["tz"] == str(config)
    assert settings.origins["db"] == "default"


def test_every_variable_is_read(config: Path, tmp_path: Path) -> None:
    """Every setting can come from the environment, lists with commas in between."""
    env = {
        "SEATWATCH_LOGS": str(tmp_path / "logs"),
        "SEATWATCH_HOST": "0.0.0.0",  # noqa: S104  this is the test's subject
        "SEATWATCH_PORT": "0",
        "SEATWATCH_DB": str(tmp_path / "own.sqlite"),
        "SEATWATCH_TZ": "-08:00",
        "SEATWATCH_DEMO": "yes",
        "SEATWATCH_NO_OPEN": "1",
        "SEATWATCH_PROBES": "off",
        "SEATWATCH_TOKEN": "t" * 43,
        "SEATWATCH_ALLOW_HOST": "wall.local, 10.0.0.7:443",
        "SEATWATCH_KEEP_DAYS": "7",
        "SEATWATCH_KEEP_MB": "50",
        "SEATWATCH_POLL": "yes",
        "SEATWATCH_RANGE": "6h",
        "SEATWATCH_LANGUAGE": "ja",
        "SEATWATCH_THEME": "light",
        "SEATWATCH_PRIVACY": "on",
        "SEATWATCH_HOME_LINE": "v6plus",
        "SEATWATCH_NOTIFY": "critical, evicted",
        "SEATWATCH_NOTIFY_DESKTOP": "no",
        "SEATWATCH_NOTIFY_TO": "json://127.0.0.1:9/a,b, ntfy://made-up",
        "SEATWATCH_NOTIFY_TITLES": "1",
        "SEATWATCH_QUIET_HOURS": "22:00-7:00",
    }

    settings = load_settings({}, env, config)

    assert (settings.logs, settings.database) == (tmp_path / "logs", tmp_path / "own.sqlite")
    assert (settings.port, settings.demo, settings.open_browser, settings.loopback) == (0, True, False, False)
    assert str(settings.zone) == "UTC-08:00"
    assert not settings.probes
    assert (settings.token, settings.allow_host) == ("t" * 43, ("wall.local", "10.0.0.7:443"))
    assert (settings.keep_days, settings.keep_mb, settings.poll) == (7, 50, True)
    assert settings.preferences == Preferences(
        range="6h",
        language="ja",
        theme="light",
        privacy=True,
        home_line="v6plus",
        notify=("evicted", "critical"),
        notify_desktop=False,
        notify_to=("json://127.0.0.1:9/a,b", "ntfy://made-up"),
        notify_titles=True,
        quiet_hours="22:00-07:00",
    )
    assert set(settings.origins) == set(NAMES)
    assert set(settings.origins.values()) == set(env)


def test_preferences_of_the_file(config: Path) -> None:
    """In config.toml lists are lists, and what is not there is as it usually is."""
    config.write_text("notify = ['evicted']\nnotify_to = []\nhome_line = 300\nprivacy = true\n", "utf-8")

    settings = load_settings({}, {}, config)

    assert settings.preferences == Preferences(notify=("evicted",), home_line="300", privacy=True)
    assert settings.origins["notify_to"] == str(config)
    assert settings.config == config


def test_serve_has_the_flags() -> None:
    """The command takes exactly the flags that the settings name."""
    from app.cli import cli  # noqa: PLC0415  the other tests need no command line

    command = cast(Any, typer.main.get_command(cli)).commands["serve"]
    names = {option.opts[0].removeprefix("--").replace("-", "_") for option in command.params}

    assert names == set(FLAGS)


def test_empty_variable_is_no_value(config: Path) -> None:
    """A variable that is set to nothing counts as not set."""
    assert load_settings({}, {"SEATWATCH_PORT": "", "SEATWATCH_LOGS": ""}, config).port == 8585


def test_demo_has_a_database_of_its_own(config: Path) -> None:
    """What the demo makes up is not mixed with what really happened."""
    assert load_settings({"demo": True}, {}, config).database == data_folder() / "demo.sqlite"


@pytest.mark.parametrize(
    ("host", "known_as", "loopback"),
    [
        ("localhost", "localhost", True), ("[::1]", "::1", True), ("127.0.0.2", "127.0.0.2", True),
        ("mac.example", "mac.example", False), ("192.0.2.7", "192.0.2.7", False),
    ],
)  # fmt: skip
def test_host_by_name_and_by_address(config: Path, host: str, known_as: str, loopback: bool) -> None:
    """A host is a name or an address of either kind; whether others can reach it is known."""
    settings = load_settings({"host": host}, {}, config)

    assert (settings.host, settings.loopback) == (known_as, loopback)


def test_home_folder_is_understood(config: Path) -> None:
    """A tilde in a path is the home folder."""
    assert load_settings({"logs": "~/logs"}, {}, config).logs == Path.home() / "logs"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "eighty"), ("port", "65536"), ("port", -1), ("port", True), ("port", 80.5), ("port", []),
        ("host", "no such host!"), ("host", "-h"), ("host", "999.1.2.3"), ("host", "a" * 300),
        ("tz", "Mars/Olympus"), ("tz", "+99:99"), ("tz", 9), ("demo", "perhaps"), ("no_open", "2"),
        ("probes", "maybe"), ("range", "3h"), ("language", "fr"), ("theme", "pink"), ("home_line", "dial-up"),
        ("notify", "all"), ("notify_to", "no address"), ("quiet_hours", "late"),
        ("logs", 5), ("logs", "a\0b"), ("logs", "~nobody-of-that-name/logs"), ("db", 1),
    ],
)  # fmt: skip
def test_wrong_value_is_named_with_its_origin(config: Path, name: str, value: Any) -> None:
    """A value that makes no sense is refused with the setting's name, its origin and what to do."""
    with pytest.raises(WrongUsage) as caught:
        load_settings({name: value}, {}, config)

    assert f"'{name}'" in caught.value.what
    assert f"--{name.replace('_', '-')}" in caught.value.why
    assert HINTS[name] in caught.value.todo


def test_wrong_variable_is_named(config: Path) -> None:
    """The message points at the variable when that is where the value came from."""
    with pytest.raises(WrongUsage, match="SEATWATCH_PORT"):
        load_settings({}, {"SEATWATCH_PORT": "x"}, config)


def test_unknown_name_in_the_file_is_refused(config: Path) -> None:
    """A misspelt line of config.toml is told, with the names that exist."""
    config.write_text("prot = 1\n", "utf-8")

    with pytest.raises(WrongUsage, match=r"prot.*port"):
        load_settings({}, {}, config)


@pytest.mark.parametrize("content", [b"port = ", b"\xff\xfe\x00"])
def test_broken_file_is_refused(config: Path, content: bytes) -> None:
    """A config.toml that is no TOML is told, with its path."""
    config.write_bytes(content)

    with pytest.raises(WrongUsage, match=r"config\.toml"):
        load_settings({}, {}, config)


def test_unreadable_file_is_refused(config: Path) -> None:
    """A folder in the place of config.toml is told too."""
    config.mkdir()

    with pytest.raises(WrongUsage, match="directory"):
        load_settings({}, {}, config)


def test_a_flag_that_does_not_exist_is_our_mistake() -> None:
    """Only the settings that exist may be passed."""
    with pytest.raises(TypeError, match="colour"):
        load_settings({"colour": "red"}, {})


def test_settings_are_frozen(config: Path) -> None:
    """Nobody changes a setting after the start."""
    settings = load_settings({}, {}, config)

    with pytest.raises(FrozenInstanceError):
        settings.port = 1  # type: ignore[misc]


def test_config_file_lies_in_the_platforms_folder() -> None:
    """The file has its name and a folder of its own."""
    assert config_file().name == "config.toml"
    assert "seatwatch" in str(config_file().parent)


def test_a_path_is_told_as_people_write_it() -> None:
    """The home folder is a tilde; any other path stays whole."""
    assert told_path(Path.home() / "a" / "config.toml") == str(Path("~") / "a" / "config.toml")
    assert told_path(Path("/etc/seatwatch.toml")) == str(Path("/etc/seatwatch.toml"))


def test_logs_that_are_named_are_taken(config: Path, tmp_path: Path) -> None:
    """The folder of the setting is the one to read."""
    (tmp_path / "main.log").touch()

    assert find_logs(load_settings({"logs": tmp_path}, {}, config), {}).folder == tmp_path


def test_logs_are_looked_for(config: Path) -> None:
    """Without the setting the known places are searched, and named when none has logs."""
    with pytest.raises(NoLogsFound, match="Claude"):
        find_logs(load_settings({}, {}, config), {})


def test_resources_of_a_checkout(tmp_path: Path) -> None:
    """In a checkout the folders lie beside the package."""
    package = tmp_path / "app"
    (tmp_path / "static").mkdir(parents=True)

    assert resource_dir("static", package) == tmp_path / "static"


def test_resources_of_a_wheel_come_first(tmp_path: Path) -> None:
    """In a wheel they lie within the package, and a stranger's folder beside it is not taken for ours."""
    package = tmp_path / "app"
    (package / "_resources" / "static").mkdir(parents=True)
    (tmp_path / "static").mkdir()

    assert resource_dir("static", package) == package / "_resources" / "static"


def test_missing_resource_is_our_fault(tmp_path: Path) -> None:
    """An installation without its folders says so, and where it looked."""
    with pytest.raises(ResourceMissing) as caught:
        resource_dir("static", tmp_path / "app")

    assert caught.value.exit_code == 1
    assert len(caught.value.looked_in) == 2


def test_migrations_are_found_here() -> None:
    """This very checkout has the migrations."""
    assert (resource_dir("migrations") / "env.py").is_file()
