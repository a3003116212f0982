"""Transforms that ask something of a structured operation.

Source of the rules: `LinalgMatchOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import destinations_of
from fathom.dialects.linalg.structured import is_projected_permutation, maps_and_loops, static_ranges
from fathom.dialects.transform.handles import IS_OPERATION, IS_PARAMETER, IS_VALUE
from fathom.ir.attributes import AffineMapAttr, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import I64, FloatType, IntegerType, ShapedType
from fathom.irdl.cases import word
from fathom.irdl.interfaces import Structured
from fathom.ops import transform as ops
from fathom.passes.structured.contractions import contraction_body_problem, contraction_loops, reduction_of
from fathom.passes.structured.generics import body_of, is_permutation, yielded
from fathom.passes.structured.vectorization import is_by_elements
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.outcomes import SilenceableFailure
from fathom.passes.transform_dialect.places import places
from fathom.passes.transform_dialect.single import single

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Operation, Value
    from fathom.passes.transform_dialect.application import Application
    from fathom.passes.transform_dialect.state import Payload

AFFINE_MAP: Final = "transform.affine_map"


def _form(op: Operation) -> tuple[Sequence[AffineMap], str]:
    found = maps_and_loops(op)
    assert found is not None, "it is looked at before what is asked of it"
    return found


def _numbers(numbers: Sequence[int]) -> list[Payload]:
    return [IntegerAttr(number, I64) for number in numbers]


@transforms("transform.match.structured")
def structured(op: ops.MatchStructuredOp, run: Application) -> None:
    """What is asked of an operation in the region; where that may fail, what was found before."""
    target = single(run, op.current)
    suppresses = word(op, "failure_propagation_mode") == "suppress"
    if target.interface(Structured) is None:
        if suppresses:
            return
        raise run.silenceable("expected a Linalg op")
    block = op.body_region.entry
    with run.state.scope(op.body_region):
        run.state.associate(block.arguments[0], [target])
        try:
            for inner in block:
                if inner is not block.last:
                    run.state.apply(inner)
        except SilenceableFailure:
            if not suppresses:
                raise
        for result, value in zip(op.results, block.end.operands, strict=True):
            run.set(result, run.payload(value))


@transforms("transform.match.structured.yield")
def yields(op: Operation, run: Application) -> None:
    """Forwards what its operands stand for, which whoever is around it sees to."""


@transforms("transform.match.structured.body")
def body(op: ops.MatchStructuredBodyOp, run: Application) -> None:
    target = single(run, op.operand_handle)
    maps, loops = _form(target)
    inits = destinations_of(target)
    if isinstance(op.reduction_position, IntegerAttr):
        combiners = reduction_of(target, op.reduction_position.value)
        if not combiners:
            raise run.silenceable("could not match reduction")
        if len(combiners) != 1:
            raise run.silenceable("reduction combiner is not a single op")
    elif "passthrough" in op.properties:
        if list(yielded(target)) != body_of(target).arguments[: inits.start]:
            raise run.silenceable("not a passthrough")
    elif "elementwise" in op.properties:
        is_wide = "r" not in loops and all(map(is_projected_permutation, maps))
        is_wide = is_wide and all(is_permutation(maps[place]) for place in inits)
        if not is_wide or not all(map(is_by_elements, body_of(target))):
            raise run.silenceable("not elementwise")
    elif op.contraction is not None:
        names = [each.value for each in op.contraction.elements if isinstance(each, StringAttr)]
        problem = contraction_body_problem(target, lambda product, total: [product.name, total.name] == names)
        if problem is not None:
            raise run.silenceable(f"contraction: {problem}")
    else:
        raise run.definite("unknown body condition")


@transforms("transform.match.structured.classify_contraction_dims")
def contraction_dims(op: ops.MatchStructuredClassifyContractionDimsOp, run: Application) -> None:
    maps, loops = _form(single(run, op.operand_handle))
    found = contraction_loops(maps, loops) if len(maps) == 3 else None
    if found is None or not found.k:
        raise run.silenceable("could not infer contraction dimensions")
    for result, dims in zip(op.results, found, strict=True):
        run.set(result, _numbers(dims))


@transforms("transform.match.structured.dim")
def dim(op: ops.MatchStructuredDimOp, run: Application) -> None:
    target = single(run, op.operand_handle)
    _, loops = _form(target)
    try:
        dims = places(run, op, op.raw_dim_list.values, len(loops))
    except SilenceableFailure as failure:
        raise failure.note("while considering dimensions of this payload operation", target) from None
    for kind in ("parallel", "reduction"):
        wrong = next((each for each in dims if kind in op.properties and loops[each] != kind[0]), None)
        if wrong is not None:
            raise run.silenceable(f"expects dimension #{wrong} to be {kind}")
    ranges = static_ranges(target) or ()
    if op.results:
        run.set(op.results[0], _numbers([ranges[each] for each in dims]))


@transforms("transform.match.structured.elemental_bitwidth")
def elemental_bitwidth(op: ops.MatchStructuredElementalBitwidthOp, run: Application) -> None:
    values = run.values(op.operand_handle)
    if len(values) != 1:
        message = "SingleValueMatchOpTrait requires the value handle to point to a single payload value"
        raise run.definite(message)
    type = values[0].type
    element = type.element if isinstance(type, ShapedType) else type
    if not isinstance(element, (IntegerType, FloatType)):
        raise run.silenceable(f"unsupported type for bitwidth extraction: {type}")
    run.set(op.results[0], _numbers([element.width]))


def _operands(op: ops.MatchStructuredInputOp | ops.MatchStructuredInitOp, run: Application, what: str) -> None:
    """Some inputs, or inits, with the form that is wanted of their maps."""
    target = single(run, op.operand_handle)
    maps, _ = _form(target)
    inits = destinations_of(target)
    numbers = range(inits.start) if what == "input" else inits
    try:
        wanted = places(run, op, op.raw_position_list.values, len(numbers))
    except SilenceableFailure as failure:
        of = "DPS inputs" if what == "input" else "DPS inits (outputs)"
        raise failure.note(f"while considering {of} of this payload operation", target) from None
    found: list[Payload] = []
    for place in wanted:
        map, operand = maps[numbers[place]], target.operands[numbers[place]]
        if "permutation" in op.properties and not is_permutation(map):
            raise run.silenceable(f"the indexing map for {what} #{place} is not a permutation")
        if "projected_permutation" in op.properties and not is_projected_permutation(map):
            projected = "a projected permutation" if what == "input" else "a permutation"
            raise run.silenceable(f"the indexing map for {what} #{place} is not {projected}")
        if op.results:
            found.append(_found(op.results[0], map, operand, f"{what} #{place}", run))
    if op.results:
        run.set(op.results[0], found)


def _found(result: Value, map: AffineMap, operand: Value, what: str, run: Application) -> Payload:
    """What a result of this type stands for: the map, the operand, or what makes that."""
    if IS_PARAMETER(result.type) and isinstance(result.type, DialectType) and result.type.full_name == AFFINE_MAP:
        return AffineMapAttr(map)
    if IS_VALUE(result.type):
        return operand
    if operand.defining_op is None:
        raise run.silenceable(f"{what} is not produced by an operation")
    return operand.defining_op


@transforms("transform.match.structured.input")
def inputs(op: ops.MatchStructuredInputOp, run: Application) -> None:
    _operands(op, run, "input")


@transforms("transform.match.structured.init")
def inits(op: ops.MatchStructuredInitOp, run: Application) -> None:
    _operands(op, run, "output(init)")


@transforms("transform.match.structured.num_inputs")
def num_inputs(op: ops.MatchStructuredNumInputsOp, run: Application) -> None:
    run.set(op.results[0], _numbers([destinations_of(single(run, op.operand_handle)).start]))


@transforms("transform.match.structured.num_inits")
def num_inits(op: ops.MatchStructuredNumInitsOp, run: Application) -> None:
    run.set(op.results[0], _numbers([len(destinations_of(single(run, op.operand_handle)))]))


@transforms("transform.match.structured.rank")
def rank(op: ops.MatchStructuredRankOp, run: Application) -> None:
    run.set(op.results[0], _numbers([len(_form(single(run, op.operand_handle))[1])]))


@transforms("transform.match.structured.result")
def result(op: ops.MatchStructuredResultOp, run: Application) -> None:
    target = single(run, op.operand_handle)
    raw, count = op.position.value, len(target.results)
    place = raw if raw >= 0 else count + raw
    if not 0 <= place < count:
        message = f"position {raw} overflows the number of results(ints) of the payload operation"
        raise run.silenceable(message)
    value = target.results[place]
    if not IS_OPERATION(op.results[0].type):
        run.set(op.results[0], [value])
        return
    users = list(value.uses)
    if not users:
        raise run.silenceable(f"no users of the result #{raw}")
    if "single" in op.properties and sum(value.uses.values()) != 1:
        raise run.silenceable("more than one result user with single user requested")
    run.set(op.results[0], [users[-1]])
