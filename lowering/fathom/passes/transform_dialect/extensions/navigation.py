"""Transforms that find operations and values of the payload from others.

Source of the rules: *Transform Dialect*, and `TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import ShapedType
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.outcomes import SilenceableFailure
from fathom.passes.transform_dialect.places import places
from fathom.passes.transform_dialect.texts import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.passes.transform_dialect.application import Application


@transforms("transform.get_parent_op")
def get_parent(op: ops.GetParentOpOp, run: Application) -> None:
    parents: list[Operation] = []
    isolated, name = "isolated_from_above" in op.properties, op.op_name
    for target in run.ops(op.target):
        parent: Operation | None = target
        for _ in range(op.nth_parent.value):
            parent = parent.parent_op
            while parent is not None and not (
                (not isolated or parent.has(ISOLATED_FROM_ABOVE)) and (name is None or parent.name == name.value)
            ):
                parent = parent.parent_op
            if parent is None:
                break
        if parent is None:
            if "allow_empty_results" in op.properties:
                break
            message = "could not find a parent op that matches all requirements"
            raise run.silenceable(message, ("target op", target))
        if "deduplicate" not in op.properties or parent not in parents:
            parents.append(parent)
    run.set(op.results[0], parents)


@transforms("transform.get_consumers_of_result")
def get_consumers(op: ops.GetConsumersOfResultOp, run: Application) -> None:
    targets = run.ops(op.target)
    if len(targets) > 1:
        raise run.definite("handle must be mapped to exactly one payload op")
    for target in targets:
        number = op.result_number.value
        if len(target.results) <= number:
            raise run.definite("result number overflow")
        value = target.results[number]
        users = [user for user in reversed(list(value.uses)) for _ in value.places_in(user)]
        run.set(op.results[0], users)


@transforms("transform.get_defining_op")
def get_defining_op(op: ops.GetDefiningOpOp, run: Application) -> None:
    makers: list[Operation] = []
    for value in run.values(op.target):
        maker = value.defining_op
        if maker is None:
            raise run.silenceable("cannot get defining op of block argument", ("target value", value))
        makers.append(maker)
    run.set(op.results[0], makers)


@transforms("transform.get_producer_of_operand")
def get_producer(op: ops.GetProducerOfOperandOp, run: Application) -> None:
    producers: list[Operation] = []
    number = op.operand_number.value
    for target in run.ops(op.target):
        producer = target.operands[number].defining_op if number < len(target.operands) else None
        if producer is None:
            of = f"could not find a producer for operand number: {number} of {text_of(target)}"
            raise run.silenceable(of, ("target op", target))
        producers.append(producer)
    run.set(op.results[0], producers)


def _of_positions(
    op: ops.GetOperandOp | ops.GetResultOp, run: Application, values: Callable[[Operation], Sequence[Value]]
) -> None:
    chosen: list[Value] = []
    for target in run.ops(op.target):
        all_values = values(target)
        try:
            chosen += [all_values[place] for place in places(run, op, op.raw_position_list.values, len(all_values))]
        except SilenceableFailure as failure:
            raise failure.note("while considering positions of this payload operation", target) from None
    run.set(op.results[0], chosen)


@transforms("transform.get_operand")
def get_operand(op: ops.GetOperandOp, run: Application) -> None:
    _of_positions(op, run, lambda target: target.operands)


@transforms("transform.get_result")
def get_result(op: ops.GetResultOp, run: Application) -> None:
    _of_positions(op, run, lambda target: target.results)


@transforms("transform.get_type")
def get_type(op: ops.GetTypeOp, run: Application) -> None:
    types = [value.type for value in run.values(op.value)]
    if "elemental" in op.properties:
        types = [type.element if isinstance(type, ShapedType) else type for type in types]
    run.set(op.results[0], [TypeAttr(type) for type in types])
