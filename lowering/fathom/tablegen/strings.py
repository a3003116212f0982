"""The rules of operations on strings. Positions and lengths count bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.tablegen.mistakes import Refused
from fathom.tablegen.regular_expressions import InvalidExpression, compiled
from fathom.tablegen.sequences import List
from fathom.tablegen.terms import FALSE, TRUE, Int, String, Term, int_of
from fathom.tablegen.types import STRING
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.tablegen.operations import Operation, Rule
    from fathom.tablegen.resolvers import Resolver

_UPPER: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def from_bytes(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def length(text: str) -> int:
    """In bytes."""
    return len(text) if text.isascii() else len(utf8(text))


def string(at: Resolver, value: str, is_code: bool = False) -> String:
    """A string that was worked out. Raises Refused where it is too long."""
    at.keeper.work_on_text(len(value))
    return String(value, is_code)


def _tolower(of: Operation, at: Resolver) -> Term | None:
    text = of.operands[0]
    return string(at, text.value.translate(_LOWER)) if isinstance(text, String) else None


def _toupper(of: Operation, at: Resolver) -> Term | None:
    text = of.operands[0]
    return string(at, text.value.translate(_UPPER)) if isinstance(text, String) else None


def concatenated(at: Resolver, left: String, right: String) -> String:
    """Code, if one of them is."""
    return string(at, left.value + right.value, left.is_code or right.is_code)


def _strconcat(of: Operation, at: Resolver) -> Term | None:
    left, right = of.operands
    if not isinstance(left, String) or not isinstance(right, String):
        return None
    return concatenated(at, left, right)


def _interleave(of: Operation, at: Resolver) -> Term | None:
    items, between = of.operands
    if not isinstance(items, List) or not isinstance(between, String):
        return None
    texts: list[str] = []
    is_code = False
    for index, element in enumerate(items.elements):
        if items.element is STRING:
            if not isinstance(element, String):
                return None
            texts.append(element.value)
            is_code = is_code or (index > 0 and element.is_code)
        else:
            number = int_of(element)
            if number is None:
                return None
            texts.append(str(number))
    at.keeper.work_on_text(sum(map(len, texts)) + len(between.value) * len(texts))
    return string(at, between.value.join(texts), is_code)


def _substr(of: Operation, at: Resolver) -> Term | None:
    text, start, count = of.operands
    if not isinstance(text, String) or not isinstance(start, Int) or not isinstance(count, Int):
        return None
    data = utf8(text.value)
    if not 0 <= start.value <= len(data):
        at.keeper.report(f"!substr start position is out of range 0...{len(data)}: {start.value}", at.record)
        return None
    if count.value < 0:
        at.keeper.report("!substr length must be nonnegative", at.record)
        return None
    return string(at, from_bytes(data[start.value : start.value + count.value]), text.is_code)


def _find(of: Operation, at: Resolver) -> Term | None:
    text, sought, start = of.operands
    if not isinstance(text, String) or not isinstance(sought, String) or not isinstance(start, Int):
        return None
    data = utf8(text.value)
    if not 0 <= start.value <= len(data):
        at.keeper.report(f"!find start position is out of range 0...{len(data)}: {start.value}", at.record)
        return None
    return Int(data.find(utf8(sought.value), start.value))


def _match(of: Operation, at: Resolver) -> Term | None:
    text, expression = of.operands
    if not isinstance(text, String) or not isinstance(expression, String):
        return None
    return TRUE if matches(at, expression.value, text.value) else FALSE


def matches(at: Resolver, expression: str, text: str) -> bool:
    """Whether a regular expression is found in a text. Raises Refused where it is none."""
    try:
        program = compiled(expression)
    except InvalidExpression:
        raise Refused(f"invalid regex '{expression}'") from None
    at.keeper.work(program.steps_for(text))
    return program.found_in(text)


RULES: Final[Mapping[str, Rule]] = {
    "tolower": _tolower,
    "toupper": _toupper,
    "strconcat": _strconcat,
    "interleave": _interleave,
    "substr": _substr,
    "find": _find,
    "match": _match,
}
