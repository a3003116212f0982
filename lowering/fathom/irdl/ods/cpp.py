"""The expressions of C++ that definitions of dialects are full of, as trees: `isa<IntegerType>($_self) && …`.

Only what predicates and defaults are made of is read: names with template arguments, calls, members, comparisons,
`&&`, `||`, `!`, numbers, strings, lists in braces, and a lambda of one argument that returns an expression. Any other
text is none (`parse_cpp` gives None), and nobody guesses what it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from fathom.records import record

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<name>(?:::)?[A-Za-z_$]\w*(?:::[A-Za-z_]\w*)*)|(?P<number>0[xX][0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)"
    r'[uUlLfF]*|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>&&|\|\||==|!=|<=|>=|->|[-()\[\]{}<>,.!&*=;+:]))'
)
_CASTS: Final = frozenset(("isa", "cast", "dyn_cast", "isa_and_nonnull", "isa_and_present", "isa_or_null"))
_MEMBER_CASTS: Final = frozenset(("isa", "cast", "dyn_cast", "hasTrait"))
_DEEPEST: Final = 60
"""How deeply expressions may stand in each other."""


@record
class Name:
    """A name as it is written, with its template arguments."""

    text: str
    arguments: tuple[str, ...] = ()

    @property
    def last(self) -> str:
        """The name without namespaces."""
        return self.text.rpartition("::")[2]


@record
class Number:
    """A number; `text` is how it is written."""

    text: str


@record
class Text:
    """A string literal."""

    value: str


@record
class CallOf:
    """`callee(arguments)`."""

    callee: Cpp
    arguments: tuple[Cpp, ...]


@record
class Member:
    """`object.name`, or `object->name`."""

    object: Cpp
    name: Name


@record
class Operation:
    """An operator between expressions, or before one."""

    operator: str
    operands: tuple[Cpp, ...]


@record
class Braces:
    """A list in braces."""

    elements: tuple[Cpp, ...]


@record
class Lambda:
    """`[](Type parameter) { return body; }`."""

    parameter: str
    body: Cpp


Cpp: TypeAlias = "Name | Number | Text | CallOf | Member | Operation | Braces | Lambda"


class _NotUnderstood(Exception):
    """The text is no expression of the kind that is read here."""


def parse_cpp(text: str) -> Cpp | None:
    """The expression that `text` is as a whole; None for any other text."""
    tokens: list[tuple[str, str]] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            return None
        tokens.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    parser = _Parser(tokens)
    try:
        parsed = parser.expression()
        return parsed if parser.position == len(tokens) else None
    except _NotUnderstood:
        return None


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def at(self, mark: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position] == ("mark", mark)

    def accept(self, mark: str) -> bool:
        length = self.at(mark)
        self.position += length
        return length

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            raise _NotUnderstood

    def next(self) -> tuple[str, str]:
        if self.position >= len(self.tokens):
            raise _NotUnderstood
        self.position += 1
        return self.tokens[self.position - 1]

    # ---- operators

    def expression(self) -> Cpp:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotUnderstood
        parsed = self.joined("||", lambda: self.joined("&&", self.comparison))
        self.depth -= 1
        return parsed

    def joined(self, operator: str, operand: Callable[[], Cpp]) -> Cpp:
        operands = [operand()]
        while self.accept(operator):
            operands.append(operand())
        return operands[0] if len(operands) == 1 else Operation(operator, tuple(operands))

    def comparison(self) -> Cpp:
        left = self.unary()
        for operator in ("==", "!=", "<=", ">=", "<", ">"):
            if self.accept(operator):
                return Operation(operator, (left, self.unary()))
        return left

    def unary(self) -> Cpp:
        if self.accept("!"):
            return Operation("!", (self.unary(),))
        if self.accept("-"):
            kind, text = self.next()
            if kind != "number":
                raise _NotUnderstood
            return Number(f"-{text}")
        return self.postfix(self.primary())

    def postfix(self, before: Cpp) -> Cpp:
        while True:
            if self.at("("):
                before = CallOf(before, self.arguments("(", ")"))
            elif self.accept(".") or self.accept("->"):
                kind, text = self.next()
                if kind != "name":
                    raise _NotUnderstood
                known = self.at("<") and text.rpartition("::")[2] in _MEMBER_CASTS
                before = Member(before, Name(text, self.template_arguments() if known else ()))
            else:
                return before

    # ---- what stands by itself

    def primary(self) -> Cpp:
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.at("{"):
            return Braces(self.arguments("{", "}"))
        if self.at("["):
            return self.closure()
        kind, text = self.next()
        match kind:
            case "number":
                return Number(text)
            case "string":
                return Text(re.sub(r"\\(.)", r"\1", text[1:-1]))
            case "name":
                known = self.at("<") and text.rpartition("::")[2] in _CASTS
                return Name(text, self.template_arguments() if known else ())
            case _:
                raise _NotUnderstood

    def arguments(self, opening: str, closing: str) -> tuple[Cpp, ...]:
        self.expect(opening)
        given: list[Cpp] = []
        while not self.accept(closing):
            given.append(self.expression())
            if not self.at(closing):
                self.expect(",")
        return tuple(given)

    def template_arguments(self) -> tuple[str, ...]:
        """The types between angle brackets, as they are written."""
        self.expect("<")
        texts, depth = [""], 0
        while True:
            _, text = self.next()
            if text == ">" and not depth:
                return tuple(part for part in texts if part)
            depth += (text == "<") - (text == ">")
            if text == "," and not depth:
                texts.append("")
            else:
                texts[-1] += text

    def closure(self) -> Cpp:
        while self.next() != ("mark", "]"):
            pass
        self.expect("(")
        parameter = ""
        while not self.accept(")"):
            kind, text = self.next()
            parameter = text if kind == "name" else parameter
        self.expect("{")
        if self.next() != ("name", "return") or not parameter:
            raise _NotUnderstood
        body = self.expression()
        self.expect(";")
        self.expect("}")
        return Lambda(parameter, body)
