"""The canonicalisation of `scf.parallel` and `scf.forall`: indices that take one value, nests that are one loop, bounds
and tensors that are known.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.parallel import STATIC, bounds_of
from fathom.dialects.scf.trip_counts import Bound, trip_count
from fathom.dialects.tensor.casts import knows_as_much
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value, types_of
from fathom.ir.types import DYNAMIC as UNKNOWN
from fathom.ir.types import I64, INDEX
from fathom.irdl.build import segment_sizes
from fathom.ops.scf import ForallInParallelOp, ForallOp, ParallelOp
from fathom.ops.tensor import CastOp, DimOp, ParallelInsertSliceOp
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.rewriting.rewriter import Rewriter


def value_of(bound: Bound, rewriter: Rewriter) -> Value:
    """A bound as a value."""
    return bound if isinstance(bound, Value) else rewriter.constant(IntegerAttr(bound, INDEX), INDEX)


def clone_body(rewriter: Rewriter, source: Block, values: dict[Value, Value]) -> None:
    """Copies the operations of a block, but for the last, to the insertion point."""
    for op in list(source):
        if op is not source.last:
            rewriter.clone(op, values)


# ---- scf.parallel


def _parallel(
    rewriter: Rewriter, bounds: Sequence[Sequence[Value]], initial: Sequence[Value]
) -> tuple[Operation, Block]:
    """An `scf.parallel` with an empty body, and that, into which the insertion point moves."""
    operands = [*(value for bound in bounds for value in bound), *initial]
    properties = {"operandSegmentSizes": segment_sizes(*map(len, bounds), len(initial))}
    new = rewriter.create("scf.parallel", operands, types_of(initial), properties, regions=[Region()])
    return new, rewriter.create_block(new.regions[0], argument_types=[INDEX] * len(bounds[0]))


def single_iterations(op: ParallelOp, rewriter: Rewriter) -> Replacement:
    """Indices that take one value are that; a loop that never runs is its initial values."""
    body, initial = op.region.entry, op.initVals
    values: dict[Value, Value] = {}
    kept: list[tuple[Value, tuple[Value, ...]]] = []
    for index, ranges in zip(body.arguments, zip(op.lowerBound, op.upperBound, op.step, strict=True), strict=True):
        count = trip_count(*ranges)
        if count == 0:
            return initial
        if count == 1:
            values[index] = ranges[0]
        else:
            kept.append((index, ranges))
    if not values:
        return None
    if kept:
        new, target = _parallel(rewriter, list(zip(*(ranges for _, ranges in kept), strict=True)), initial)
        for (index, _), argument in zip(kept, target.arguments, strict=True):
            values[index] = argument
            argument.name_hint = index.name_hint
        for inner in list(body):
            rewriter.clone(inner, values)
        return new.results
    clone_body(rewriter, body, values)
    results: list[Value] = []
    reduce = body.end
    for start, region, operand in zip(initial, reduce.regions, reduce.operands, strict=True):
        block = region.entry
        values[block.arguments[0]] = start
        values[block.arguments[1]] = values.get(operand, operand)
        clone_body(rewriter, block, values)
        given = block.end.operands[0]
        results.append(values.get(given, given))
    return results


def nest_as_one(op: ParallelOp, rewriter: Rewriter) -> Replacement:
    """A loop that holds nothing but another is one loop over the indices of both."""
    body = op.region.entry
    inner = body.first
    if not isinstance(inner, ParallelOp) or inner.next is not body.last or op.initVals or inner.initVals:
        return None
    if any(value in body.arguments for value in inner.operands):
        return None
    pairs = ((op.lowerBound, inner.lowerBound), (op.upperBound, inner.upperBound), (op.step, inner.step))
    new, target = _parallel(rewriter, [[*first, *second] for first, second in pairs], ())
    arguments = [*body.arguments, *inner.region.entry.arguments]
    values: dict[Value, Value] = dict(zip(arguments, target.arguments, strict=True))
    clone_body(rewriter, inner.region.entry, values)
    rewriter.create("scf.reduce")
    return new.results


# ---- scf.forall


def _with_bounds(bounds: Iterable[Sequence[Bound]], outputs: int) -> tuple[list[Value], dict[str, Attribute]]:
    """The operands of an `scf.forall` but for the outputs, and its properties."""
    operands: list[Value] = []
    sizes: list[int] = []
    properties: dict[str, Attribute] = {}
    for name, side in zip(STATIC, bounds, strict=True):
        values = [bound for bound in side if isinstance(bound, Value)]
        operands += values
        sizes.append(len(values))
        numbers = tuple(bound if isinstance(bound, int) else UNKNOWN for bound in side)
        properties[name] = DenseArrayAttr(I64, numbers)
    properties["operandSegmentSizes"] = segment_sizes(*sizes, outputs)
    return operands, properties


def known_bounds(op: ForallOp, rewriter: Rewriter) -> Replacement:
    """Bounds and steps that are known stand in the text; one of the three lists at a time."""
    bounds = bounds_of(op)
    for index, of_side in enumerate(bounds):
        numbers = [known_number(bound) for bound in of_side]
        if any(isinstance(bound, Value) and number is not None for bound, number in zip(of_side, numbers, strict=True)):
            bounds[index] = [
                bound if number is None else number for bound, number in zip(of_side, numbers, strict=True)
            ]
            break
    else:
        return None
    outputs = op.outputs
    values, properties = _with_bounds(bounds, len(outputs))

    def change() -> None:
        op.set_operands([*values, *outputs])
        op.properties.update(properties)

    rewriter.modify(op, change)
    return op


def _combining(argument: Value) -> list[Operation]:
    """What puts something into a shared tensor, the newest use first."""
    return [user for user in reversed(list(argument.uses)) if isinstance(user.parent_op, ForallInParallelOp)]


def unneeded_outputs(op: ForallOp, rewriter: Rewriter) -> Replacement:
    """A shared tensor whose result nobody uses, or that nothing is put into, is the tensor from outside."""
    body, outputs = op.region.entry, op.outputs
    rank = len(body.arguments) - len(outputs)
    gone = [i for i, result in enumerate(op.results) if not result.uses or not _combining(body.arguments[rank + i])]
    if not gone:
        return None
    for index in gone:
        for user in _combining(body.arguments[rank + index]):
            rewriter.erase(user)
    for index in gone:
        rewriter.replace_all_uses(body.arguments[rank + index], outputs[index])
        rewriter.replace_all_uses(op.results[index], outputs[index])
    rewriter.modify(op, lambda: body.erase_arguments([rank + index for index in gone]))
    new = rewriter.erase_results(op, gone)
    assert isinstance(new, ForallOp), "it is the same operation"
    values, properties = _with_bounds(bounds_of(new), len(outputs) - len(gone))
    new.set_operands([*values, *(output for index, output in enumerate(outputs) if index not in gone)])
    new.properties.update(properties)
    return op


def single_shared_iterations(op: ForallOp, rewriter: Rewriter) -> Replacement:
    """Indices that take one value are that, unless they are mapped to devices; a loop over none is its body."""
    body, outputs = op.region.entry, op.outputs
    if op.mapping is not None and op.mapping.elements:
        return None
    ranges = list(zip(*bounds_of(op), strict=True))
    values: dict[Value, Value] = {}
    kept: list[int] = []
    for index, range_ in enumerate(ranges):
        count = trip_count(*range_)
        if count == 0:
            return outputs
        if count == 1:
            values[body.arguments[index]] = value_of(range_[0], rewriter)
        else:
            kept.append(index)
    if not kept:
        return _inline_shared(op, [range_[0] for range_ in ranges], rewriter)
    if len(kept) == len(ranges):
        return None
    bounds: list[list[Bound]] = [[ranges[index][which] for index in kept] for which in range(3)]
    operands, properties = _with_bounds(bounds, len(outputs))
    types, properties = types_of(outputs), {**op.properties, **properties}
    new = rewriter.create(op.name, [*operands, *outputs], types, properties, op.attributes, regions=[Region()])
    block = rewriter.create_block(new.regions[0], argument_types=[*(INDEX for _ in kept), *types])
    old = [*(body.arguments[index] for index in kept), *body.arguments[len(ranges) :]]
    for argument, before in zip(block.arguments, old, strict=True):
        values[before] = argument
        argument.location = before.location
    for inner in list(body):
        rewriter.clone(inner, values)
    return new.results


_SLICE: Final = ("static_offsets", "static_sizes", "static_strides")


def _inline_shared(op: ForallOp, lower: Sequence[Bound], rewriter: Rewriter) -> Operation | None:
    """Puts the body in the place of the loop; what its iterations would insert at the end is inserted."""
    body = op.region.entry
    end = body.end
    if op.parent is None or not isinstance(end, ForallInParallelOp):
        return None
    indices = [value_of(bound, rewriter) for bound in lower]
    rewriter.inline_block_before(body, op.parent, op, [*indices, *op.outputs])
    rewriter.set_insertion_before(op)
    insertions = [insertion for insertion in end.region.entry if isinstance(insertion, ParallelInsertSliceOp)]
    results: list[Value] = []
    for insertion in insertions:
        properties = {name: insertion.properties[name] for name in (*_SLICE, "operandSegmentSizes")}
        types = [insertion.dest.type]
        results.append(rewriter.create("tensor.insert_slice", insertion.operands, types, properties).result)
    for result, value in zip(op.results, results, strict=False):
        rewriter.replace_all_uses(result, value)
    rewriter.erase(end)
    rewriter.erase(op)
    return op


def constant_indices(op: ForallOp, rewriter: Rewriter) -> Replacement:
    """Uses of an index that takes one value become uses of that."""
    changed = False
    for argument, bound in zip(op.region.entry.arguments, zip(*bounds_of(op), strict=True), strict=False):
        if argument.uses and trip_count(*bound) == 1:
            rewriter.replace_all_uses(argument, value_of(bound[0], rewriter))
            changed = True
    return op if changed else None


def cast_outputs(op: ForallOp, rewriter: Rewriter) -> Replacement:
    """A shared tensor that is cast before the loop to a type that says less is cast in the loop instead."""
    body, outputs = op.region.entry, op.outputs
    sources: dict[int, Value] = {}
    for index, output in enumerate(outputs):
        cast = defined_by(output, CastOp)
        if cast is not None and knows_as_much(cast.source.type, output.type):
            sources[index] = cast.source
    if not sources:
        return None
    types = [sources.get(index, output).type for index, output in enumerate(outputs)]
    rank = len(body.arguments) - len(outputs)
    values = [*op.operands[: len(op.operands) - len(outputs)], *(sources.get(i, out) for i, out in enumerate(outputs))]
    new = rewriter.create(op.name, values, types, op.properties, regions=[Region()])
    block = rewriter.create_block(new.regions[0], argument_types=[*(INDEX for _ in range(rank)), *types])
    inside: list[Value] = list(block.arguments)
    for index in sources:
        inside[rank + index] = rewriter.create("tensor.cast", [inside[rank + index]], [outputs[index].type]).result
    rewriter.inline_block_before(body, block, None, inside)
    insertions = list(block.end.regions[0].entry)
    for insertion, argument in zip(insertions, block.arguments[rank:], strict=False):
        place = insertion.operands.index(insertion.one_of("dest"))
        rewriter.modify(
            insertion, lambda insertion=insertion, place=place, to=argument: insertion.set_operand(place, to)
        )
    rewriter.set_insertion_before(op)
    results: list[Value] = list(new.results)
    for index in sources:
        results[index] = rewriter.create("tensor.cast", [results[index]], [outputs[index].type]).result
    return results


def size_of_shared(op: DimOp, rewriter: Rewriter) -> Replacement:
    """The size of a result is that of the tensor that was shared."""
    result = op.source
    if not isinstance(result, OpResult) or not isinstance(result.op, ForallOp):
        return None
    output = result.op.outputs[result.index]
    rewriter.modify(op, lambda: op.set_operand(0, output))
    return op


PATTERNS: Final = (
    replacing("scf.parallel", single_iterations, name="ParallelOpSingleOrZeroIterationDimsFolder"),
    replacing("scf.parallel", nest_as_one, name="MergeNestedParallelLoops"),
    replacing("tensor.dim", size_of_shared, name="DimOfForallOp"),
    replacing("scf.forall", cast_outputs, name="FoldTensorCastOfOutputIntoForallOp"),
    replacing("scf.forall", known_bounds, name="ForallOpControlOperandsFolder"),
    replacing("scf.forall", unneeded_outputs, name="ForallOpIterArgsFolder"),
    replacing("scf.forall", single_shared_iterations, name="ForallOpSingleOrZeroIterationDimsFolder"),
    replacing("scf.forall", constant_indices, name="ForallOpReplaceConstantInductionVar"),
)
