"""What scf's loops and conditions do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import mixed
from fathom.interpreting.values import Array, Datum, Trap, bits_of, signed

if TYPE_CHECKING:
    from fathom.ops.scf import ExecuteRegionOp, ForallOp, ForOp, IfOp, IndexSwitchOp, ParallelOp, WhileOp


def _for(op: ForOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    lower, upper, step, *carried = operands
    bits = bits_of(op.lowerBound.type)
    if op.unsignedCmp is None:
        lower, upper, step = (signed(value, bits) for value in (lower, upper, step))
    if step <= 0:
        raise Trap("crash", "a loop whose step is not above zero")
    for value in range(lower, upper, step):
        _, carried = frame.run(op.region, [value % (1 << bits), *carried])
    return carried


def _if(op: IfOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    region = op.thenRegion if operands[0] else op.elseRegion
    return frame.run(region, [])[1] if region.first is not None else []


def _while(op: WhileOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    while True:
        _, (goes_on, *passed) = frame.run(op.before, operands)
        if not goes_on:
            return passed
        _, operands = frame.run(op.after, passed)


def _execute(op: ExecuteRegionOp, _: list[Any], frame: Frame) -> Sequence[Datum]:
    return frame.run(op.region, [])[1]


def _switch(op: IndexSwitchOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    cases = dict(zip(op.cases.values, op.caseRegions, strict=True))
    return frame.run(cases.get(signed(operands[0], 64), op.defaultRegion), [])[1]


def _parallel(op: ParallelOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    count = len(op.lowerBound)
    bounds = [signed(value, 64) for value in operands[: 3 * count]]
    lower, upper, step = bounds[:count], bounds[count : 2 * count], bounds[2 * count :]
    if any(one <= 0 for one in step):
        raise Trap("crash", "a loop whose step is not above zero")
    results = list(operands[3 * count :])
    for place in product(*map(range, lower, upper, step)):
        end, given = frame.run(op.region, [value % (1 << 64) for value in place])
        for number, (region, value) in enumerate(zip(end.regions, given, strict=True)):
            _, (results[number],) = frame.run(region, [results[number], value])
    return results


def _for_all(op: ForallOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    counts = len(op.dynamicLowerBound), len(op.dynamicUpperBound), len(op.dynamicStep)
    first, second, third = counts[0], counts[0] + counts[1], sum(counts)
    lower = mixed(op.staticLowerBound.values, operands[:first])
    upper = mixed(op.staticUpperBound.values, operands[first:second])
    step = mixed(op.staticStep.values, operands[second:third])
    if any(one <= 0 for one in step):
        raise Trap("crash", "a loop whose step is not above zero")
    results = list(operands[third:])
    outputs = op.region.entry.arguments[len(lower) :]
    for place in product(*map(range, lower, upper, step)):
        end, _ = frame.run(op.region, [*(value % (1 << 64) for value in place), *results])
        inserted = [insert for region in end.regions for insert in region.operations()]
        for insert in inserted:
            _, target, *_ = insert.operands
            at = next(at for at, output in enumerate(outputs) if output is target)
            part, _, *numbers = frame.of(insert.operands)
            made = frame.machine.interpretation(insert)(insert, [part, results[at], *numbers], frame)
            assert isinstance(made, Array), "it gives the tensor that it is put into"
            results[at] = made
    return results


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "scf.for": _for,
    "scf.forall": _for_all,
    "scf.if": _if,
    "scf.while": _while,
    "scf.execute_region": _execute,
    "scf.index_switch": _switch,
    "scf.parallel": _parallel,
}
