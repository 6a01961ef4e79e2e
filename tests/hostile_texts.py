"""Texts that somebody might put into a log or a title to do harm with: one list for all that shows them.

Each is in the hands of whoever may write a line of the app's log: a project's name, a prompt, the name of a tool.
"""

from __future__ import annotations

from collections.abc import Mapping

MARK = "mark7c1"
"""Stands in every text, so that a test sees whether it arrived at all; it needs escaping nowhere."""

MARKUP: Mapping[str, str] = {
    "script": f"<script>alert('{MARK}')</script>",
    "image": f"<img src=x onerror=alert('{MARK}')>",
    "end_of_title": f"{MARK}</title></svg></style></script></textarea><script>alert(1)</script>",
    "attribute": f'"{MARK}" onmouseover="alert(1)" x=\'',
    "svg": f"<svg onload=alert(1)><foreignObject>{MARK}</foreignObject></svg>",
    "cdata": f"{MARK}]]><script>alert(1)</script><![CDATA[",
    "comment": f"{MARK}--><script>alert(1)</script><!--",
    "entity": f"&lt;{MARK}&gt; &amp; &#60;b&#62; &xxe;",
    "doctype": f'<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]><x>&xxe;{MARK}</x>',
    "template": "{{7*7}} ${7*7} <%= 7*7 %> {% raw %} #{7*7} " + MARK,
    "link": f"javascript:alert('{MARK}')",
    "htmx": f'<hx-partial hx-target="body" hx-get="/x">{MARK}</hx-partial>',
}
"""What would be markup, or a program, where it is not escaped."""

CONTROLS: Mapping[str, str] = {
    "colours": f"\x1b[31m{MARK}\x1b[0m \x1b[2J\x1b[H",
    "terminal_title": f"\x1b]0;title\x07\x1b]52;c;aGVsbG8=\x07{MARK}",
    "c1": f"{MARK}\x9b31m\x90q\x9c",
    "nul": f"{MARK}\x00after",
    "backspace": f"{MARK}\b\b\b\b\r\x7f",
    "bidi": f"{MARK}\u202egpj.exe\u2066\u2069\u200f",
    "invisible": f"{MARK}\u200b\ufeff\u00ad\u2060\U000e0041",
    "separators": f"{MARK}\u2028\u2029\x85\v\f",
    "lone_surrogate": f"{MARK}\ud800",
    "not_a_character": f"{MARK}\ufffe\uffff",
    "combining": MARK + "\u0301" * 500,
}
"""What commands a terminal, hides itself, turns the line round, or is no character of XML."""

STRUCTURE: Mapping[str, str] = {
    "formula": f'=HYPERLINK("x","{MARK}")',
    "formula_plus": f"+{MARK}+cmd|' /C calc'!A0",
    "formula_minus": f"-{MARK}",
    "formula_at": f"@{MARK}",
    "formula_tab": f"\t={MARK}",
    "csv_quotes": f'{MARK}","x"\r\n"y',
    "json_break": f'{MARK}"}}],"x":[{{"y":"\\u0000',
    "new_line": f"{MARK}\nevent: heartbeat\ndata: x\n\n",
    "crlf": f"{MARK}\r\nSet-Cookie: a=b\r\n\r\n",
    "label": f'{MARK}"}} 1\n# HELP seatwatch_x\nseatwatch_x{{a="b',
    "backslashes": f"{MARK}\\\\n\\",
    "format": f"{MARK} {{0}} {{x.__class__}} %s %n %(name)s",
    "shell": f"$(touch {MARK}) `touch x`; rm -rf / | & > x",
    "sql": f"{MARK}'; DROP TABLE events; --",
    "path": f"../../{MARK}/..%2f..%2f\\..\\",
    "log_line": f"{MARK}\n2026-10-02 09:00:00 [info] Starting app {{",
}
"""What would end a field, a line or a quotation, or would be run by whoever opens the file."""

LENGTHS: Mapping[str, str] = {
    "long": f"{MARK} " + "x" * 100_000,
    "long_word_of_markup": MARK + "<b>" * 20_000,
    "many_wide": MARK + "席" * 30_000,
}
"""What is much longer than anything that a person would write."""

HOSTILE: Mapping[str, str] = {**MARKUP, **CONTROLS, **STRUCTURE, **LENGTHS}
"""All of them by name."""
ONE_LINE: Mapping[str, str] = {name: text for name, text in HOSTILE.items() if not {"\n", "\r"} & set(text)}
"""Those that fit in one line of a log."""
