"""The types that operands and results of an operation may have together, in whatever profile or extension.

Source: *TOSA specification*, "Supported Data Types".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FloatType, IntegerType, Type, element_type
from fathom.ops import tosa as ops

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
    known = _TYPES.get(op.name)
    if known is None:
        return None
    found = tuple(_word(type) for type in _types(op))
    if found in known:
        return None
    # The first of those with the most in common.
    best = max(known, key=lambda each: sum(a == b for a, b in zip(each, found, strict=False)))
    return (
        "illegal: operation operand/result data types did not align with any profile or extension, got "
        f"({','.join(found)}), did you mean ({','.join(best)})? Otherwise, please refer to the 'supported data types' "
        f"for '{op.name}' in the specification."
    )


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


_TABLE: Final = """
argmax: i8,i32 f16,i32 f32,i32 i16,i32 i8,i64 i16,i64 i32,i64 i64,i64 f16,i64 f32,i64 fp8e4m3,i32 fp8e5m2,i32 bf16,i32
  fp8e4m3,i64 fp8e5m2,i64 bf16,i64
avg_pool2d: i8,i8,i8,i32,i8 f16,f16,f16,f16,f16 f16,f16,f16,f32,f16 f32,f32,f32,f32,f32 i16,i16,i16,i32,i16
  fp8e4m3,fp8e4m3,fp8e4m3,f16,fp8e4m3 fp8e5m2,fp8e5m2,fp8e5m2,f16,fp8e5m2 bf16,bf16,bf16,f32,bf16
conv2d conv3d depthwise_conv2d transpose_conv2d: i8,i8,i32,i8,i8,i32,i32 f16,f16,f16,f16,f16,f16,f16
  f16,f16,f16,f16,f16,f32,f16 f32,f32,f32,f32,f32,f32,f32 i8,i4,i32,i8,i4,i32,i32 i16,i8,i48,i16,i8,i48,i48
  fp8e4m3,fp8e4m3,f16,fp8e4m3,fp8e4m3,f16,f16 fp8e5m2,fp8e5m2,f16,fp8e5m2,fp8e5m2,f16,f16
  bf16,bf16,bf16,bf16,bf16,f32,bf16
matmul: i8,i8,i8,i8,i32 f16,f16,f16,f16,f16 f16,f16,f16,f16,f32 f32,f32,f32,f32,f32 i16,i16,i16,i16,i48
  fp8e4m3,fp8e4m3,fp8e4m3,fp8e4m3,f16 fp8e4m3,fp8e4m3,fp8e4m3,fp8e4m3,f32 fp8e5m2,fp8e5m2,fp8e5m2,fp8e5m2,f16
  fp8e5m2,fp8e5m2,fp8e5m2,fp8e5m2,f32 fp8e4m3,fp8e5m2,fp8e4m3,fp8e5m2,f16 fp8e4m3,fp8e5m2,fp8e4m3,fp8e5m2,f32
  fp8e5m2,fp8e4m3,fp8e5m2,fp8e4m3,f16 fp8e5m2,fp8e4m3,fp8e5m2,fp8e4m3,f32 bf16,bf16,bf16,bf16,f32
max_pool2d: i8,i8 f16,f16 f32,f32 i16,i16 fp8e4m3,fp8e4m3 fp8e5m2,fp8e5m2 bf16,bf16
clamp: i8,i8 f16,f16 f32,f32 i16,i16 bf16,bf16
erf sigmoid tanh ceil cos exp floor log reciprocal rsqrt sin reduce_product: f16,f16 f32,f32 bf16,bf16
add maximum minimum sub: i32,i32,i32 f16,f16,f16 f32,f32,f32 i64,i64,i64 bf16,bf16,bf16
arithmetic_right_shift bitwise_and bitwise_or bitwise_xor logical_left_shift logical_right_shift: i8,i8,i8 i16,i16,i16
  i32,i32,i32 i64,i64,i64
