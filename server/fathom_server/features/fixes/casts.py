"""A cast that fits, where a value is used with another type than it has.

%c = arith.addi %a, %b : i64   ->   %a_i64 = arith.extsi %a : i32 to i64
                                    %c = arith.addi %a_i64, %b : i64
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fathom.ir.types import DYNAMIC, FloatType, IndexType, IntegerType, MemRefType, ShapedType, TensorType, Type
from fathom.irdl.interfaces import FunctionLike
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending
from fathom_server.features.written_types import types_in

LLVM_CASTS: Final = {
    "arith.extsi": "llvm.sext",
    "arith.extui": "llvm.zext",
    "arith.trunci": "llvm.trunc",
    "arith.extf": "llvm.fpext",
    "arith.truncf": "llvm.fptrunc",
    "arith.sitofp": "llvm.sitofp",
    "arith.uitofp": "llvm.uitofp",
    "arith.fptosi": "llvm.fptosi",
    "arith.fptoui": "llvm.fptoui",
}
"""What the casts of numbers are called there."""
CASTS: Final = frozenset({*LLVM_CASTS, *LLVM_CASTS.values(), "arith.index_cast", "arith.index_castui", "arith.bitcast"})
"""The casts of numbers, one of which is in the place of another by mistake."""


def casts(mistake: Mistake) -> Iterator[Fix]:
    """A cast before the statement, of the value as it is to the type that is wanted."""
    site = mistake.site
    if len(mistake.diagnostic.types) != 2 or site is None:
        return
    given, wanted = mistake.diagnostic.types
    name = mistake.text[mistake.span.start : mistake.span.end]
    start = site.span(0).start
    fresh = mistake.fresh(f"{name}_{wanted}" if len(str(wanted)) <= 8 else f"{name}_cast")
    for cast in fitting(given, wanted, _dialect(mistake)):
        statement = f"{fresh} = {cast} {name} : {given} to {wanted}{mistake.line_break}{mistake.indent(start)}"
        used = mistake.replaced(mistake.span.start, mistake.span.end, fresh)
        yield Fix(f"Insert `{cast}` to `{wanted}`", (mistake.inserted(start, statement), used))


def _dialect(mistake: Mistake) -> str:
    """The dialect of the function in which a mistake stands; empty for none."""
    site = mistake.site
    op = next(iter(site.operations.values()), None) if site is not None else None
    while op is not None and op.interface(FunctionLike) is None:
        op = op.parent_op
    return op.dialect if op is not None else ""


def retyped(mistake: Mistake) -> Iterator[Fix]:
    """The type that the value has, where the statement has the one wanted."""
    if len(mistake.diagnostic.types) != 2:
        return
    given, wanted = mistake.diagnostic.types
    base, name = mistake.start_of(mistake.piece), mistake.text[mistake.span.start : mistake.span.end]
    title = f"Use the type `{given}` of `{name}`"
    places = [written for written in types_in(mistake.piece) if written.text == str(wanted)]
    changes = (Fix(title, (mistake.replaced(base + p.start, base + p.end, str(given)),)) for p in places)
    yield from islice(mending(mistake, changes), 1)


def fitting(given: Type, wanted: Type, dialect: str = "") -> tuple[str, ...]:
    """The operations that cast one type to another, the likeliest first; beside those of the `llvm` dialect that one's
    own."""
    casts = _fitting(given, wanted)
    return tuple(LLVM_CASTS[cast] for cast in casts if cast in LLVM_CASTS) if dialect == "llvm" else casts


def _fitting(given: Type, wanted: Type) -> tuple[str, ...]:
    if not isinstance(given, ShapedType) or not isinstance(wanted, ShapedType):
        return () if isinstance(given, ShapedType) or isinstance(wanted, ShapedType) else _of_numbers(given, wanted)
    if type(given) is not type(wanted):
        return ()
    if given.element == wanted.element:
        cast = (
            "memref.cast" if isinstance(given, MemRefType) else "tensor.cast" if isinstance(given, TensorType) else ""
        )
        return (cast,) if cast and _are_compatible(given.shape, wanted.shape) else ()
    is_elementwise = not isinstance(given, MemRefType) and given.shape == wanted.shape
    return _of_numbers(given.element, wanted.element) if is_elementwise else ()


def _of_numbers(given: Type, wanted: Type) -> tuple[str, ...]:
    match given, wanted:
        case IntegerType(width=narrow), IntegerType(width=wide) if _are_signless(given, wanted) and narrow != wide:
            return ("arith.extsi", "arith.extui") if narrow < wide else ("arith.trunci",)
        case (IndexType(), IntegerType()) | (IntegerType(), IndexType()) if _are_signless(given, wanted):
            return ("arith.index_cast", "arith.index_castui")
        case FloatType(), FloatType() if given.width != wanted.width:
            return ("arith.extf",) if given.width < wanted.width else ("arith.truncf",)
        case IntegerType(), FloatType() if _are_signless(given):
            return ("arith.sitofp", "arith.uitofp")
        case FloatType(), IntegerType() if _are_signless(wanted):
            return ("arith.fptosi", "arith.fptoui")
        case _:
            return ()


def _are_signless(*types: Type) -> bool:
    """Whether the integers among these types are those that arith computes with."""
    return not any(isinstance(type_, IntegerType) and type_.signedness for type_ in types)


def _are_compatible(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> bool:
    """Whether shapes may be one at run time."""
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(a == b or DYNAMIC in (a, b) for a, b in zip(one, other, strict=True))
