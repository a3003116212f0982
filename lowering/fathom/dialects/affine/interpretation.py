"""What affine's loops, conditions, accesses and maps do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import element_of
from fathom.interpreting.values import Datum, MemRef, Trap, signed_index
from fathom.ir.affine import AffineMap, evaluate

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


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "affine.apply": _apply,
    "affine.for": _for,
    "affine.if": _if,
    "affine.load": _load,
    "affine.max": _greatest,
    "affine.min": _least,
    "affine.store": _store,
    "affine.vector_load": _vector_load,
    "affine.vector_store": _vector_store,
}
