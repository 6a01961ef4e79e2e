"""Shapes of unknown lines without anybody's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.parser import SHAPE_LENGTH, shape_of
from app.doctor.redacted import log_words, redacted_shape
from tests.hostile_texts import HOSTILE, MARK


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ("[CliGovernor] would evict <id> after <n>s", "[CliGovernor] would evict <id> after <n>s"),
        ("[CliGovernor] frobnicated Quarterly <path>", "[CliGovernor] <word> <word> <path>"),
        ("[CCD] Pausing session 席替え (governor_evict)", "[CCD] Pausing session <word> (governor_evict)"),
        ("[CCD] Pausing <text> €5 55", "[CCD] Pausing <text> ?5 <word>"),
        ("", ""),
    ],
)
def test_words_that_logs_do_not_use_are_hidden(shape: str, told: str) -> None:
    """What is known of lines stays, so that a new line can be learned; what is not could be anybody's."""
    assert redacted_shape(shape) == told


def test_known_names_are_hidden_though_their_words_are_common() -> None:
    """A session may be called as log lines are worded."""
    assert redacted_shape("[CCD] Pausing session after restart now", {"Session after restart"}) == (
        "[CCD] Pausing <text> now"
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_leave_nothing_of_themselves(name: str) -> None:
    """Neither their words nor their signs get through."""
    told = redacted_shape(shape_of(f"[CliGovernor] {HOSTILE[name]}"))

    assert MARK not in told
    assert told.isascii()
    assert all(char.isprintable() for char in told)


@given(st.text(max_size=SHAPE_LENGTH))
def test_only_known_words_come_out(text: str) -> None:
    """Whatever goes in, each word of what comes out is one of the log's or a stand-in."""
    told = redacted_shape(text)
    words = told.replace("<word>", " ").split()

    assert told.isascii()
    assert all(len(word) < 200 for word in words)


def test_made_up_samples_give_words_and_no_names() -> None:
    """The words come from the shapes of samples: no id, no path and nothing quoted is among them."""
    assert {"evict", "session", "cap", "cligovernor"} <= log_words()
    assert not any(word.startswith("local_") for word in log_words())
