"""The canonicalisation of sharding: what is exchanged among no devices stays, known sizes stand in the text, and a
tensor is sharded in one way once.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from fathom.dialects.shard.verify import split_axes
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed, separated
from fathom.ops import shard as ops
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Replacement, defined_by, replacing
from fathom.rewriting.rewriter import Rewriter

COLLECTIVES: Final = (
    "all_gather all_reduce all_slice all_to_all broadcast gather recv reduce reduce_scatter scatter send".split()
)


def among_none(op: Operation, rewriter: Rewriter) -> Replacement:
    """What goes along no axis of the grid is what it was."""
    source = op.one_of("input")
    return source if not numbers_property(op, "grid_axes") and source.type == op.result.type else None


def _offsets(op: ops.ShardingOp) -> list[int | Value]:
    return mixed(op.static_sharded_dims_offsets, op.dynamic_sharded_dims_offsets)


def _halos(op: ops.ShardingOp) -> list[int | Value]:
    return mixed(op.static_halo_sizes, op.dynamic_halo_sizes)


def _known(size: int | Value) -> int | Value:
    number = known_number(size)
    return size if number is None or number < 0 else number


def normalize(op: ops.ShardingOp, rewriter: Rewriter) -> Replacement:
    """Known sizes as numbers; none where they say what holds anyway: no halos, or shards of equal size."""
    given = _offsets(op), _halos(op)
    offsets, halos = (list(map(_known, sizes)) for sizes in given)
    if all(size == 0 for size in halos):
        halos = []
    distances = {b - a if isinstance(a, int) and isinstance(b, int) else None for a, b in pairwise(offsets)}
    if len(offsets) > 2 and len(distances) == 1 and None not in distances:
        offsets = []
    if (offsets, halos) == given:
        return None
    offset_values, offset_numbers = separated(offsets)
    halo_values, halo_numbers = separated(halos)

    def change() -> None:
        op.set_operands([*offset_values, *halo_values])
        op.properties |= {
            "static_sharded_dims_offsets": offset_numbers,
            "static_halo_sizes": halo_numbers,
            "operandSegmentSizes": segment_sizes(len(offset_values), len(halo_values)),
        }

    rewriter.modify(op, change)
    return op


def same_sharding(op: ops.ShardOp, rewriter: Rewriter) -> Replacement:
    """A tensor, such as a constant, that is sharded before: in the same way, or in another, which follows the first."""
    source = op.src
    if len(source.uses) == 1 or defined_by(source, ops.ShardOp) is not None:
        return None
    other = next((user for user in reversed(list(source.uses)) if user is not op), None)
    if not isinstance(other, ops.ShardOp) or other.parent is not op.parent or not _is_before(other, op):
        return None
    if _sharding(op) == _sharding(other):
        return other.result
    rewriter.modify(op, lambda: op.set_operand(0, other.result))
    return op


def _is_before(first: Operation, second: Operation) -> bool:
    current = second.previous
    while current is not None and current is not first:
        current = current.previous
    return current is first


def _sharding(op: ops.ShardOp) -> tuple[object, ...]:
    """What tells shardings apart; axes that are split no further are left out at the end."""
    maker = defined_by(op.sharding, ops.ShardingOp)
    if maker is None:
        return (op.sharding,)
    split = [tuple(axes) for axes in split_axes(maker)]
    while split and not split[-1]:
        split.pop()
    return maker.grid, tuple(split), tuple(_halos(maker)), tuple(_offsets(maker))


CANONICALIZATION: Final = (
    *(replacing(f"shard.{name}", among_none, name="EmptyGridAxesCanonicalizationPattern") for name in COLLECTIVES),
    replacing("shard.sharding", normalize, name="NormalizeSharding"),
    replacing("shard.shard", same_sharding, name="FoldDuplicateShardOp"),
)
