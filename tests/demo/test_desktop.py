"""The app opens, quits, updates and crashes."""

from app.demo import desktop, turns
from tests.demo.worlds import fill, pass_time, quiet_world, said


def test_opening_begins_with_the_block_and_the_build() -> None:
    """A multi-line record at column 0, then what the app says about itself."""
    world = quiet_world(version="2.9939.4", platform="win32")
    desktop.open_app(world)
    lines = said(world)

    assert lines[0].startswith("Starting app {\n  appVersion: '2.9939.4',\n  isPackaged: true,\n  platform: 'win32',")
    assert lines[0].endswith("\n}")
    assert any(line.startswith("[CCD] Initialized with version ") for line in lines)


def test_a_quit_tells_how_many_processes_there_were() -> None:
    """All sessions end with the app, and say why."""
    world = quiet_world()
    sessions = fill(world, [5, 5, 5])
    desktop.quit_app(world)
    lines = said(world)

    assert "[CCD] Stopping 3 active session(s) on quit" in lines
    assert lines[-1] == "willQuit: handler is ready for quit, so quitting"
    assert {session.why for session in sessions} == {"app_quit"}
    assert not world.running


def test_an_update_comes_back_as_another_version_and_warms_what_worked() -> None:
    """The version changes in the log and in the truth, and sessions cut off mid-turn return idle."""
    world = quiet_world(version="2.9939.4")
    busy, idle = fill(world, [5, 5])
    turns.begin(world, busy)
    desktop.quit_app(world, for_update=True)
    gone, version = said(world), world.version
    lines = pass_time(world, 44)

    assert "beforeQuitForUpdate handler fired, going down for update" in gone
    assert (idle.why, idle.alive) == ("app_update", False)
    assert (busy.why, busy.phase) == ("app_update", "idle")
    assert (version, world.version) == ("2.9939.4", "2.10076.4")
    assert "[updater] Version changed since last launch: 2.9939.4 → 2.10076.4" in lines
    assert any(line.startswith("[quit-cleanup] previous quit: {\n  for_update: true,") for line in lines)
    assert "[CCD] Relaunch auto-resume: ran — warmed 1 of 1 eligible (1 marked)" in lines


def test_a_crash_says_nothing_until_the_app_is_opened_again() -> None:
    """The log just stops; the next line is the next start."""
    world = quiet_world()
    session = fill(world, [5])[0]
    turns.begin(world, session)
    said(world)
    desktop.crash(world)
    silence = said(world)
    lines = pass_time(world, 401)

    assert silence == []
    assert lines[0].startswith("Starting app {")
    assert (session.why, world.crashed, world.running) == ("app_crashed", False, True)
