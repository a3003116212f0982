"""Loops whose upper bound is the least of some values, one of them a number: when it is that number, it is known.

    %n = affine.min affine_map<(d0) -> (4, d0)>(%m)
    scf.for %i = %a to %n step %c { … }
->
    %0 = arith.cmpi eq, %n, %c4 : index
    scf.if %0 { scf.for %i = %a to %c4 … } else { scf.for %i = %a to %n … }

Source of the rules: `LoopSpecialization.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.affine import AffineConstant
from fathom.ops.affine import MinOp
from fathom.ops.scf import ForOp, ParallelOp
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.loops.making import branch
from fathom.rewriting.pattern import defined_by
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


def specialize(root: Operation, context: Context, kind: type[ForOp | ParallelOp]) -> None:
    """All loops of a kind, the inner ones first. One whose results are used stays."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        if isinstance(op, kind) and not any(result.uses for result in op.results):
            uppers = [op.upperBound] if isinstance(op, ForOp) else op.upperBound
            numbers = [number for number in map(_least_number, uppers) if number is not None]
            if uppers and len(numbers) == len(uppers):
                rewriter.set_insertion_before(op)
                rewriter.stand_in(op)
                _specialize(op, uppers, numbers, rewriter)


def _least_number(bound: Value) -> int | None:
    """The least number of those of which a bound is the least."""
    least = defined_by(bound, MinOp)
    results = least.map.map.results if least is not None else ()
    return min((result.value for result in results if isinstance(result, AffineConstant)), default=None)


def _specialize(op: Operation, uppers: Sequence[Value], numbers: Sequence[int], rewriter: Rewriter) -> None:
    values: dict[Value, Value] = {}
    condition: Value | None = None
    for upper, number in zip(uppers, numbers, strict=True):
        known = constant(rewriter, number, upper.type)
        is_equal = compare(rewriter, "eq", upper, known)
        condition = is_equal if condition is None else binary(rewriter, "andi", condition, is_equal)
        values[upper] = known
    assert condition is not None, "a loop has a bound"
    for block, replaced in zip(branch(rewriter, condition, has_else=True), (values, {}), strict=True):
        rewriter.set_insertion_before(block.end)
        rewriter.clone(op, dict(replaced))
    op.erase()
