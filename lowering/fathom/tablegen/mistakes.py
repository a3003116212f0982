"""What is wrong with a file, in the words of llvm-tblgen."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fathom.records import record

Place: TypeAlias = int
"""A place in what was read: the number of the file, as it was included, and the offset in it. `place_in` makes one."""

OFFSET_BITS = 32


def place_in(file: int, offset: int) -> Place:
    return file << OFFSET_BITS | offset


def file_of(place: Place) -> int:
    return place >> OFFSET_BITS


def offset_of(place: Place) -> int:
    return place & ((1 << OFFSET_BITS) - 1)


@record
class Finding:
    """A message about places: the first is the message's, the others are those that a record was made through."""

    message: str
    places: tuple[Place, ...] = ()
    severity: Literal["error", "warning", "note"] = "error"
    notes: tuple[Finding, ...] = ()


class Refused(Exception):
    """Ends the reading of a statement: the statement cannot mean anything."""

    def __init__(self, message: str, *places: Place, notes: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.finding = Finding(message, places, notes=notes)


class TooLarge(Refused):
    """A value has become too large, wherever that was: it is reported at the statement that asks for it."""


class Consequence(Exception):
    """Ends the reading of a statement that refers to what was refused already: nothing new is wrong with it."""
