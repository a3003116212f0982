"""What vector's operations under a mask compute, and scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.vector.interpreted_kinds import combined, kind_of_operation
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import element_of, indices_of, place_in
from fathom.interpreting.values import Array, Datum, NotUnderstood

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import vector as ops

_TAKE_A_MASK: Final = ("vector.contract", "vector.multi_reduction", "vector.transfer_read", "vector.transfer_write")
"""The operations that are interpreted with a mask behind their operands. That of a contraction is over its loops."""


def _mask(op: ops.MaskOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    """What the operation under the mask computes, where the mask is set; elsewhere what passes through, if anything."""
    mask, *passthru = operands
    *inner, end = op.maskRegion.entry
    if not inner:
        return frame.of(end.operands)
    made = _masked(inner[0], mask, frame)
    if not passthru:
        return made
    return [_chosen(mask, value, other) for value, other in zip(made, passthru, strict=True)]


def _masked(op: Operation, mask: Array, frame: Frame) -> Sequence[Datum]:
    frame.machine.step()
    given: list[Any] = frame.of(op.operands)
    if op.name in _TAKE_A_MASK:
        given.append(mask)
    elif op.name == "vector.reduction":
        array = given[0]
        kept = tuple(item for item, is_set in zip(array.items, mask.items, strict=True) if is_set)
        if not kept and len(given) == 1:
            raise NotUnderstood(f"'{op.name}' of nothing")
        given[0] = Array((len(kept),), kept)
    else:
        raise NotUnderstood(f"'{op.name}' under a mask")
    made: Any = frame.machine.interpretation(op)(op, given, frame)
    return [made] if isinstance(made, (int, float, Array)) else list(made or ())


def _chosen(mask: Array, one: Datum, other: Datum) -> Datum:
    if not isinstance(one, Array) or not isinstance(other, Array):
        raise NotUnderstood("a value that passes through and is no vector")
    items = zip(mask.items, one.items, other.items, strict=True)
    return Array(one.shape, tuple(first if is_set else second for is_set, first, second in items))


def _scan(op: ops.ScanOp, operands: list[Any], _: Frame) -> Sequence[Datum]:
    """An inclusive scan begins with the first element, any other with the initial value."""
    source, initial = operands
    kind, type, dim = kind_of_operation(op), element_of(op.source), op.reduction_dim.value
    is_inclusive = bool(op.inclusive.value)
    kept = [size for at, size in enumerate(source.shape) if at != dim]
    made: list[Datum] = [0] * len(source.items)
    held: list[Datum] = list(initial.items)
    for place in sorted(indices_of(source.shape), key=lambda place: place[dim]):
        line = place_in(kept, [at for number, at in enumerate(place) if number != dim])
        here = place_in(source.shape, place)
        if place[dim] or is_inclusive:
            by = here if is_inclusive else place_in(source.shape, [*place[:dim], place[dim] - 1, *place[dim + 1 :]])
            item = source.items[by]
            held[line] = combined(kind, type, held[line], item) if place[dim] else item
        made[here] = held[line]
    return [Array(source.shape, tuple(made)), Array(initial.shape, tuple(held))]


INTERPRETATION: Final[Mapping[str, Interpret]] = {"vector.mask": _mask, "vector.scan": _scan}
