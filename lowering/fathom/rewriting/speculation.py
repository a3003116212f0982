"""Which operations may run where the program would not have come to them, and may therefore leave a loop.

    scf.for … {                                         %0 = arith.divui %a, %c4 : i32
      %0 = arith.divui %a, %c4 : i32           ->       scf.for … {
      use(%0)                                             use(%0)

A division by what may be zero stays, since the loop may have no iteration. Source of the rules: *Side Effects &
Speculation*, "Speculatability", and the operations of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseElementsAttr, IntegerAttr
from fathom.ir.types import I1, IntegerType, MemRefType, TensorType, element_type
from fathom.irdl.interfaces import Speculatable, Speculation
from fathom.ops.arith import ConstantOp
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def is_pure(op: Operation) -> bool:
    """Whether the operation, with all that is nested in it, may run anywhere and as often as one likes."""
    return is_speculatable(op) and is_memory_effect_free(op)


def is_speculatable(op: Operation) -> bool:
    """Whether the operation, with what is nested in it where that counts, may run though it would not have."""
    return not_speculatable(op) is None


def not_speculatable(op: Operation) -> Operation | None:
    """What must not run where the program would not have come to it: the operation, or one nested in it where that
    counts; None where there is none."""
    pending = [op]
    while pending:
        current = pending.pop()
        speculatable = current.interface(Speculatable)
        when = speculatable.when(current) if speculatable is not None else Speculation.NEVER
        if when is Speculation.NEVER:
            return current
        if when is Speculation.IF_NESTED:
            pending += (inner for region in current.regions for inner in region.operations())
    return None


# ---- rules that several dialects share


def constant_integer(value: Value) -> int | None:
    """The number that a constant is, or that all its elements are."""
    match constant_value(value):
        case IntegerAttr(number):
            return number
        case DenseElementsAttr([int() as number], type) if isinstance(element_type(type), IntegerType):
            return number
        case _:
            return None


def _always_if(condition: Callable[[Operation], bool]) -> Speculatable:
    return Speculatable(lambda op: Speculation.ALWAYS if condition(op) else Speculation.NEVER)


def _has_size(op: Operation) -> bool:
    """A dimension that the type is known to have."""
    source, index = op.operands
    number = constant_integer(index)
    type = source.type
    if number is None or not isinstance(type, MemRefType | TensorType) or type.shape is None:
        return False
    return number < len(type.shape)


def _divisors(op: Operation) -> Sequence[int]:
    """The numbers that a division is by, if they are constants, as signed ones."""
    _, divisor = op.operands
    match constant_value(divisor):
        case IntegerAttr(number, type):
            numbers: Sequence[object] = (number,)
        # Of different elements MLIR takes the range, which arith's constants alone tell.
        case DenseElementsAttr(numbers, type) if len(numbers) == 1 or isinstance(divisor.defining_op, ConstantOp):
            pass
        case _:
            return ()
    is_truth = element_type(type) == I1
    return [-number if is_truth else number for number in numbers if isinstance(number, int)]


def _is_defined(op: Operation) -> bool:
    """Whether the divisors are a range of numbers without 0 and -1."""
    numbers = _divisors(op)
    return bool(numbers) and (min(numbers) > 0 or max(numbers) < -1)


UNSIGNED_DIVISION: Final = _always_if(lambda op: 0 not in (_divisors(op) or (0,)))
SIGNED_DIVISION: Final = _always_if(_is_defined)
SIZE_OF_DIMENSION: Final = _always_if(_has_size)
COUNTED_BY_ONE: Final = Speculatable(
    lambda op: Speculation.IF_NESTED if constant_integer(op.step) == 1 else Speculation.NEVER
)
"""A loop that counts by one comes to an end; of another, MLIR does not know."""