intdiv: i32,i32,i32 i64,i64,i64
logical_and logical_or logical_xor: i1,i1,i1
mul: i8,i8,i32 i16,i16,i32 i32,i32,i32 f16,f16,f16 f32,f32,f32 i64,i64,i64 bf16,bf16,bf16
pow: f16,f16,f16 f32,f32,f32 bf16,bf16,bf16
table: i8,i8,i8 i16,i16,i32
abs reduce_sum: i32,i32 f16,f16 f32,f32 i64,i64 bf16,bf16
bitwise_not: i8,i8 i16,i16 i32,i32 i64,i64
clz: i32,i32 i64,i64
logical_not reduce_all reduce_any: i1,i1
negate: i8,i8,i8,i8 i16,i16,i16,i16 i32,i32,i32,i32 f16,f16,f16,f16 f32,f32,f32,f32 i64,i64,i64,i64
  bf16,bf16,bf16,bf16
select: i1,i1,i1 i8,i8,i8 i16,i16,i16 i32,i32,i32 f16,f16,f16 f32,f32,f32 i64,i64,i64 bf16,bf16,bf16
equal greater greater_equal: i32,i32,i1 f16,f16,i1 f32,f32,i1 i64,i64,i1 bf16,bf16,i1
reduce_max reduce_min: i8,i8 i16,i16 i32,i32 f16,f16 f32,f32 i64,i64 bf16,bf16
concat: i1,i1 i8,i8 i32,i32 f16,f16 f32,f32 i16,i16 i64,i64 fp8e4m3,fp8e4m3 fp8e5m2,fp8e5m2 bf16,bf16
pad: i1,i1,i1 i8,i8,i8 i16,i16,i16 i32,i32,i32 f16,f16,f16 f32,f32,f32 i64,i64,i64 fp8e4m3,fp8e4m3,fp8e4m3
  fp8e5m2,fp8e5m2,fp8e5m2 bf16,bf16,bf16
reshape reverse slice tile transpose: i1,i1 i8,i8 i16,i16 i32,i32 f16,f16 f32,f32 i64,i64 fp8e4m3,fp8e4m3
  fp8e5m2,fp8e5m2 bf16,bf16
gather: i8,i32,i8 i16,i32,i16 i32,i32,i32 f16,i32,f16 f32,i32,f32 fp8e4m3,i32,fp8e4m3 fp8e5m2,i32,fp8e5m2
  bf16,i32,bf16 i8,i64,i8 i16,i64,i16 i32,i64,i32 i64,i64,i64 f16,i64,f16 f32,i64,f32 fp8e4m3,i64,fp8e4m3
  fp8e5m2,i64,fp8e5m2 bf16,i64,bf16
scatter: i8,i32,i8,i8 i16,i32,i16,i16 i32,i32,i32,i32 f16,i32,f16,f16 f32,i32,f32,f32 fp8e4m3,i32,fp8e4m3,fp8e4m3
  fp8e5m2,i32,fp8e5m2,fp8e5m2 bf16,i32,bf16,bf16 i8,i64,i8,i8 i16,i64,i16,i16 i32,i64,i32,i32 i64,i64,i64,i64
  f16,i64,f16,f16 f32,i64,f32,f32 fp8e4m3,i64,fp8e4m3,fp8e4m3 fp8e5m2,i64,fp8e5m2,fp8e5m2 bf16,i64,bf16,bf16
