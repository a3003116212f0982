"""What affine's loops, conditions, accesses and maps do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.affine.parallel import grouped, groups_of
from fathom.dialects.memref.combining import combined
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import element_of, mixed
from fathom.interpreting.values import Datum, MemRef, NotUnderstood, Trap, signed_index
from fathom.ir.affine import AffineMap, evaluate
from fathom.ir.attributes import IntegerAttr

if TYPE_CHECKING:
    from fathom.ops import affine as ops


def results_of(map: AffineMap, operands: Sequence[Datum]) -> list[int]:
    """The results of a map at its operands. Raises Trap where it divides by zero."""
    numbers = [signed_index(value) for value in operands]
    dims, symbols = tuple(numbers[: map.dims]), tuple(numbers[map.dims :])
    try:
        return [evaluate(expr, dims, symbols) for expr in map.results]
    except ZeroDivisionError:
        raise Trap("crash", "a division by zero") from None


def _apply(op: ops.ApplyOp, operands: list[Any], _: Frame) -> Datum:
    return results_of(op.map.map, operands)[0] % (1 << 64)


def _least(op: ops.MinOp, operands: list[Any], _: Frame) -> Datum:
    return min(results_of(op.map.map, operands)) % (1 << 64)


def _greatest(op: ops.MaxOp, operands: list[Any], _: Frame) -> Datum:
    return max(results_of(op.map.map, operands)) % (1 << 64)


def _for(op: ops.ForOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    lower, upper = len(op.lowerBoundOperands), len(op.upperBoundOperands)
    first = max(results_of(op.lowerBoundMap.map, operands[:lower]))
    last = min(results_of(op.upperBoundMap.map, operands[lower : lower + upper]))
    carried = operands[lower + upper :]
    for value in range(first, last, op.step.value):
        _, carried = frame.run(op.region, [value % (1 << 64), *carried])
    return carried


def _parallel(op: ops.ParallelOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    """Its iterations in the order of their indices; what they yield is combined in it."""
    lower, upper = op.lowerBoundsMap.map, op.upperBoundsMap.map
    lows = grouped(results_of(lower, operands[: lower.inputs]), groups_of(op.lowerBoundsGroups))
    highs = grouped(results_of(upper, operands[lower.inputs :]), groups_of(op.upperBoundsGroups))
    steps = [step.value for step in op.steps.elements if isinstance(step, IntegerAttr)]
    ranges = [range(max(low), min(high), step) for low, high, step in zip(lows, highs, steps, strict=True)]
    kinds = [kind.value for kind in op.reductions.elements if isinstance(kind, IntegerAttr)]
    held: list[Datum] = []
    for place in product(*ranges):
        _, made = frame.run(op.region, [at % (1 << 64) for at in place])
        types = [result.type for result in op.results]
        each = zip(kinds, types, held, made, strict=True) if held else ()
        held = [combined(kind, type, one, other) for kind, type, one, other in each] if held else list(made)
    if kinds and not held:
        raise NotUnderstood(f"'{op.name}' without an iteration")
    return held


def _if(op: ops.IfOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    condition = op.condition.set
    numbers = [signed_index(value) for value in operands]
    dims, symbols = tuple(numbers[: condition.dims]), tuple(numbers[condition.dims :])
    holds = all(
        (value := evaluate(expr, dims, symbols)) == 0 or (not is_equality and value > 0)
        for expr, is_equality in condition.constraints
    )
    region = op.thenRegion if holds else op.elseRegion
    return frame.run(region, [])[1] if region.first is not None else []


def _address(memref: MemRef, map: AffineMap, operands: Sequence[Datum], size: int) -> int:
    return memref.aligned + memref.place(tuple(results_of(map, operands))) * size


def _load(op: ops.LoadOp, operands: list[Any], frame: Frame) -> Datum:
    memref, *indices = operands
    element = element_of(op.memref)
    return frame.memory.load(_address(memref, op.map.map, indices, size_of(element)), element)


def _store(op: ops.StoreOp, operands: list[Any], frame: Frame) -> None:
    value, memref, *indices = operands
    element = element_of(op.memref)
    frame.memory.store(_address(memref, op.map.map, indices, size_of(element)), value, element)


def _vector_load(op: ops.VectorLoadOp, operands: list[Any], frame: Frame) -> Datum:
    memref, *indices = operands
    place = _address(memref, op.map.map, indices, size_of(element_of(op.memref)))
    return frame.memory.load(place, op.result.type)


def _vector_store(op: ops.VectorStoreOp, operands: list[Any], frame: Frame) -> None:
    value, memref, *indices = operands
    place = _address(memref, op.map.map, indices, size_of(element_of(op.memref)))
    frame.memory.store(place, value, op.value.type)


def _delinearize(op: ops.DelinearizeIndexOp, operands: list[Any], _: Frame) -> list[Datum]:
    index, *dynamic = operands
    basis, left = mixed(op.static_basis.values, dynamic), signed_index(index)
    # The outermost extent says between which numbers the first result lies, and takes no part in it.
    inner = basis[1:] if len(basis) == len(op.results) else basis
    made: list[int] = []
    for extent in reversed(inner):
        if not extent:
            raise Trap("crash", "a division by zero")
        left, rest = divmod(left, extent)
        made.append(rest)
    return [value % (1 << 64) for value in (left, *reversed(made))]


def _linearize(op: ops.LinearizeIndexOp, operands: list[Any], _: Frame) -> Datum:
    count = len(op.multi_index)
    basis, index = mixed(op.static_basis.values, operands[count:]), 0
    inner = basis[1:] if len(basis) == count else basis
    for value, extent in zip(operands[:count], (1, *inner), strict=True):
        index = index * extent + signed_index(value)
    return index % (1 << 64)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "affine.apply": _apply,
    "affine.delinearize_index": _delinearize,
    "affine.for": _for,
    "affine.if": _if,
    "affine.linearize_index": _linearize,
    "affine.load": _load,
    "affine.max": _greatest,
    "affine.min": _least,
    "affine.parallel": _parallel,
    "affine.store": _store,
    "affine.vector_load": _vector_load,
    "affine.vector_store": _vector_store,
}
