"""What cannot be read or kept, in both languages."""

from __future__ import annotations

from typing import get_args

import pytest

from app.core.trouble import Trouble, TroubleKind
from app.errors import DatabaseDamaged, DatabaseUnusable, LogFolderMissing
from app.web.language import speaking
from app.web.troubles import reason_words, trouble_words, unkept_words, unread_words

DENIED = Trouble.of("file_unreadable", "/a/main.log cannot be read: …", place="/a/main.log", reason="Permission denied")
CASES: list[tuple[Trouble, str, str]] = [
    (DENIED, "/a/main.log cannot be read: permission denied.", "/a/main.log を読めません（アクセス権がありません）。"),
    (
        Trouble.of("folder_unreadable", "x", place="/a", reason="No such file or directory"),
        "The log folder /a cannot be read: it is not there.",
        "ログフォルダー /a を読めません（存在しません）。",
    ),
    (
        Trouble.of("not_stored", "x", reason="database or disk is full"),
        "The database cannot take what was read, so it waits: no space left on the disk.",
        "読み取った内容をデータベースに保存できず、待機中です（ディスクに空きがありません）。",
    ),
    (
        Trouble.of("made_anew", "x", aside="/a/old.db"),
        "The database was damaged. What the logs still hold was read into a new one. "
        "The damaged one is kept as /a/old.db.",
        "データベースが壊れていたため、ログに残る内容から作り直しました。 壊れたものは /a/old.db に残してあります。",
    ),
    (
        Trouble.of("not_made_anew", "x", reason="odd words."),
        "The database is damaged, and no new one can be made: odd words.",
        "データベースが壊れていますが、新しいものを作れません（odd words）。",
    ),
    (
        Trouble.of("stopped", "x", reason="ValueError."),
        "Seatwatch follows the logs no more: ValueError. Start it again.",
        "Seatwatch はログの追跡を停止しました（ValueError）。起動し直してください。",
    ),
]


@pytest.mark.parametrize(("trouble", "english", "japanese"), CASES, ids=[case[0].kind for case in CASES])
def test_each_trouble_is_said_in_both_languages(trouble: Trouble, english: str, japanese: str) -> None:
    """By its kind and values; the system's frequent reasons are translated, an odd one stands as it is."""
    assert trouble_words(trouble) == english
    with speaking("ja"):
        assert trouble_words(trouble) == japanese


def test_every_kind_of_trouble_has_a_case() -> None:
    """A new kind cannot be forgotten here."""
    assert {trouble.kind for trouble, _, _ in CASES} == set(get_args(TroubleKind))


def test_text_of_unknown_make_stays_as_it_is() -> None:
    """Without kind and values there is nothing to translate; controls that mislead are taken out all the same."""
    assert trouble_words("The database is full.") == "The database is full."
    assert "\x1b" not in trouble_words("red \x1b[31m")
    assert "\x1b" not in trouble_words(Trouble.of("file_unreadable", "x", place="/a\x1b[31m", reason="{place}"))


def test_what_cannot_be_told_says_why_in_the_pages_language() -> None:
    """A database that fails is said without its path; an error of another kind keeps its own words, made plain."""
    unusable, damaged = DatabaseUnusable("/home/someone/db", "disk I/O error"), DatabaseDamaged("/db", "malformed")

    assert unread_words(unusable) == "The database cannot be read: disk I/O error."
    assert unread_words(damaged) == "The database cannot be read: malformed."
    assert unread_words(LogFolderMissing("/a\x1b[31m")).startswith("The log folder /a is not there.")
    with speaking("ja"):
        assert not unread_words(DatabaseUnusable("/db", "database is locked")).isascii()


@pytest.mark.parametrize(
    "reason", ["Not a directory", "No space left on device", "database is locked", "Input/output error"]
)
def test_frequent_reason_has_words_of_the_page(reason: str) -> None:
    """The system's own words are for those who know them."""
    assert reason_words(reason) != reason
    with speaking("ja"):
        assert not reason_words(reason).isascii()


def test_other_errors_of_a_change_stay_in_their_own_words() -> None:
    """What is no fault of the settings file is told whole: what, why and what to do."""
    said = unkept_words(LogFolderMissing("/a"), "config.toml")

    assert said == str(LogFolderMissing("/a"))
