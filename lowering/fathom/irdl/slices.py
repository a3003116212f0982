"""What is wrong with slices: operations that take a part by offsets, sizes and strides, some of them operands.

Source of the rules: `OffsetSizeAndStrideOpInterface`; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC
from fathom.irdl.declared import Problem
from fathom.irdl.index_lists import mixed
from fathom.irdl.verifying import Complaint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value

LISTS = ("offsets", "sizes", "strides")


def mixed_list(op: Operation, name: str) -> list[int | Value]:
    """The `offsets`, `sizes` or `strides`: numbers and values in their order."""
    return mixed(op.properties.get(f"static_{name}"), op.all_of(name))


def mixed_lists(op: Operation) -> list[list[int | Value]]:
    """The offsets, sizes and strides."""
    return [mixed_list(op, name) for name in LISTS]


def verify_slice(op: Operation, *ranks: int) -> Complaint:
    """What the interface demands, for at most so many offsets, sizes and strides."""
    problem = _slice_problem(op, ranks)
    return Problem(problem, bare=True) if problem is not None else None


def _slice_problem(op: Operation, ranks: Sequence[int]) -> str | None:
    assert op.definition is not None, "only an operation that is defined is verified"
    groups = op.definition.operand_groups(op)
    numbers = {name: numbers_property(op, f"static_{name}") for name in LISTS}
    for name in ("sizes", "strides", "offsets"):
        given, dynamic = len(groups[name]), numbers[name].count(DYNAMIC)
        if given != dynamic:
            entries = f"the number of dynamic entries in 'static_{name}' ({given} vs {dynamic})"
            return f"expected the number of '{name}' to match {entries}"
    counts = {name: len(values) for name, values in numbers.items()}
    for first, second in (("offsets", "sizes"), ("sizes", "strides")):
        one_offset = first == "offsets" and counts[first] == ranks[0] == 1
        if counts[first] != counts[second] and not one_offset:
            found_ranks = f"({counts[first]} vs {counts[second]}) so the rank of the result type is well-formed."
            return f"expected mixed {first} rank to match mixed {second} rank {found_ranks}"
    for (name, count), rank in zip(counts.items(), ranks, strict=True):
        if count != rank:
            return f"expected {rank} {name.removesuffix('s')} values, got {count}"
    for name in ("offsets", "sizes"):
        negative = next((value for value in numbers[name] if value < 0 and value != DYNAMIC), None)
        if negative is not None:
            return f"expected {name} to be non-negative, but got {negative}"
    return None


def verify_bounds(
    extents: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> Complaint:
    """A slice stays within what it is taken from, as far as numbers are known."""
    for index, (extent, offset, size, stride) in enumerate(zip(extents, offsets, sizes, strides, strict=False)):
        if DYNAMIC in (extent, offset):
            continue
        if offset >= extent:
            return Problem(f"offset {index} is out-of-bounds: {offset} >= {extent}", bare=True)
        if DYNAMIC in (size, stride):
            continue
        last = offset + (size - 1) * stride
        if last >= extent:
            return Problem(f"slice along dimension {index} runs out-of-bounds: {last} >= {extent}", bare=True)
    return None
