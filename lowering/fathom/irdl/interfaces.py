"""What operations of different dialects have in common, as code asks for it: interfaces, attached to definitions.

    branch = op.interface(Branch)          None where the operation is no branch

The names are those of MLIR without `OpInterface`. Source of the rules: *Interfaces*; *Side Effects & Speculation*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from fathom.ir.attributes import DenseArrayAttr
from fathom.irdl.definition import SEGMENTS, group_sizes

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


class EffectKind(Enum):
    """What an operation does to memory."""

    ALLOCATE = "MemAlloc"
    FREE = "MemFree"
    READ = "MemRead"
    WRITE = "MemWrite"


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect; on the memory behind `value`, or on memory of which nothing is known."""

    kind: EffectKind
    value: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MemoryEffects:
    """`MemoryEffectOpInterface`: what the operation itself does to memory, apart from what is nested in it."""

    effects: Callable[[Operation], Sequence[Effect]]


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """`BranchOpInterface`: the operands that are passed on to the arguments of each successor.

    `ranges(op)` gives for each successor the indices of these operands; `change(op, index, operands)` passes others.
    """

    ranges: Callable[[Operation], Sequence[range]]
    change: Callable[[Operation, int, Sequence[Value]], None]

    def passed(self, op: Operation, index: int) -> list[Value]:
        """What the successor number `index` gets."""
        where = self.ranges(op)[index]
        return op.operands[where.start : where.stop]


Interface = MemoryEffects | Branch


def effects_on(*kinds: tuple[EffectKind, str]) -> MemoryEffects:
    """Effects on the operands or results of the groups of these names; on unknown memory for an empty name."""

    def effects(op: Operation) -> Iterator[Effect]:
        definition = op.definition
        for kind, name in kinds:
            if not name:
                yield Effect(kind)
            elif definition is not None:
                groups = {**definition.result_groups(op), **definition.operand_groups(op)}
                yield from (Effect(kind, value) for value in groups.get(name, ()))

    return MemoryEffects(lambda op: tuple(effects(op)))


def branch_by_groups(*names: str) -> Branch:
    """A branch that passes each successor the operands of one group; `names` are those groups, in the successors'
    order."""

    def ranges(op: Operation) -> list[range]:
        return [_range_of(op, name) for name in names]

    def change(op: Operation, index: int, operands: Sequence[Value]) -> None:
        replace_range(op, ranges(op)[index], operands)
        sizes = op.properties.get(SEGMENTS["operands"])
        if isinstance(sizes, DenseArrayAttr):
            group = _group_names(op).index(names[index])
            changed = (*sizes.values[:group], len(operands), *sizes.values[group + 1 :])
            op.properties[SEGMENTS["operands"]] = DenseArrayAttr(sizes.element, changed)

    return Branch(ranges, change)


def replace_range(op: Operation, where: range, operands: Sequence[Value]) -> None:
    """Puts other operands, which may be more or fewer, in the place of some."""
    op.set_operands([*op.operands[: where.start], *operands, *op.operands[where.stop :]])


def _group_names(op: Operation) -> list[str]:
    return [operand.name for operand in op.definition.operands] if op.definition is not None else []


def _range_of(op: Operation, name: str) -> range:
    """The indices of the operands of a group."""
    definition = op.definition
    if definition is None:
        return range(0)
    sizes = group_sizes([o.arity for o in definition.operands], len(op.operands), op, SEGMENTS["operands"])
    index = _group_names(op).index(name)
    start = sum(sizes[:index])
    return range(start, start + sizes[index])
