"""Every error that Seatwatch raises on purpose, in one tree, split by who can act.

::

    SeatwatchError
    ├── OperatorError           who runs Seatwatch can act
    │   ├── WrongUsage          exit 2   a flag, a variable or a line of config.toml makes no sense
    │   │   ├── ConfigUnusable           config.toml itself cannot be read, understood or written
    │   │   ├── DatabaseUnusable         the place chosen for the database cannot be used
    │   │   ├── Unanswerable             a question about the past that the log has no answer to
    │   │   └── FaceMissing              a picture was asked for in a script that no face of this system has
    │   ├── NothingToRead       exit 3
    │   │   ├── LogFolderMissing         the folder that was asked for is not there
    │   │   ├── LogFolderUnreadable      it is there and may not be read
    │   │   ├── NoLogsFound              nobody named a folder and none of the known places has logs
    │   │   └── NotALog                  the files are there and hold no line of the app's form
    │   ├── Undelivered         exit 2   a notification did not arrive where it was to go
    │   └── HeldByAnother       exit 4   another Seatwatch has it
    │       ├── PortTaken
    │       ├── DatabaseHeld             a running one writes it
    │       └── DatabaseNewer            a newer version made it: it is that version's, not ours to alter
    └── OwnFault                exit 1   we can act
        ├── ResourceMissing              the installation lacks a folder that it should carry
        └── DatabaseDamaged              damage came to light while running; the next start makes it anew

The writer of the logs has no branch: whatever a log holds becomes an event, at worst ``Unrecognized``, never an error.
An exception from outside this tree is a bug of ours and ends with exit 1 as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from pathlib import PurePath

    PathText: TypeAlias = str | PurePath


class SeatwatchError(Exception):
    """``what`` went wrong, ``why``, and what ``todo`` about it: one sentence each. ``exit_code`` is the process's."""

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, why: str, todo: str) -> None:
        super().__init__(what, why, todo)
        self.what = what
        self.why = why
        self.todo = todo

    def __str__(self) -> str:
        return f"{self.what} {self.why} {self.todo}"


class OperatorError(SeatwatchError):
    """Something that the person who runs Seatwatch can put right."""

    exit_code = 2


class WrongUsage(OperatorError):
    """A flag, a SEATWATCH_* variable or a line of config.toml that makes no sense."""


ConfigFault: TypeAlias = Literal["unreadable", "malformed", "unwritable"]


class ConfigUnusable(WrongUsage):
    """config.toml cannot be used; ``fault`` says in which way, ``line`` where it is malformed, None where unknown."""

    def __init__(self, fault: ConfigFault, path: PathText, reason: str, line: int | None = None) -> None:
        mend = "Correct the file, or remove it."
        said = {
            "unreadable": ("read", f"The system says: {reason}.", mend),
            "malformed": ("read", f"{reason}.", mend),
            "unwritable": (
                "written", f"The system says: {reason}.",
                "Make it and its folder writable for you, and check the free space.",
            ),
        }  # fmt: skip
        cannot, why, todo = said[fault]
        super().__init__(f"The settings file {path} cannot be {cannot}.", why, todo)
        self.fault = fault
        self.path = path
        self.reason = reason
        self.line = line


class DatabaseUnusable(WrongUsage):
    """The database cannot be opened or written where it was to lie: a setting names the place, so it is usage."""

    def __init__(self, path: PathText, reason: str) -> None:
        super().__init__(
            f"The database {path} cannot be used.",
            f"The system says: {reason}.",
            "Name another place with --db or SEATWATCH_DB, or make this one writable for you and check its free space.",
        )
        self.path = path
        self.reason = reason


class FaceMissing(WrongUsage):
    """A picture whose words the faces of this system do not have: boxes in their place would be no picture."""

    def __init__(self, script: str, looked_in: Iterable[PathText]) -> None:
        self.looked_in = tuple(str(place) for place in looked_in)
        super().__init__(
            f"The picture has words in {script}, and no face for them was found.",
            f"Looked in: {', '.join(self.looked_in) or 'no place at all'}.",
            "Install one, such as Noto Sans CJK; or take SVG or HTML, which a browser draws; or choose English.",
        )
        self.script = script


class Unanswerable(WrongUsage):
    """A question about the past that makes no sense: ``kind`` says in which way, for who says it in other words.

    ``moment`` is no time, ``before`` one from before the log begins, ``nobody`` names no session, ``several`` more
    than one.
    """

    def __init__(self, kind: Literal["moment", "before", "nobody", "several"], what: str, why: str, todo: str) -> None:
        super().__init__(what, why, todo)
        self.kind = kind


class NothingToRead(OperatorError):
    """There is no log to read."""

    exit_code = 3


