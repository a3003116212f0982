"""The canonicalisation of shapes: assumptions that hold go, shapes are broadcast once, casts meet.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's, where a rule that matches two operations is tried
before one that matches one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.shape.extents import broadcast_shape, extents, extents_of, is_extent_tensor, is_of
from fathom.dialects.tensor.canonicalization.building import cast_for, cast_to
from fathom.dialects.tensor.casts import CAST, ranked
from fathom.ir.attributes import TRUE, index_attr
from fathom.ir.operation import Operation, Region, Value, types_of
from fathom.ir.types import DYNAMIC, INDEX, ShapedType, TensorType
from fathom.ops import shape as ops
from fathom.ops.tensor import CastOp, ExtractOp, ReshapeOp
from fathom.rewriting.pattern import Failure, Pattern, Replacement, defined_by, replacing
from fathom.rewriting.rewriter import Rewriter


def _again(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Operation:
    """The same operation on other operands."""
    return rewriter.create(op.name, operands, types_of(op.results), op.properties, op.attributes)


# ---- assumptions


def unused_results(op: ops.AssumingOp, rewriter: Rewriter) -> Replacement:
    """What nobody uses is not given out of the region."""
    block = op.doRegion.first
    last = block.last if block is not None else None
    if block is None or last is None or all(result.uses for result in op.results):
        return None
    used = [result for result in op.results if result.uses]
    rewriter.set_insertion_to_end(block)
    rewriter.replace_with(last, last.name, [last.operands[result.index] for result in used])
    rewriter.set_insertion_before(op)
    made = rewriter.create(op.name, op.operands, [result.type for result in used], op.properties, regions=[Region()])
    rewriter.inline_region_before(op.doRegion, made.regions[0], None)
    for old, new in zip(used, made.results, strict=True):
        rewriter.replace_all_uses(old, new)
    rewriter.erase(op)
    return op


def holds(op: ops.AssumingOp, rewriter: Rewriter) -> Replacement:
    """What is done where something holds that always does is done."""
    block = op.doRegion.first
    if defined_by(op.witness, ops.ConstWitnessOp) is None or block is None or block.last is None:
        return None
    if op.parent is None or not op.doRegion.has_one_block:
        return None
    last = block.last
    rewriter.inline_block_before(block, op.parent, op)
    rewriter.replace(op, list(last.operands))
    rewriter.erase(last)
    return op


def merged_assumptions(op: ops.AssumingAllOp, rewriter: Rewriter) -> Replacement:
    """Assumptions of assumptions are one."""
    values: list[Value] = []
    for operand in op.operands:
        inner = defined_by(operand, ops.AssumingAllOp)
        values += inner.operands if inner is not None else [operand]
    return rewriter.create(op.name, values, [op.result.type]) if len(values) != len(op.operands) else None


def one_assumption(op: ops.AssumingAllOp, rewriter: Rewriter) -> Replacement:
    """All of one is that."""
    return list(op.operands) if len(op.operands) == 1 else None


def implied_assumptions(op: ops.AssumingAllOp, rewriter: Rewriter) -> Replacement:
    """Shapes that go together with others do so without them too."""
    makers = [defined_by(operand, ops.CstrBroadcastableOp) for operand in dict.fromkeys(op.operands)]
    known = [maker for maker in makers if maker is not None]
    if len(known) != len(makers) or len(known) <= 1:
        return None
    left = sorted(known, key=lambda maker: -len(maker.operands))
    gone: list[Operation] = []
    place = 0
    while place < len(left):
        mine = set(left[place].operands)
        kept = [later for later in left[place + 1 :] if not mine.issuperset(later.operands)]
        gone += left[place + 1 + len(kept) :]
        left[place + 1 :] = kept
        place += 1
    if not gone:
        return None
    rewriter.replace_with(op, op.name, [maker.result for maker in left], [op.result.type])
    for maker in gone:
        if maker.parent is not None and not maker.result.uses:
            rewriter.erase(maker)
    return op


def equal_assumptions(op: ops.AssumingAllOp, rewriter: Rewriter) -> Replacement:
    """That some shapes are equal and some of them are equal to others is that all are."""
    shapes: list[Value] = []
    for operand in op.operands:
        equal = defined_by(operand, ops.CstrEqOp)
        if equal is None:
            return None
        if shapes and equal.operands and not set(shapes).intersection(equal.operands):
            return Failure("they have no shape in common")
        shapes += equal.operands
    return rewriter.create("shape.cstr_eq", shapes, [op.result.type])


def same_shapes(op: Operation, rewriter: Rewriter) -> Replacement:
    """One shape goes together with itself."""
    if any(operand is not op.operands[0] for operand in op.operands):
        return None
    return rewriter.create("shape.const_witness", (), [op.result.type], {"passing": TRUE})


# ---- several shapes


def named_once(op: Operation, rewriter: Rewriter) -> Replacement:
    """What is named several times counts once."""
    unique = list(dict.fromkeys(op.operands))
    return _again(op, unique, rewriter) if len(unique) != len(op.operands) else None


def without_scalars(op: Operation, rewriter: Rewriter) -> Replacement:
    """Shapes without extents change nothing."""
    kept = [operand for operand in op.operands if not _is_scalar(operand)]
    if not kept:
        return rewriter.create("shape.const_shape", (), [op.result.type], {"shape": extents([])})
    return _again(op, kept, rewriter) if len(kept) != len(op.operands) else None


def _is_scalar(value: Value) -> bool:
    constant = defined_by(value, ops.ConstShapeOp)
    if constant is not None and extents_of(constant.shape) == []:
        return True
    return isinstance(value.type, TensorType) and value.type.shape == (0,)


def without_casts(op: Operation, rewriter: Rewriter) -> Replacement:
    """How many extents there are need not be forgotten."""
    casts = [defined_by(operand, CastOp) for operand in op.operands]
    if not any(cast is not None and _is_open(cast.result) for cast in casts):
        return None
    pairs = zip(casts, op.operands, strict=True)
    values = [cast.source if cast is not None and _is_open(cast.result) else operand for cast, operand in pairs]
    return rewriter.create(op.name, values, [op.result.type])


def _is_open(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.shape == (DYNAMIC,)


def known_rank(op: ops.BroadcastOp, rewriter: Rewriter) -> Replacement:
    """The shape to which others are broadcast has as many extents as the longest of them."""
    if not _is_open(op.result):
        return None
    types = [operand.type for operand in op.operands if isinstance(operand.type, TensorType)]
    ranks = [type.ranked_shape[0] for type in types]
    if DYNAMIC in ranks:
        return Failure("how many extents there are is not known")
    made = rewriter.create(op.name, op.operands, [TensorType((max(ranks, default=0),), INDEX)], op.properties)
    return cast_for(op, made.result, rewriter)


def known_shapes(op: ops.BroadcastOp, rewriter: Rewriter) -> Replacement:
    """Several constants among the shapes are one."""
    folded: list[int] = []
    rest: list[Value] = []
    for operand in op.operands:
        constant = defined_by(operand, ops.ConstShapeOp)
        known = extents_of(constant.shape) if constant is not None else None
        joined = broadcast_shape(folded, known) if known is not None else None
        if joined is None:
            rest.append(operand)
        else:
            folded = joined
    if len(op.operands) - len(rest) < 2:
        return None
    return rewriter.create(op.name, [*rest, _constant(folded, rewriter)], [op.result.type])


def _constant(shape: Sequence[int], rewriter: Rewriter) -> Value:
    """A constant, as a tensor of extents."""
    type = TensorType((len(shape),), INDEX)
    return rewriter.create("shape.const_shape", (), [type], {"shape": extents(shape)}).result


def one_shape(op: ops.BroadcastOp, rewriter: Rewriter) -> Replacement:
    """One shape is broadcast to itself."""
    if len(op.operands) != 1:
        return None
    (value,) = op.operands
    if value.type != op.result.type:
        name = "shape.from_extent_tensor" if is_of(op.result.type, "shape") else CAST
        value = rewriter.create(name, [value], [op.result.type]).result
    return value


# ---- conversions


def there_and_back(name: str, root: str, inverse: type[Operation]) -> Pattern:
    """What is converted to an index, or a size, and back."""

    def rewrite(op: Operation, rewriter: Rewriter) -> Replacement:
        inner = defined_by(op.operands[0], inverse)
        return list(inner.operands) if inner is not None and inner.operands[0].type == op.result.type else None

    return replacing(root, rewrite, benefit=2, name=name)


def cast_constant(op: CastOp, rewriter: Rewriter) -> Replacement:
    """A constant of a type that knows how many extents it has."""
    constant, type = defined_by(op.source, ops.ConstShapeOp), ranked(op.result.type)
    if constant is None or type is None or not type.has_static_shape:
        return None
    return rewriter.create("shape.const_shape", (), [type], constant.properties)


def cast_shape(op: CastOp, rewriter: Rewriter) -> Replacement:
    """The shape of a tensor has the type to which it is cast."""
    maker, type = defined_by(op.source, ops.ShapeOfOp), ranked(op.result.type)
    source = ranked(maker.arg.type) if maker is not None else None
    if maker is None or source is None or type is None or len(type.ranked_shape) != 1:
        return None
    if type.ranked_shape[0] not in (DYNAMIC, len(source.ranked_shape)):
        return Failure("the cast is of another rank")
    return rewriter.create("shape.shape_of", maker.operands, [type])


def shape_of_reshape(op: ops.ShapeOfOp, rewriter: Rewriter) -> Replacement:
    """The shape that was given."""
    reshape, type = defined_by(op.arg, ReshapeOp), ranked(op.result.type)
    shape = reshape.shape if reshape is not None else None
    given = ranked(shape.type) if shape is not None else None
    if shape is None or type is None or given is None:
        return None
    if type != given:
        if type.element == given.element:
            shape = rewriter.create(CAST, [shape], [type]).result
        elif not is_extent_tensor(given):
            shape = rewriter.create("arith.index_cast", [shape], [type]).result
    return shape


def extent_of_shape(op: ExtractOp, rewriter: Rewriter) -> Replacement:
    """A size of the tensor."""
    maker = defined_by(op.tensor, ops.ShapeOfOp)
    if maker is None or not isinstance(maker.arg.type, TensorType):
        return None
    return rewriter.create("tensor.dim", [maker.arg, op.indices[0]], [op.result.type])


def known_shape(op: ops.ShapeOfOp, rewriter: Rewriter) -> Replacement:
    """The shape of a type without open sizes is a constant."""
    type = op.arg.type
    if not isinstance(type, ShapedType) or not type.has_static_shape:
        return None
    return cast_to(_constant(type.ranked_shape, rewriter), op.result.type, rewriter)


def rank_of_shape(op: ops.RankOp, rewriter: Rewriter) -> Replacement:
    """The rank of a tensor's type."""
    maker = defined_by(op.shape, ops.ShapeOfOp)
    type = ranked(maker.arg.type) if maker is not None else None
    if type is None:
        return None
    rank = index_attr(len(type.ranked_shape))
    if op.result.type == INDEX:
        return rewriter.constant(rank, INDEX)
    is_size = is_of(op.result.type, "size")
    return rewriter.create("shape.const_size", (), [op.result.type], {"value": rank}) if is_size else None


