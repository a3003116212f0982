"""The shapes of the results of tosa's operations, as far as they follow from the operands.

`shapes_of(op)` gives one for each result, None for a rank that is not known; or None where nothing follows, and what is
wrong where nothing can, as mlir-opt 22 says it. Source of the rules: *TOSA specification*, and what mlir-opt 22 infers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final, TypeAlias

from fathom.budget import MOST_NESTED
from fathom.dialects.tosa.values import integers_of, shape_of, shape_rank
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.types import DYNAMIC, TensorType, Type
from fathom.irdl.cases import word
from fathom.ops import tosa as ops
from fathom.records import replace

Shape: TypeAlias = "tuple[int, ...] | None"
Shapes: TypeAlias = "list[Shape] | str | None"


def shapes_of(op: Operation) -> Shapes:
    """See the module."""
    rule = _RULES.get(op.name)
    return rule(op) if rule is not None else None


def refined(type: Type, shape: Shape) -> TensorType | None:
    """A tensor's type with what a shape says beside it; None where the two do not fit, or it is no tensor. Of two ranks
    that differ nothing is left."""
    if not isinstance(type, TensorType):
        return None
    known = type.shape
    if known is None or shape is None:
        return replace(type, shape=shape if known is None else known)
    if len(known) != len(shape):
        return replace(type, shape=None)
    if any(a != b and DYNAMIC not in (a, b) for a, b in zip(known, shape, strict=True)):
        return None
    return replace(type, shape=tuple(b if a == DYNAMIC else a for a, b in zip(known, shape, strict=True)))


def common(one: Shape, other: Shape) -> Shape:
    """What two shapes have in common."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else DYNAMIC for a, b in zip(one, other, strict=True))


# ---- element by element


def _broadcast(values: Sequence[Value]) -> Shape:
    """The shape to which all are repeated."""
    shapes = [shape_of(value.type) for value in values]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        return None
    sizes = [1] * max((len(shape) for shape in known), default=0)
    for shape in known:
        for place, size in enumerate(shape, len(sizes) - len(shape)):
            if sizes[place] == 1:
                sizes[place] = size
            elif size not in (1, sizes[place]):
                return None
    return tuple(sizes)


def _of_all(op: Operation) -> Shapes:
    return [_broadcast(op.operands)]


def _of_factors(op: ops.MulOp) -> Shapes:
    """A product, but for how far it is shifted."""
    return [_broadcast(op.operands[:2])]


def _of_first(op: Operation) -> Shapes:
    return [shape_of(op.operands[0].type)]


def _of_both(op: ops.Fft2dOp) -> Shapes:
    return [shape_of(op.input_real.type), shape_of(op.input_imag.type)]


# ---- reductions, transforms and products


def _argmax(op: ops.ArgmaxOp) -> Shapes:
    shape, axis = shape_of(op.input.type), op.axis.value
    return [(*shape[:axis], *shape[axis + 1 :]) if shape is not None else None]


def _reduced(op: ops.ReduceSumOp) -> Shapes:
    shape, axis = shape_of(op.input.type), op.axis.value
    if shape is None or axis >= len(shape):
        return [None]
    return [(*shape[:axis], 1, *shape[axis + 1 :])]


