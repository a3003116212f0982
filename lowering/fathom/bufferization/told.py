"""What is told of tensors in memory, as data: of values and operands, and why these are as they are (`account.py`).

Operations and values are known by where they stand in the source.
"""

from __future__ import annotations

from enum import Enum

from fathom.records import record


class Rule(Enum):
    """What forbids a write in place."""

    READ_AFTER_WRITE = "read-after-write"
    """A read would find what the write left, and not what was defined."""
    NOT_WRITABLE = "not-writable"
    """Nobody may write to the buffer."""
    IN_PARALLEL = "in-parallel"
    """Several would write to the buffer at the same time."""


@record
class Where:
    """An operation, or an argument of a block, by its place in the source. `start` is -1 where it has none."""

    start: int
    end: int
    name: str


@record
class Which:
    """A value: the operation that it is a result of, or the place of an argument, with the name of the operation that
    it is an argument in; and its number there. Or the copy that an operation is given of its operand of this number."""

    of: Where
    number: int
    is_argument: bool = False
    is_copy: bool = False


@record
class Reason:
    """A conflict: the rule, the operation that writes, the value that is concerned, and of a read after a write the
    operation that reads, and what. The read `comes_again` if it stands before the write, or at it, in a loop."""

    rule: Rule
    write: Where
    concerned: Which
    read: Where | None = None
    value_read: Which | None = None
    comes_again: bool = False


@record
class Operand:
    """What was decided of an operand: whether it is in place; whether it is written; and if it is not in place, whether
    the new buffer needs its contents, and what was in the way. Nothing was where no analysis is made."""

    op: Where
    place: int
    value: Which
    in_place: bool
    is_written: bool
    needs_contents: bool = False
    reasons: tuple[Reason, ...] = ()


class Form(Enum):
    """What a value is in memory."""

    NEW = "new"
    """A buffer of its own."""
    GIVEN = "given"
    """The buffer that a caller passes."""
    CONSTANT = "constant"
    """Memory that nobody writes."""
    WRITTEN = "written"
    """The buffer of another value, which is written."""
    SAME = "same"
    """The buffer of another value, as it is."""
    PART = "part"
    """A part of the buffer of another value, or another view of it."""
    COPY = "copy"
    """A new buffer in the place of that of another value."""
    EITHER = "either"
    """One of several buffers."""
    HANDED = "handed"
    """What is handed to a block, or comes out of regions."""


@record
class Held:
    """What a value is in memory: of which values it has the buffer, with what these buffers begin, and the decision
    that gave it a new one in the place of another. Its function may return that buffer, and the block that allocates it
    may hand it on."""

    value: Which
    form: Form
    of: tuple[Which, ...] = ()
    origins: tuple[Which, ...] = ()
    copied: Operand | None = None
    is_returned: bool = False
    handed_on: Where | None = None


@record
class Made:
    """An operation that allocates memory, or copies it, by where the operation stands that it came of. `again` is
    whether it may run more than once each time that its function does."""

    op: Where
    is_copy: bool
    again: bool


@record
class Freed:
    """That memory which was allocated for an operation is freed before another, which ends what `around` does; not
    where it was handed on before."""

    op: Where
    before: Where
    around: Where