resize: i8,i32 i8,i8 f16,f16 f32,f32 i16,i48 i16,i16 bf16,bf16
cast: i1,i8 i1,i16 i1,i32 i8,i1 i8,i16 i8,i32 i16,i1 i16,i8 i16,i32 i32,i1 i32,i8 i32,i16 i8,f16 i8,f32 i16,f16
  i16,f32 i32,f16 i32,f32 f16,i8 f16,i16 f16,i32 f16,f32 f32,i8 f32,i16 f32,i32 f32,f16 i8,bf16 i16,bf16 i32,bf16
  bf16,i8 bf16,i16 bf16,i32 bf16,f32 f32,bf16 i32,i64 i64,i32 bf16,fp8e4m3 fp8e4m3,bf16 bf16,fp8e5m2 fp8e5m2,bf16
  fp8e4m3,f16 fp8e4m3,f32 f16,fp8e4m3 f32,fp8e4m3 fp8e5m2,f16 fp8e5m2,f32 f16,fp8e5m2 f32,fp8e5m2
rescale: i8,i8,i8,i8 i8,i8,i16,i16 i8,i8,i32,i32 i16,i16,i8,i8 i16,i16,i16,i16 i16,i16,i32,i32 i32,i32,i8,i8
  i32,i32,i16,i16 i32,i32,i32,i32 i48,i48,i8,i8 i48,i48,i16,i16 i48,i48,i32,i32
const: i1 i8 i16 i32 f16 f32 i4 i48 i64 fp8e4m3 fp8e5m2 bf16 fp8e8m0 fp6e3m2 fp6e2m3 fp4e2m1 mxint8
identity: i1,i1 i8,i8 i16,i16 i32,i32 f16,f16 f32,f32 i4,i4 i48,i48 i64,i64 fp8e4m3,fp8e4m3 fp8e5m2,fp8e5m2 bf16,bf16
variable variable_write variable_read: i8 f16 f32
fft2d: f32,f32,f32,f32
matmul_t_block_scaled: fp4e2m1,fp8e8m0,fp4e2m1,fp8e8m0,f32 fp6e2m3,fp8e8m0,fp6e2m3,fp8e8m0,f32
  fp6e3m2,fp8e8m0,fp6e3m2,fp8e8m0,f32 fp8e4m3,fp8e8m0,fp8e4m3,fp8e8m0,f32 fp8e5m2,fp8e8m0,fp8e5m2,fp8e8m0,f32
  mxint8,fp8e8m0,mxint8,fp8e8m0,f32
rfft2d: f32,f32,f32
cast_from_block_scaled: fp4e2m1,fp8e8m0,bf16 fp6e2m3,fp8e8m0,bf16 fp6e3m2,fp8e8m0,bf16 fp8e4m3,fp8e8m0,bf16
  fp8e5m2,fp8e8m0,bf16 mxint8,fp8e8m0,bf16 fp4e2m1,fp8e8m0,f32 fp6e2m3,fp8e8m0,f32 fp6e3m2,fp8e8m0,f32
  fp8e4m3,fp8e8m0,f32 fp8e5m2,fp8e8m0,f32 mxint8,fp8e8m0,f32
cast_to_block_scaled: bf16,fp4e2m1,fp8e8m0 f32,fp4e2m1,fp8e8m0 f32,fp6e2m3,fp8e8m0 f32,fp6e3m2,fp8e8m0
  f32,fp8e4m3,fp8e8m0 f32,fp8e5m2,fp8e8m0 f32,mxint8,fp8e8m0 bf16,fp6e2m3,fp8e8m0 bf16,fp6e3m2,fp8e8m0
  bf16,fp8e4m3,fp8e8m0 bf16,fp8e5m2,fp8e8m0 bf16,mxint8,fp8e8m0
dim: i1 i8 i16 i32 f16 f32 fp8e4m3 fp8e5m2 bf16 fp6e3m2 fp6e2m3 fp4e2m1 mxint8 fp8e8m0 i64
"""
"""Operations, and the types of each that belong together, separated by commas."""


def _read(table: str) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in table.replace("\n  ", " ").strip().split("\n"):
        names, _, lists = line.partition(": ")
        found.update((f"tosa.{name}", [tuple(list_.split(",")) for list_ in lists.split()]) for name in names.split())
    return found


_TYPES: Final = _read(_TABLE)
