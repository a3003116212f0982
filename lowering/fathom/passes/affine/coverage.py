"""Whether buffers may stand for parts of a memref: who else uses it, and whether stores write all that is copied back.

MLIR 22 asks neither. It copies back a buffer that nobody filled: where a store leaves out elements, stands under a
condition or in a loop that does not run, and where something uses the memref that cannot use the buffer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import Call
from fathom.ops.affine import ForOp, LoadOp, StoreOp
from fathom.ops.memref import GetGlobalOp
from fathom.passes.affine.accesses import Access
from fathom.passes.affine.domains import variable
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.flattening import flatten
from fathom.passes.affine.other_names import is_the_same
from fathom.passes.affine.trip_counts import always_runs, constant_trip_count, lower_bound, upper_bound
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Block, Operation, Value


def is_used_otherwise(memref: Value, ops: Iterable[Operation]) -> bool:
    """Whether one of some operations, or something in it, uses a memref other than by an affine load or store of it: by
    another name, or by a call of who may know it."""
    is_known_outside = defined_by(memref, GetGlobalOp) is not None
    for op in (inner for outer in ops for inner in outer.walk()):
        count_steps(1)
        if is_known_outside and op.interface(Call) is not None:
            return True
        for operand in op.operands:
            if not isinstance(operand.type, MemRefType) or not is_the_same(operand, memref):
                continue
            if not isinstance(op, (LoadOp, StoreOp)) or op.memref is not memref:
                return True
    return False


def writes_all(op: StoreOp, block: Block, sizes: Sequence[int]) -> bool:
    """Whether a store in an operation of a block writes each element of the box around what it writes there, which has
    these sizes.

    It does where all loops run and each subscript is what stays the same there, or the variable of one loop and such a
    number.
    """
    loops = _loops_up_to(op, block)
    if loops is None or not all(always_runs(loop) for loop in loops):
        return False
    variables: dict[Value, ForOp] = {variable(loop): loop for loop in loops}
    map, values = Access(op).applied
    flattened = flatten(map.results, map.dims, map.symbols)
    if flattened is None or flattened[1].locals:
        return False
    used: list[Value] = []
    for row, size in zip(flattened[0], sizes, strict=True):
        moving = [(value, factor) for value, factor in zip(values, row, strict=False) if factor and value in variables]
        if len(moving) > 1 or any(abs(factor) != 1 or variables[value].step.value != 1 for value, factor in moving):
            return False
        for value, _ in moving:
            others = _moved_by(variables[value], variables, size)
            if others is None:
                return False
            used += [value, *others]
    return len(set(used)) == len(used)


def _moved_by(loop: ForOp, variables: Mapping[Value, ForOp], size: int) -> list[Value] | None:
    """The variable by which both bounds of a loop move on, if there is one: as those of a loop in a tiled one do. All
    that it comes to is in one piece then, of a size. None where its bounds change in another way."""
    bounds = [_moving(map, operands, variables) for map, operands in (lower_bound(loop), upper_bound(loop))]
    lower, upper = bounds
    if lower is None or upper is None:
        return None
    if lower[0] is None and upper[0] is None:
        return []
    around = variables.get(lower[0]) if lower[0] is not None else None
    if around is None or lower[0] is not upper[0] or _moved_by(around, variables, size) != []:
        return None
    width, step, count = upper[1] - lower[1], around.step.value, constant_trip_count(around)
    if width < step or (step > 1 and (count is None or (count - 1) * step + width != size)):
        return None
    return [variable(around)]


def _moving(map: AffineMap, operands: Sequence[Value], variables: Iterable[Value]) -> tuple[Value | None, int] | None:
    """The variable in a bound, and the number that is added to it; None where more is."""
    map, values = canonicalize(*compose(map, operands))
    flattened = flatten(map.results, map.dims, map.symbols)
    if flattened is None or flattened[1].locals:
        return None
    factors = [(value, factor) for row in flattened[0] for value, factor in zip(values, row, strict=False) if factor]
    if not any(value in variables for value, _ in factors):
        return None, 0
    if len(factors) > 1 or len(map.results) > 1 or factors[0][1] != 1:
        return None
    return factors[0][0], flattened[0][0][-1]


def _loops_up_to(op: Operation, block: Block) -> list[ForOp] | None:
    """The loops around an operation in one of a block; None where something else is around it."""
    loops: list[ForOp] = []
    while op.parent is not block:
        around = op.parent_op
        if not isinstance(around, ForOp):
            return None
        loops.append(around)
        op = around
    return loops
