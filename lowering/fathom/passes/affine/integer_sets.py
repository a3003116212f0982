"""Systems as integer sets, and what is superfluous in sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.affine import AffineConstant, AffineExpr, IntegerSet
from fathom.ir.affine_simplification import is_pure
from fathom.passes.affine.domains import system_of_set
from fathom.passes.affine.elimination import is_empty
from fathom.passes.affine.flattening import expression
from fathom.passes.affine.representations import local_expressions
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.passes.affine.system import Row, System


def set_of(system: System) -> IntegerSet | None:
    """The set of what satisfies a system; None where a local is no quotient."""
    dims, symbols = len(system.dims), len(system.symbols)
    locals: list[AffineExpr] = []
    for column, expr in enumerate(local_expressions(system)[dims + symbols :], start=dims + symbols):
        if expr is None and not system.is_unused(column):
            return None
        locals.append(expr or AffineConstant(0))

    def spelled(row: Row) -> AffineExpr:
        return expression(row, dims, symbols, locals)

    constraints = [(spelled(row), True) for row in system.equalities]
    constraints += [(spelled(row), False) for row in system.inequalities]
    return IntegerSet(dims, symbols, tuple(constraints or [(AffineConstant(0), True)]))


def simplify_set(set: IntegerSet) -> IntegerSet:
    """The set without what is always so; `1 == 0` for one that nothing satisfies. A set that multiplies symbols stays
    as it is."""
    if not all(is_pure(expr) for expr, _ in set.constraints):
        return set
    system = system_of_set(set)
    if is_empty(system):
        return replace(set, constraints=((AffineConstant(1), True),))
    system.remove_trivial()
    return set_of(system) or set
