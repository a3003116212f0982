"""Structured operations as loops around a body, which accesses the operands at what their maps make of the loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineConstant, AffineDim, AffineMap
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.irdl.accesses import Access, Expressions, Loop, Says
from fathom.irdl.interfaces import Structured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value

_ZERO: Final = Expressions(AffineMap(0, 0, (AffineConstant(0),)), ())
_UNKNOWN: Final = Expressions(AffineMap(0, 0, ()), ())


def _mapped(op: Operation) -> list[tuple[Value, AffineMap]]:
    """The operands that have a map, each with it."""
    structured = op.interface(Structured)
    maps = structured.maps(op) if structured is not None else None
    if maps is None or op.definition is None:
        return []
    values = [value for group in op.definition.operand_groups(op).values() for value in group]
    return [*zip(values, maps, strict=False)] if len(values) == len(maps) else []


def _shape(value: Value) -> Sequence[int]:
    return value.type.shape or () if isinstance(value.type, (MemRefType, TensorType)) else ()


def _loops(op: Operation) -> list[Loop]:
    """A loop for each letter; it runs as often as the first dimension has elements that it alone goes over."""
    structured = op.interface(Structured)
    letters = structured.loops(op) if structured is not None else None
    counts: dict[int, int] = {}
    for value, map in _mapped(op):
        for expr, size in zip(map.results, _shape(value), strict=False):
            if isinstance(expr, AffineDim):
                counts.setdefault(expr.position, size)
    return [Loop(None, _ZERO, _end(counts.get(number, DYNAMIC)), 1) for number in range(len(letters or ""))]


def _end(count: int) -> Expressions:
    return _UNKNOWN if count == DYNAMIC else Expressions(AffineMap(0, 0, (AffineConstant(count),)), ())


def _accesses(op: Operation) -> list[Access]:
    mapped = _mapped(op)
    body = op.regions[0].first if op.regions else None
    groups = op.definition.operand_groups(op) if op.definition is not None else {}
    inits = len([*groups.values()][-1]) if groups else 0
    own = range(len(_loops(op)))
    made: list[Access] = []
    for number, (value, map) in enumerate(mapped):
        # The body of some has no argument for what it writes.
        has_argument = body is not None and number < len(body.arguments)
        reads = has_argument and body is not None and bool(body.arguments[number].uses)
        writes = number >= len(mapped) - inits
        if isinstance(value.type, (MemRefType, TensorType)) and (reads or writes):
            made.append(Access(value, Expressions(map, own), reads, writes))
    return made


STRUCTURED: Final = Says(_loops, _accesses)
