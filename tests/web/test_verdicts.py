"""The verdicts of *why*, in words."""

from __future__ import annotations

from typing import get_args

import pytest

from app.core.diagnosis import Certainty, Verdict
from app.web.language import LANGUAGES, speaking
from app.web.sentence import Words
from app.web.verdicts import LASTING, advice_words, certainty_word, certainty_words, verdict_name, verdict_words
from tests.web.scenes import session

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)


def text(words: Words) -> str:
    """A sentence as one text."""
    return "".join(part.text for part in words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_in_both_languages(verdict: Verdict, language: str) -> None:
    """A sentence with the title in it, a few words for a list, and what to do; with and without a time."""
    end = "." if language == "en" else "。"
    with speaking(language):
        dated, bare = verdict_words(verdict, session(1), "3 min"), verdict_words(verdict, session(1), "")
        name, todo = verdict_name(verdict), advice_words(verdict)

    assert [part.text for part in dated if part.strong] == [part.text for part in bare if part.strong] == ["Task 1"]
    assert "3 min" in text(dated)
    assert "3 min" not in text(bare)
    assert text(dated).endswith(end)
    assert text(bare).endswith(end)
    assert not name.endswith(end)
    assert todo.endswith(end)


@pytest.mark.parametrize("certainty", CERTAINTIES)
def test_every_certainty_in_both_languages(certainty: Certainty) -> None:
    """With lines to show and without, a sentence that begins with the word a list uses."""
    english = [certainty_words(certainty, proven=proven) for proven in (True, False)]
    with speaking("ja"):
        japanese = [certainty_words(certainty, proven=proven) for proven in (True, False)]
        word = certainty_word(certainty)

    assert all(one.lower().startswith(certainty_word(certainty)) for one in english)
    assert all(one.startswith(word) for one in japanese)
    assert len({*english, *japanese}) == 4


def test_what_goes_on_is_not_told_as_past() -> None:
    """A verdict about a moment says how long ago it was, one about what goes on for how long."""
    said = {verdict: text(verdict_words(verdict, session(1), "5 minutes")) for verdict in VERDICTS}

    assert said["evicted_for_seat"] == ("Task 1 was closed by the app to make room for another session, 5 minutes ago.")
    assert said["waiting_for_you"] == "Task 1 has not stopped: it waits for your answer, for 5 minutes now."
    assert {verdict for verdict, words in said.items() if "ago" not in words} == LASTING
