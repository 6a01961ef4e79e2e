"""The wall's sentence: a short form of every case, in both languages, and in a size that has room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.machine import Machine, Ports
from app.core.ports import Usage, line_named
from app.core.samples import ConnectionsSample, Tcp
from app.core.state import App, Evidence, Phase, Pressure, Session, State
from app.live import Snapshot
from app.web.language import speaking
from app.web.views import Part
from app.web.wall_sentence import SHORT, size_of, wall_sentence
from tests.web.scenes import NOW, ZONE, ago, session, snapshot, state

IDLE = Phase.IDLE
BUSY = [session(n) for n in range(1, 9)]
HEAD = session(9, IDLE, idle=842, title="Meeting notes")
SECOND = session(10, IDLE, idle=300, title="Data merge")
KEPT = [session(n, IDLE, idle=900, holds={"remote_control": ago(hours=1)}) for n in range(1, 9)]
WARNS = {"2.9939.4": Evidence(3837, 0, 12)}
WARNING = Pressure(os_level="warning", os_since=ago(minutes=3))
CRITICAL = Pressure(os_level="critical", os_since=ago(minutes=3))
TCP = Tcp({"ESTABLISHED": 204}, {}, 9, 0)
LINE = Machine(
    connections=ConnectionsSample(NOW, TCP, TCP, ()),
    ports=Ports(Usage(NOW, line_named("v6plus"), 204, 204, 9, whole=True), TCP, per_minute=6, minutes=6),
)


def evicted(how: str) -> Session:
    """A session that was closed forty seconds ago."""
    return session(9, Phase.EVICTED, title="Tax folder", since=ago(seconds=40), ended_by=how)


CASES: list[tuple[str, Snapshot, str, str]] = [
    ("seats_free", snapshot(state(*BUSY[:5])), "3 seats free. Nothing would be closed.",
     "空き3席。閉じられるタスクはありません。"),
    ("empty", snapshot(state()), "No session holds a seat. All 8 are free.",
     "席を使っているタスクはありません。8席すべて空いています。"),
    ("one_left", snapshot(state(*BUSY[:6], HEAD)),
     "One seat left. **Meeting notes** goes first, silent for 14 minutes.",
     "残り1席。最初に閉じられるのは **Meeting notes**、14分待機中。"),
    ("one_left", snapshot(state(*BUSY[:6], session(9, IDLE, idle=20, title="T"))),
     "One seat left. **T** goes first, silent for less than a minute.",
     "残り1席。最初に閉じられるのは **T**、待機1分未満。"),
    ("one_left", snapshot(state(*BUSY[:7])), "One seat left. Nothing can be closed now.",
     "残り1席。いま閉じられるタスクはありません。"),
    ("one_left_warns", snapshot(state(*BUSY[:6], HEAD, evidence=WARNS)),
     "One seat left. So far this version of the app has only warned.",
     "残り1席。この版のアプリはまだ警告だけです。"),
    ("at_cap", snapshot(state(*BUSY[:7], HEAD)),
     "All 8 seats are taken. **Meeting notes** goes first, silent for 14 minutes.",
     "8席すべて使用中。最初に閉じられるのは **Meeting notes**、14分待機中。"),
    ("at_cap_warns", snapshot(state(*BUSY[:7], HEAD, evidence=WARNS)),
     "All 8 seats are taken. So far this version of the app has only warned.",
     "8席すべて使用中。この版のアプリはまだ警告だけです。"),
    ("all_busy", snapshot(state(*BUSY)), "All 8 seats are working. Nothing can be closed now.",
     "8席すべて作業中。いま閉じられるタスクはありません。"),
    ("all_protected", snapshot(state(*KEPT)), "All 8 seats are protected. Nothing can be closed now.",
     "8席すべて保護中。いま閉じられるタスクはありません。"),
    ("none_eligible", snapshot(state(*BUSY[:4], *KEPT[4:])), "All 8 seats are taken. Nothing can be closed now.",
     "8席すべて使用中。いま閉じられるタスクはありません。"),
    ("over_cap", snapshot(state(*BUSY, HEAD)), "9 sessions on 8 seats. Warm starts are put off.",
     "8席に9本。先読み起動は見送られます。"),
    ("pressure_warning", snapshot(state(*BUSY[:6], HEAD, SECOND, pressure=WARNING)),
     "Memory is tight. **Meeting notes** and **Data merge** could be closed at any moment.",
     "メモリが逼迫しています。**Meeting notes** と **Data merge** はいつ閉じられてもおかしくありません。"),
    ("pressure_warning_warns", snapshot(state(*BUSY[:7], HEAD, pressure=WARNING, evidence=WARNS)),
     "Memory is tight. So far this version of the app has only warned.",
     "メモリが逼迫しています。この版のアプリはまだ警告だけです。"),
    ("pressure_critical_warns", snapshot(state(*BUSY[:7], HEAD, pressure=CRITICAL, evidence=WARNS)),
     "Memory is very tight. So far this version of the app has only warned.",
     "メモリが深刻に逼迫しています。この版のアプリはまだ警告だけです。"),
    ("just_evicted", snapshot(state(*BUSY[:5], evicted("evicted_for_memory"))),
     "**Tax folder** was closed 40 seconds ago to free memory.",
     "**Tax folder** は40秒前、メモリ確保のため閉じられました。"),
    ("just_evicted", snapshot(state(*BUSY[:5], evicted("evicted_for_seat"))),
     "**Tax folder** was closed 40 seconds ago to make room.",
     "**Tax folder** は40秒前、席を空けるため閉じられました。"),
    ("silent", snapshot(state(*BUSY[:5], app=App(True, "1", "darwin", ago(hours=3), ago(minutes=4)))),
     "The app's log has been silent for 4 minutes. Idle times are not certain.",
     "アプリのログが4分止まっています。待機時間は不確かです。"),
    ("not_running", snapshot(state(app=App(running=False, down_since=ago(minutes=26)))),
     "Claude is not running. Last seen 18:58.", "Claude は動いていません。最終記録は18:58。"),
    ("no_logs", snapshot(State(), sources=(), looked_in=("/home/someone/logs",)), "No Claude logs found.",
     "Claude のログが見つかりません。"),
    ("ports", snapshot(machine=LINE), "204 of 240 ports in use. At this pace the line is full in 6 minutes.",
     "240ポート中204使用。このままだと6分で回線が埋まります。"),
    ("waiting", snapshot(state(session(1, Phase.WAITING, title="T", waiting_for={"r": ago(minutes=22)}))),
     "**T** has been waiting for your answer for 22 minutes. It holds a seat.",
     "**T** は22分前からあなたの返事を待っています。席は使ったままです。"),
]  # fmt: skip


def said(shown: Snapshot, language: str) -> tuple[str, str]:
    """The case, and the sentence with its titles between asterisks."""
    with speaking(language):
        view = wall_sentence(shown, NOW, ZONE)
    return view.case, "".join(f"**{part.text}**" if part.strong else part.text for part in view.parts)


@pytest.mark.parametrize(("case", "shown", "english", "japanese"), CASES, ids=[f"{n}" for n in range(len(CASES))])
def test_says_each_case_in_short(case: str, shown: Snapshot, english: str, japanese: str) -> None:
    """Each case says how things stand and who goes first, in both languages, and names no place on the disk."""
    assert said(shown, "en") == (case, english)
    assert said(shown, "ja") == (case, japanese)


def test_every_short_form_is_in_the_table() -> None:
    """No case has a short form that is not read here."""
    assert SHORT.keys() <= {case for case, *_rest in CASES}


def test_short_forms_are_shorter_than_two_lines() -> None:
    """What is said in its short form fits into the two larger sizes with titles of a usual length."""
    for case, shown, *_rest in CASES:
        if case in SHORT:
            assert wall_sentence(shown, NOW, ZONE).size != "small", case


@pytest.mark.parametrize(
    ("text", "size"),
    [("a" * 72, "large"), ("a" * 73, "medium"), ("a" * 111, "small"), ("席" * 36, "large"), ("席" * 56, "small")],
)
def test_long_sentences_are_smaller(text: str, size: str) -> None:
    """The size falls with the length, and a full-width character counts twice."""
    assert size_of((Part(text),)) == size


def test_a_new_case_is_said_as_on_the_page() -> None:
    """A case without a short form keeps the page's own words and its tone."""
    view = wall_sentence(snapshot(replace(state(*BUSY[:5]))), NOW, ZONE)

    assert (view.case, view.tone) == ("seats_free", "plain")
    assert "seats_free" not in SHORT
