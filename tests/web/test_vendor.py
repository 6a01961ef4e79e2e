"""What is vendored is what was fetched."""

from __future__ import annotations

import hashlib
import re

from tests.web.scenes import ROOT

VENDOR = ROOT / "static" / "vendor"


def listed() -> dict[str, str]:
    """File name to hash, from VENDOR.md."""
    rows = re.findall(r"^\| (\S+) \|.*\| ([0-9a-f]{64}) \|$", (VENDOR / "VENDOR.md").read_text("utf-8"), re.MULTILINE)
    return dict(rows)


def test_every_vendored_file_is_listed_with_its_hash() -> None:
    """No file without a line, no line without a file, no hash that differs."""
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir() if path.suffix != ".md"
    }

    assert files == listed()


def test_every_vendored_name_has_a_version() -> None:
    """Browsers keep vendored files for good, so a new version needs a new name."""
    assert [name for name in listed() if not re.search(r"-\d+\.\d+\.\d+\.", name)] == []
