"""Where the loops of linalg's operations are, and what packs and unpacks; what the others compute follows from their
body and their maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import indices_of, mixed, place_in
from fathom.interpreting.values import Array, Datum, NotUnderstood

if TYPE_CHECKING:
    from fathom.ops.linalg import IndexOp, PackOp, UnpackOp


def _index(op: IndexOp, _: list[Any], frame: Frame) -> Datum:
    place = frame.machine.place
    if place is None:
        raise NotUnderstood(f"'{op.name}'")
    return place[op.dim.value]


def _places(
    packed: Sequence[int], rank: int, tiles: Sequence[int], positions: Sequence[int], order: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Each place in a packed shape, and where that lies in the other one, which has this rank: the tile of each of the
    `positions` counts as many times as the tile is long. `order` is that of the dimensions outside of the tiles."""
    for place in indices_of(packed):
        where = [0] * rank
        for at, dim in enumerate(order or range(rank)):
            where[dim] = place[at]
        for at, (dim, tile) in enumerate(zip(positions, tiles, strict=True)):
            where[dim] = where[dim] * tile + place[rank + at]
        yield place, where


def _pack(op: PackOp, operands: list[Any], _: Frame) -> Datum:
    source, target, *rest = operands
    if not isinstance(source, Array):
        raise NotUnderstood(f"'{op.name}' of memory")
    padding = rest.pop(0) if op.padding_value is not None else None
    tiles = mixed(op.static_inner_tiles.values, rest)
    made: list[Datum] = []
    for _place, where in _places(
        target.shape, len(source.shape), tiles, op.inner_dims_pos.values, op.outer_dims_perm.values
    ):
        if all(at < size for at, size in zip(where, source.shape, strict=True)):
            made.append(source.items[place_in(source.shape, where)])
        elif padding is not None:
            made.append(padding)
        else:
            raise NotUnderstood("a tile that nothing fills")
    return Array(target.shape, tuple(made))


def _unpack(op: UnpackOp, operands: list[Any], _: Frame) -> Datum:
    source, target, *rest = operands
    if not isinstance(source, Array):
        raise NotUnderstood(f"'{op.name}' of memory")
    tiles, held = mixed(op.static_inner_tiles.values, rest), list(target.items)
    for place, where in _places(
        source.shape, len(target.shape), tiles, op.inner_dims_pos.values, op.outer_dims_perm.values
    ):
        if all(at < size for at, size in zip(where, target.shape, strict=True)):
            held[place_in(target.shape, where)] = source.items[place_in(source.shape, place)]
    return Array(target.shape, tuple(held))


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "linalg.index": _index,
    "linalg.pack": _pack,
    "linalg.unpack": _unpack,
}