def _half(op: ops.Rfft2dOp) -> Shapes:
    """Of what is real, half the width tells all."""
    shape = shape_of(op.input_real.type)
    if shape is None:
        return None
    half: Shape = (*shape[:2], shape[2] if shape[2] == DYNAMIC else shape[2] // 2 + 1)
    return [half, half]


def _matmul(op: ops.MatmulOp) -> Shapes:
    one, other = (shape_of(value.type) or (DYNAMIC,) * 3 for value in (op.a, op.b))
    return [(_known(one[0], other[0]), one[1], other[2])]


def _matmul_of_blocks(op: ops.MatmulTBlockScaledOp) -> Shapes:
    unknown = (DYNAMIC,) * 3
    a, a_scale = (shape_of(value.type) or unknown for value in (op.a_data, op.a_scale))
    b, b_scale = (shape_of(value.type) or unknown for value in (op.b_data, op.b_scale))
    batches = (a[0], a_scale[0], *(shape[0] for shape in (b, b_scale) if shape[0] != 1))
    return [(_known(*batches), _known(a[1], a_scale[1]), _known(b[1], b_scale[1]))]


def _known(*sizes: int) -> int:
    """The first size that is known."""
    return next((size for size in sizes if size != DYNAMIC), DYNAMIC)


def _to_blocks(op: ops.CastToBlockScaledOp) -> Shapes:
    shape = shape_of(op.input_data.type)
    if shape is None:
        return [None]
    size = int(word(op, "block_size").removeprefix("BLOCK_SIZE_") or 1)
    scales = shape[-1] if shape[-1] == DYNAMIC else shape[-1] // size
    return [shape, (*shape[:-1], scales)]


# ---- what moves elements


def _concat(op: ops.ConcatOp) -> Shapes:
    shapes, axis = [shape_of(value.type) for value in op.operands], op.axis.value
    known = [shape for shape in shapes if shape is not None]
    if not known:
        return [None] if shapes else None
    joined = [DYNAMIC] * len(known[0])
    for shape in known:
        for place, size in enumerate(shape):
            if place == axis or size == DYNAMIC:
                continue
            if joined[place] not in (DYNAMIC, size):
                return None
            joined[place] = size
    sizes = [shape[axis] if shape is not None else DYNAMIC for shape in shapes]
    joined[axis] = DYNAMIC if DYNAMIC in sizes else sum(sizes)
    return [tuple(joined)]


def _constant(value: Value) -> list[int] | None:
    """The sizes of a constant shape, and what it leaves open."""
    numbers = integers_of(value, only_shapes=True)
    return [DYNAMIC if number == -1 else number for number in numbers] if numbers is not None else None


def _open(value: Value, divisor: int = 1) -> Shapes:
    """A shape with one size for `each` sizes of a shape, of which only the rank is known; none of such a rank that
    nothing has as many sizes."""
    rank = (shape_rank(value.type) or 0) // divisor
    return [(DYNAMIC,) * rank if rank <= MOST_NESTED else None]


def _pad(op: ops.PadOp) -> Shapes:
    shape = shape_of(op.input1.type)
    if shape is None:
        return _open(op.padding, divisor=2)
    pads = _constant(op.padding)
    if pads is None:
        return [(DYNAMIC,) * len(shape)]
    sizes = zip(shape, pads[::2], pads[1::2], strict=True)
    return [tuple(DYNAMIC if min(size) < 0 else sum(size) for size in sizes)]


def _reshape(op: ops.ReshapeOp) -> Shapes:
    shape, target = shape_of(op.input1.type), _constant(op.shape)
    if target is None:
        return _open(op.shape)
    if shape is None or DYNAMIC in shape:
        return [tuple(target)]
    known = prod(size for size in target if size != DYNAMIC)
    return [tuple(prod(shape) // known if size == DYNAMIC and known else size for size in target)]


def _slice(op: ops.SliceOp) -> Shapes:
    shape, starts, sizes = shape_of(op.input1.type), integers_of(op.start, only_shapes=True), _constant(op.size)
    if starts is None or sizes is None:
        return _open(op.size)
    if shape is None:
        return [tuple(sizes)]
    return [tuple(_part(*bounds) for bounds in zip(shape, starts, sizes, strict=True))]


def _part(extent: int, start: int, size: int) -> int:
    """How much of an extent is taken from a place on, all of it where the size is open."""
    if extent == DYNAMIC:
        return size if size > 0 and start >= 0 else DYNAMIC
    if not 0 <= start < extent:
        return DYNAMIC
    if size == DYNAMIC:
        return extent - start
    return size if size > 0 and start + size <= extent else DYNAMIC


def _tile(op: ops.TileOp) -> Shapes:
    shape, multiples = shape_of(op.input1.type), _constant(op.multiples)
    if multiples is None:
        return _open(op.multiples)
    if shape is None:
        return [(DYNAMIC,) * len(multiples)]
    if len(shape) != len(multiples):
        return None
    pairs = zip(shape, multiples, strict=True)
    return [tuple(DYNAMIC if DYNAMIC in pair else prod(pair) for pair in pairs)]


def _transpose(op: ops.TransposeOp) -> Shapes:
    shape, order = shape_of(op.input1.type), op.perms.values
    if shape is None:
        return [None]
    if len(order) != len(shape) or (len(set(shape)) > 1 and max(order) >= len(shape)):
        return None
    return [shape if len(set(shape)) <= 1 else tuple(shape[place] for place in order)]


def _gather(op: ops.GatherOp) -> Shapes:
    values, indices = (shape_of(value.type) for value in (op.values, op.indices))
    values, indices = values or (DYNAMIC,) * 3, indices or (DYNAMIC,) * 2
    return [(_known(values[0], indices[0]), indices[1], values[2])]


def _scatter(op: ops.ScatterOp) -> Shapes:
    values, source = (shape_of(value.type) or (DYNAMIC,) * 3 for value in (op.values_in, op.input))
    indices = shape_of(op.indices.type) or (DYNAMIC,) * 2
    return [(_known(values[0], indices[0], source[0]), values[1], _known(values[2], source[2]))]


def _resize(op: ops.ResizeOp) -> Shapes:
    shape = shape_of(op.input.type)
    scale, offset, border = (integers_of(value, only_shapes=True) for value in (op.scale, op.offset, op.border))
    if shape is None or DYNAMIC in shape[1:3] or scale is None or offset is None or border is None:
        return None
    sizes = [
        _quotient((shape[1 + axis] - 1) * scale[2 * axis] - offset[axis] + border[axis], scale[2 * axis + 1]) + 1
        for axis in range(2)
    ]
    if min(sizes) >= 0:
        return [(shape[0], *sizes, shape[3])]
    given = f"height = {sizes[0]}, width = {sizes[1]}"
    return f"calculated output height and width must be non-negative, got {given}"


def _quotient(number: int, divisor: int) -> int:
    """Rounded towards zero."""
    return abs(number) // divisor if number >= 0 else -(abs(number) // divisor)


# ---- windows


def _pool(op: ops.MaxPool2dOp | ops.AvgPool2dOp) -> Shapes:
    shape = shape_of(op.input.type)
    if shape is None:
        return [(DYNAMIC,) * 4]
    kernels, pads, strides = op.kernel.values, op.pad.values, op.stride.values
    places = zip(shape[1:3], kernels, pads[::2], pads[1::2], strides, (1, 1), strict=True)
    return [(shape[0], *(_steps(*place) for place in places), shape[3])]


def _steps(extent: int, kernel: int, before: int, behind: int, stride: int, dilation: int) -> int:
    """How often a window fits in along one dimension."""
    if DYNAMIC in (extent, kernel):
        return DYNAMIC
    return _quotient(extent + before + behind - (kernel - 1) * dilation - 1, stride) + 1


def _convolution(op: ops.Conv2dOp | ops.Conv3dOp) -> Shapes:
    rank = 5 if isinstance(op, ops.Conv3dOp) else 4
    shape, weight = (shape_of(value.type) or (DYNAMIC,) * rank for value in (op.input, op.weight))
    return [(shape[0], *_windows(op, shape[1:-1], weight[1:-1]), _channels(weight[0], op.bias))]


def _by_channels(op: ops.DepthwiseConv2dOp) -> Shapes:
    shape, weight = (shape_of(value.type) or (DYNAMIC,) * 4 for value in (op.input, op.weight))
    channels = _known(shape[3], weight[2]), weight[3]
    product = DYNAMIC if DYNAMIC in channels else prod(channels)
    return [(shape[0], *_windows(op, shape[1:-1], weight[:2]), _channels(product, op.bias))]


def _windows(
    op: ops.Conv2dOp | ops.Conv3dOp | ops.DepthwiseConv2dOp, extents: Sequence[int], kernels: Sequence[int]
) -> list[int]:
    pads, strides, dilations = op.pad.values, op.stride.values, op.dilation.values
    places = zip(extents, kernels, pads[::2], pads[1::2], strides, dilations, strict=True)
    return [_steps(*place) for place in places]


def _channels(known: int, bias: Value) -> int:
    """The channels, which the bias may say."""
    shape = shape_of(bias.type)
    return _known(known, shape[0]) if shape is not None else known


def _transposed(op: ops.TransposeConv2dOp) -> Shapes:
    shape, weight = (shape_of(value.type) or (DYNAMIC,) * 4 for value in (op.input, op.weight))
    pads, strides = op.out_pad.values, op.stride.values
    places = zip(shape[1:3], weight[1:3], pads[::2], pads[1::2], strides, strict=True)
    sizes = [
        DYNAMIC if DYNAMIC in (extent, kernel) else (extent - 1) * stride + before + behind + kernel
        for extent, kernel, before, behind, stride in places
    ]
    return [(shape[0], *sizes, _known(weight[0], shape[0]))]


# ---- control flow


def _yielded(*regions: Region) -> Shapes:
    """What the regions yield has in common."""
    yields = [block.last for region in regions for block in region.blocks if isinstance(block.last, ops.YieldOp)]
    yielded: list[Shape] | None = None
    for last in yields:
        shapes = [shape_of(value.type) for value in last.operands]
        if yielded is not None and len(shapes) != len(yielded):
            return None
        yielded = shapes if yielded is None else [common(a, b) for a, b in zip(yielded, shapes, strict=True)]
    return yielded


_NAMED_RULES: Final[Mapping[str, Callable[[Any], Shapes]]] = {
    **dict.fromkeys(
        (
            "abs add arithmetic_right_shift bitwise_and bitwise_not bitwise_or bitwise_xor cast ceil clamp clz cos "
            "equal erf exp floor greater greater_equal identity intdiv log logical_and logical_left_shift logical_not "
            "logical_or logical_right_shift logical_xor maximum minimum pow reciprocal reverse rsqrt select sigmoid "
            "sin sub tanh"
        ).split(),
        _of_all,
    ),
    **dict.fromkeys(("cast_from_block_scaled", "negate", "rescale", "table"), _of_first),
    **dict.fromkeys((f"reduce_{name}" for name in ("all", "any", "max", "min", "product", "sum")), _reduced),
    **dict.fromkeys(("avg_pool2d", "max_pool2d"), _pool),
    **dict.fromkeys(("conv2d", "conv3d"), _convolution),
    "argmax": _argmax,
    "cast_to_block_scaled": _to_blocks,
    "concat": _concat,
    "cond_if": lambda op: _yielded(*op.regions),
    "depthwise_conv2d": _by_channels,
    "fft2d": _of_both,
    "gather": _gather,
    "matmul": _matmul,
    "matmul_t_block_scaled": _matmul_of_blocks,
    "mul": _of_factors,
    "pad": _pad,
    "reshape": _reshape,
    "resize": _resize,
    "rfft2d": _half,
    "scatter": _scatter,
    "slice": _slice,
    "tile": _tile,
    "transpose": _transpose,
    "transpose_conv2d": _transposed,
    "while_loop": lambda op: _yielded(op.body_graph),
}
_RULES: Final[Mapping[str, Callable[[Any], Shapes]]] = {f"tosa.{name}": rule for name, rule in _NAMED_RULES.items()}