def _unique(name: str) -> Pattern:
    return replacing(name, named_once, name="RemoveDuplicateOperandsPattern")


CANONICALIZATION: Final = (
    replacing("shape.assuming", unused_results, name="AssumingOpRemoveUnusedResults"),
    replacing("shape.assuming", holds, name="AssumingWithTrue"),
    replacing("shape.assuming_all", merged_assumptions, name="MergeAssumingAllOps"),
    replacing("shape.assuming_all", one_assumption, name="AssumingAllOneOp"),
    replacing("shape.assuming_all", implied_assumptions, name="AssumingAllOfCstrBroadcastable"),
    replacing("shape.assuming_all", equal_assumptions, name="AssumingAllToCstrEqCanonicalization"),
    _unique("shape.assuming_all"),
    replacing("shape.broadcast", known_rank, name="BroadcastConcretizeResultTypePattern"),
    replacing("shape.broadcast", known_shapes, name="BroadcastFoldConstantOperandsPattern"),
    replacing("shape.broadcast", one_shape, name="BroadcastForwardSingleOperandPattern"),
    replacing("shape.broadcast", without_casts, name="CanonicalizeCastExtentTensorOperandsPattern"),
    _unique("shape.broadcast"),
    replacing("shape.broadcast", without_scalars, name="RemoveEmptyShapeOperandsPattern"),
    replacing(CAST, cast_constant, name="TensorCastConstShape", benefit=2),
    replacing("shape.cstr_broadcastable", without_casts, name="CanonicalizeCastExtentTensorOperandsPattern"),
    replacing("shape.cstr_broadcastable", same_shapes, name="CstrBroadcastableEqOps"),
    _unique("shape.cstr_broadcastable"),
    replacing("shape.cstr_broadcastable", without_scalars, name="RemoveEmptyShapeOperandsPattern"),
    replacing("shape.cstr_eq", same_shapes, name="CstrEqEqOps"),
    there_and_back("SizeToIndexToSizeCanonicalization", "shape.index_to_size", ops.SizeToIndexOp),
    _unique("shape.is_broadcastable"),
    replacing("shape.rank", rank_of_shape, name="RankShapeOfCanonicalizationPattern"),
    replacing(CAST, cast_shape, name="ShapeOfCastExtentTensor"),
    replacing("shape.shape_of", shape_of_reshape, name="ShapeOfFromReshape"),
    replacing("tensor.extract", extent_of_shape, name="ExtractFromShapeOfExtentTensor", benefit=2),
    replacing("shape.shape_of", known_shape, name="ShapeOfOpToConstShapeOp"),
    there_and_back("IndexToSizeToIndexCanonicalization", "shape.size_to_index", ops.IndexToSizeOp),
)
