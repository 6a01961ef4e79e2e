"""What sessions are called where their titles must not go: ``A``, ``B``, … ``Z``, ``AA``, in the order of the log.

Only the letter is made here. The word before it ("Session") belongs to a language, and so to who says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from app.core.state import State


class Aliases:
    """A letter for each session id, the same one for as long as this object lives.

    A letter is taken when an id is named for the first time, so nothing of the id itself is in it: no part, no hash.
    Two objects that are asked in the same order give the same letters.
    """

    def __init__(self, sessions: Iterable[str] = ()) -> None:
        self._letters: dict[str, str] = {}
        for session in sessions:
            self.letter(session)

    @classmethod
    def of(cls, state: State) -> Aliases:
        """Letters for every session of ``state``, as `meet` gives them."""
        aliases = cls()
        aliases.meet(state)
        return aliases

    def meet(self, state: State) -> None:
        """Give a letter to each session of ``state`` that has none yet; who has one keeps it.

        They come in the order in which the log named them. Nothing but that order is the same after a restart: with
        who holds a seat in front, yesterday's picture would call somebody else Session A.
        """
        for session in sorted(state.sessions.values(), key=lambda one: (one.order, one.id)):
            self.letter(session.id)

    def letter(self, session: str) -> str:
        """The letter of a session, a new one at the first time."""
        known = self._letters.get(session)
        if known is None:
            known = self._letters[session] = letter_of(len(self._letters))
        return known

    def __len__(self) -> int:
        return len(self._letters)

    def __iter__(self) -> Iterator[str]:
        """The ids that have a letter, in the order of their letters."""
        return iter(self._letters)


def letter_of(place: int) -> str:
    """The letters for a place that counts from 0, as columns of a table are called. Raises `ValueError` below 0."""
    if place < 0:
        raise ValueError("a place counts from 0")
    letters = ""
    left = place + 1
    while left:
        left, digit = divmod(left - 1, len(ascii_uppercase))
        letters = ascii_uppercase[digit] + letters
    return letters
