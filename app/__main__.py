"""``python -m app``: the same as the ``seatwatch`` command."""

from app.cli import main

main()
