"""Accesses to memrefs by affine subscripts, and which of them depend on which.

Two accesses depend on each other at a depth if in two iterations, the second after the first, which differ at this
depth first, they come to the same element. That is a question whether a system has a solution.
Source of the rules: `AffineAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.cached import cached_property
from fathom.dialects.affine.composition import canonicalize, compose
from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.dominance import ancestor_in_block
from fathom.irdl.traits import AFFINE_SCOPE
from fathom.ops.affine import ForOp, IfOp, LoadOp, ParallelOp, StoreOp, VectorLoadOp, VectorStoreOp
from fathom.passes.affine.bounds import greatest, least
from fathom.passes.affine.divisions import merge_locals
from fathom.passes.affine.domains import affine_ops_around, align_symbols, index_set, loop_of
from fathom.passes.affine.effort import OF_COMPOSING, OF_DEPENDENCE, count_steps
from fathom.passes.affine.elimination import is_empty, project_out, remove_redundant_locals
from fathom.passes.affine.flattening import flatten
from fathom.passes.affine.trip_counts import difference
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.passes.affine.system import System

    Read: TypeAlias = "LoadOp | VectorLoadOp"
    Write: TypeAlias = "StoreOp | VectorStoreOp"

READS: Final = (LoadOp, VectorLoadOp)
WRITES: Final = (StoreOp, VectorStoreOp)
ACCESSES: Final = (*READS, *WRITES)


class Access:
    """A load or store with affine subscripts, and what is found out of it."""

    def __init__(self, op: Read | Write) -> None:
        self.op: Final = op
        self.memref: Final[Value] = op.memref
        self.is_write: Final = isinstance(op, WRITES)

    @cached_property
    def applied(self) -> tuple[AffineMap, list[Value]]:
        """The map of the subscripts, composed with all that its operands come from, and its operands."""
        map, values = canonicalize(*compose(self.op.map.map, self.op.indices))
        return map, values

    def is_same(self, other: Access) -> bool:
        """Whether both are to the same element in all iterations."""
        if self.memref is not other.memref:
            return False
        count_steps(OF_COMPOSING)
        return all(result == AffineConstant(0) for result in difference(self.applied, other.applied)[0].results)

    @cached_property
    def relation(self) -> System | None:
        """A system over the variables of the loops around the access, and then a dimension for each subscript; None
        where there is none."""
        domain = index_set(affine_ops_around(self.op))
        flattened = flatten(self.applied[0].results, self.applied[0].dims, self.applied[0].symbols)
        if domain is None or flattened is None:
            return None
        (map, values), (rows, system) = self.applied, flattened
        system.dims, system.symbols = [*values[: map.dims]], [*values[map.dims :]]
        system.append_dims([None] * len(rows))
        for index, row in enumerate(rows):
            connected = [*row[: map.dims], *[0] * len(rows), *row[map.dims :]]
            connected += [0] * (system.columns - len(connected))
            connected[map.dims + index] = -1
            system.add_equality(connected)
        for place, value in enumerate(domain.dims):
            column = system.find(value, place) if value is not None else None
            if column is None or column >= len(system.dims):
                system.insert_dims(place, [value])
            else:
                system.swap(place, column)
        domain.append_dims([None] * len(rows))
        if len(domain.dims) != len(system.dims):
            return None
        align_symbols(domain, system)
        merge_locals(domain, system)
        system.append(domain)
        return system

    @property
    def variables(self) -> list[Value | None]:
        """The variables of the loops around it, as they stand in the relation."""
        relation = self.relation
        return relation.dims[: len(relation.dims) - len(self.applied[0].results)] if relation is not None else []


def accesses_in(ops: Iterable[Operation]) -> list[Access]:
    """The affine loads and stores among operations."""
    return [Access(op) for op in ops if isinstance(op, ACCESSES)]


# ---- dependences


class Outcome(Enum):
    """Whether accesses depend on each other, or nothing tells."""

    NONE = "none"
    SOME = "some"
    UNKNOWN = "unknown"


@record(eq=False)
class Dependence:
    """Whether a second access depends on a first one. If it does, `system` is over the variables of the loops around
    the first, then of those around the second, and says in which iterations."""

    outcome: Outcome
    system: System | None = None

    @property
    def may_be(self) -> bool:
        return self.outcome is not Outcome.NONE


_NONE: Final = Dependence(Outcome.NONE)
_UNKNOWN: Final = Dependence(Outcome.UNKNOWN)


def dependence(first: Access, second: Access, depth: int, *, reads_too: bool = False) -> Dependence:
    """Whether a second access depends on a first one at a depth, counted from one: for all that their common loops go
    on, or, one beyond these, in the same iteration of all. With `reads_too` also two reads do, in either order."""
    if first.memref is not second.memref or not (reads_too or first.is_write or second.is_write):
        return _NONE
    if analysis_scope(first.op) is not analysis_scope(second.op):
        return _UNKNOWN
    block = common_block(first.op, second.op)
    one, other = first.relation, second.relation
    if block is None or one is None or other is None:
        return _UNKNOWN
    common = len(_common_variables(first, second))
    if not reads_too and depth > common and not _stands_before(first.op, second.op, block):
        return _NONE
    count_steps(OF_DEPENDENCE)
    system = _composed(one, len(first.variables), other, len(second.variables))
    for place in range(min(common, depth)):
        row = [0] * system.columns
        row[place], row[place + len(first.variables)] = -1, 1
        if place == depth - 1:
            row[-1] = -1
            system.add_inequality(row)
        else:
            system.add_equality(row)
    return _NONE if is_empty(system) else Dependence(Outcome.SOME, system)


def _composed(one: System, first: int, other: System, second: int) -> System:
    """The iterations in which two accesses come to the same element: a system over the variables of both. `first` and
    `second` are how many of the dimensions are variables of loops."""
    result, inverse = one.copy(), other.copy()
    rank = len(one.dims) - first
    result.insert_dims(first, inverse.dims[:second])
    inverse.insert_dims(0, result.dims[:first])
    align_symbols(inverse, result)
    merge_locals(inverse, result)
    for system in (result, inverse):
        system.make_local(first + second, first + second + rank)
    result.append(inverse)
    remove_redundant_locals(result)
    return result


def _common_variables(first: Access, second: Access) -> list[Value]:
    """The variables of the loops that are around both accesses."""
    values: list[Value] = []
    for mine, theirs in zip(first.variables, second.variables, strict=False):
        if mine is None or mine is not theirs or loop_of(mine) is None:
            break
        values.append(mine)
    return values


def analysis_scope(op: Operation) -> Region | None:
    """The region around the affine loops and conditions around an operation."""
    while (around := op.parent_op) is not None:
        if not isinstance(around, (ForOp, IfOp, ParallelOp)):
            return op.parent_region
        op = around
    return None


def _blocks_around(op: Operation) -> list[Block]:
    """The blocks around an operation in its affine scope, from the outside in."""
    blocks: list[Block] = []
    inner: Operation | None = op
    while inner is not None and inner.parent is not None:
        blocks.append(inner.parent)
        inner = inner.parent_op
        if inner is not None and inner.has(AFFINE_SCOPE):
            break
    return blocks[::-1]


def common_block(one: Operation, other: Operation) -> Block | None:
    """The innermost block around two operations in one affine scope."""
    common: Block | None = None
    for mine, theirs in zip(_blocks_around(one), _blocks_around(other), strict=False):
        if mine is not theirs:
            break
        common = mine
    return common


def _stands_before(one: Operation, other: Operation, block: Block) -> bool:
    first, second = ancestor_in_block(one, block), ancestor_in_block(other, block)
    return first is not None and second is not None and first is not second and first.is_before_in_block(second)


# ---- how far apart iterations are


@record
class Distance:
    """How many iterations of a loop two accesses that depend on each other are apart: from and to, as far as known."""

    loop: Operation
    least: int | None
    greatest: int | None


def distances(first: Access, second: Access, dependent: Dependence) -> list[Distance]:
    """For each loop around both accesses how far apart they are in it."""
    common = _common_variables(first, second)
    if dependent.system is None or not common:
        return []
    system, count = dependent.system.copy(), len(common)
    variables = system.variables
    system.insert_dims(0, [None] * count)
    for place in range(count):
        row = [0] * system.columns
        row[place] = row[count + place] = 1
        row[count + place + len(first.variables)] = -1
        system.add_equality(row)
    project_out(system, count, variables)
    loops = [loop_of(value) for value in common]
    return [
        Distance(loop, least(system, place), greatest(system, place))
        for place, loop in enumerate(loops)
        if loop is not None
    ]


def all_distances(ops: Sequence[Operation], depths: int) -> list[list[Distance]]:
    """The distances of all accesses among operations that depend on each other at the depths up to one."""
    accesses = accesses_in(ops)
    listed: list[list[Distance]] = []
    for depth in range(1, depths + 1):
        for first in accesses:
            for second in accesses:
                dependent = dependence(first, second, depth)
                if dependent.outcome is Outcome.SOME:
                    listed.append(distances(first, second, dependent))
    return listed
