"""The canonicalisation of `scf.parallel` and `scf.forall`: indices that take one value, nests that are one loop, bounds
and tensors that are known.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.parallel import BOUNDS, STATIC, bounds_of
from fathom.dialects.scf.trip_counts import Bound, trip_count
from fathom.dialects.tensor.casts import knows_as_much
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value
from fathom.ir.types import DYNAMIC as UNKNOWN
from fathom.ir.types import I64, INDEX
from fathom.irdl.build import segment_sizes
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Operations, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.rewriting.rewriter import Rewriter


_INSERTION: Final = Operations("tensor.parallel_insert_slice")


def value_of(bound: Bound, rewriter: Rewriter) -> Value:
    """A bound as a value."""
    if isinstance(bound, Value):
        return bound
    return rewriter.create("arith.constant", (), [INDEX], {"value": IntegerAttr(bound, INDEX)}).result


def clone_body(rewriter: Rewriter, source: Block, values: dict[Value, Value]) -> None:
    """Copies the operations of a block, but for the last, to the insertion point."""
    for op in list(source):
        if op is not source.last:
            rewriter.clone(op, values)


# ---- scf.parallel


def _parallel(rewriter: Rewriter, bounds: Sequence[Sequence[Value]], initial: Sequence[Value]) -> Operation:
    """An `scf.parallel` with an empty body."""
    sizes = segment_sizes(*map(len, bounds), len(initial))
    block = Block(INDEX for _ in bounds[0])
    for argument in block.arguments:
        argument.location = rewriter.location
    return rewriter.create(
        "scf.parallel",
        [*(value for each in bounds for value in each), *initial],
        [value.type for value in initial],
        {"operandSegmentSizes": sizes},
        regions=[Region([block])],
    )


def single_iterations(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Indices that take one value are that; a loop that never runs is its initial values."""
    body, initial = op.regions[0].first, op.all_of("initVals")
    if body is None or body.last is None:
        return NO_MATCH
    values: dict[Value, Value] = {}
    kept: list[tuple[int, list[Value]]] = []
    for index, ranges in enumerate(zip(*(op.all_of(name) for name in BOUNDS), strict=True)):
        count = trip_count(*ranges)
        if count == 0:
            rewriter.replace(op, initial)
            return None
        if count == 1:
            values[body.arguments[index]] = ranges[0]
        else:
            kept.append((index, list(ranges)))
    if not values:
        return NO_MATCH
    if kept:
        bounds = [list(each) for each in zip(*(ranges for _, ranges in kept), strict=True)]
        new = _parallel(rewriter, bounds, initial)
        target = new.regions[0].first
        if target is not None:
            for (index, _), argument in zip(kept, target.arguments, strict=True):
                values[body.arguments[index]] = argument
                argument.name_hint = body.arguments[index].name_hint
            rewriter.set_insertion_to_end(target)
            for each in list(body):
                rewriter.clone(each, values)
        rewriter.replace(op, new.results)
        return None
    clone_body(rewriter, body, values)
    results: list[Value] = []
    reduce = body.last
    for index, region in enumerate(reduce.regions):
        block = region.first
        if block is None or block.last is None:
            return NO_MATCH
        values[block.arguments[0]] = initial[index]
        values[block.arguments[1]] = values.get(reduce.operands[index], reduce.operands[index])
        clone_body(rewriter, block, values)
        given = block.last.operands[0]
        results.append(values.get(given, given))
    rewriter.replace(op, results)
    return None


