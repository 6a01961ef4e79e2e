"""Memory of the whole machine."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.core.samples import HostSample, Unknown
from app.probes.host import HostProbe
from app.probes.system import MB, Memory, this_system
from tests.probes.machines import Machine

AT = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)


class Remembered(Machine):
    """A machine with this memory, or with this trouble in place of it."""

    def __init__(self, told: Memory | Exception) -> None:
        super().__init__()
        self.told = told

    def memory(self) -> Memory:
        if isinstance(self.told, Exception):
            raise self.told
        return self.told


def test_sizes_are_told_in_mb() -> None:
    """Bytes become MB of 1,048,576 bytes; level, origin and what is unknown are passed on."""
    unknown = (Unknown("compressed", "platform"),)
    memory = Memory(24_576 * MB, 8_000 * MB + 5, 3 * MB - 1, None, "warning", "available", unknown)

    assert HostProbe(Remembered(memory)).look(AT) == HostSample(
        AT, 24_576, 8_000, 2, None, "warning", "available", unknown
    )


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [(PermissionError("not ours"), "permission"), (FileNotFoundError("gone"), "missing"), (ValueError("?"), "failed")],
)
def test_trouble_is_a_sample_that_says_so(trouble: Exception, reason: str) -> None:
    """A look never raises: nothing is known then, and why."""
    sample = HostProbe(Remembered(trouble)).look(AT)

    assert (sample.total_mb, sample.level, sample.origin) == (None, "unknown", "none")
    assert [(one.part, one.reason) for one in sample.unknown] == [("memory", reason)]


def test_this_machine_is_read_for_real() -> None:
    """On the machine that runs the tests memory is known, and its level too or the reason why not."""
    sample = HostProbe(this_system()).look(AT)
    parts = {one.part for one in sample.unknown}

    assert sample.total_mb is not None
    assert sample.available_mb is not None
    assert 0 < sample.available_mb <= sample.total_mb
    assert sample.level in {"normal", "warning", "critical"} or "pressure" in parts
    assert (sample.swap_used_mb is not None) != ("swap" in parts)
    assert (sample.compressed_mb is not None) != ("compressed" in parts)
