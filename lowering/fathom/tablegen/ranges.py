"""Reads ranges of bits, `{7...4, 0}`, and what stands in square brackets behind a list."""

from __future__ import annotations

from fathom.tablegen.definitions import Definition
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.sequences import List
from fathom.tablegen.terms import Int, Term
from fathom.tablegen.tokens import NUMBER
from fathom.tablegen.types import INT, ListType


def range_piece(p: Parser, first: Term | None = None) -> list[int]:
    """A number or a range of numbers, upwards or downwards; `first` is what was read of it already. Raises Refused."""
    start = p.value(None) if first is None else first
    if not isinstance(start, Int):
        raise p.error("expected integer or bitrange")
    if start.value < 0:
        raise p.error("invalid range, cannot be negative")
    if p.stream.kind in ("...", "-"):
        p.stream.advance()
        last = p.value(None)
        if not isinstance(last, Int):
            raise p.error("expected integer value as end of range")
        end = last.value
    elif p.stream.kind == NUMBER:  # `7-4`, in which `-4` is a number.
        end = -p.stream.number
        p.stream.advance()
    else:
        return [start.value]
    if end < 0:
        raise p.error("invalid range, cannot be negative")
    p.keeper.work_on_list(abs(end - start.value) + 1)
    step = 1 if start.value < end else -1
    return list(range(start.value, end + step, step))


def range_list(p: Parser) -> list[int]:
    """Pieces with commas between them. Raises Refused."""
    numbers = range_piece(p)
    while p.consume(","):
        numbers += range_piece(p)
        p.keeper.work_on_list(len(numbers))
    return numbers


def optional_range(p: Parser, opening: str, closing: str, message: str) -> tuple[int, ...]:
    """A list of ranges in brackets, from the last to the first; none where there are no brackets. Raises Refused."""
    if not p.consume(opening):
        return ()
    numbers = range_list(p)
    p.expect(closing, message)
    return tuple(reversed(numbers))


def slice_elements(p: Parser, record: Definition | None) -> Term:
    """What stands behind `[`: a number for an element, or a list of numbers for a slice. Raises Refused."""
    single = True
    slices: list[Term] = []
    numbers: list[Term] = []

    def flush() -> None:
        if numbers:
            slices.append(List(tuple(numbers), INT))
            numbers.clear()

    while True:
        place = p.stream.place
        term = _slice_element(p, record)
        if isinstance(term.type, ListType):
            if term.type.element is not INT:
                raise Refused(f"expected list<int>, got {term.type.text}", place)
            flush()
            slices.append(term)
            single = False
        elif term.type is not INT:
            raise Refused(f"unhandled type {term.type.text} in range", place)
        else:
            numbers.append(term)
        if not p.consume(","):
            break
        single = False
        if p.stream.kind == "]":
            break
    if single:
        return numbers[0]
    flush()
    whole = slices[0]
    for slice_ in slices[1:]:
        whole = Operation("listconcat", (whole, slice_), INT.listed).folded(p.at(record))
    return whole


def _slice_element(p: Parser, record: Definition | None) -> Term:
    place = p.stream.place
    first = p.value(record)
    last: Term
    if p.stream.kind in ("...", "-"):
        p.stream.advance()
        end = p.stream.place
        last = p.value(record)
        _expect_number(last, end)
    elif p.stream.kind == NUMBER:
        number = -p.stream.number
        if number < 0:
            raise p.error("invalid range, cannot be negative")
        last = Int(number)
        p.stream.advance()
    else:
        return first
    _expect_number(first, place)
    return Operation("closed range", (first, last), INT.listed).folded(p.at(record))


def _expect_number(term: Term, place: Place) -> None:
    if term.type is not INT:
        raise Refused(f"expected int...int, got {term.type.text}", place)
