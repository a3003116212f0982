"""Long lists of numbers, which lines carry (`fathom.syntax.carried`): judged as a whole, and decoded when asked for.

What is found out about a list holds for all types that it may be given, and is kept with the list for as long as its
line stands. One that does not fit its type is read number by number, as a short one is, to say where the mistake is.
"""

from __future__ import annotations

import re
import struct
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.numbers import limits, wrap
from fathom.ir import types as t
from fathom.ir.floats import from_float
from fathom.ir.packed import PackedElements, code_of, pack
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.carried import NUMBER, Carried
from fathom.syntax.nodes import Leaf, Node

_TOKEN: Final = re.compile(rf"{NUMBER}|[\[\]]")
_BUT_BRACKETS: Final = bytes(set(range(256)) - set(b"[],"))
_BUT_NUMBERS: Final = b"[] \t"
_SIGNED_ZERO: Final = re.compile(rb"-0++(?![0-9])")
_NATIVE: Final = {"f32": "f", "f64": "d"}
"""The letters of `struct` for the floats that it rounds to as MLIR does."""


@record
class _Facts:
    """What is known of a list: its shape, None where rows differ in theirs; whether all its numbers are floats, or all
    of them whole and between two bounds. It is neither where some are hexadecimal, or words."""

    shape: tuple[int, ...] | None
    is_float: bool = False
    bounds: tuple[int, int] | None = None


def shape_of(literal: Carried) -> tuple[int, ...] | None:
    """The shape of a list, None where rows differ in theirs."""
    return _facts_of(literal).shape


def values_of(literal: Carried, element: t.Type) -> PackedElements | tuple[int] | None:
    """The elements of a list, one if they are all the same; None where they must be judged one by one."""
    facts = _facts_of(literal)
    if code_of(element) is None or not isinstance(element, (t.IntegerType, t.IndexType, t.FloatType)):
        return None
    if isinstance(element, t.FloatType):
        if not facts.is_float:
            return None
    else:
        low, high = limits(element)
        if facts.bounds is None or not low <= facts.bounds[0] <= facts.bounds[1] <= high:
            return None
    first = None
    matches = re.compile(NUMBER).finditer(literal.line or "", literal.literal.start, literal.literal.end)
    for match in paced(matches):
        bits = _value(match.group(), element)
        if first is not None and bits != first:
            return PackedElements(element, _count(facts.shape), _Decoder(literal, element).read)
        first = bits
    return (first,) if first is not None else None


def _count(shape: tuple[int, ...] | None) -> int:
    count = 1
    for extent in shape or ():
        count *= extent
    return count


def _value(number: str, element: t.Type) -> int:
    if isinstance(element, t.FloatType):
        return from_float(float(number), element.name)
    return wrap(int(number), element)


class _Decoder:
    """Decodes a list when it is first asked for."""

    __slots__ = ("_element", "_literal", "_raw")

    def __init__(self, literal: Carried, element: t.Type) -> None:
        self._literal = literal
        self._element = element
        self._raw: bytes | None = None

    def read(self, start: int, stop: int) -> bytes:
        """The bytes of the elements from one offset to another."""
        if self._raw is None:
            self._raw = _encoded(self._literal.whole, self._element)
        return self._raw[start:stop]


def _encoded(text: str, element: t.Type) -> bytes:
    numbers = text.encode("ascii").translate(None, _BUT_NUMBERS).split(b",")
    if not isinstance(element, t.FloatType):
        return pack([wrap(int(number), element) for number in paced(numbers)], element)
    floats = list(map(float, numbers))
    native = _NATIVE.get(element.name)
    if native is not None:
        try:
            return struct.pack(f"<{len(floats)}{native}", *floats)
        except OverflowError:  # greater than the greatest
            pass
    return pack([from_float(number, element.name) for number in paced(floats)], element)


# ---- the whole


def _facts_of(literal: Carried) -> _Facts:
    known = literal.literal.known
    if isinstance(known, _Facts):
        return known
    facts = literal.literal.known = _found(literal.whole.encode("ascii"))
    return facts


def _found(data: bytes) -> _Facts:
    skeleton = data.translate(None, _BUT_BRACKETS)
    shape = _shape(skeleton) if b"[]" not in data.translate(None, b" \t") else None
    if b"x" in data or b"s" in data or b"u" in data:
        return _Facts(shape)
    dots = data.count(b".")
    if dots:
        return _Facts(shape, is_float=dots == skeleton.count(b",") + 1)
    if _SIGNED_ZERO.search(data):
        return _Facts(shape)
    try:
        numbers = [int(number) for number in paced(data.translate(None, _BUT_NUMBERS).split(b","))]
    except ValueError:  # of thousands of digits
        return _Facts(shape)
    return _Facts(shape, bounds=(min(numbers), max(numbers)))


def _shape(skeleton: bytes) -> tuple[int, ...] | None:
    """The shape of a list of which the brackets and commas are left: it must be that of its first rows, repeated."""
    rank = len(skeleton) - len(skeleton.lstrip(b"["))
    shape: list[int] = []
    row = b""
    for level in range(1, rank + 1):
        start = rank - level + 1
        stop = skeleton.find(b"]" * level) + level - 1
        count = (stop - start + 1) // (len(row) + 1)
        row = b"[" + b",".join([row] * count) + b"]"
        shape.insert(0, count)
    return tuple(shape) if row == skeleton else None


# ---- one by one


def scalars_of(literal: Carried, place: int) -> tuple[list[int], list[Node | Leaf]]:
    """The shape of a list, and its numbers and words as trees whose references are offsets in the literal; `place` is
    the token that it is. Fails where rows differ in their shapes."""
    text = literal.whole
    scalars: list[Node | Leaf] = []
    open: list[list[int] | None] = [None]
    counts = [0]
    for match in paced(_TOKEN.finditer(text)):
        word = match.group()
        if word == "[":
            open.append(None)
            counts.append(0)
            continue
        shape: list[int] = []
        if word == "]":
            shape = [counts.pop(), *(open.pop() or [])]
        else:
            scalars.append(_scalar(word, match.start()))
        if counts[-1] and open[-1] != shape:
            after = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
            message = "tensor literal is invalid; ranks are not consistent between elements"
            raise ElaborationFailure(message, place, part=(after, after + 1))
        open[-1] = shape
        counts[-1] += 1
    return open[0] or [], scalars


def _scalar(word: str, offset: int) -> Node:
    if word in ("true", "false"):
        return Node("boolean", [Leaf.of(word.upper(), word, offset)])
    digits = word.removeprefix("-")
    kind = "HEX" if "x" in digits else "FLOAT" if "." in digits else "INTEGER"
    leaf = Leaf.of(kind, digits, offset + len(word) - len(digits))
    return Node("number", [Leaf.of("MINUS", "-", offset), leaf] if digits != word else [leaf])


def blamed(literal: Carried, failure: ElaborationFailure, place: int) -> ElaborationFailure:
    """The failure of a number, whose place is an offset in the literal, as one of that part of a token."""
    text = literal.whole
    match = _TOKEN.match(text, failure.place)
    end = match.end() if match is not None else failure.place
    return ElaborationFailure(failure.message, place, failure.notes, (failure.place, end))
