"""What a dialect says of folding, in the module `folds.py` of its folder: what operations fold to, by their full names,
and how a constant is made of what they fold to.

    FOLDS: Final = {"shop.total": fold_total}

Source of the rules: *Operation Canonicalization*, "Canonicalizing with the `fold` method".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Region, Span, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions

Constants: TypeAlias = "Sequence[Attribute | None]"
"""For each operand its attribute, if it is a constant."""
Folded: TypeAlias = "Sequence[Value | Attribute] | None"
"""For each result a value or an attribute; an empty list where the operation was changed in place; None where nothing
folds."""
Fold: TypeAlias = "Callable[[Any, Constants], Folded]"
"""Of operations of one class, or of any."""
Folds: TypeAlias = "Mapping[str, Fold]"
Materialize: TypeAlias = "Callable[[Definitions, Attribute, Type, Span | None], Operation | None]"
"""Makes the operation of an attribute that is a value of this type; None where the dialect has none for it."""
TakesConstants: TypeAlias = "Callable[[Region], bool]"
"""Whether constants which folding makes stand in a region of the dialect's operations, though what is outside is seen
from there (`DialectFoldInterface::shouldMaterializeInto`)."""

FOLDS: Final[Aspect[Folds]] = Aspect("folds", {}, Joined)
MATERIALIZE_CONSTANT: Final[Aspect[Materialize | None]] = Aspect("materialize_constant", None, module="folds")
TAKES_CONSTANTS: Final[Aspect[TakesConstants | None]] = Aspect("takes_constants", None, module="folds")


def one(folded: Value | Attribute | None) -> Folded:
    """The fold to a single value or attribute, if there is one."""
    return None if folded is None else [folded]


def use_instead(op: Operation, other: Callable[[Value], Value | None]) -> Folded:
    """Has an operation use, in the place of operands, the `other` values that there are for them."""
    others = [(index, value) for index, operand in enumerate(op.operands) if (value := other(operand)) is not None]
    for index, value in others:
        op.set_operand(index, value)
    return [] if others else None
