"""What structured operations are to pass when they run: their loops go along sizes that agree.

Source of the rules: *Passes*, `-generate-runtime-verification`, and what mlir-opt 22 makes there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.index import DESCRIPTION as INDEX_ARITHMETIC
from fathom.dialects.linalg import CODE
from fathom.dialects.linalg.structured import maps_and_loops, places_of_loops, shape_of, values_of
from fathom.ir.affine import AffineDim, AffineExpr
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, I1, INDEX
from fathom.irdl.interfaces import Structured
from fathom.records import record
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.runtime_checks import EQ, SGE, SLE, SLT, RuntimeCheck, RuntimeChecks

_ARITHMETIC: Final = {"add": "addi", "sub": "subi", "mins": "minsi", "maxs": "maxsi"}
"""The operations of the index dialect, and what they are in arith."""


@record
class _Loops:
    """How many iterations each loop has, what it is in the last one, and two constants."""

    ends: Sequence[Value | int]
    last: Sequence[Value]
    zero: Value
    one: Value


def check_shapes(op: Operation, checks: RuntimeChecks) -> None:
    """Where no loop is empty, what the maps make of the loops lies within the operands; a dimension that just one loop
    goes along has no element more."""
    structure = maps_and_loops(op)
    places = places_of_loops(structure[0], len(structure[1])) if structure is not None else None
    if structure is None or places is None:
        return
    values = values_of(op)
    sizes = [
        checks.size(value, position) if size == DYNAMIC else size
        for value in values
        for position, size in enumerate(shape_of(value.type))
    ]
    ends = [sizes[place] for place in places]
    zero, one = checks.index(0), checks.index(1)
    runs: Value | None = None
    for end in ends:
        some = _compare(SLT, checks.index(0), _value(end, checks), checks, folds=False)
        runs = some if runs is None else checks.rewriter.create("arith.andi", [runs, some], [I1]).result
    if runs is None:
        return
    with checks.where(runs):
        last = [_calculate("sub", _value(end, checks), one, checks) for end in ends]
        for number, (value, map) in enumerate(zip(values, structure[0], strict=True)):
            _check_operand(number, value, map.results, _Loops(ends, last, zero, one), checks)


def _check_operand(
    number: int, value: Value, results: Sequence[AffineExpr], loops: _Loops, checks: RuntimeChecks
) -> None:
    bounds = [
        [apply_folded(checks.rewriter, result, dims) for result in results]
        for dims in ([0] * len(loops.last), loops.last)
    ]
    for position, (result, *ends) in enumerate(zip(results, *bounds, strict=True)):
        where = f"dimension #{position} of input/output operand #{number}"
        mismatch = f"{where} is incompatible with inferred dimension size"
        if checks.known_sizes and isinstance(result, AffineDim):
            end = _value(loops.ends[result.position], checks)
            checks.check(checks.compare(EQ, checks.size(value, position), end), mismatch)
            continue
        first, last = (_value(end, checks) for end in ends)
        least = _calculate("mins", first, last, checks)
        checks.check(_compare(SGE, least, loops.zero, checks), f"unexpected negative result on {where}")
        inferred = _calculate("add", _calculate("maxs", first, last, checks), loops.one, checks)
        size = checks.size(value, position)
        fits = _compare(EQ if isinstance(result, AffineDim) else SLE, inferred, size, checks)
        checks.check(fits, mismatch)


def _value(number: Value | int, checks: RuntimeChecks) -> Value:
    return checks.index(number) if isinstance(number, int) else number


def _calculate(name: str, lhs: Value, rhs: Value, checks: RuntimeChecks) -> Value:
    operation = f"index.{name}" if checks.uses_index_dialect else f"arith.{_ARITHMETIC[name]}"
    return create_or_fold(checks.rewriter, operation, [lhs, rhs], INDEX)


def _compare(predicate: IntegerAttr, lhs: Value, rhs: Value, checks: RuntimeChecks, *, folds: bool = True) -> Value:
    if not checks.uses_index_dialect:
        return checks.compare(predicate, lhs, rhs)
    # The predicates of both dialects have the same numbers.
    attribute = INDEX_ARITHMETIC.attributes["IndexCmpPredicateAttr"].make(value=predicate.value)
    assert isinstance(attribute, Attribute), "it is described as an attribute"
    properties = {"pred": attribute}
    if folds:
        return create_or_fold(checks.rewriter, "index.cmp", [lhs, rhs], I1, properties)
    return checks.rewriter.create("index.cmp", [lhs, rhs], [I1], properties).result


RUNTIME_VERIFICATION: Final[Mapping[str, RuntimeCheck]] = {
    f"linalg.{name}": check_shapes
    for name, code in CODE.operations.items()
    if any(isinstance(interface, Structured) for interface in code.interfaces)
}
