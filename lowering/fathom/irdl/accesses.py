"""What dialects say of loops and of the elements that operations read and write, for pictures of access patterns.

ACCESSES = {"shop.take": Says(accesses=lambda op: [Access(op.shelf, at(op.place), reads=True)])}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.operation import Value
from fathom.irdl.aspects import Aspect
from fathom.records import record

Operand: TypeAlias = "Value | int"
"""A value, or a loop of the operation itself that has none, by its number."""


@record(eq=False)
class Expressions:
    """The results of a map at its operands: the dimensions first, then the symbols."""

    map: AffineMap
    operands: Sequence[Operand]


def at(*values: Operand) -> Expressions:
    """These values themselves."""
    return Expressions(identity_map(len(values)), values)


@record(eq=False)
class Loop:
    """A loop from the greatest result of `lower` on, by `step`, to before the least of `upper`. Its variable is None
    where no value has it."""

    variable: Value | None
    lower: Expressions
    upper: Expressions
    step: int | Value


@record(eq=False)
class Access:
    """Elements of an array, a memref or a tensor: from a place on, so many along its last dimensions."""

    array: Value
    place: Expressions
    reads: bool = False
    writes: bool = False
    extent: tuple[int, ...] = ()


def _none(_: Any) -> Sequence[Any]:
    return ()


@record(eq=False)
class Says:
    """What an operation is in terms of these: the loops that it is, outermost first; what it accesses in an iteration;
    and what its result is, an index, if that is affine in others."""

    loops: Callable[[Any], Sequence[Loop]] = _none
    accesses: Callable[[Any], Sequence[Access]] = _none
    index: Callable[[Any], Expressions | None] = lambda op: None


ACCESSES: Final[Aspect[Mapping[str, Says]]] = Aspect("accesses", {}, lambda own, base: {**base, **own})
"""What the operations of a dialect are in these terms, by their full names."""
NOTHING: Final = Says()
