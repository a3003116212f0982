"""The canonicalisation of `tensor.pad`: without padding, with casts around it, or one after the other.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.tensor.canonicalization.building import Mixed, cast_for, slice_type, with_constants
from fathom.dialects.tensor.casts import forgets, knows_as_much, ranked
from fathom.ir.affine import AffineDim, add
from fathom.ir.attributes import Attribute
from fathom.ir.clone import clone_region
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import mixed_list
from fathom.ops import tensor as ops
from fathom.rewriting.folding import constant_value, known_number
from fathom.rewriting.pattern import Failure, Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slicing import create_slice

NOFOLD: Final = Failure("it must stay")


def _paddings(op: ops.PadOp) -> tuple[list[int | Value], list[int | Value]]:
    return mixed_list(op, "low"), mixed_list(op, "high")


def _create(
    op: ops.PadOp, source: Value, low: Mixed, high: Mixed, type: TensorType, region: Region, rewriter: Rewriter
) -> Operation:
    """A padding like another one, which yields what the region does."""
    (lows, static_low), (highs, static_high) = separated(low), separated(high)
    properties: dict[str, Attribute] = {
        **op.properties,
        "static_low": static_low,
        "static_high": static_high,
        "operandSegmentSizes": segment_sizes(1, len(lows), len(highs)),
    }
    return rewriter.create("tensor.pad", [source, *lows, *highs], [type], properties, op.attributes, regions=[region])


def _moved(op: ops.PadOp, source: Value, low: Mixed, high: Mixed, type: TensorType, rewriter: Rewriter) -> Operation:
    """A padding that takes over the region of another one."""
    made = _create(op, source, low, high, type, Region(), rewriter)
    rewriter.inline_region_before(op.region, made.regions[0], None)
    return made


def padding_value(op: ops.PadOp) -> Value | None:
    """The value of all padding: a constant, or one from outside of the region."""
    block = op.region.first
    if block is None or not isinstance(block.last, ops.YieldOp):
        return None
    value = block.last.value
    maker = value.defining_op
    inside = maker.parent is block if maker is not None else value in block.arguments
    return value if constant_value(value) is not None or not inside else None


def no_padding(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """A cast, unless it must stay."""
    if any(known_number(number) != 0 for padding in _paddings(op) for number in padding):
        return None
    if "nofold" in op.properties:
        return NOFOLD
    return cast_for(op, op.source, rewriter)


def padded_cast(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """What was cast is padded, and the result cast, if that says more."""
    cast, type = forgets(op.source), ranked(op.result.type)
    source = ranked(cast.source.type) if cast is not None else None
    if cast is None or source is None or type is None:
        return None
    sizes = zip(source.ranked_shape, op.static_low.values, op.static_high.values, strict=True)
    shape = [DYNAMIC if DYNAMIC in size else sum(size) for size in sizes]
    pairs = zip(shape, type.ranked_shape, strict=True)
    known = TensorType(tuple(old if new == DYNAMIC else new for new, old in pairs), source.element)
    if known == type:
        rewriter.modify(op, lambda: op.set_operand(0, cast.source))
        return op
    low, high = _paddings(op)
    return cast_for(op, _create(op, op.source, low, high, known, clone_region(op.region), rewriter).result, rewriter)


def cast_padding(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """What is cast and not used otherwise is padded to the type of the cast."""
    cast = next(iter(op.result.uses), None)
    if not isinstance(cast, ops.CastOp) or sum(op.result.uses.values()) != 1:
        return None
    type = ranked(cast.result.type)
    if type is None or not knows_as_much(type, op.result.type):
        return None
    low, high = _paddings(op)
    made = _moved(op, op.source, low, high, type, rewriter)
    rewriter.replace(op, [made.result])
    rewriter.replace(cast, [made.result])
    return op


def orthogonal_paddings(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = tensor.extract_slice %t[16, 0] [%m, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
        %1 = tensor.pad %0 low[0, 0] high[%a, 0] { … } : tensor<?x64xf32> to tensor<8x64xf32>
        %2 = tensor.extract_slice %1[0, 4] [8, %n] [1, 1] : tensor<8x64xf32> to tensor<8x?xf32>
        %r = tensor.pad %2 low[0, 0] high[0, %b] { … } : tensor<8x?xf32> to tensor<8x4xf32>
    becomes
        %0 = tensor.extract_slice %t[16, 4] [%m, %n] [1, 1] : tensor<64x64xf32> to tensor<?x?xf32>
        %r = tensor.pad %0 low[0, 0] high[%a, %b] { … } : tensor<?x?xf32> to tensor<8x4xf32>
    """
    inner = defined_by(op.source, ops.ExtractSliceOp)
    first = defined_by(inner.source, ops.PadOp) if inner is not None else None
    outer = defined_by(first.source, ops.ExtractSliceOp) if first is not None else None
    if inner is None or first is None or outer is None or "nofold" in first.properties:
        return None
    type, source = ranked(op.result.type), ranked(outer.source.type)
    padded = ranked(inner.source.type)
    if type is None or source is None or padded is None or len(source.ranked_shape) != len(type.ranked_shape):
        return None
    if any(stride != 1 for pad in (inner, outer) for stride in pad.static_strides.values):
        return Failure("there are strides")
    if any(known_number(low) != 0 for pad in (op, first) for low in mixed_list(pad, "low")):
        return Failure("it is padded in front")
    values = [padding_value(pad) for pad in (op, first)]
    constants = [constant_value(value) if value is not None else None for value in values]
    if constants[0] is None or constants[0] != constants[1]:
        return Failure("the paddings differ")
    mine, theirs = ([known_number(size) != 0 for size in mixed_list(pad, "high")] for pad in (op, first))
    if any(a and b for a, b in zip(mine, theirs, strict=True)):
        return Failure("a dimension is padded twice")
    offsets: list[int | Value] = []
    pairs = zip(mixed_list(inner, "offsets"), mixed_list(outer, "offsets"), mine, theirs, strict=True)
    for second, before, is_mine, is_theirs in pairs:
        if not is_mine and known_number(second) == 0:
            offsets.append(before)
        elif not is_theirs and known_number(before) == 0:
            offsets.append(second)
        else:
            return Failure("both slices have an offset")
    sizes = mixed_list(inner, "sizes")
    for dim, is_theirs in enumerate(theirs):
        if not is_theirs:
            continue
        if known_number(sizes[dim]) != padded.ranked_shape[dim]:
            return Failure("only a part of what is padded is used")
        sizes[dim] = mixed_list(outer, "sizes")[dim]
    highs = zip(mixed_list(op, "high"), mixed_list(first, "high"), mine, theirs, strict=True)
    high = [a if is_mine else b if is_theirs else 0 for a, b, is_mine, is_theirs in highs]
    lists = [offsets, sizes, mixed_list(inner, "strides")]
    types = [slice_type(source, sizes, len(sizes))]
    slice = create_slice(rewriter, inner.name, [outer.source], lists, types).result
    return _moved(op, slice, mixed_list(op, "low"), high, type, rewriter)


