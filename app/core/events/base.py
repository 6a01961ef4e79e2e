"""What every event has, and the small vocabularies that events share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

Trigger: TypeAlias = Literal["user", "warm"]
Level: TypeAlias = Literal["normal", "warning", "critical"]


@dataclass(frozen=True, slots=True)
class BaseEvent:
    """An event at an instant, in UTC."""

    at: datetime
