"""What the tests of ingest share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.logs import Follower


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[Follower]:
    """An empty log folder that is followed."""
    folder = tmp_path / "logs"
    folder.mkdir()
    follower = Follower(folder)
    yield follower
    follower.tailer.close()
