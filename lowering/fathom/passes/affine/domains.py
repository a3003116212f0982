"""Systems over the values of a program: what the bounds of loops, and conditions, say of the variables of loops."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Literal, TypeAlias

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.dialects.affine.parallel import groups_of
from fathom.dialects.affine.scope import is_symbol
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, IntegerSet, substitute
from fathom.ir.operation import BlockArgument
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import AFFINE_SCOPE
from fathom.ops.affine import ApplyOp, ForOp, IfOp, ParallelOp
from fathom.passes.affine.divisions import merge_locals
from fathom.passes.affine.flattening import flatten
from fathom.passes.affine.system import System
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.affine.system import Row

Side: TypeAlias = Literal["lower", "upper", "equal"]
"""Whether a value is not below others, below others, or another."""


# ---- loops and their variables


def loop_of(value: Value | None) -> ForOp | ParallelOp | None:
    """The loop that a value is a variable of."""
    if not isinstance(value, BlockArgument) or not value.block.is_entry or value.block.parent is None:
        return None
    loop = value.block.parent.parent
    if isinstance(loop, ForOp):
        return loop if value.index == 0 else None
    return loop if isinstance(loop, ParallelOp) else None


def for_of(value: Value | None) -> ForOp | None:
    """The `affine.for` that a value is the variable of."""
    loop = loop_of(value)
    return loop if isinstance(loop, ForOp) else None


def variable(loop: ForOp) -> BlockArgument:
    return loop.region.entry.arguments[0]


def variables(loop: ForOp | ParallelOp) -> list[BlockArgument]:
    """What counts the iterations of a loop."""
    arguments = loop.region.entry.arguments
    return arguments[:1] if isinstance(loop, ForOp) else arguments[:]


def affine_ops_around(op: Operation) -> list[Operation]:
    """The affine loops and conditions around an operation in its affine scope, from the outside in."""
    ops: list[Operation] = []
    for around in ancestors(op):
        if around.has(AFFINE_SCOPE):
            break
        if isinstance(around, (ForOp, IfOp, ParallelOp)):
            ops.append(around)
    return ops[::-1]


def loops_around(op: Operation) -> list[ForOp]:
    """The `affine.for` around an operation in its affine scope, from the outside in."""
    return [around for around in affine_ops_around(op) if isinstance(around, ForOp)]


def variables_around(op: Operation) -> list[BlockArgument]:
    """The variables of all affine loops around an operation, from the outside in. Those of an `affine.parallel` come
    in their reverse order, as in MLIR."""
    arguments: list[BlockArgument] = []
    for around in ancestors(op):
        if isinstance(around, (ForOp, ParallelOp)):
            arguments += variables(around)
    return arguments[::-1]


def common_loops(one: Operation, other: Operation) -> int:
    """How many variables of loops around two operations they have in common."""
    first, second = variables_around(one), variables_around(other)
    count = 0
    for mine, theirs in zip(first, second, strict=False):
        if mine is not theirs:
            break
        count += 1
    return count


def nesting_depth(op: Operation) -> int:
    """How many variables of affine loops there are around an operation."""
    return len(variables_around(op))


# ---- adding what is known of values


def aligned(system: System, map: AffineMap, operands: Sequence[Value]) -> AffineMap:
    """The map over the dimensions and symbols of a system, which has all the operands."""
    replaced: list[AffineExpr] = []
    dims = len(system.dims)
    for operand in operands:
        column = system.column_of(operand)
        replaced.append(AffineDim(column) if column < dims else AffineSymbol(column - dims))
    results = tuple(substitute(expr, replaced[: map.dims], replaced[map.dims :]) for expr in map.results)
    return AffineMap(dims, len(system.symbols), results)


def flattened_into(system: System, map: AffineMap) -> list[Row] | None:
    """The rows of a map over the dimensions and symbols of a system, whose first locals those of the map become; None
    where there are no such rows."""
    flattened = flatten(map.results, map.dims, map.symbols)
    if flattened is None:
        return None
    rows, of_locals = flattened
    own = system.locals
    if of_locals.locals:
        system.insert_locals(0, of_locals.locals)
        of_locals.insert_locals(of_locals.locals, own)
        system.append(of_locals)
    return [[*row[:-1], *[0] * own, row[-1]] for row in rows]


def add_aligned_bound(system: System, column: int, map: AffineMap, side: Side) -> bool:
    """Bounds a variable by a map over the system's own; False where that is not affine."""
    rows = flattened_into(system, map)
    if rows is None:
        return False
    sign = 1 if side == "upper" else -1
    for row in rows:
        if row[column]:
            continue
        bound = [sign * value for value in row]
        bound[column] = -sign
        if side == "upper":
            bound[-1] -= 1
        (system.add_equality if side == "equal" else system.add_inequality)(bound)
    return True


def add_bound(system: System, column: int, map: AffineMap, operands: Sequence[Value], side: Side) -> bool:
    """Bounds a variable by a map of values, and adds what is known of these; False where that is not affine."""
    map, values = canonicalize(*compose(map, operands))
    value = system.values[column]
    if not all(add_value(system, operand) for operand in values):
        return False
    # A dimension may have come in front of a symbol.
    column = column if value is None else system.column_of(value)
    return add_aligned_bound(system, column, aligned(system, map, values), side)


