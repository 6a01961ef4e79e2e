"""The formula: what it runs is there, and where Ruby is, it is Ruby."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib

from tests.deploy.watched import ROOT

FORMULA = ROOT / "deploy" / "homebrew" / "seatwatch.rb"


def test_formula_fits_the_project() -> None:
    """Its Python is new enough, its licence ours, and the files that it installs from are part of a release."""
    text = FORMULA.read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    needs = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    (python,) = set(re.findall(r"python@?(\d+\.\d+)", text))
    assert tuple(map(int, python.split("."))) >= needs
    assert f'license "{project["license"]}"' in text
    assert '"requirements.txt"' in text
    assert (ROOT / "requirements.txt").is_file()
    assert '"serve", "--no-open"' in text


def test_formula_names_no_address() -> None:
    """Where a release lies is its team's own matter; it is given, with its sum, by whoever installs."""
    text = FORMULA.read_text("utf-8")

    assert re.findall(r"https?://\S+", text) == []
    assert re.findall(r"^  (?:url|sha256) ENV\.fetch\(\"(\w+)\"\)", text, re.MULTILINE) == [
        "HOMEBREW_SEATWATCH_TARBALL",
        "HOMEBREW_SEATWATCH_SHA256",
    ]


def test_formula_is_ruby() -> None:
    """Each block that begins ends; where there is a Ruby, it finds no fault in the syntax."""
    code = [line.split(" #")[0].rstrip() for line in FORMULA.read_text("utf-8").splitlines()]
    begins = [line for line in code if re.match(r"\s*(class|def)\b", line) or line.endswith(" do")]
    ends = [line for line in code if line.strip() == "end"]

    assert len(begins) == len(ends) == 4
    if (ruby := shutil.which("ruby")) is not None:
        checked = subprocess.run([ruby, "-wc", FORMULA], capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stdout.strip()) == (0, "Syntax OK")
