"""Loops of which some iterations stand alone: the last one, if it is shorter, or the first.

    scf.for %i = %a to %b step %c { … }
->
    %0 = affine.apply affine_map<()[s0, s1, s2] -> (s1 - (s1 - s0) mod s2)>()[%a, %b, %c]
    scf.for %i = %a to %0 step %c { … }
    scf.for %i = %0 to %b step %c { … }

Source of the rules: `LoopSpecialization.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import compose
from fathom.ir.affine import AffineConstant, AffineMap, AffineSymbol, add, divide, negate
from fathom.ir.attributes import UNIT, AffineMapAttr
from fathom.ir.inequalities import combined
from fathom.ir.traversal import ancestors
from fathom.ir.types import INDEX
from fathom.ops.affine import ApplyOp
from fathom.ops.scf import ForOp
from fathom.passes.loops.extrema import EXTREMA, Known, simplified
from fathom.records import record
from fathom.rewriting.folding import create_or_fold, integer_constant
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.affine import AffineExpr
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

PEELED: Final = "__peeled_loop__"
PARTIAL: Final = "__partial_iteration__"
LABELS: Final = (PEELED, PARTIAL)
"""Attributes that loops have while the pass runs."""

REST: Final = divide("mod", add(AffineSymbol(1), negate(AffineSymbol(0))), AffineSymbol(2))
"""How long the last iteration is, of a lower bound, an upper bound and a step."""
SPLIT: Final = add(AffineSymbol(1), negate(REST))
SECOND: Final = add(AffineSymbol(0), AffineSymbol(1))


@record
class Peeling:
    """Which iterations stand alone, and whether loops in a last iteration stay."""

    front: bool
    skip_partial: bool

    def patterns(self) -> list[Pattern]:
        return [Pattern("scf.for", self.peel, name="ForLoopPeelingPattern")]

    def peel(self, op: ForOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        if op.unsignedCmp is not None:
            return Failure("unsigned loops are not supported")
        if PEELED in op.attributes:
            return NO_MATCH
        if self.front:
            other = peel_first(op, rewriter)
        elif self.skip_partial and any(
            isinstance(ancestor, ForOp) and PARTIAL in ancestor.attributes for ancestor in ancestors(op)
        ):
            return NO_MATCH
        else:
            other = peel_last(op, rewriter)
        if other is None:
            return NO_MATCH
        rewriter.modify(other, lambda: other.attributes.update(dict.fromkeys(LABELS, UNIT)))
        rewriter.modify(op, lambda: op.attributes.update({PEELED: UNIT}))
        return None


def _numbers(op: ForOp) -> list[int | None]:
    return [integer_constant(value) for value in (op.lowerBound, op.upperBound, op.step)]


def _bound(rewriter: Rewriter, op: ForOp, expr: AffineExpr, operands: Sequence[Value]) -> Value:
    """A new bound, of the type of the others."""
    map = AffineMapAttr(AffineMap(0, len(operands), (expr,)))
    value = create_or_fold(rewriter, "affine.apply", operands, INDEX, {"map": map})
    type = op.lowerBound.type
    return value if value.type == type else create_or_fold(rewriter, "arith.index_cast", [value], type)


def peel_last(op: ForOp, rewriter: Rewriter) -> ForOp | None:
    """The loop of the last iteration, unless the step divides the range."""
    lower, upper, step = _numbers(op)
    if step is not None and step <= 1:
        return None
    if lower is not None and upper is not None and step is not None and (upper - lower) % step == 0:
        return None
    bounds = [op.lowerBound, op.upperBound, op.step]
    if any(defined_by(value, ApplyOp) for value in bounds):
        rest, _ = compose(AffineMap(0, 3, (REST,)), bounds)
        if rest.results[0] == AffineConstant(0):
            return None
    rewriter.set_insertion_before(op)
    split = _bound(rewriter, op, SPLIT, bounds)
    rewriter.set_insertion_behind(op)
    other = rewriter.clone(op, {})
    assert isinstance(other, ForOp), "it is a copy"
    other.set_operand(0, split)
    for old, new in zip(op.results, other.results, strict=True):
        rewriter.replace_all_uses(old, new)
    other.set_operands([*other.operands[:3], *op.results])
    end = op.upperBound
    rewriter.modify(op, lambda: op.set_operand(1, split))
    for loop, is_whole in ((op, True), (other, False)):
        _simplify(loop, end, rewriter, is_whole=is_whole)
    return other


def _simplify(loop: ForOp, end: Value, rewriter: Rewriter, *, is_whole: bool) -> None:
    """The minima and maxima in a loop all of whose iterations are whole, or none."""
    index, step = loop.region.entry.arguments[0], loop.step
    for op in list(loop.walk_postorder()):
        if not isinstance(op, EXTREMA):
            continue
        known = Known()
        known.dims.append(index)
        rest = combined(combined(known.row(end), 1, {index: 1}, -1), 1, known.row(step), -1)
        known.facts.add(rest if is_whole else combined(combined({}, 1, rest, -1), 1, {None: -1}, 1))
        with rewriter.elsewhere():
            rewriter.set_insertion_before(op)
            rewriter.stand_in(op)
            operation = simplified(op, known, rewriter)
            if operation is not None:
                rewriter.replace(op, list(operation.results))


def peel_first(op: ForOp, rewriter: Rewriter) -> ForOp | None:
    """The loop of the first iteration, unless there is no other."""
    lower, upper, step = _numbers(op)
    if lower is not None and upper is not None and step and -((lower - upper) // step) <= 1:
        return None
    rewriter.set_insertion_before(op)
    split = _bound(rewriter, op, SECOND, [op.lowerBound, op.step])
    other = rewriter.clone(op, {})
    assert isinstance(other, ForOp), "it is a copy"
    rewriter.modify(other, lambda: other.set_operand(1, split))
    rewriter.modify(op, lambda: op.set_operands([split, op.upperBound, op.step, *other.results]))
    return other


def without_labels(root: Operation) -> None:
    """Takes the labels away."""
    for op in root.walk():
        for label in LABELS:
            op.attributes.pop(label, None)
