"""Names that tell something for the values of a function that have only numbers.

%0 = memref.load %arg0[%arg1] : memref<?xf32>   ->   %element = memref.load %m[%n] : memref<?xf32>
%1 = arith.cmpi slt, %arg1, %arg2 : index            %less = arith.cmpi slt, %n, %n_0 : index
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.elaborate.sites import Site
from fathom.ir.attributes import IntegerAttr, SymbolRefAttr
from fathom.ir.naming import sanitize
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, IndexType, IntegerType, MemRefType, TensorType, VectorType
from fathom.irdl.interfaces import FunctionLike, LoopLike
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import means_the_same
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.scoping import find, name_of
from fathom_server.model.snapshot import Snapshot

_NUMBERED: Final = re.compile(r"%(?:arg)?\d+")
"""The names that are replaced: those that MLIR gives what has none."""

WORDS: Final = {
    "add": "sum",
    "sub": "difference",
    "mul": "product",
    "div": "quotient",
    "rem": "remainder",
    "cmp": "is_true",
    "load": "element",
    "alloc": "buffer",
    "alloca": "buffer",
    "dim": "extent",
    "select": "chosen",
    "neg": "negated",
    "max": "greatest",
    "min": "least",
    "ext": "wide",
    "trunc": "narrow",
    "cast": "cast",
    "for": "result",
    "if": "result",
    "while": "result",
}
"""What an operation gives, by how its name begins."""
PREDICATES: Final = {
    0: "equal",
    1: "unequal",
    2: "less",
    3: "at_most",
    4: "greater",
    5: "at_least",
    6: "less",
    7: "at_most",
    8: "greater",
    9: "at_least",
}
"""What a comparison of integers says, by its number in MLIR's `arith::CmpIPredicate`."""


def offered(selection: Selection) -> Iterator[Offer]:
    """In the header of a function of which some value has no more than a number."""
    item, function = selection.sound, selection.function
    if item is None or function is None:
        return
    op = _function(item, function.start)
    if op is not None and any(True for _ in _numbered(item, op)):
        name = name_of(selection.snapshot, function)
        yield Offer(f"Give the values of `@{name}` readable names", (name,))


def named(snapshot: Snapshot, name: str) -> Made:
    """The edit that renames the values, where they are defined and where they are used."""
    symbol = find(snapshot, name)
    if symbol is None:
        return Refusal(f"there is no function @{name}")
    item = ItemText(snapshot, symbol.item, snapshot.start_of(symbol.item))
    op = _function(item, symbol.start) if item.is_sound else None
    if op is None:
        return Refusal(f"@{name} has an error")
    taken = {hole.partition(":")[0].partition("#")[0] for piece in item.item.pieces for hole in piece.holes()}
    following: dict[str, int] = {}
    edit: list[Replacement] = []
    for site, token, values in _numbered(item, op):
        new = _free(_stem(values[0]), taken, following)
        span = site.span(token)
        edit.append(item.replaced(span.start, span.end, new))
        for value in values:
            for use in item.known.use_spans(value):
                old = item.text[use.start : use.end]
                edit.append(item.replaced(use.start, use.end, f"%{new[1:]}{old[len(old.partition('#')[0]) :]}"))
    edit.sort(key=lambda replacement: replacement.start)
    return edit if means_the_same(snapshot, edit) else Refusal("the names would mean something else")


def _function(item: ItemText, start: int) -> Operation | None:
    """The function whose name begins at a place or behind it, first of all."""
    index = item.item.piece_at(start)
    site = item.known.sites.get(item.item.pieces[index])
    for op in site.operations.values() if site is not None else ():
        if op.interface(FunctionLike) is not None and item.statement(op).start == start:
            return op
    return None


def _numbered(item: ItemText, function: Operation) -> Iterator[tuple[Site, int, list[Value]]]:
    """The names in a function that are replaced, where they are defined, with what they stand for."""
    for site in item.known.sites.values():
        for token, values in site.definitions.items():
            if values and _NUMBERED.fullmatch(site.text(token)) and _is_inside(values[0], function):
                yield site, token, values


def _is_inside(value: Value, function: Operation) -> bool:
    block = value.parent_block
    op = block.parent.parent if block is not None and block.parent is not None else None
    while op is not None and op is not function:
        op = op.parent_op
    return op is function


def _free(stem: str, taken: set[str], following: dict[str, int]) -> str:
    """A name like the stem that is not taken; it is taken then. `following` are the numbers that come next, by stems:
    those before them are taken."""
    number, name = following.get(stem, 0), f"%{stem}"
    while name in taken:
        name = f"%{stem}_{number}"
        number += 1
    taken.add(name)
    following[stem] = number
    return name


def _stem(value: Value) -> str:
    """What a value is, in a word."""
    op = value.defining_op
    if op is None:
        return _of_argument(value)
    suggest = op.definition.result_names if op.definition is not None else None
    suggested = next((name for name in suggest(op) if name), None) if suggest is not None else None
    if suggested is not None:
        return sanitize(suggested)
    callee = op.properties.get("callee")
    if isinstance(callee, SymbolRefAttr):
        return sanitize(callee.path[-1])
    word = op.name.rpartition(".")[2]
    predicate = op.properties.get("predicate")
    if word.startswith("cmpi") and isinstance(predicate, IntegerAttr):
        return PREDICATES.get(predicate.value, "is_true")
    stem = next((WORDS[begin] for begin in sorted(WORDS, key=len, reverse=True) if word.startswith(begin)), None)
    return stem or sanitize(word)


def _is_loop(op: Operation) -> bool:
    """Whether an operation runs the one region that it has again and again, for indices."""
    return op.interface(LoopLike) is not None and len(op.regions) == 1


def _of_argument(value: Value) -> str:
    """What an argument is called, by its type; the first one of a loop counts."""
    block = value.parent_block
    around = block.parent.parent if block is not None and block.parent is not None else None
    is_entry = block is not None and block.is_entry
    if around is not None and is_entry and _is_loop(around) and isinstance(value.type, IndexType):
        return "i"
    match value.type:
        case IntegerType(width=1):
            return "condition"
        case IndexType() | IntegerType():
            return "n"
        case FloatType():
            return "x"
        case VectorType():
            return "v"
        case MemRefType():
            return "m"
        case TensorType():
            return "t"
        case _:
            return "value"