def known_padding(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """
        %r = tensor.pad %t low[%c1] high[2] { … } : tensor<4xf32> to tensor<?xf32>
    becomes
        %0 = tensor.pad %t low[1] high[2] { … } : tensor<4xf32> to tensor<7xf32>
        %r = tensor.cast %0 : tensor<7xf32> to tensor<?xf32>
    """
    source, type = ranked(op.source.type), ranked(op.result.type)
    if source is None or type is None:
        return None
    low, high = map(with_constants, _paddings(op))
    shape: list[int] = []
    for before, a, b, after in zip(source.ranked_shape, low, high, type.ranked_shape, strict=True):
        known = before != DYNAMIC and isinstance(a, int) and isinstance(b, int)
        shape.append(before + a + b if after == DYNAMIC and known else after)  # type: ignore[operator]
    if tuple(shape) == type.shape or all(size == DYNAMIC for size in shape):
        return Failure("no size is known")
    known_type = TensorType(tuple(shape), type.element)
    made = _create(op, op.source, low, high, known_type, clone_region(op.region), rewriter)
    return cast_for(op, made.result, rewriter)


def padded_twice(op: ops.PadOp, rewriter: Rewriter) -> Replacement:
    """Two paddings by one value are one."""
    first, type = defined_by(op.source, ops.PadOp), ranked(op.result.type)
    if first is None or type is None or "nofold" in op.properties or "nofold" in first.properties:
        return None
    value = padding_value(op)
    if value is None or padding_value(first) is not value:
        return Failure("the paddings differ")
    paddings = zip(_paddings(op), _paddings(first), strict=True)
    # The later ones are computed first, as mlir-opt does.
    high, low = [_sums(mine, theirs, rewriter) for mine, theirs in reversed(list(paddings))]
    return _moved(op, first.source, low, high, type, rewriter)


def _sums(mine: Mixed, theirs: Mixed, rewriter: Rewriter) -> list[int | Value]:
    """The sums of two lists."""
    return [apply_folded(rewriter, SUM, pair) for pair in zip(mine, theirs, strict=True)]


SUM: Final = add(AffineDim(0), AffineDim(1))
