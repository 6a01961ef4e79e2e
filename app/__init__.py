"""Seatwatch: who holds a seat in the Claude desktop app, who goes next, and why a task stopped.

The chain, which `app.pipeline` reads as::

    bytes ─ingest/tailer→ chunk ─core/lines→ line ─core/records→ record ─core/parser→ event ─core/reducer→ state
    event + checkpoint ─storage/store→ SQLite, in one transaction
    state ─live→ subscribers ─web/presenters→ view ─web/rendering→ page or fragment
"""

__version__ = "0.1.0"
