"""What the page of *why* draws: frozen values without markup."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.diagnosis import Certainty, Verdict
from app.web.lines import LineView
from app.web.views import Part


@dataclass(frozen=True, slots=True)
class Option:
    """A session to choose; ``chosen`` is the one that was asked for."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class WhyForm:
    """The question: the sessions, newest first, and the time in the form that the browser's field wants."""

    sessions: tuple[Option, ...]
    at: str
    zone: str


@dataclass(frozen=True, slots=True)
class OtherRow:
    """Something else that went on around it, in words, and its line."""

    parts: tuple[Part, ...]
    line: LineView


@dataclass(frozen=True, slots=True)
class StopRow:
    """Another stop, and the address of its own *why*."""

    title: str
    time: str
    what: str
    sure: str
    href: str


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """The verdict in words, how sure it is, what to do, and the lines that prove it.

    ``notes`` say what the verdict alone would leave unsaid, ``others`` what else went on, ``earlier`` are stops of the
    same session, ``near`` those of others around the time asked for.
    """

    verdict: Verdict
    certainty: Certainty
    sentence: tuple[Part, ...]
    sure: str
    todo: str
    when: str
    notes: tuple[str, ...]
    proof: tuple[LineView, ...]
    others: tuple[OtherRow, ...]
    earlier: tuple[StopRow, ...]
    more_earlier: str
    near: tuple[StopRow, ...]
    session: str
    session_href: str


@dataclass(frozen=True, slots=True)
class WhyView:
    """The page: the question, and one of three things: an ``answer``, why there is none (``problem``), or neither.

    ``recent`` are the newest stops of all sessions, to choose from; ``empty`` says that nothing stopped.
    """

    form: WhyForm
    answer: WhyAnswer | None = None
    problem: tuple[str, ...] = ()
    recent: tuple[StopRow, ...] = ()
    empty: str = ""
