"""What the divisors in affine maps and sets are to pass when a program runs: they are above zero. An expression may
divide by a symbol, whose value nobody knows before.

Source of the rules: *Affine Dialect*, "Semi-affine maps": `mod`, `floordiv` and `ceildiv` take a positive number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineBinary, AffineConstant, AffineExpr
from fathom.passes.affine_expansion import expand
from fathom.rewriting.pattern import Failure
from fathom.rewriting.runtime_checks import NE, SGE

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Value
    from fathom.ops import affine as ops
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks


def check_map(op: ops.ApplyOp | ops.MinOp | ops.MaxOp, checks: RuntimeChecks) -> None:
    _check_map(op.map.map, op.operands, checks)


def check_subscripts(
    op: ops.LoadOp | ops.StoreOp | ops.PrefetchOp | ops.VectorLoadOp | ops.VectorStoreOp, checks: RuntimeChecks
) -> None:
    _check_map(op.map.map, op.indices, checks)


def check_for(op: ops.ForOp, checks: RuntimeChecks) -> None:
    """The bounds of a loop, which are computed once."""
    _check_map(op.lowerBoundMap.map, op.lowerBoundOperands, checks)
    _check_map(op.upperBoundMap.map, op.upperBoundOperands, checks)


def check_parallel(op: ops.ParallelOp, checks: RuntimeChecks) -> None:
    """The bounds of all dimensions, whose maps share one list of operands."""
    lower, operands = op.lowerBoundsMap.map, op.mapOperands
    _check_map(lower, operands[: lower.inputs], checks)
    _check_map(op.upperBoundsMap.map, operands[lower.inputs :], checks)


def check_if(op: ops.IfOp, checks: RuntimeChecks) -> None:
    """The constraints of the condition."""
    set = op.condition.set
    _check([expr for expr, _ in set.constraints], op.operands, set.dims, checks)


def check_delinearize(op: ops.DelinearizeIndexOp, checks: RuntimeChecks) -> None:
    """The numbers of the basis, by which the index is divided."""
    for size in op.dynamic_basis:
        _check_divisor(size, checks)


def _check_map(map: AffineMap, operands: Sequence[Value], checks: RuntimeChecks) -> None:
    _check(map.results, operands, map.dims, checks)


def _check(exprs: Sequence[AffineExpr], operands: Sequence[Value], dims: int, checks: RuntimeChecks) -> None:
    """Each divisor once, what it is made of before itself: to compute it may be to divide."""
    for divisor in dict.fromkeys(by for expr in exprs for by in _divisors(expr)):
        value = expand(checks.rewriter, divisor, operands[:dims], operands[dims:])
        if isinstance(value, Failure):
            return
        _check_divisor(value, checks)


def _divisors(expr: AffineExpr) -> Iterator[AffineExpr]:
    """What an expression divides by, but for numbers, which are known to be positive or have no lowering."""
    if not isinstance(expr, AffineBinary):
        return
    yield from _divisors(expr.lhs)
    yield from _divisors(expr.rhs)
    if expr.kind not in "+*" and not isinstance(expr.rhs, AffineConstant):
        yield expr.rhs


def _check_divisor(value: Value, checks: RuntimeChecks) -> None:
    zero = checks.index(0)
    checks.check(checks.compare(NE, value, zero), "division by zero")
    checks.check(checks.compare(SGE, value, zero), "division by a negative number")


AFFINE_DIVISIONS: Final[Mapping[str, RuntimeCheck]] = {
    **{f"affine.{name}": check_map for name in ("apply", "min", "max")},
    **{f"affine.{name}": check_subscripts for name in ("load", "store", "prefetch", "vector_load", "vector_store")},
    "affine.for": check_for,
    "affine.parallel": check_parallel,
    "affine.if": check_if,
    "affine.delinearize_index": check_delinearize,
}
