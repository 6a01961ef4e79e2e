"""The Dockerfile by the rules for images: small, without root, with nothing that comes from nowhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from app.settings import NAMES, load_settings
from tests.deploy.watched import ROOT

TEXT = (ROOT / "Dockerfile").read_text("utf-8")
IGNORED = (ROOT / ".dockerignore").read_text("utf-8").splitlines()


def steps() -> list[tuple[str, str]]:
    """Each instruction with its arguments, in one line."""
    lines = "\n".join(line for line in TEXT.splitlines() if not line.lstrip().startswith("#"))
    joined = lines.replace("\\\n", " ").splitlines()
    return [(word, " ".join(rest.split())) for word, _space, rest in (line.partition(" ") for line in joined) if word]


def of(word: str) -> list[str]:
    """The arguments of every instruction of this kind."""
    return [rest for name, rest in steps() if name == word]


def test_hadolint_finds_nothing() -> None:
    """The linter of Dockerfiles, and of the shell within them, has nothing to say."""
    linter = Path(sys.executable).with_name("hadolint")

    told = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)

    assert (told.returncode, told.stdout + told.stderr) == (0, "")


def test_bases_are_pinned_to_a_version() -> None:
    """A tag names a version and a Debian, never the latest; both stages are built on the same."""
    bases = [rest.split(" AS ")[0] for rest in of("FROM")]

    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+", bases[0])


def test_it_runs_without_root() -> None:
    """The last word on the user is a number that is not root's, so that a cluster can check it."""
    (user,) = of("USER")

    assert int(user) >= 1000
    assert steps().index(("USER", user)) < steps().index(("CMD", of("CMD")[0]))


def test_only_what_is_needed_goes_in() -> None:
    """No ADD, no copy of everything; what is copied exists and is not ignored, and nothing else is let in."""
    copied = [word for rest in of("COPY") if not rest.startswith("--from") for word in rest.split()[:-1]]

    assert of("ADD") == []
    assert "." not in copied
    assert [one for one in copied if not (ROOT / one).exists()] == []
    assert IGNORED[1] == "*"
    assert {line[1:] for line in IGNORED if line.startswith("!")} == set(copied)


def test_libraries_are_held_to_their_hashes() -> None:
    """Nothing is installed that the lock does not name, and no shell of the image fetches anything."""
    runs = of("RUN")
    installs = [one for one in runs if "pip" in one and " install " in one]

    assert all("--require-hashes" in one or "--no-deps" in one for one in installs)
    assert not [one for one in runs if re.search(r"\b(curl|wget|apt-get|sudo)\b", one)]


def test_settings_of_the_image_make_sense() -> None:
    """Every variable is a setting that exists; it polls, asks for a token, and writes to its volume alone."""
    variables = dict(re.findall(r"(\w+)=(\S+)", of("ENV")[-1]))
    ours = {name: value for name, value in variables.items() if name.startswith("SEATWATCH_")}
    (volume,) = of("VOLUME")

    assert {name.removeprefix("SEATWATCH_").lower() for name in ours} <= set(NAMES)
    settings = load_settings({}, {**ours, "TZ": "UTC"})
    assert (settings.poll, settings.loopback, settings.open_browser) == (True, False, False)
    assert settings.database.parent.as_posix() == volume
    assert {variables[name] for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME")} == {volume}


def test_health_is_asked_for_where_it_listens() -> None:
    """The check is a program of the image itself, and asks the port that is exposed."""
    (check,) = of("HEALTHCHECK")
    words = json.loads(check.partition("CMD ")[2])
    (port,) = of("EXPOSE")

    assert words[0] == "python3"
    assert f"'127.0.0.1', {port}," in words[-1]
    compile(words[-1], "check", "exec")
    assert json.loads(of("CMD")[0]) == ["seatwatch", "serve"]


def test_trial_is_a_script() -> None:
    """The trial without an engine reads the same Dockerfile, and its shell finds no fault in it."""
    script = ROOT / "deploy" / "docker" / "try.sh"

    checked = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)

    assert (checked.returncode, checked.stderr) == (0, "")
    known = set(re.findall(r"^    ([A-Z]+)\)", script.read_text("utf-8"), re.MULTILINE))
    assert {name for name, _rest in steps()} - known == {"VOLUME", "EXPOSE"}