def nest_as_one(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A loop that holds nothing but another is one loop over the indices of both."""
    body = op.regions[0].first
    inner = body.first if body is not None else None
    if body is None or inner is None or inner.name != op.name or inner.next is not body.last:
        return NO_MATCH
    bounds = [(op.all_of(name), inner.all_of(name)) for name in BOUNDS]
    if any(value in body.arguments for _, values in bounds for value in values):
        return NO_MATCH
    inside = inner.regions[0].first
    if op.all_of("initVals") or inner.all_of("initVals") or inside is None:
        return NO_MATCH
    new = _parallel(rewriter, [[*first, *second] for first, second in bounds], ())
    target = new.regions[0].first
    if target is None:
        return NO_MATCH
    arguments = [*body.arguments, *inside.arguments]
    values: dict[Value, Value] = dict(zip(arguments, target.arguments, strict=True))
    rewriter.set_insertion_to_end(target)
    clone_body(rewriter, inside, values)
    rewriter.create("scf.reduce")
    rewriter.replace(op, new.results)
    return None


# ---- scf.forall


def _with_bounds(bounds: Iterable[Sequence[Bound]], outputs: int) -> tuple[list[Value], dict[str, Attribute]]:
    """The operands of an `scf.forall` but for the outputs, and its properties."""
    operands: list[Value] = []
    sizes: list[int] = []
    properties: dict[str, Attribute] = {}
    for name, each in zip(STATIC, bounds, strict=True):
        values = [bound for bound in each if isinstance(bound, Value)]
        operands += values
        sizes.append(len(values))
        numbers = tuple(bound if isinstance(bound, int) else UNKNOWN for bound in each)
        properties[name] = DenseArrayAttr(I64, numbers)
    properties["operandSegmentSizes"] = segment_sizes(*sizes, outputs)
    return operands, properties


def known_bounds(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Bounds and steps that are known stand in the text; one of the three lists at a time."""
    bounds = bounds_of(op)
    for index, each in enumerate(bounds):
        found = [known_number(bound) for bound in each]
        if any(isinstance(bound, Value) and number is not None for bound, number in zip(each, found, strict=True)):
            bounds[index] = [bound if number is None else number for bound, number in zip(each, found, strict=True)]
            break
    else:
        return NO_MATCH
    outputs = op.all_of("outputs")
    values, properties = _with_bounds(bounds, len(outputs))

    def change() -> None:
        op.set_operands([*values, *outputs])
        op.properties.update(properties)

    rewriter.modify(op, change)
    return None


def _combining(argument: Value) -> list[Operation]:
    """What puts something into a shared tensor, the newest use first."""
    return [user for user in reversed(list(argument.uses)) if _ends_in_parallel(user)]


def _ends_in_parallel(op: Operation) -> bool:
    return op.parent_op is not None and op.parent_op.name == "scf.forall.in_parallel"


def unneeded_outputs(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A shared tensor whose result nobody uses, or that nothing is put into, is the tensor from outside."""
    body, outputs = op.regions[0].first, op.all_of("outputs")
    if body is None:
        return NO_MATCH
    rank = len(body.arguments) - len(outputs)
    gone = [i for i, result in enumerate(op.results) if not result.uses or not _combining(body.arguments[rank + i])]
    if not gone:
        return NO_MATCH
    for index in gone:
        for user in _combining(body.arguments[rank + index]):
            rewriter.erase(user)
    for index in gone:
        rewriter.replace_all_uses(body.arguments[rank + index], outputs[index])
        rewriter.replace_all_uses(op.results[index], outputs[index])
    rewriter.modify(op, lambda: body.erase_arguments([rank + index for index in gone]))
    new = rewriter.erase_results(op, gone)
    values, properties = _with_bounds(bounds_of(new), len(outputs) - len(gone))
    new.set_operands([*values, *(output for index, output in enumerate(outputs) if index not in gone)])
    new.properties.update(properties)
    return None


def single_shared_iterations(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Indices that take one value are that, unless they are mapped to devices; a loop over none is its body."""
    body, outputs = op.regions[0].first, op.all_of("outputs")
    mapping = op.properties.get("mapping")
    if body is None or (isinstance(mapping, ArrayAttr) and mapping.elements):
        return NO_MATCH
    ranges = list(zip(*bounds_of(op), strict=True))
    values: dict[Value, Value] = {}
    kept: list[int] = []
    for index, each in enumerate(ranges):
        count = trip_count(*each)
        if count == 0:
            rewriter.replace(op, outputs)
            return None
        if count == 1:
            values[body.arguments[index]] = value_of(each[0], rewriter)
        else:
            kept.append(index)
    if not kept:
        return _inline_shared(op, body, ranges, outputs, rewriter)
    if len(kept) == len(ranges):
        return NO_MATCH
    bounds: list[list[Bound]] = [[ranges[index][which] for index in kept] for which in range(3)]
    operands, properties = _with_bounds(bounds, len(outputs))
    types = [output.type for output in outputs]
    block = Block([*(INDEX for _ in kept), *types])
    properties = {**op.properties, **properties}
    all_operands = [*operands, *outputs]
    new = rewriter.create(op.name, all_operands, types, properties, op.attributes, regions=[Region([block])])
    old = [*(body.arguments[index] for index in kept), *body.arguments[len(ranges) :]]
    for argument, before in zip(block.arguments, old, strict=True):
        values[before] = argument
        argument.location = before.location
    rewriter.set_insertion_to_end(block)
    for each in list(body):
        rewriter.clone(each, values)
    rewriter.replace(op, new.results)
    return None


_SLICE: Final = ("static_offsets", "static_sizes", "static_strides")


def _inline_shared(
    op: Operation, body: Block, ranges: Sequence[Sequence[Bound]], outputs: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """Puts the body in the place of the loop; what its iterations would insert at the end is inserted."""
    end = body.last
    if end is None or op.parent is None or not end.regions or end.regions[0].first is None:
        return NO_MATCH
    lower = [value_of(each[0], rewriter) for each in ranges]
    rewriter.inline_block_before(body, op.parent, op, [*lower, *outputs])
    rewriter.set_insertion_before(op)
    results: list[Value] = []
    for insertion in end.regions[0].first:
        if insertion not in _INSERTION:
            continue
        properties = {name: insertion.properties[name] for name in (*_SLICE, "operandSegmentSizes")}
        types = [insertion.one_of("dest").type]
        results.append(rewriter.create("tensor.insert_slice", insertion.operands, types, properties).result)
    for result, value in zip(op.results, results, strict=False):
        rewriter.replace_all_uses(result, value)
    rewriter.erase(end)
    rewriter.erase(op)
    return None


def constant_indices(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Uses of an index that takes one value become uses of that."""
    body = op.regions[0].first
    changed = False
    for index, each in enumerate(zip(*bounds_of(op), strict=True)):
        if body is not None and body.arguments[index].uses and trip_count(*each) == 1:
            rewriter.replace_all_uses(body.arguments[index], value_of(each[0], rewriter))
            changed = True
    return None if changed else NO_MATCH


def cast_outputs(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A shared tensor that is cast before the loop to a type that says less is cast in the loop instead."""
    body, outputs = op.regions[0].first, op.all_of("outputs")
    sources: dict[int, Value] = {}
    for index, output in enumerate(outputs):
        cast = defined_by(output, "tensor.cast")
        if cast is not None and knows_as_much(cast.operands[0].type, output.type):
            sources[index] = cast.operands[0]
    if not sources or body is None:
        return NO_MATCH
    types = [sources.get(index, output).type for index, output in enumerate(outputs)]
    rank = len(body.arguments) - len(outputs)
    block = Block([*(INDEX for _ in range(rank)), *types])
    for argument in block.arguments:
        argument.location = op.location
    values = [*op.operands[: len(op.operands) - len(outputs)], *(sources.get(i, out) for i, out in enumerate(outputs))]
    new = rewriter.create(op.name, values, types, op.properties, regions=[Region([block])])
    rewriter.set_insertion_to_start(block)
    inside: list[Value] = list(block.arguments)
    for index in sources:
        inside[rank + index] = rewriter.create("tensor.cast", [inside[rank + index]], [outputs[index].type]).result
    rewriter.inline_block_before(body, block, None, inside)
    end = block.last
    insertions = list(end.regions[0].first) if end is not None and end.regions and end.regions[0].first else []
    for insertion, argument in zip(insertions, block.arguments[rank:], strict=False):
        place = insertion.operands.index(insertion.one_of("dest"))
        rewriter.modify(
            insertion, lambda insertion=insertion, place=place, to=argument: insertion.set_operand(place, to)
        )
    rewriter.set_insertion_before(op)
    results: list[Value] = list(new.results)
    for index in sources:
        results[index] = rewriter.create("tensor.cast", [results[index]], [outputs[index].type]).result
    rewriter.replace(op, results)
    return None


def size_of_shared(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The size of a result is that of the tensor that was shared."""
    result = op.operands[0]
    if not isinstance(result, OpResult) or result.op.name != "scf.forall":
        return NO_MATCH
    output = result.op.all_of("outputs")[result.index]
    rewriter.modify(op, lambda: op.set_operand(0, output))
    return None


PATTERNS: Final = (
    Pattern("scf.parallel", single_iterations, name="ParallelOpSingleOrZeroIterationDimsFolder"),
    Pattern("scf.parallel", nest_as_one, name="MergeNestedParallelLoops"),
    Pattern("tensor.dim", size_of_shared, name="DimOfForallOp"),
    Pattern("scf.forall", cast_outputs, name="FoldTensorCastOfOutputIntoForallOp"),
    Pattern("scf.forall", known_bounds, name="ForallOpControlOperandsFolder"),
    Pattern("scf.forall", unneeded_outputs, name="ForallOpIterArgsFolder"),
    Pattern("scf.forall", single_shared_iterations, name="ForallOpSingleOrZeroIterationDimsFolder"),
    Pattern("scf.forall", constant_indices, name="ForallOpReplaceConstantInductionVar"),
)
