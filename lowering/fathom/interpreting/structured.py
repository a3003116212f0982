"""What structured operations compute: their body at each place of their loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import element_of, indices_of, place_in
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood
from fathom.ir.affine import AffineDim, AffineMap, evaluate
from fathom.ir.operation import Operation
from fathom.irdl.interfaces import Structured

if TYPE_CHECKING:
    from fathom.interpreting.machine import Frame


def structured(op: Operation, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    """The results, one for each tensor that is written; what is written to memrefs is there then."""
    interface = op.interface(Structured)
    maps = interface.maps(op) if interface is not None else None
    loops = interface.loops(op) if interface is not None else None
    if maps is None or loops is None:
        raise NotUnderstood(f"'{op.name}'")
    outputs = len(op.results) or _written(op, operands)
    first = len(operands) - outputs
    held = [list(value.items) if isinstance(value, Array) else [] for value in operands]
    for place in indices_of(_extents(maps, operands, len(loops), op)):
        places = [tuple(evaluate(expr, place, ()) for expr in map.results) for map in maps]
        given = [_read(op, frame, operands, held, at, where) for at, where in enumerate(places)]
        frame.machine.place = place
        # The body of a map has no argument for what it writes.
        _, made = frame.run(op.regions[0], given[: len(op.regions[0].entry.arguments)])
        for number, value in enumerate(made):
            _write(op, frame, operands, held, first + number, places[first + number], value)
    tensors = [at for at in range(first, len(operands)) if isinstance(operands[at], Array)]
    return [Array(operands[at].shape, tuple(held[at])) for at in tensors]


def _written(op: Operation, operands: list[Any]) -> int:
    groups = op.definition.operand_groups(op) if op.definition is not None else {}
    return len(list(groups.values())[-1]) if groups else len(operands)


def _extents(maps: Sequence[AffineMap], operands: list[Any], loops: int, op: Operation) -> list[int]:
    """How often each loop runs: as many times as a dimension has elements that it alone goes over."""
    extents: dict[int, int] = {}
    for map, value in zip(maps, operands, strict=True):
        shape = value.sizes if isinstance(value, MemRef) else value.shape if isinstance(value, Array) else ()
        for expr, size in zip(map.results, shape, strict=True):
            if isinstance(expr, AffineDim):
                extents.setdefault(expr.position, size)
    if len(extents) != loops:
        raise NotUnderstood(f"the loops of '{op.name}'")
    return [extents[loop] for loop in range(loops)]


def _read(
    op: Operation, frame: Frame, operands: list[Any], held: list[list[Datum]], at: int, where: tuple[int, ...]
) -> Datum:
    value = operands[at]
    if isinstance(value, Array):
        return held[at][place_in(value.shape, where)]
    if isinstance(value, MemRef):
        element = element_of(op.operands[at])
        return frame.memory.load(value.aligned + value.place(where) * size_of(element), element)
    return value


def _write(
    op: Operation,
    frame: Frame,
    operands: list[Any],
    held: list[list[Datum]],
    at: int,
    where: tuple[int, ...],
    value: Datum,
) -> None:
    target = operands[at]
    if isinstance(target, Array):
        held[at][place_in(target.shape, where)] = value
    elif isinstance(target, MemRef):
        element = element_of(op.operands[at])
        frame.memory.store(target.aligned + target.place(where) * size_of(element), value, element)
