"""The canonicalisation of sharding: what is exchanged among no devices stays, known sizes stand in the text, and a
tensor is sharded in one way once.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.shard.verify import split_axes
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import I32
from fathom.irdl.index_lists import mixed, separated
from fathom.ops import shard as ops
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

COLLECTIVES: Final = (
    "all_gather all_reduce all_slice all_to_all broadcast gather recv reduce reduce_scatter scatter send".split()
)
OFFSETS: Final = "sharded_dims_offsets"
HALOS: Final = "halo_sizes"


def among_none(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What goes along no axis of the grid is what it was."""
    axes, source = op.properties.get("grid_axes"), op.one_of("input")
    if (isinstance(axes, DenseArrayAttr) and axes.values) or source.type != op.result.type:
        return NO_MATCH
    rewriter.replace(op, [source])
    return None


def _sizes(op: Operation, name: str) -> list[int | Value]:
    return mixed(op.properties.get(f"static_{name}"), op.all_of(f"dynamic_{name}"))


def normalize(op: ops.ShardingOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Known sizes as numbers; none where they say what holds anyway: no halos, or shards of equal size."""
    given = {name: _sizes(op, name) for name in (OFFSETS, HALOS)}
    found: dict[str, list[int | Value]] = {}
    for name, sizes in given.items():
        numbers = [known_number(size) for size in sizes]
        found[name] = [
            size if number is None or number < 0 else number for size, number in zip(sizes, numbers, strict=True)
        ]
    if all(size == 0 for size in found[HALOS]):
        found[HALOS] = []
    offsets = [offset for offset in found[OFFSETS] if isinstance(offset, int)]
    distances = {after - before for before, after in pairwise(offsets)}
    if len(offsets) == len(found[OFFSETS]) > 2 and len(distances) == 1:
        found[OFFSETS] = []
    if found == given:
        return NO_MATCH
    offset_values, offset_numbers = separated(found[OFFSETS])
    halo_values, halo_numbers = separated(found[HALOS])

    def change() -> None:
        op.set_operands([*offset_values, *halo_values])
        op.properties |= {
            f"static_{OFFSETS}": offset_numbers,
            f"static_{HALOS}": halo_numbers,
            "operandSegmentSizes": DenseArrayAttr(I32, (len(offset_values), len(halo_values))),
        }

    rewriter.modify(op, change)
    return None


def same_sharding(op: ops.ShardOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A tensor, such as a constant, that is sharded before: in the same way, or in another, which follows the first."""
    source = op.src
    maker = source.defining_op
    if len(source.uses) == 1 or (maker is not None and maker.name == op.name):
        return NO_MATCH
    other = next((user for user in reversed(list(source.uses)) if user is not op), None)
    if other is None or other.name != op.name or other.parent is not op.parent or not _is_before(other, op):
        return NO_MATCH
    if _sharding(op) == _sharding(other):
        rewriter.replace(op, [other.result])
    else:
        rewriter.modify(op, lambda: op.set_operand(0, other.result))
    return None


def _is_before(first: Operation, second: Operation) -> bool:
    each = second.previous
    while each is not None and each is not first:
        each = each.previous
    return each is first


def _sharding(op: Operation) -> tuple[object, ...]:
    """What tells shardings apart; axes that are split no further are left out at the end."""
    maker = op.operands[1].defining_op
    if not isinstance(maker, ops.ShardingOp):
        return (op.operands[1],)
    split = [tuple(axes) for axes in split_axes(maker)]
    while split and not split[-1]:
        split.pop()
    return maker.properties.get("grid"), tuple(split), tuple(_sizes(maker, HALOS)), tuple(_sizes(maker, OFFSETS))


CANONICALIZATION: Final = (
    *(Pattern(f"shard.{name}", among_none, name="EmptyGridAxesCanonicalizationPattern") for name in COLLECTIVES),
    Pattern("shard.sharding", normalize, name="NormalizeSharding"),
    Pattern("shard.shard", same_sharding, name="FoldDuplicateShardOp"),
)
