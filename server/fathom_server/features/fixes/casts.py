"""A cast that fits, where a value is used with another type than it has.

%c = arith.addi %a, %b : i64   ->   %a_i64 = arith.extsi %a : i32 to i64
                                    %c = arith.addi %a_i64, %b : i64
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.elaborate.elaborator import Elaborator
from fathom.ir.types import DYNAMIC, FloatType, IndexType, IntegerType, MemRefType, ShapedType, TensorType, Type
from fathom.syntax.parse import parse
from fathom.syntax.pieces import Piece
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.written_types import written_in
from fathom_server.model.aliases import aliases_for

LONGEST: Final = 400
"""In so many lines another type is tried."""


def casts(mistake: Mistake) -> Iterator[Fix]:
    """A cast before the statement, of the value as it is to the type that is wanted."""
    site = mistake.known.sites.get(mistake.item.pieces[mistake.item.piece_at(mistake.span.start)])
    if len(mistake.found.types) != 2 or site is None:
        return
    given, wanted = mistake.found.types
    name = mistake.text[mistake.span.start : mistake.span.end]
    start = site.span(0).start
    fresh = mistake.fresh(f"{name}_{wanted}" if len(str(wanted)) <= 8 else f"{name}_cast")
    for cast in fitting(given, wanted):
        statement = f"{fresh} = {cast} {name} : {given} to {wanted}{mistake.line_break}{mistake.indent(start)}"
        used = mistake.replaced(mistake.span.start, mistake.span.end, fresh)
        yield Fix(f"Insert `{cast}` to `{wanted}`", (mistake.inserted(start, statement), used))


def retyped(mistake: Mistake) -> Iterator[Fix]:
    """The type that the value has, in the place of the only one in the statement that is written as the one wanted."""
    index = mistake.item.piece_at(mistake.span.start)
    if len(mistake.found.types) != 2:
        return
    given, wanted = mistake.found.types
    places = list(places_of(mistake.item.pieces[index], str(wanted)))
    if len(places) == 1 and mistake.item.line_count <= LONGEST:
        base = mistake.item.start(index)
        first, last = places[0]
        name = mistake.text[mistake.span.start : mistake.span.end]
        after = mistake.text[: base + first] + str(given) + mistake.text[base + last :]
        if _errors(mistake, after) >= _errors(mistake, mistake.text):
            return
        yield Fix(f"Use the type `{given}` of `{name}`", (mistake.replaced(base + first, base + last, str(given)),))


def _errors(mistake: Mistake, text: str) -> int:
    """How many mistakes an item of this text has before it is verified."""
    context = mistake.snapshot.context
    tree = parse(text, context.shapes)
    known = Elaborator(context, aliases_for(mistake.snapshot, mistake.item)).run(tree.items)
    return len(known.diagnostics) + sum(len(item.errors) for item in tree.items)


def places_of(piece: Piece, type: str) -> Iterator[tuple[int, int]]:
    """Where a type is written in a statement, and not as a part of another."""
    text = piece.text
    inside: set[int] = set()
    for each in written_in(piece):
        if each.first not in inside and each.text == type:
            yield each.start, each.end
        inside.update(range(each.first, each.last))
    for index, (first, last) in enumerate(piece.token_spans()):
        if index not in inside and text[first:last] == type:
            yield first, last


def fitting(given: Type, wanted: Type) -> tuple[str, ...]:
    """The operations that cast one type to another, the likeliest first."""
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
    return not any(isinstance(each, IntegerType) and each.signedness for each in types)


def _are_compatible(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> bool:
    """Whether shapes may be one at run time."""
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(a == b or DYNAMIC in (a, b) for a, b in zip(one, other, strict=True))
