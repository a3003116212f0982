"""What a value can be replaced by so that its definition may go: another of its type, or a constant.

%sum = arith.addi %a, %b : i32   ->   %sum = arith.constant 0 : i32
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from fathom.ir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
    Type,
    VectorType,
    whole_text_of,
)

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.reducing.outline import Outline

MOST_TRIED: Final = 3
"""So many other values are tried in the place of one."""


def others_for(outline: Outline, op: Operation, value: Value, most: int = MOST_TRIED) -> Iterator[Value]:
    """What may stand in the place of a value at an operation that defines it, or that has it in its regions: first the
    operands of that type, then values before it."""
    own = (operand for operand in op.operands if operand.type == value.type and operand in outline.names)
    before = (other for other in outline.available_at(op) if other.type == value.type)
    yield from islice(dict.fromkeys((*own, *islice(before, most))), most)


def constants_for(type: Type, *, in_llvm: bool) -> Iterator[str]:
    """Operations that make a value of a type out of nothing, the plainest first."""
    text = whole_text_of(type)
    numbers = list(_numbers(type))
    for number in numbers:
        if not in_llvm:
            yield f"arith.constant {number} : {text}"
        elif not isinstance(type, IndexType):
            yield f"llvm.mlir.constant({number} : {text}) : {text}"
    if isinstance(type, MemRefType) and type.has_static_shape:
        yield f"memref.alloc() : {text}"
    if type.full_name.startswith("llvm."):
        yield f"llvm.mlir.zero : {text}"
    elif not numbers and not in_llvm:
        yield f"ub.poison : {text}"


def _numbers(type: Type) -> Iterator[str]:
    """Zero and one, as constants of a type are written."""
    shaped = isinstance(type, (VectorType, TensorType))
    element = type.element if shaped else type
    if shaped and not type.has_static_shape:
        return
    if isinstance(element, FloatType):
        numbers = ("0.0", "1.0")
    elif isinstance(element, (IntegerType, IndexType)):
        numbers = ("false", "true") if element == IntegerType(1) else ("0", "1")
    else:
        return
    yield from (f"dense<{number}>" if isinstance(type, ShapedType) else number for number in numbers)
