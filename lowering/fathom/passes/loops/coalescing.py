"""Loops of scf that only hold one another, as one loop.

    scf.for %i = %a to %n step %c { scf.for %j = %c0 to %k step %c1 { "use"(%i, %j) } }
->
    %0 = affine.apply ()[s0, s1, s2] -> ((s1 - s0) ceildiv s2)()[%a, %n, %c]
    %1 = affine.apply ()[s0, s1] -> (s0 * s1)()[%0, %k]
    scf.for %ij = %c0 to %1 step %c1 { %2:2 = affine.delinearize_index %ij into (%0, %k)  … }

Source of the rules: `Utils.cpp` of MLIR 22's scf.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.affine.index_patterns import delinearize
from fathom.ir.affine import AffineDim, AffineSymbol, add, divide, multiply, negate
from fathom.ir.types import INDEX
from fathom.ops.scf import ForOp
from fathom.passes.arithmetic import binary, constant
from fathom.passes.index_arithmetic import value_of
from fathom.rewriting.folding import create_or_fold, integer_constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

_COUNT: Final = divide("ceildiv", add(AffineSymbol(1), negate(AffineSymbol(0))), AffineSymbol(2))
"""How often a loop runs, of its bounds and its step."""
_INDEX: Final = add(multiply(AffineDim(0), AffineSymbol(1)), AffineSymbol(0))
"""What its variable is, of how often it ran, the lower bound and the step."""
_PRODUCT: Final = multiply(AffineSymbol(0), AffineSymbol(1))


def scf_chains(loops: Sequence[ForOp]) -> list[int]:
    """For each loop of a nest from which on each gives the next what it carries, and yields what comes back."""
    heads = [0]
    for place, (outer, inner) in enumerate(pairwise(loops), start=1):
        gives = inner.initArgs == list(outer.region.entry.arguments[1:])
        hands_on = gives and outer.region.entry.end.operands == list(inner.results)
        heads.append(heads[-1] if hands_on else place)
    return heads


def coalesce_scf(loops: Sequence[ForOp], rewriter: Rewriter) -> None:
    """Makes one loop of several, of which none needs the variable of another for its bounds."""
    outermost, innermost = loops[0], loops[-1]
    for loop in loops:
        _normalize(loop, outermost, innermost, rewriter)
    rewriter.set_insertion_before(outermost)
    rewriter.stand_in(outermost)
    extents = [loop.upperBound for loop in loops]
    total = _product(extents, rewriter)
    outermost.set_operand(1, total)
    rewriter.set_insertion_to_start(innermost.region.entry)
    index = outermost.region.entry.arguments[0]
    users = list(index.uses)
    indices = _taken_apart(index, extents, rewriter)
    _use_instead(users, index, indices[0], rewriter)
    for (outer, inner), variable in reversed([*zip(pairwise(loops), indices[1:], strict=True)]):
        _inline(outer, inner, variable, rewriter)


def _use_instead(users: Iterable[Operation], old: Value, new: Value, rewriter: Rewriter) -> None:
    if old is not new:
        for user in users:
            rewriter.use_instead(user, old, new)


def _inline(outer: ForOp, inner: ForOp, variable: Value, rewriter: Rewriter) -> None:
    body = inner.region.entry
    given: dict[Value, Value] = dict(zip(body.arguments[1:], inner.initArgs, strict=True))
    yielded = [given.get(value, value) for value in body.end.operands]
    rewriter.erase(body.end)
    rewriter.inline_block_before(body, outer.region.entry, inner, [variable, *outer.region.entry.arguments[1:]])
    rewriter.replace(inner, yielded)


# ---- loops that count from zero by one


def _normalize(loop: ForOp, outermost: ForOp, innermost: ForOp, rewriter: Rewriter) -> None:
    """Has a loop count from zero by one. What it counts to is worked out before the outermost loop, and what its
    variable was in the innermost one."""
    lower, step = loop.lowerBound, loop.step
    rewriter.set_insertion_before(outermost)
    rewriter.stand_in(loop)
    bounds = _counted(loop, rewriter) if lower.type == INDEX else _counted_integers(loop, rewriter)
    loop.set_operands([*bounds, *loop.initArgs])
    index = loop.region.entry.arguments[0]
    users = list(index.uses)
    rewriter.set_insertion_to_start(innermost.region.entry)
    if lower.type == INDEX:
        former = value_of(rewriter, apply_folded(rewriter, _INDEX, [index, lower, step]))
    else:
        former = _former_integer(index, lower, step, rewriter)
    _use_instead(users, index, former, rewriter)


def _counted(loop: ForOp, rewriter: Rewriter) -> list[Value]:
    count = apply_folded(rewriter, _COUNT, [loop.lowerBound, loop.upperBound, loop.step])
    return [value_of(rewriter, number) for number in (0, count, 1)]


def _counted_integers(loop: ForOp, rewriter: Rewriter) -> list[Value]:
    lower, upper, step = loop.lowerBound, loop.upperBound, loop.step
    from_zero, by_one = integer_constant(lower) == 0, integer_constant(step) == 1
    if from_zero and by_one:
        return [lower, upper, step]
    type = lower.type
    count = upper if from_zero else create_or_fold(rewriter, "arith.subi", [upper, lower], type)
    if not by_one:
        count = create_or_fold(rewriter, "arith.ceildivsi", [count, step], type)
    return [constant(rewriter, 0, type), count, constant(rewriter, 1, type)]


def _former_integer(index: Value, lower: Value, step: Value, rewriter: Rewriter) -> Value:
    scaled = index if integer_constant(step) == 1 else binary(rewriter, "muli", index, step)
    return scaled if integer_constant(lower) == 0 else binary(rewriter, "addi", scaled, lower)


# ---- one number for several


def _product(extents: Sequence[Value], rewriter: Rewriter) -> Value:
    if extents[0].type == INDEX:
        total: Value | int = 1
        for extent in extents:
            total = apply_folded(rewriter, _PRODUCT, [total, extent])
        return value_of(rewriter, total)
    product: Value | None = None
    for extent in extents:
        if integer_constant(extent) != 1:
            product = extent if product is None else binary(rewriter, "muli", product, extent)
    return constant(rewriter, 1, extents[0].type) if product is None else product


def _taken_apart(index: Value, extents: Sequence[Value], rewriter: Rewriter) -> list[Value]:
    """The variables of loops of these extents, of that of the one that stands for them."""
    if index.type == INDEX:
        sizes = [extent if (known := integer_constant(extent)) is None else known for extent in extents]
        return [*delinearize(rewriter, index, sizes).results]
    is_one = [integer_constant(extent) == 1 for extent in extents]
    first = is_one.index(False) if False in is_one else len(extents)
    zero = [constant(rewriter, 0, index.type) for _ in range(first)]
    parts: list[Value] = []
    rest = index
    for place in range(len(extents) - 1, first - 1, -1):
        if place < len(extents) - 1 and not is_one[place + 1]:
            rest = binary(rewriter, "divsi", rest, extents[place + 1])
        if place == first:
            parts.append(rest)
        elif is_one[place]:
            parts.append(constant(rewriter, 0, index.type))
        else:
            parts.append(binary(rewriter, "remsi", rest, extents[place]))
    return [*zero, *reversed(parts)]
