"""What MLIR's verifiers say of the operations of tosa: here of what computes elements, and of constants.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Final, TypeAlias

from fathom.dialects.quant.types import UniformType
from fathom.dialects.tosa.values import (
    check_zero_points,
    constant_of,
    integers_of,
    is_int,
    is_plain,
    same_elements,
    same_input_and_output,
    shape_of,
    shape_rank,
    static,
    stored_of,
    zero_point,
)
from fathom.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import flag_property
from fathom.ir.types import DYNAMIC, IntegerType, TensorType, Type, element_type
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import verifies
from fathom.ops import tosa as ops


@verifies("tosa.const")
def _check_const(op: ops.ConstOp) -> str | None:
    values, result = op.values, op.result.type
    type = getattr(values, "type", None)
    if not isinstance(type, TensorType) or not isinstance(result, TensorType):
        return "expected tensors for attr/result type" if isinstance(type, Type) else None
    if type.element not in (stored_of(result), result.element):
        return "expected same attr/result element types"
    return None


@verifies("tosa.const_shape")
def _check_const_shape(op: ops.ConstShapeOp) -> str | None:
    values, rank = op.values, shape_rank(op.result.type)
    shape = shape_of(values.type) if isinstance(values, DenseElementsAttr) else None
    if shape is None or rank is None:
        return None
    if len(shape) != 1:
        return "expect elements in attribute values with rank 1"
    if shape[0] != rank and (shape[0] != 1 or rank):
        counts = f"({shape[0]}) to be equal to the rank ({rank}) for the result shape type"
        return f"expect number of elements in attribute values {counts}"
    return None


@verifies("tosa.clamp")
def _check_clamp(op: ops.ClampOp) -> str | None:
    element, result = stored_of(op.input.type), stored_of(op.result.type)
    if not is_plain(element) or not is_plain(result):
        return None
    if element != result:
        return "input/output element types are incompatible."
    low, high = op.min_val, op.max_val
    given = f"got min_val={low}, max_val={high}"
    if isinstance(low, IntegerAttr) and isinstance(high, IntegerAttr) and isinstance(element, IntegerType):
        if low.type != element or high.type != element:
            return "min/max attributes types are incompatible with input/output element types."
        return f"expected min_val <= max_val, {given}" if high.value < low.value else None
    if not isinstance(low, FloatAttr) or not isinstance(high, FloatAttr) or not low.type == high.type == element:
        return "min/max attributes types are incompatible with input/output element types."
    if isnan(low.value) or isnan(high.value):
        return f"min/max attributes should not be 'NaN', {given}"
    return f"expected min_val <= max_val, {given}" if high.value < low.value else None


@verifies("tosa.mul")
def _check_multiplication(op: ops.MulOp) -> str | None:
    a, b, result = op.input1.type, op.input2.type, op.result.type
    left, right, out = element_type(a), element_type(b), element_type(result)
    if isinstance(out, IntegerType):
        if not isinstance(left, IntegerType) or left != right:
            return "requires the same element type for all operands"
        if left.width > out.width:
            return "invalid data type size for operands or result"
    else:
        if left != out or right != out:
            return "requires the same element type for all operands and results"
        shift = integers_of(op.shift)
        if shift and shift[0]:
            return "require shift to be 0 for float type"
    first, second, third = shape_of(a), shape_of(b), shape_of(result)
    if first is not None and second is not None:
        if len(first) != len(second):
            return f"a and b operands don't have matching ranks, got {len(first)} and {len(second)}"
        if any(x != y and 1 not in (x, y) and static(x, y) for x, y in zip(first, second, strict=True)):
            return f"a and b operands don't have broadcast-compatible shapes, got '{a}' and '{b}'"
    for name, shape in (("a", first), ("b", second)):
        if shape is not None and third is not None and len(third) != len(shape):
            return f"result type has different rank than {name}, got {len(third)} vs {len(shape)}"
    return None


@verifies("tosa.negate")
def _check_negation(op: ops.NegateOp) -> str | None:
    if problem := same_input_and_output(op):
        return problem
    if not compatible(shape_of(op.input1.type), shape_of(op.output.type)):
        return "requires the same shape for input1 and output"
    return check_zero_points(op, "input1", "output")


@verifies("tosa.matmul")
def _check_product(op: ops.MatmulOp) -> str | None:
    a, b = element_type(op.a.type), element_type(op.b.type)
    if isinstance(a, UniformType) or isinstance(b, UniformType):
        if not isinstance(a, UniformType) or not isinstance(b, UniformType):
            return f"expect operands to be both quantized or both not quantized, got '{a}' and '{b}'"
        widths = a.storage.type.width, b.storage.type.width
        if widths[0] != widths[1]:
            return f"expect quantized operands to have same widths, got {widths[0]} and {widths[1]}"
    return check_zero_points(op, "a", "b", rule="input {0} and {0}_zp have the same element type")


@verifies("tosa.select")
def _check_selection(op: ops.SelectOp) -> str | None:
    result = op.result.type
    return same_elements(op.input2.type, result) or same_elements(op.input3.type, result)


# ---- tosa.rescale


@verifies("tosa.rescale")
def _check_rescale(op: ops.RescaleOp) -> str | None:
    sides = (("input", op.input.type), ("output", op.result.type))
    for name, type in sides:
        element = stored_of(type)
        if is_plain(element) and not isinstance(element, IntegerType):
            return f"expect {name} to have integer element type, got '{element}'"
    for name, type in sides:
        element, zero = stored_of(type), stored_of(op.one_of(f"{name}_zp").type)
        if not isinstance(element, IntegerType):
            continue
        if not isinstance(zero, IntegerType) or zero.width != element.width:
            rule = f"expected {name} and {name}_zp to both be integer of the same bitwidth"
            return f"{rule}, but got '{element}' vs. '{zero}'"
    for name, _ in sides:
        if problem := _check_rescaled_zero(op, name):
            return problem
    return _check_scales(op)


def _check_rescaled_zero(op: ops.RescaleOp, name: str) -> str | None:
    is_unsigned = flag_property(op, f"{name}_unsigned")
    zero = op.one_of(f"{name}_zp")
    point, element = zero_point(zero, signed=not is_unsigned), element_type(zero.type)
    if not point or is_int(element, 8):
        return None
    if not is_int(element, 16) or not is_unsigned:
        return f"expect {name}_zp of 0, got {point}"
    return f"expect {name}_zp of 0 or 32768 for unsigned int16 {name}, got {point}" if point != 1 << 15 else None


def _check_scales(op: ops.RescaleOp) -> str | None:
    multiplier = op.multiplier.type
    is_wide = flag_property(op, "scale32")
    width = 32 if is_wide else 16
    if not is_int(element_type(multiplier), width):
        which = f"scale32={'true' if is_wide else 'false'}"
        return f"expect i{width} element type for multiplier for {which}, got '{element_type(multiplier)}'"
    inner = shape_of(op.input.type)
    if inner is None:
        return None
    channels = 1
    if flag_property(op, "per_channel"):
        if not inner:
            return "requires input to be at least rank 1 when per_channel is true, but got rank 0"
        channels = inner[-1]
    for name in ("multiplier", "shift"):
        shape = shape_of(op.one_of(name).type)
        if not shape:
            return None
        if static(shape[0]) and shape[0] != channels:
            return f"expect shape of {{ {channels} }} for {name} input, got {{ {shape[0]} }}"
    return None


# ---- numbers that share a scale


_Scaled: TypeAlias = "ops.CastFromBlockScaledOp | ops.CastToBlockScaledOp | ops.MatmulTBlockScaledOp"


def _block_size(op: _Scaled) -> int:
    attribute = op.block_size
    value = attribute.parameters[0] if isinstance(attribute, DialectAttr) else 0
    return value if isinstance(value, int) and value > 0 else 1


def _check_scaled(op: _Scaled, data: Type, scale: Type, names: tuple[str, str]) -> str | None:
    """The scales of a tensor: one for each block of its last dimension."""
    shape, scales = shape_of(data), shape_of(scale)
    if not shape or not scales:
        return None
    if len(shape) != len(scales) or not compatible(shape[:-1], scales[:-1]):
        pair = f"{names[0]} ('{data}') and {names[1]} ('{scale}')"
        return f"require compatible shapes for {pair} except for the last dimension"
    count = shape[-1] // _block_size(op)
    if static(shape[-1], scales[-1]) and scales[-1] != count:
        whole = f"last dimension of {names[0]} / block_size ({count})"
        return f"expect last dimension of {names[1]} ({scales[-1]}) to be equal to {whole}"
    return None


def _check_blocks(op: ops.CastFromBlockScaledOp | ops.CastToBlockScaledOp) -> str | None:
    """What casts to and from blocks share."""
    inner, outer = op.input_data.type, op.output_data.type
    if not compatible(shape_of(inner), shape_of(outer)):
        return f"require compatible shapes for input_data ('{inner}') and output_data ('{outer}')"
    shape, size = shape_of(inner), _block_size(op)
    if shape and static(shape[-1]) and shape[-1] % size:
        return f"expect last dimension of input_data ({shape[-1]}) to be divisible by block_size ({size})"
    return None


@verifies("tosa.cast_from_block_scaled")
def _check_from_blocks(op: ops.CastFromBlockScaledOp) -> str | None:
    names = ("input_data", "input_scale")
    return _check_blocks(op) or _check_scaled(op, op.input_data.type, op.input_scale.type, names)


@verifies("tosa.cast_to_block_scaled")
def _check_to_blocks(op: ops.CastToBlockScaledOp) -> str | None:
    names = ("output_data", "output_scale")
    return _check_blocks(op) or _check_scaled(op, op.output_data.type, op.output_scale.type, names)


@verifies("tosa.matmul_t_block_scaled")
def _check_scaled_product(op: ops.MatmulTBlockScaledOp) -> str | None:
    a, b = op.a_data.type, op.b_data.type
    if problem := same_elements(a, b, ("A_data", "B_data")):
        return problem
    known: dict[str, int] = {}
    for name, letters in (("a_data", "NHC"), ("a_scale", "NHM"), ("b_data", "DWC"), ("b_scale", "DWM")):
        shape = shape_of(op.one_of(name).type)
        for letter, extent in zip(letters, shape or (), strict=False):
            size = known.get(letter, DYNAMIC)
            if static(size, extent) and size != extent:
                return f"expected {_DIMENSIONS[letter]} of {name} to match size {size}, got {extent}"
            known[letter] = size if static(size) else extent
    n, d, h, w, c, m = (known.get(letter, DYNAMIC) for letter in "NDHWCM")
    if static(n, d) and d not in (n, 1):
        return f"expect B matrix batch size to be broadcast compatible with A, got D={d} vs N={n}"
    size = _block_size(op)
    if static(c) and c % size:
        return f"expect C to be a multiple of block size, got C={c}, block_size={size}"
    if static(c, m) and m != c // size:
        return f"expect scale operands dimension 2 to equal C/block_size ({c}/{size}), got {m}"
    expected, result = (n if static(n) else d, h, w), shape_of(op.result.type)
    if result is not None and not compatible(result, expected):
        shapes = f"{_extents(result)} to be compatible with expected output shape {_extents(expected)}"
        return f"expected output shape {shapes}"
    return None


_DIMENSIONS: Final = {"N": "batch", "D": "batch", "H": "height", "W": "width", "C": "channels", "M": "C/block_size"}


def _extents(shape: Sequence[int]) -> str:
    return ", ".join("?" if extent == DYNAMIC else str(extent) for extent in shape)


# ---- Fourier transforms


@verifies("tosa.fft2d")
def _check_powers(op: ops.Fft2dOp | ops.Rfft2dOp) -> str | None:
    first, last = (shape_of(op.operands[index].type) for index in (0, len(op.operands) - 1))
    if first is None or last is None:
        return None
    for index, name in ((1, "height"), (2, "width")):
        # MLIR takes the extent of the second input where that of the first is known.
        extent = last[index] if static(first[index]) else first[index]
        if static(extent) and (extent <= 0 or extent & (extent - 1)):
            return f"expected {name} to be a power of two, got {extent}"
    return None


@verifies("tosa.rfft2d")
def _check_real_transform(op: ops.Rfft2dOp) -> str | None:
    results = [result.type for result in op.results]
    if not compatible(shape_of(results[0]), shape_of(results[1])):
        return f"expected output shapes to match, got '{results[0]}', '{results[1]}'"
    if problem := _check_powers(op):
        return problem
    inner, outer = shape_of(op.input_real.type), shape_of(results[0])
    if inner is None or outer is None:
        return None
    if not compatible(inner[:-1], outer[:-1]):
        types = f"input='{op.input_real.type}' output='{results[0]}'"
        return f"expected batch and height dimensions of input/output to match, got {types}"
    if static(inner[2], outer[2]) and outer[2] != inner[2] // 2 + 1:
        return f"expected output width to be equal to input_width / 2 + 1, got {outer[2]}"
    return None


# ---- shapes as values


@verifies("tosa.dim")
def _check_dim(op: ops.DimOp) -> str | None:
    result = op.result.type
    if shape_rank(result) not in (1, None):
        return f"expect output shape type to contain one element, got '{result}'"
    shape = shape_of(op.input1.type)
    axis = op.axis.value
    if shape is not None and not 0 <= axis < len(shape):
        return f"expect axis to be in the range [0, {len(shape)}), got {axis}"
    return None


@verifies("tosa.concat_shape")
def _check_joined_shapes(op: ops.ConcatShapeOp) -> str | None:
    rank, whole = shape_rank(op.result.type), sum(shape_rank(value.type) or 0 for value in op.operands)
    if rank is not None and rank != whole:
        return f"requires output shape rank to be equal to the sum of the input shape ranks ({whole}), got {rank}"
    return None


@verifies("tosa.slice_shape")
def _check_sliced_shape(op: ops.SliceShapeOp) -> str | None:
    start, size = (_number(op, name) for name in ("start", "size"))
    if start is not None and start < 0:
        return f"expected non-negative start index, got {start}"
    if size is None:
        return None
    if size <= 0:
        return f"expected positive size, got {size}"
    rank, inner = shape_rank(op.result.type), shape_rank(op.input.type)
    if rank is not None and rank != size:
        return f"expected output type size to be equal to size attribute, got {rank} vs {size}"
    if start is not None and inner is not None and start + size > inner:
        whole = f"expected start + size to be less than or equal to input shape rank ({inner})"
        return f"{whole}, got {start + size}"
    return None


def _number(op: Operation, name: str) -> int | None:
    """The first element of a constant operand."""
    values = integers_of(op.one_of(name)) if constant_of(op.one_of(name)) is not None else None
    return values[0] if values else None