class LogFolderMissing(NothingToRead):
    """The log folder that was asked for does not exist."""

    def __init__(self, path: PathText) -> None:
        super().__init__(
            f"The log folder {path} is not there.",
            "Nothing exists at this path, or it is not a folder.",
            "Check the path, or leave it out and Seatwatch looks where the Claude desktop app writes its logs.",
        )
        self.path = path


class LogFolderUnreadable(NothingToRead):
    """The log folder exists and may not be read."""

    def __init__(self, path: PathText, reason: str) -> None:
        super().__init__(
            f"The log folder {path} cannot be read.",
            f"The system says: {reason}.",
            "Give yourself the right to read it, or run Seatwatch as the user who runs the Claude desktop app.",
        )
        self.path = path
        self.reason = reason


class NoLogsFound(NothingToRead):
    """No folder was named and none of the known places holds a log of the app."""

    def __init__(self, looked_in: Iterable[PathText]) -> None:
        self.looked_in = tuple(str(place) for place in looked_in)
        where = ", ".join(self.looked_in) or "no place at all"
        super().__init__(
            "No logs of the Claude desktop app were found.",
            f"Looked in: {where}.",
            "Start the Claude desktop app once, or name its log folder with --logs or SEATWATCH_LOGS.",
        )


class NotALog(NothingToRead):
    """The files are there and no line in them has the form of the app's log."""

    def __init__(self, folder: PathText, files: Iterable[tuple[str, str | None]]) -> None:
        self.folder = folder
        self.files = tuple(files)
        told = "; ".join(f"{path}: {problem or 'no line of the form of the log'}" for path, problem in self.files)
        super().__init__(
            f"Nothing in {folder} can be read as a log of the Claude desktop app.",
            f"Its files: {told}." if told else "There is no file to read.",
            "Check that it is the app's log folder and that the app has written to it.",
        )


UNDELIVERED = {
    "no_desktop": "This machine has no notification service that Seatwatch can reach, as when nobody is logged in.",
    "no_apprise": "The package for services is not installed: pip install 'seatwatch[notify]'.",
    "bad_address": "The address is none that Apprise knows.",
    "refused": "The service did not take it, or could not be reached.",
    "late": "There was no answer in time.",
}
"""Why a notification may not arrive, by the name of the reason. The address itself is a secret, and so is not named."""


class Undelivered(OperatorError):
    """A notification did not arrive. ``reason`` is a name of `UNDELIVERED`."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "A notification could not be delivered.", UNDELIVERED[reason], "Check what the settings page says of it."
        )
        self.reason = reason


class HeldByAnother(OperatorError):
    """The port or the database belongs to another Seatwatch (or, for a port, to another program)."""

    exit_code = 4


class PortTaken(HeldByAnother):
    """Something else listens on the port already."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Port {port} of {host} is taken.",
            "Another Seatwatch, or another program, listens there.",
            "Use the page that is open, stop that program, or choose another port with --port or SEATWATCH_PORT.",
        )
        self.host = host
        self.port = port


class DatabaseHeld(HeldByAnother):
    """A running Seatwatch writes this database; two writers would each keep half of the truth."""

    def __init__(self, path: PathText) -> None:
        super().__init__(
            f"The database {path} is in use.",
            "Another Seatwatch that is running holds it.",
            "Use that one's page, stop it, or name another database with --db or SEATWATCH_DB.",
        )
        self.path = path


class DatabaseNewer(HeldByAnother):
    """A newer Seatwatch made this database; it is left untouched."""

    def __init__(self, path: PathText, found: str, known: str) -> None:
        super().__init__(
            f"The database {path} was made by a newer Seatwatch.",
            f"Its schema is {found}; the newest that this version knows is {known}.",
            "Update Seatwatch, or name another database with --db or SEATWATCH_DB: the logs are read again into it.",
        )
        self.path = path
        self.found = found
        self.known = known


class OwnFault(SeatwatchError):
    """Nothing that the user did: Seatwatch or its installation is broken."""

    exit_code = 1


class ResourceMissing(OwnFault):
    """A folder that Seatwatch carries with it (templates, static, migrations) is missing."""

    def __init__(self, name: str, looked_in: Iterable[PathText]) -> None:
        self.name = name
        self.looked_in = tuple(str(place) for place in looked_in)
        super().__init__(
            f"Seatwatch's own folder '{name}' is missing.",
            f"Looked in: {', '.join(self.looked_in)}.",
            "The installation is damaged: install Seatwatch again.",
        )


class DatabaseDamaged(OwnFault):
    """SQLite found its file damaged while Seatwatch ran. It is marked, and the next start sets it aside."""

    def __init__(self, path: PathText, reason: str) -> None:
        super().__init__(
            f"The database {path} is damaged.",
            f"SQLite says: {reason}.",
            "Start Seatwatch again: it keeps the damaged file under another name and reads the logs into a new one.",
        )
        self.path = path
        self.reason = reason
