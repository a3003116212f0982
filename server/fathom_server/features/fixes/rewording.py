"""Other words in a statement that the verifier refuses, or that means nothing: the type that follows from the others,
that of a number, the operation that does the same to what is there.

%e = vector.broadcast %a : f32 to vector<4xf64>   ->   %e = vector.broadcast %a : f32 to vector<4xf32>
%c = arith.addi %a, %a : f32                      ->   %c = arith.addf %a, %a : f32
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from fathom.elaborate.sites import site_of
from fathom.ir.operation import Operation, OpResult
from fathom.ir.types import POISON, ComplexType, ShapedType, Type
from fathom.irdl.interfaces import FunctionLike
from fathom.records import replace
from fathom_server.features.edits import Fix, Trust
from fathom_server.features.fixes.casts import CASTS, casts, fitting, retyped
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending
from fathom_server.features.written_types import Written, types_in

OF_NUMBERS: Final = ("i64", "i32", "index", "i1", "i8", "i16", "f32", "f64")
"""The types that are tried for a number."""
NARROW: Final = ("i4", "i2", "bf16", "f16", "f8E4M3FN", "f8E5M2")
"""And others that a number may have been given by mistake."""
MOST_TYPES: Final = 12
"""So many types are tried at each place."""
_ARITHMETIC: Final = re.compile(r"[fsu]?(add|sub|mul|div|rem|max|min|abs|cmp|neg)(?:si|ui|i|f|imumf|numf)?")
_PREDICATES: Final = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
"""What compares floats, by what compares integers without its sign."""
_PREDICATE: Final = re.compile(r"\b[suo]?(eq|ne|lt|le|gt|ge)\b")
MOST_APART: Final = 20
"""So far behind the name of a comparison its predicate begins."""
_NAME: Final = re.compile(r'"?([A-Za-z_][\w$.]*)')
_INTEGER: Final = re.compile(r"-?\d+")
_LIST: Final = re.compile(r"\[[\[\]\s\d,-]*\]")
_WHOLE: Final = re.compile(r"-?\d+\.0*(?:[eE][+-]?0+)?")


def reworded(mistake: Mistake) -> Iterator[Fix]:
    """Other operations, and other types, after which the verifier has nothing to say."""
    op = mistake.op()
    yield from mending(mistake, _other_operations(mistake, op))
    if op is not None:
        yield from mending(mistake, _made_private(mistake, op))
        yield from mending(mistake, _other_types(mistake, op))
        yield from islice(mending(mistake, _argument_types(mistake, op)), 1)


def renumbered(mistake: Mistake) -> Iterator[Fix]:
    """A number as its type wants it, `1.0` or `1`, or else with the type that is wanted behind it; the extents of the
    type that a list of elements has; what computes with numbers of this type."""
    numbers = chain(_other_number(mistake), _listed_numbers(mistake), _other_extents(mistake))
    fixes = list(mending(mistake, chain(numbers, _other_operations(mistake, None))))
    others = chain(_types_of_numbers(mistake), _types_for_numbers(mistake))
    yield from fixes or mending(mistake, others)


# ---- operations


def _other_operations(mistake: Mistake, op: Operation | None) -> Iterator[Fix]:
    """Those in the place of an operation, or of what could not be made into one."""
    match = _NAME.match(mistake.text, mistake.span.start)
    if match is None or mistake.snapshot.context.lookup(match[1]) is None:
        return
    for name in _alike(mistake, match[1], op):
        edit = [mistake.replaced(match.start(1), match.end(1), name)]
        for start, end, predicate in _predicates(mistake, name):
            edit.append(mistake.replaced(start, end, predicate))
        yield Fix(f"Change to `{name}`", tuple(edit), trust=Trust.GUESSED)


def _alike(mistake: Mistake, present: str, op: Operation | None) -> Iterator[str]:
    """The casts between the types that one has, and the operations that compute the same of other numbers."""
    if op is not None and present in CASTS and len(op.operands) == len(op.results) == 1:
        yield from fitting(op.operands[0].type, op.results[0].type, op.dialect)
    dialect, _, name = present.partition(".")
    known, own = mistake.snapshot.context.dialect(dialect), _ARITHMETIC.fullmatch(name)
    if known is not None and own is not None:
        for other in known.by_name:
            match = _ARITHMETIC.fullmatch(other.partition(".")[2])
            if match is not None and match[1] == own[1] and other != present:
                yield other


def _predicates(mistake: Mistake, name: str) -> Iterator[tuple[int, int, str]]:
    """Where the predicate of a comparison stands, and that of the other comparison."""
    is_wanted_of_floats = name.partition(".")[2] in ("cmpf", "fcmp")
    match = _PREDICATE.search(mistake.text, mistake.span.start, mistake.span.end + MOST_APART)
    if "cmp" in name and match is not None:
        comparison = match[1]
        yield match.start(), match.end(), _PREDICATES[comparison] if is_wanted_of_floats else _of_integers(comparison)


def _of_integers(comparison: str) -> str:
    return comparison if comparison in ("eq", "ne") else f"s{comparison}"


def _made_private(mistake: Mistake, op: Operation) -> Iterator[Fix]:
    """A function that is only declared is private."""
    function = op.interface(FunctionLike)
    name = mistake.text.find("@", op.span.start, op.span.end) if op.span is not None else -1
    if function is not None and function.body(op) is None and name >= 0:
        yield Fix("Make the declaration `private`", (mistake.inserted(name, "private "),))


# ---- types


def _other_types(mistake: Mistake, op: Operation) -> Iterator[Fix]:
    """Each type of the statement as another one, the last first: results stand there."""
    sites = mistake.known.sites_of(op)
    if len(sites) != 1:
        return
    base = mistake.start_of(sites[0].piece)
    own = list(dict.fromkeys(value.type for value in (*op.operands, *op.results) if value.type != POISON))
    for written in reversed(types_in(sites[0].piece)):
        start, end = base + written.start, base + written.end
        for type in _candidates(mistake, own, written):
            yield Fix(f"Change the type to `{type}`", (mistake.replaced(start, end, type),), trust=Trust.GUESSED)


def _candidates(mistake: Mistake, own: Sequence[Type], written: Written) -> list[str]:
    """The types that may be meant in the place of one: what the mistake says is wanted, the operation's `own`, those of
    its values, and this one with the elements of these."""
    stated = mistake.diagnostic.types[1:]
    here = next((type_ for type_ in own if str(type_) == written.text), None)
    mixed = [type for other in own for type in _mixed(here, other)]
    shown = (str(type_) for type_ in (*stated, *own, *mixed))
    return list(dict.fromkeys(text for text in shown if text != written.text))[:MOST_TYPES]


def _mixed(one: Type | None, other: Type) -> Iterator[Type]:
    """The first type with the elements of the second."""
    element = other.element if isinstance(other, (ShapedType, ComplexType)) else other
    if isinstance(one, ShapedType) and not isinstance(element, (ShapedType, ComplexType)):
        yield replace(one, element=element)


def mismatched(mistake: Mistake) -> Iterator[Fix]:
    """What gives a value that is used with another type than it has the right one: first casts, if all is well then,
    and changes of the types that are written; then casts that are not all that is needed."""
    made = list(casts(mistake))
    yield from mending(mistake, made, wholly=True)
    yield from retyped(mistake)
    yield from _redefined(mistake)
    yield from made


def _redefined(mistake: Mistake) -> Iterator[Fix]:
    """The type that is wanted of a value where the value is defined, unless that is by a function."""
    site = mistake.site
    start = mistake.span.start
    value = next((used for token, used in site.uses.items() if site.span(token).start == start), None) if site else None
    home = site_of(value) if value is not None else None
    if value is None or home is None or len(mistake.diagnostic.types) != 2:
        return
    block = value.parent_block
    is_entry = block is not None and block.parent is not None and block.parent.first is block
    if is_entry and not isinstance(value, OpResult):
        return
    given, wanted = map(str, mistake.diagnostic.types)
    base, name = mistake.start_of(home.piece), mistake.name(value)
    changes = [
        Fix(
            f"Give `{name}` the type `{wanted}`",
            (mistake.replaced(base + written.start, base + written.end, wanted),),
            trust=Trust.GUESSED,
        )
        for written in reversed(types_in(home.piece))
        if written.text == given
    ]
    yield from islice(mending(mistake, changes), 1)


def _argument_types(mistake: Mistake, op: Operation) -> Iterator[Fix]:
    """The types of what its regions are given, as elements of what the operation is given."""
    elements = [operand.type.element for operand in op.operands if isinstance(operand.type, ShapedType)]
    wanted = dict.fromkeys(map(str, (*mistake.diagnostic.types[1:], *elements)))
    for region in op.regions:
        label = region.first.label_span if region.first is not None else None
        if label is None:
            continue
        index = mistake.item.piece_at(label.start)
        base = mistake.item.start(index)
        for written in types_in(mistake.item.pieces[index]):
            for type in wanted:
                if type != written.text:
                    change = mistake.replaced(base + written.start, base + written.end, type)
                    yield Fix(f"Change the type of the argument to `{type}`", (change,), trust=Trust.GUESSED)


# ---- numbers


def _other_number(mistake: Mistake) -> Iterator[Fix]:
    start, end = mistake.span.start, mistake.span.end
    text = mistake.text[start:end]
    if _INTEGER.fullmatch(text):
        yield Fix(f"Change to `{text}.0`", (mistake.replaced(start, end, f"{text}.0"),))
    elif _WHOLE.fullmatch(text):
        whole = text.partition(".")[0]
        yield Fix(f"Change to `{whole}`", (mistake.replaced(start, end, whole),))


def _listed_numbers(mistake: Mistake) -> Iterator[Fix]:
    """All whole numbers of a list of elements with a point."""
    start = mistake.text.rfind("dense<", 0, mistake.span.start)
    match = _LIST.search(mistake.text, start) if start >= 0 else None
    if match is not None and match.start() <= mistake.span.start < match.end():
        listed = _INTEGER.sub(lambda number: f"{number[0]}.0", match[0])
        yield Fix("Write the elements with points", (mistake.replaced(match.start(), match.end(), listed),))


def _types_of_numbers(mistake: Mistake) -> Iterator[Fix]:
    """Another type behind a number, or one behind a number that has none."""
    piece, base = mistake.piece, mistake.start_of(mistake.piece)
    spans = piece.token_spans()
    texts = [piece.text[first:last] for first, last in spans]
    for token, text in enumerate(texts):
        if token and texts[token - 1] in ("=", "-") and _INTEGER.fullmatch(text):
            is_typed = token + 2 < len(texts) and texts[token + 1] == ":"
            start, end = base + spans[token][1], base + (spans[token + 2][1] if is_typed else spans[token][1])
            for type in OF_NUMBERS:
                yield Fix(
                    f"Change to `{text} : {type}`", (mistake.replaced(start, end, f" : {type}"),), trust=Trust.GUESSED
                )


def _types_for_numbers(mistake: Mistake) -> Iterator[Fix]:
    """Another type of a constant, behind the number."""
    piece, base = mistake.piece, mistake.start_of(mistake.piece)
    for written in types_in(piece):
        if base + written.start >= mistake.span.end and written.text in OF_NUMBERS + NARROW:
            for type in OF_NUMBERS:
                change = mistake.replaced(base + written.start, base + written.end, type)
                yield Fix(f"Change the type to `{type}`", (change,), trust=Trust.GUESSED)


def _other_extents(mistake: Mistake) -> Iterator[Fix]:
    """The type behind `dense<[…]>` with as many elements as are listed."""
    piece, base = mistake.piece, mistake.start_of(mistake.piece)
    first = mistake.span.start - base
    if not piece.text.startswith("dense", first):
        return
    shape = _extents(piece.text[first:])
    written = next((written_type for written_type in types_in(piece) if written_type.start > first), None)
    head = re.match(r"(tensor|vector)<(?:[\d?]+x)*", written.text) if written is not None else None
    if written is not None and head is not None and shape:
        type = f"{head[1]}<{''.join(f'{extent}x' for extent in shape)}{written.text[head.end() :]}"
        yield Fix(
            f"Change the type to `{type}`",
            (mistake.replaced(base + written.start, base + written.end, type),),
            trust=Trust.GUESSED,
        )


def _extents(text: str) -> list[int]:
    """How many elements the lists in `dense<[[1, 2], [3, 4]]>` have, by the first list of each depth."""
    counts: list[int] = []
    depth = 0
    done: set[int] = set()
    for letter in text[text.find("<") + 1 :]:
        if letter == "[":
            depth += 1
            if len(counts) < depth:
                counts.append(1)
        elif letter == "]":
            done.add(depth)
            depth -= 1
        elif letter == "," and depth not in done:
            counts[depth - 1] += 1
        if not depth:
            break
    return counts
