"""How much is made of what a few characters stand for: asked before it is made.

A type, a count or an alias says in a line what nobody could hold: four hundred million elements, as many operations, a
text of gigabytes. Whatever makes elements, operations or text out of a shape or a count asks here how much that may be,
and says what it left out. Long texts as they are shown are `fathom.text.beginnings`.

A run of a pipeline says how much its passes may make (`allowing`).
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local
from typing import Final

MOST_ELEMENTS: Final = 1 << 20
"""No operation that a pass makes lists more elements one by one."""
_ELEMENTS: Final = 8
"""So many elements that an operation lists count as one more operation."""
MOST_EXAMPLE: Final = 64
"""An example of an argument has no more elements one by one."""
MOST_OPERATIONS: Final = 1 << 17
"""A pass makes no more operations for the elements of vectors and the like."""
_STEPS: Final = 512
"""It takes so many steps of work, as elimination does, for each operation that it may make."""
MOST_NESTED: Final = 96
"""A type or an operation becomes no more loops, or arrays of arrays, inside one another: as deep as a text may nest
regions and brackets."""
MOST_ON_COMMAND_LINE: Final = 1 << 19
"""So many of them it makes for one who waits for a command."""


def counted(number: int) -> str:
    """A number for people, who hardly read more than ten digits: `12,288,000`, `4.0·10¹⁰`."""
    if number < 10**10:
        return f"{number:,}"
    digits = str(number) if number < 10**4000 else ""
    if not digits:
        return "more than 10⁴⁰⁰⁰"
    return f"{digits[0]}.{digits[1]}·10{str(len(digits) - 1).translate(_RAISED)}"


_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Allowance:
    """How many operations a pass may make for elements, and which it was refused: by what they would have stood for,
    with the reason. `asked` is the most that it was to have made when it asked for more."""

    def __init__(self, most: int) -> None:
        self.most: Final = most
        self.made = self.asked = 0
        self.steps = 0
        self.refused: Final[dict[object, str]] = {}


class _Here(local):
    """What the pass may that runs in this thread."""

    allowance: Allowance | None = None


_HERE: Final = _Here()


@contextmanager
def allowing(allowance: Allowance) -> Generator[None, None, None]:
    """Has what runs inside make no more operations for elements than this."""
    before, _HERE.allowance = _HERE.allowance, allowance
    try:
        yield
    finally:
        _HERE.allowance = before


def refuse(subject: object, operations: int, whole: int = 0) -> str | None:
    """Why so many operations are not made for the elements of a subject; None where they may be, and are counted as
    made. `whole` is how many more or less will be made if these are."""
    allowance = _HERE.allowance or Allowance(MOST_OPERATIONS)
    wanted = max(operations, whole)
    total = allowance.made + wanted
    allowance.asked = max(allowance.asked, total)
    if total <= allowance.most:
        allowance.made += operations
        return None
    besides = f" besides {counted(allowance.made)} that were made for others" if allowance.made else ""
    limit = f"the limit is {counted(allowance.most)}"
    said = f"some {counted(wanted)} operations would be made for its elements{besides}; {limit}"
    allowance.refused.setdefault(subject, said)
    return said


def refuse_elements(subject: object, elements: int) -> str | None:
    """Why so many elements are not listed one by one for a subject; None where they may be. Some of them count as an
    operation."""
    allowance = _HERE.allowance or Allowance(MOST_OPERATIONS)
    operations, left = elements // _ELEMENTS, allowance.most - allowance.made
    allowance.asked = max(allowance.asked, allowance.made + operations)
    if operations <= left and elements <= MOST_ELEMENTS:
        allowance.made += operations
        return None
    limit = f"the limit is {counted(min(left * _ELEMENTS, MOST_ELEMENTS))}"
    besides = " besides what was made for others" if allowance.made else ""
    said = f"{counted(elements)} elements would be listed one by one{besides}; {limit}"
    allowance.refused.setdefault(subject, said)
    return said


def refuse_depth(subject: object, levels: int) -> str | None:
    """Why so many loops or arrays are not nested for a subject; None where they may be."""
    if levels <= MOST_NESTED:
        return None
    said = f"what it becomes nests {counted(levels)} levels deep; the limit is {MOST_NESTED}"
    if _HERE.allowance is not None:
        _HERE.allowance.refused.setdefault(subject, said)
    return said


def spend(steps: int) -> bool:
    """Counts steps of work that a short text may ask many of, as elimination does; whether there may be as many."""
    allowance = _HERE.allowance
    if allowance is None:
        return True
    allowance.steps += steps
    return allowance.steps <= allowance.most * _STEPS
