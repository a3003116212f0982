"""The rules of operations on numbers, and of comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.tablegen.mistakes import Refused
from fathom.tablegen.operations import DECISIVE
from fathom.tablegen.references import DefTerm
from fathom.tablegen.terms import FALSE, TRUE, Int, String, Term, int_of, wrapped

if TYPE_CHECKING:
    from fathom.tablegen.operations import Operation, Rule
    from fathom.tablegen.resolvers import Resolver

_WORD: Final = 64
_LEAST: Final = -(1 << (_WORD - 1))


def _refuse(at: Resolver, message: str) -> Refused:
    return Refused(message, *(at.record.places if at.record else ()))


def _divide(left: int, right: int, at: Resolver) -> int:
    """Towards zero."""
    if right == 0:
        raise _refuse(at, "Illegal operation: division by zero")
    if left == _LEAST and right == -1:
        raise _refuse(at, "Illegal operation: INT64_MIN / -1")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shift(by: Callable[[int, int], int]) -> Callable[[int, int, Resolver], int]:
    def shift(left: int, right: int, at: Resolver) -> int:
        if not 0 <= right < _WORD:
            raise _refuse(at, "Illegal operation: out of bounds shift")
        return by(left, right)

    return shift


def _simple(by: Callable[[int, int], int]) -> Callable[[int, int, Resolver], int]:
    return lambda left, right, at: by(left, right)


_NUMBERS: Final[Mapping[str, Callable[[int, int, Resolver], int]]] = {
    "add": _simple(operator.add),
    "sub": _simple(operator.sub),
    "mul": _simple(operator.mul),
    "div": _divide,
    "and": _simple(lambda left, right: left & right),
    "or": _simple(lambda left, right: left | right),
    "xor": _simple(lambda left, right: left ^ right),
    "shl": _shift(lambda left, right: left << right),
    "sra": _shift(lambda left, right: left >> right),
    "srl": _shift(lambda left, right: (left & ((1 << _WORD) - 1)) >> right),
}


def _number(of: Operation, at: Resolver) -> Term | None:
    left = int_of(of.operands[0])
    if left is None:
        return None
    if left == DECISIVE.get(of.code):
        return Int(left)
    right = int_of(of.operands[1])
    if right is None:
        return None
    return Int(wrapped(_NUMBERS[of.code](left, right, at)))


def _not(of: Operation, at: Resolver) -> Term | None:
    known = int_of(of.operands[0])
    return None if known is None else Int(0 if known else 1)


def _logtwo(of: Operation, at: Resolver) -> Term | None:
    known = int_of(of.operands[0])
    if known is None:
        return None
    if known <= 0:
        raise _refuse(at, "Illegal operation: logtwo is undefined on arguments less than or equal to 0")
    return Int(known.bit_length() - 1)


_COMPARISONS: Final[Mapping[str, Callable[[int], bool]]] = {
    "eq": lambda order: order == 0,
    "ne": lambda order: order != 0,
    "lt": lambda order: order < 0,
    "le": lambda order: order <= 0,
    "gt": lambda order: order > 0,
    "ge": lambda order: order >= 0,
}
"""By whether the left one is less (below 0), equal or more."""


def compare(code: str, left: Term, right: Term) -> bool | None:
    """How two values compare; None where that is not known, or makes no sense."""
    number, other = int_of(left), int_of(right)
    if number is not None and other is not None:
        return _COMPARISONS[code]((number > other) - (number < other))
    if isinstance(left, String) and isinstance(right, String):
        return _COMPARISONS[code]((left.value > right.value) - (left.value < right.value))
    if code in ("eq", "ne") and isinstance(left, DefTerm) and isinstance(right, DefTerm):
        return (left.definition is right.definition) == (code == "eq")
    return None


def _comparison(of: Operation, at: Resolver) -> Term | None:
    known = compare(of.code, *of.operands)
    return None if known is None else TRUE if known else FALSE


RULES: Final[Mapping[str, Rule]] = {
    "not": _not,
    "logtwo": _logtwo,
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_COMPARISONS, _comparison),
}
