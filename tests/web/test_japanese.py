"""Japanese: every case of the sentence as a careful writer would say it, titles set apart, no space left over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.core.state import App, Evidence, Phase, Pressure, State
from app.live import Snapshot
from app.web.happened import happened_view, what_happened
from app.web.language import speaking
from app.web.presenters import seats_view
from app.web.sentence import sentence
from app.web.words import moment, ordinal, span_brief, span_short, span_words
from tests.web.scenes import NOW, ZONE, ago, mark, session, seven_of_eight, snapshot, state

IDLE = Phase.IDLE
HEAD = session(8, IDLE, idle=842, title="T")
SECOND = session(7, IDLE, idle=500, title="U")
BUSY = [session(n) for n in range(1, 7)]
WARNED = {"2.9939.4": Evidence(3837, 0, 0)}
TIGHT = Pressure(os_level="warning", os_since=ago(minutes=1))


def said(shown: Snapshot) -> str:
    """The sentence in Japanese, with titles between asterisks."""
    with speaking("ja"):
        view = sentence(shown, NOW, ZONE)
    return "".join(f"**{part.text}**" if part.strong else part.text for part in view.parts)


CASES: list[tuple[Snapshot, str]] = [
    (snapshot(state(*(session(n) for n in range(5)))), "空き3席。閉じられるタスクはありません。"),
    (snapshot(seven_of_eight()),
     "残り1席。あと2つ始めると、14分待機中の **Meeting notes** が最初に閉じられる見込みです。"),
    (snapshot(state(*BUSY, session(7), HEAD)), "8席すべて使用中。次に始めると、14分待機中の **T** が危険です。"),
    (snapshot(state(*(session(n) for n in range(8)))),
     "8席すべて作業中。閉じられるタスクはなく、先読み起動は見送られます。"),
    (snapshot(state(*(session(n) for n in range(9)))), "8席に9本。1本終わるまで先読み起動は見送られます。"),
    (snapshot(state(*BUSY, SECOND, HEAD, pressure=TIGHT)),
     "メモリが逼迫しています。**T** と **U** はいつ閉じられてもおかしくありません。"),
    (snapshot(state(*BUSY, session(9, Phase.EVICTED, idle=40, title="T", ended_by="evicted_for_memory"))),
     "**T** は40秒前、メモリ確保のため閉じられました。会話は残っています。開けば続けられます。"),
    (snapshot(state(*BUSY, session(7), HEAD, evidence=WARNED)),
     "8席すべて使用中。この版のアプリは警告だけです。3,837件のうち実際に閉じたのは0件。"),
    (snapshot(state(*BUSY, app=App(True, "1", "darwin", ago(hours=3), ago(minutes=4)))),
     "アプリのログが4分止まっています。スリープか停止中のため、待機時間は不確かです。"),
    (snapshot(state(app=App(running=False, down_since=ago(minutes=26)))),
     "Claude は動いていません。最終記録は18:58。"),
    (snapshot(State(), sources=(), looked_in=("/a", "/b")),
     "Claude のログが見つかりません。探した場所: /a、/b"),
    (snapshot(state(session(1, Phase.WAITING, title="T", waiting_for={"r": ago(minutes=22)}))),
     "**T** は22分前からあなたの返事を待っています。席は使ったままです。"),
]  # fmt: skip


@pytest.mark.parametrize(("shown", "words"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_says_each_case(shown: Snapshot, words: str) -> None:
    """Each case of the table, in its own order of words, with the title set apart as in English."""
    assert said(shown) == words


def test_protected_seats() -> None:
    """The case of seats that are all protected."""
    holders = [session(n, Phase.WAITING, waiting_for={"r": ago(minutes=1)}) for n in range(8)]

    assert said(snapshot(state(*holders))) == "8席すべて保護中。メモリが足りなくなっても閉じる相手がいません。"


def test_small_line_has_no_spaces_between_its_sentences() -> None:
    """Sentences follow each other without a space, and the titles in them stand apart."""
    with speaking("ja"):
        small = sentence(snapshot(state(*BUSY, SECOND, HEAD)), NOW, ZONE).small

    assert "".join(part.text for part in small) == (
        "メモリ圧迫は平常です。水準が「深刻」になると、T と U がともに閉じられる可能性があります。"
    )
    assert [part.text for part in small if part.strong] == ["T", "U"]


def test_three_and_more_are_counted() -> None:
    """Who is not named is a number with its own counter."""
    holders = [session(n, IDLE, idle=100 * n, title=f"T{n}") for n in range(1, 11)]

    assert said(snapshot(state(*holders, pressure=TIGHT))).endswith(
        "**T10** と **T9**、ほか2本はいつ閉じられてもおかしくありません。"
    )


def test_lengths_dates_and_places() -> None:
    """Units follow their number without a space, days have month and day, places their counter."""
    with speaking("ja"):
        forms = [span_short(n) for n in (42, 842, 11_110, 90_000)]
        brief, words = [span_brief(n) for n in (42, 842, 11_110, 259_200)], span_words(842)
        yesterday, last_year = moment(NOW - timedelta(days=1), NOW, ZONE), moment(NOW - timedelta(days=365), NOW, ZONE)
        places = [ordinal(n) for n in (1, 2, 11)]

    assert forms == ["42秒", "14分02秒", "3時間05分", "1日1時間"]
    assert (brief, words) == (["42秒", "14分", "3時間", "3日"], "14分")
    assert (yesterday, last_year) == ("10月1日 19:24", "2025年10月2日 19:24")
    assert places == ["1番", "2番", "11番"]


def test_what_happened_puts_its_additions_in_brackets() -> None:
    """Silence and repeats follow the sentence in brackets, as they cannot stand before its verb."""
    closed = mark("evicted_for_memory", 26, 5, idle_seconds=1721)
    marks = (closed, mark("put_off", 10, detail="8"), mark("put_off", 9, detail="8"))
    with speaking("ja"):
        parts = what_happened(closed, seven_of_eight())
        view = happened_view(marks, seven_of_eight(), NOW, ZONE, "2時間")

    assert "".join(part.text for part in parts) == "Meeting notes がメモリ確保のため閉じられました（待機\u00a028分）"
    assert view.rows[0].parts[0].text == "8席すべて使用中のため、先読み起動が見送られました（2回）"
    assert view.summary == "直近2時間に退去1件、見送り2件"


def test_tiles_speak_it() -> None:
    """Rank, silence and safety on the tiles."""
    with speaking("ja"):
        tiles = seats_view(snapshot(), NOW, {one.id: n for n, one in enumerate(seven_of_eight().seat_holders)}).tiles

    assert [(tile.word, tile.said, tile.elapsed) for tile in tiles[4:7]] == [
        ("退去順 1番", "待機 {span}", "14分02秒"),
        ("退去順 2番", "待機 {span}", "8分10秒"),
        ("あと {span} は安全", "待機 {span}", "42秒"),
    ]
    assert (tiles[7].title, tiles[7].word) == ("空席", "もう1本入ります")


def test_english_stays_as_it_was() -> None:
    """The same views said in English right after are English."""
    assert said(snapshot()).startswith("残り1席。")
    assert sentence(snapshot(), NOW, ZONE).parts[0].text.startswith("One seat left.")
