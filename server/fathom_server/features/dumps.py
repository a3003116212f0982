"""Logs and folders with dumps of IR, as timelines: what `fathom timeline` shows, for editors."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from fathom.dumps.headers import Language
from fathom.dumps.rows import Row
from fathom.dumps.source import Dumps, before, dumps_in
from fathom.records import record

MOST: Final = 20_000
"""So many dumps are listed."""


@record
class Listed:
    """The dumps of a log, and how many more there are."""

    rows: tuple[Row, ...]
    left_off: int


@record
class Dumped:
    """The text of a dump, whether it is cut off, and the dump before it of the same operation, by number and text."""

    text: str
    language: Language
    is_cut: bool
    before: tuple[int, str] | None


@record
class NoDumps:
    """Why there is nothing to show."""

    reason: str


def opened(path: str) -> Dumps | NoDumps:
    """A log or a folder. It reads all of it, which takes a while."""
    try:
        return dumps_in(Path(path))
    except OSError as problem:
        return NoDumps(f"{path}: {problem.strerror}")
    except ValueError as problem:  # A zero in a name.
        return NoDumps(f"{path!a}: {problem}")


def listed(dumps: Dumps) -> Listed:
    """The dumps of a log or a folder. It looks at the texts of all of them, which takes a while."""
    rows = tuple(islice(dumps.rows(), MOST))
    return Listed(rows, dumps.left_off + dumps.count - len(rows))


def dumped(dumps: Dumps, known: Listed, number: int) -> Dumped | NoDumps:
    """A dump of a log or a folder that is listed, by its number."""
    if not 1 <= number <= dumps.count:
        return NoDumps(f"there is no dump {number}; there are {dumps.count}")
    text = dumps.text(number)
    if number <= len(known.rows):
        earlier = known.rows[number - 1].former or None
    else:
        earlier = before(dumps, number) if text.text else None
    former = (earlier, dumps.text(earlier).text) if earlier is not None else None
    return Dumped(text.text, dumps.language(number), text.is_cut, former)
