"""Groups of operands or results, and where the values of each stand among them: worked out once for a definition.

    op.all_of("initArgs")          the operands of an `scf.for` behind its bounds
    op.one_of("lowerBound")      the only operand of a group

Source of the rules: *Operation Definition Specification (ODS)*, "Variadic operands".
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.ir.attributes import DenseArrayAttr
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

T = TypeVar("T")

SEGMENTS: Final = {"operands": "operandSegmentSizes", "results": "resultSegmentSizes"}
"""The properties that hold how many values each group has, where that does not follow from the total."""


class Arity(Enum):
    """How many values (or successors, or regions) one definition stands for."""

    ONE = "one"
    OPTIONAL = "optional"
    VARIADIC = "variadic"


class Groups:
    """The groups of one kind of values: `segments` is the property that may hold how many each has."""

    __slots__ = ("_count", "_fixed", "_index", "_is_one", "_ones_before", "_segments")

    def __init__(self, names: Sequence[str], arities: Sequence[Arity], segments: str) -> None:
        self._index = {name: index for index, name in enumerate(names)}
        self._count = len(names)
        self._segments = segments
        self._fixed = sum(arity is Arity.ONE for arity in arities)
        self._ones_before = [sum(a is Arity.ONE for a in arities[:index]) for index in range(len(arities))]
        self._is_one = [arity is Arity.ONE for arity in arities]

    def place(self, op: Operation, total: int, name: str) -> range:
        """Where the values of a group stand among `total`; KeyError where the definition has no such group.

        An operation with too few or too many values, which the verifier reports, gets what is there.
        """
        index = self._index[name]
        sizes = op.properties.get(self._segments)
        if isinstance(sizes, DenseArrayAttr) and len(sizes.values) == self._count:
            start = sum(sizes.values[:index])
            return range(start, start + sizes.values[index])
        rest, groups = max(total - self._fixed, 0), self._count - self._fixed
        # What is left over by the groups of one value is for the others: the same for each if that comes out even
        # (`SameVariadicOperandSize`), else all of it for the first.
        is_even = groups > 0 and rest % groups == 0
        ones = self._ones_before[index]
        before = index - ones
        start = ones + (before * (rest // groups) if is_even else rest if before else 0)
        if self._is_one[index]:
            return range(start, start + 1)
        return range(start, start + (rest // groups if is_even else 0 if before else rest))


@record(eq=False)
class PartNames:
    """An interface: what the operands, results and attributes of an operation are called of which the definition says
    that in no other way, because its own check looks at how many there are."""

    operands: tuple[tuple[str, Arity], ...] = ()
    results: tuple[tuple[str, Arity], ...] = ()
    attributes: tuple[str, ...] = ()


def group_sizes(arities: Sequence[Arity], total: int, op: Operation, segments: str) -> list[int]:
    """How many of `total` values each group takes; by the segment sizes if `op` has them.

    An operation with too few or too many values (the verifier reports it) gets groups that cover what is there.
    """
    attribute = op.properties.get(segments)
    if isinstance(attribute, DenseArrayAttr) and len(attribute.values) == len(arities):
        return list(attribute.values)
    fixed = sum(arity is Arity.ONE for arity in arities)
    rest, groups = max(total - fixed, 0), len(arities) - fixed
    # Groups of no stated sizes are equally large (`SameVariadicOperandSize`).
    share = rest // groups if groups and rest % groups == 0 else 0
    sizes: list[int] = []
    for arity in arities:
        take = 1 if arity is Arity.ONE else (share or rest)
        if arity is not Arity.ONE:
            rest -= take
        sizes.append(take)
    return sizes


def split_groups(names: Sequence[str], sizes: Sequence[int], values: Sequence[T]) -> dict[str, list[T]]:
    """The values by the names of the groups, whose sizes are given."""
    groups: dict[str, list[T]] = {}
    start = 0
    for name, size in zip(names, sizes, strict=True):
        groups[name] = list(values[start : start + size])
        start += size
    return groups
