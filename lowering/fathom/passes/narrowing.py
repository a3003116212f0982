"""Computes with as few bits as the numbers need.

    %2 = arith.addi %0, %1 : i64        ->        %a = arith.trunci %0 : i64 to i8      …
                                                  %s = arith.addi %a, %b : i8
                                                  %2 = arith.extui %s : i8 to i64

Source of the rules: `IntRangeOptimizations.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith.attributes import CMPI_PREDICATES, OVERFLOW
from fathom.dialects.arith.elements import INDEX_WIDTH
from fathom.ir.attributes import EnumAttr
from fathom.ir.types import IndexType, IntegerType, ShapedType, Type, element_type, element_width
from fathom.irdl.constraints import enum_attribute
from fathom.irdl.traits import ELEMENTWISE
from fathom.ops.arith import CmpiOp
from fathom.records import replace
from fathom.rewriting.greedy_driver import GreedyConfig, apply_patterns
from fathom.rewriting.pattern import NO_MATCH, Failure, Operations, Pattern
from fathom.rewriting.range_analysis import RangeAnalysis
from fathom.rewriting.range_arithmetic import NSW

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.int_ranges import IntRange
    from fathom.rewriting.rewriter import Rewriter

    Kind: TypeAlias = frozenset[bool]
    """How a number may be cast to fewer bits and back, so that it stays the same: with a sign, without, or as one
    likes."""

_EITHER: Final = frozenset((True, False))
_OF_SIGN: Final = Operations(
    *(f"arith.{name}" for name in ("divsi", "ceildivsi", "floordivsi", "remsi", "minsi", "maxsi", "shrsi")),
    *("arith.mulsi_extended", "math.absi", "math.ipowi"),
)
"""What reads its operands with a sign. Fewer bits must give them the same one: 200 of 64 bits is -56 of 8. MLIR 22 does
not ask that, nor what the three below it."""
_SIGNED: Final = frozenset(CMPI_PREDICATES[f"s{order}"] for order in ("lt", "le", "gt", "ge"))
_PLAIN: Final = Operations("arith.remui")
"""What gives something else for more bits of a negative number."""
_COUNTING: Final = Operations("math.ctlz", "math.cttz", "math.ctpop")
"""What counts bits, of which fewer are fewer."""
_SHIFTS: Final = Operations("arith.shli", "arith.shrsi", "arith.shrui")
"""What must be shifted by less than there are bits."""


def narrow(root: Operation, context: Context, widths: Sequence[int]) -> None:
    """Does so, with the first of the widths that will do."""
    analysis = RangeAnalysis(root, context)
    analysis.run()
    narrower = _Narrower(analysis, widths)
    patterns = (
        Pattern("arith.cmpi", narrower.comparison, name="NarrowCmpI"),
        Pattern("arith.index_castui", narrower.casts, name="FoldIndexCastChain"),
        Pattern("arith.index_cast", narrower.casts, name="FoldIndexCastChain"),
        Pattern("", narrower.elementwise, trait=ELEMENTWISE, name="NarrowElementwise"),
    )
    apply_patterns(root, patterns, context, GreedyConfig())


def _kind(known: IntRange, width: int) -> Kind:
    """How numbers of a range may be cast to so many bits; no way where they have no more."""
    if known.width <= width or not width:
        return frozenset()
    half = 1 << (width - 1)
    of_sign = all(-half <= bound < half for bound in (known.smin, known.smax))
    plain = all(bound < 1 << width for bound in (known.umin, known.umax))
    return frozenset(kind for kind, fits in ((True, of_sign), (False, plain)) if fits)


def _cast(rewriter: Rewriter, value: Value, type: Type, kind: Kind) -> Value:
    """A value as one of another type."""
    if value.type == type:
        return value
    of_sign = False not in kind
    if any(isinstance(element_type(type_), IndexType) for type_ in (value.type, type)):
        name = "arith.index_cast" if of_sign else "arith.index_castui"
    elif element_width(type) < element_width(value.type):
        name = "arith.trunci"
    else:
        name = "arith.extsi" if of_sign else "arith.extui"
    return rewriter.create(name, [value], [type]).result


def _narrowed(type: Type, width: int) -> Type:
    element = IntegerType(width)
    return replace(type, element=element) if isinstance(type, ShapedType) else element


def _is_the_same(op: Operation, operands: Sequence[IntRange], kind: Kind, width: int) -> bool:
    """Whether an operation gives of operands that are cast in such a way what it gave, cast."""
    if (op in _OF_SIGN and True not in kind) or (op in _PLAIN and False not in kind) or op in _COUNTING:
        return False
    return op not in _SHIFTS or operands[1].umax < width


def _flags(op: Operation, kind: Kind) -> Mapping[str, Attribute]:
    """The properties of an operation, without the promise that it does not overflow with a sign where numbers have
    none."""
    flags = op.properties.get("overflowFlags")
    if True in kind or not isinstance(flags, EnumAttr) or not flags.value & NSW:
        return op.properties
    return {**op.properties, "overflowFlags": enum_attribute(OVERFLOW, flags.value & ~NSW)}


class _Narrower:
    """The patterns, with what is known."""

    def __init__(self, analysis: RangeAnalysis, widths: Sequence[int]) -> None:
        self._ranges = analysis.ranges
        self._widths = widths

    def _known(self, values: Sequence[Value]) -> list[IntRange] | None:
        ranges = [known for value in values if (known := self._ranges.get(value)) is not None]
        return ranges if len(ranges) == len(values) else None

    def elementwise(self, op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """An operation whose operands and results have one type."""
        values = [*op.operands, *op.results]
        known = self._known(values)
        if known is None or not op.results or not op.operands or len({value.type for value in values}) > 1:
            return NO_MATCH
        type = op.results[0].type
        for width in self._widths:
            kind = reduce(frozenset[bool].__and__, (_kind(range_, width) for range_ in known), _EITHER)
            if not kind or (narrowed := _narrowed(type, width)) == type or not _is_the_same(op, known, kind, width):
                continue
            given: dict[Value, Value] = {}
            for value, of_value in zip(op.operands, known, strict=False):
                # One that has no sign keeps that, which nobody could find out afterwards.
                given[value] = _cast(rewriter, value, narrowed, _EITHER if of_value.smin >= 0 else kind)
            inner = [given[value] for value in op.operands]
            types = [narrowed for _ in op.results]
            made = rewriter.create(op.definition or op.name, inner, types, _flags(op, kind), op.attributes)
            results = [_cast(rewriter, result, type, kind) for result in made.results]
            self._ranges |= zip(results, known[len(op.operands) :], strict=True)
            rewriter.replace(op, results)
            return None
        return NO_MATCH

    def comparison(self, op: CmpiOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """A comparison, whose operands may be cast each in its way."""
        known = self._known(op.operands)
        if known is None:
            return NO_MATCH
        type = op.lhs.type
        plain = op.predicate.value not in _SIGNED
        for width in self._widths:
            kinds = [_kind(range_, width) for range_ in known]
            if (
                not kinds[0] & kinds[1]
                or not (plain or True in kinds[0] & kinds[1])
                or (narrowed := _narrowed(type, width)) == type
            ):
                continue
            given: dict[Value, Value] = {}
            for value, kind in zip(op.operands, kinds, strict=True):
                given[value] = _cast(rewriter, value, narrowed, kind)
            inner = [given[value] for value in op.operands]
            made = rewriter.create("arith.cmpi", inner, [op.result.type], op.properties, op.attributes)
            if (of_result := self._ranges.get(op.result)) is not None:
                self._ranges[made.result] = of_result
            rewriter.replace(op, made.results)
            return None
        return NO_MATCH

    def casts(self, op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """An integer that was cast to an index, and is cast back, is itself, if an index has as many bits."""
        inner = op.operands[0].defining_op
        if inner is None or inner.name != op.name or not isinstance(inner.results[0].type, IndexType):
            return NO_MATCH
        type = op.result.type
        if inner.operands[0].type != type or not isinstance(type, IntegerType) or type.width not in self._widths:
            return NO_MATCH
        if type.width > INDEX_WIDTH:
            return NO_MATCH
        rewriter.replace(op, [inner.operands[0]])
        return None