def add_value(system: System, value: Value) -> bool:
    """Adds the variable of a loop, with its bounds, or a symbol, with its number; False for another value."""
    if system.find(value) is not None:
        return True
    loop = loop_of(value)
    if defined_by(value, ApplyOp) is not None or (loop is None and not is_symbol(value)):
        return False
    if is_symbol(value) and loop is None:
        system.append_symbols([value])
        number = integer_constant(value)
        if number is not None:
            system.add_value(system.column_of(value), number)
        return True
    assert loop is not None, "what is no symbol is the variable of a loop"
    system.append_dims(variables(loop))
    return add_loop(system, loop)


def add_loop(system: System, loop: ForOp | ParallelOp) -> bool:
    """Adds the bounds of a loop, whose variables the system has; False where they are not affine."""
    return _add_for(system, loop) if isinstance(loop, ForOp) else _add_parallel(system, loop)


def _add_for(system: System, loop: ForOp) -> bool:
    value = variable(loop)
    column, step = system.column_of(value), loop.step.value
    low = constant_bound(loop.lowerBoundMap)
    if step != 1 and low is not None:
        distance = [0] * system.columns
        distance[column], distance[-1] = 1, -low
        quotient = system.add_quotient(distance, step)
        row = [*distance[:-1], 0, -low]
        row[quotient] = -step
        system.add_equality(row)
    return _add_side(system, value, loop.lowerBoundMap.map, loop.lowerBoundOperands, "lower") and _add_side(
        system, value, loop.upperBoundMap.map, loop.upperBoundOperands, "upper"
    )


def _add_side(system: System, value: Value, map: AffineMap, operands: Sequence[Value], side: Side) -> bool:
    column = system.column_of(value)
    match map.results:
        case (AffineConstant(number),):
            if side == "lower":
                system.add_least(column, number)
            else:
                system.add_greatest(column, number - 1)
            return True
        case _:
            return add_bound(system, column, map, operands, side)


def _add_parallel(system: System, loop: ParallelOp) -> bool:
    lower, upper = loop.lowerBoundsMap.map, loop.upperBoundsMap.map
    operands = loop.mapOperands
    sides = (
        _split(lower, groups_of(loop.lowerBoundsGroups)),
        _split(upper, groups_of(loop.upperBoundsGroups)),
    )
    return all(
        _add_side(system, value, low, operands[: lower.inputs], "lower")
        and _add_side(system, value, high, operands[lower.inputs :], "upper")
        for value, low, high in zip(variables(loop), *sides, strict=False)
    )


def _split(map: AffineMap, sizes: Sequence[int]) -> list[AffineMap]:
    """The maps that are joined in one, with so many results each."""
    ends = list(accumulate(sizes))
    starts = [0, *ends[:-1]]
    pairs = zip(starts, ends, strict=True)
    return [AffineMap(map.dims, map.symbols, map.results[start:end]) for start, end in pairs]


def system_of_set(set: IntegerSet, operands: Sequence[Value | None] | None = None) -> System:
    """What a set says of values. Of one with a symbol as a factor nothing is known."""
    values = [None] * set.inputs if operands is None else operands
    system = System(values[: set.dims], values[set.dims :])
    flattened = flatten((expr for expr, _ in set.constraints), set.dims, set.symbols)
    if flattened is None:
        return system
    rows, of_locals = flattened
    system.insert_locals(0, of_locals.locals)
    for row, (_, is_equality) in zip(rows, set.constraints, strict=True):
        (system.add_equality if is_equality else system.add_inequality)(row)
    system.append(of_locals)
    return system


def add_condition(system: System, op: IfOp) -> None:
    """Adds what holds in the first region of an `affine.if`."""
    set = op.condition.set
    map = AffineMap(set.dims, set.symbols, tuple(expr for expr, _ in set.constraints))
    map, operands = canonicalize(map, op.operands)
    kinds = [is_equality for _, is_equality in set.constraints]
    constraints = tuple(zip(map.results, kinds, strict=True))
    other = system_of_set(IntegerSet(map.dims, map.symbols, constraints), operands)
    align(system, other)
    system.append(other)


def index_set(ops: Iterable[Operation]) -> System | None:
    """What affine loops and conditions say of the variables of the loops; None where it is not affine."""
    ops = list(ops)
    loops = [op for op in ops if isinstance(op, (ForOp, ParallelOp))]
    system = System([value for loop in loops for value in variables(loop)])
    for op in ops:
        if isinstance(op, IfOp):
            add_condition(system, op)
        elif isinstance(op, (ForOp, ParallelOp)) and not add_loop(system, op):
            return None
    return system


# ---- bringing two systems together


def align(one: System, other: System, start: int = 0) -> None:
    """Has two systems be over the same values, in the order of the first; dimensions before `start` stay as they
    are."""
    for place in range(start, len(one.dims)):
        value = one.dims[place]
        there = other.find(value, place) if value is not None else None
        if there is None:
            other.insert_dims(place, [value])
        else:
            other.swap(place, there)
    one.append_dims(other.dims[len(one.dims) :])
    align_symbols(one, other)
    merge_locals(one, other)


def align_symbols(one: System, other: System) -> None:
    """Has two systems have the same symbols, in the order of the first."""
    for place, value in enumerate(one.symbols):
        rest = other.symbols[place:]
        there = next((at for at, symbol in enumerate(rest) if symbol is value and value is not None), None)
        if there is None:
            other.insert_symbols(place, [value])
        else:
            first = len(other.dims) + place
            other.swap(first, first + there)
    one.append_symbols(other.symbols[len(one.symbols) :])
