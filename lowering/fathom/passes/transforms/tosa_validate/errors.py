"""What the specification calls an error of an operation, beyond types and levels.

Source of the rules: *TOSA specification*, `ERROR_IF`; the texts are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.arith.elements import as_signed
from fathom.dialects.tosa.canonicalization import constant_numbers
from fathom.dialects.tosa.values import integers_of, is_int, shape_of
from fathom.ir.types import DYNAMIC, IntegerType, element_type
from fathom.irdl.cases import word
from fathom.ops import tosa as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value


def check_errors(op: Operation) -> str | None:
    """Why an operation is one."""
    rule = _RULES.get(op.name)
    return rule(op) if rule is not None else None


# ---- images

_MOST: Final = 16384


def _resize(op: ops.ResizeOp) -> str | None:
    source, result = shape_of(op.input.type), shape_of(op.output.type)
    if source is None or result is None:
        return "expect ranked input/output tensor"
    sizes = (*result[1:3], *source[1:3])
    if DYNAMIC not in (*source, *result) and max(sizes) >= _MOST:
        given = ", ".join(map(str, sizes))
        return f"expect input/output height/width dims to be < {_MOST}, got [OH, OW, IH, IW] = {given}"
    scale, offset, border = (integers_of(value, only_shapes=True) for value in (op.scale, op.offset, op.border))
    if scale is None or offset is None or border is None:
        return None
    (over_y, under_y), (over_x, under_x) = scale[:2], scale[2:]
    if max(over_y, over_x) > 1 << 11:
        rule = "expect all scale numerator values to be <= (1 << 11)"
        return f"{rule}, got scale_y_n={over_y}, scale_x_n={over_x}"
    if under_y >= 16 * over_y or under_x >= 16 * over_x:
        return f"expect a downscale ratio larger than 1/16, got y={over_y}/{under_y}, x={over_x}/{under_x}"
    for letter, number, over in (("Y", offset[0], over_y), ("X", offset[1], over_x)):
        if not -over <= number < 16 * over:
            return f"expect offset{letter} / scale{letter}Numerator to be in range [-1, 16), got {number}/{over}"
    for letter, number, over in (("Y", border[0], over_y), ("X", border[1], over_x)):
        if not -16 * over <= number < over:
            return f"expect border{letter} / scale{letter}Numerator to be in range [-16, 1), got {number}/{over}"
    for axis in range(2):
        numbers = scale[2 * axis], scale[2 * axis + 1], offset[axis], border[axis]
        problem = _steps(axis, source[1 + axis], result[1 + axis], numbers)
        if problem is not None:
            return problem
    return None


def _steps(axis: int, extent: int, size: int, numbers: Sequence[int]) -> str | None:
    """The steps of a scale reach from the first element of an image to the last."""
    over, under, offset, border = numbers
    if extent == DYNAMIC:
        return None
    name, letter = ("height", "width")[axis], "yx"[axis]
    rest = (extent - 1) * over - offset + border
    if rest % under:
        rule = f"expected (input_{name} - 1) * scale_{letter}_n - offset_{letter} + border_{letter}"
        given = f"(({extent} - 1) * {over} - {offset} + {border}) / {under}"
        return f"{rule} to be wholly divisible by scale_{letter}_d, got {given}"
    expected = rest // under + 1
    if size in (DYNAMIC, expected):
        return None
    return f"calculated output {name} did not match expected: calculated={expected}, expected={size}"


# ---- numbers


def _mul(op: ops.MulOp) -> str | None:
    shift = constant_numbers(op.shift)
    if not shift:
        return None
    number = as_signed(shift[0], 8)
    if is_int(element_type(op.input1.type), 32):
        return None if 0 <= number <= 63 else f"requires 0 <= shift && shift <= 63, but got: {number}"
    if number == 0:
        return None
    return f"requires shift = 0 for all input data types that are not int32_t, but got: {number}"


def _table(op: ops.TableOp) -> str | None:
    wanted, shape = 256 if is_int(element_type(op.input1.type), 8) else 513, shape_of(op.table.type)
    if shape is None or DYNAMIC in shape or prod(shape) == wanted:
        return None
    return f"requires table size of {wanted}, got {prod(shape)}"


def _rescale(op: ops.RescaleOp) -> str | None:
    source, result = element_type(op.input.type), element_type(op.output.type)
    if not isinstance(source, IntegerType) or not isinstance(result, IntegerType):
        return None
    from_unsigned, to_unsigned, is_long = op.input_unsigned.value, op.output_unsigned.value, op.scale32.value
    rules = (
        (is_long and source.width == 48, "scale32 is not allowed with 48-bit input."),
        (
            not is_long and word(op, "rounding_mode") == "DOUBLE_ROUND",
            "DOUBLE_ROUND is only allowed with scale32=true.",
        ),
        (from_unsigned and to_unsigned, "input and output cannot be both unsigned."),
        (result.width == 32 and from_unsigned, "i32 output type is not allowed with unsigned input."),
        (source.width == 32 and to_unsigned, "i32 input type is not allowed with unsigned output."),
        (source.width == 48 and to_unsigned, "i48 input type is not allowed with unsigned output."),
        (source.width == 48 and from_unsigned, "i48 input type cannot be unsigned."),
        (source.width == 32 and from_unsigned, "i32 input type cannot be unsigned."),
        (result.width == 32 and to_unsigned, "i32 output type cannot be unsigned."),
    )
    return next((message for is_broken, message in rules if is_broken), None)


def _pad(op: ops.PadOp) -> str | None:
    less = next((number for number in integers_of(op.padding) or () if number < 0), None)
    return f"padding value must all be non-negative, got {less}" if less is not None else None


def _scatter(op: ops.ScatterOp) -> str | None:
    numbers, shape = constant_numbers(op.indices), shape_of(op.indices.type)
    if numbers is None:
        return None
    if shape is None:
        return "expect ranked indices tensor"
    width = shape[-1] if shape else 1
    rows = [numbers[first : first + width] for first in range(0, len(numbers), max(width, 1))]
    return "indices values contain duplicates" if any(len(set(row)) < len(row) for row in rows) else None


# ---- regions


def _isolated(op: ops.CondIfOp | ops.WhileLoopOp) -> str | None:
    names = ("then", "else") if isinstance(op, ops.CondIfOp) else ("cond", "body")
    for region, name in zip(op.regions, names, strict=True):
        if not all(_is_inside(value, region) for op in region.walk() for value in op.operands):
            rule = f"It requires the '{name}' region is isolated from above.\n"
            return f"is not conformant to the TOSA specification. {rule}"
    return None


def _is_inside(value: Value, region: Region) -> bool:
    maker = value.defining_op
    around = maker.parent.parent if maker is not None and maker.parent is not None else _region_of(value)
    while around is not None and around is not region:
        op = around.parent
        around = op.parent.parent if op is not None and op.parent is not None else None
    return around is region


def _region_of(value: Value) -> Region | None:
    from fathom.ir.operation import BlockArgument

    return value.block.parent if isinstance(value, BlockArgument) else None


_RULES: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "tosa.cond_if": _isolated,
    "tosa.mul": _mul,
    "tosa.pad": _pad,
    "tosa.rescale": _rescale,
    "tosa.resize": _resize,
    "tosa.scatter": _scatter,
    "tosa.table": _table,
    "tosa.while_loop": _isolated,
}
