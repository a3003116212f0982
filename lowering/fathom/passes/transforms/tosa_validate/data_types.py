"""The types that operands and results of an operation may have together, in whatever profile or extension.

Source: *TOSA specification*, "Supported Data Types".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FloatType, IntegerType, Type, element_type
from fathom.ops import tosa as ops
from fathom.passes.transforms.tosa_validate.supported import supports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Operation, Value

_FLOATS: Final = {
    "f8E4M3FN": "fp8e4m3",
    "f8E5M2": "fp8e5m2",
    "f6E2M3FN": "fp6e2m3",
    "f6E3M2FN": "fp6e3m2",
    "f4E2M1FN": "fp4e2m1",
    "f8E8M0FNU": "fp8e8m0",
}
"""What the specification calls floats, where that is another name."""


def check_types(op: Operation) -> str | None:
    """Why the types of an operation do not belong together."""
    known = [types for support in supports().get(op.name, ()) for types in support.types]
    if not known:
        return None
    words = types_of(op)
    if words in known:
        return None
    # The first of those with the most in common.
    best = max(known, key=lambda combination: sum(a == b for a, b in zip(combination, words, strict=False)))
    return (
        "illegal: operation operand/result data types did not align with any profile or extension, got "
        f"({','.join(words)}), did you mean ({','.join(best)})? Otherwise, please refer to the 'supported data types' "
        f"for '{op.name}' in the specification."
    )


def types_of(op: Operation) -> tuple[str, ...]:
    """What the specification calls the types of an operation that count."""
    return tuple(_word(type) for type in _types(op))


def _word(type: Type) -> str:
    element = element_type(type)
    match element:
        case IntegerType(width):
            return f"i{width}"
        case FloatType(name):
            return _FLOATS.get(name, name)
        case DialectType(name=name):
            return name
        case _:
            return str(element)


def _types(op: Operation) -> Iterable[Type]:
    """The types that count: shapes, and how far is shifted, do not."""
    if isinstance(op, (ops.Conv2dOp, ops.Conv3dOp, ops.DepthwiseConv2dOp, ops.TransposeConv2dOp, ops.AvgPool2dOp)):
        return (*_of(op.operands), op.acc_type.type, op.output.type)
    if isinstance(op, ops.VariableOp):
        return (op.type.type,)
    if isinstance(op, ops.ConcatOp):
        return _of((*op.input1[:1], op.output))
    if isinstance(op, ops.PadOp):
        return _of((op.input1, op.pad_const, op.output))
    if isinstance(op, (ops.ReshapeOp, ops.SliceOp, ops.TileOp)):
        return _of((op.input1, op.output))
    if isinstance(op, ops.MulOp):
        return _of((op.input1, op.input2, op.output))
    if isinstance(op, ops.ResizeOp):
        return _of((op.input, op.output))
    if isinstance(op, ops.SelectOp):
        return _of((op.input2, op.input3, op.output))
    if isinstance(op, ops.RescaleOp):
        return _of((op.input, op.input_zp, op.output_zp, op.output))
    if isinstance(op, ops.DimOp):
        return _of((op.input1,))
    return _of((*op.operands, *op.results))


def _of(values: Iterable[Value]) -> tuple[Type, ...]:
    return tuple(value.type for value in values)
