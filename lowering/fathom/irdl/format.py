"""The declarative assembly format, compiled to a tree of directives that the parser and the printer both interpret.

The language is LL(1): literals in backquotes, `$name`, `type($name)`, `attr-dict`, optional groups with an anchor. What
is compiled here is interpreted by `fathom.irdl.parsing` and `fathom.ir.printer`. Source of the rules: *Defining
Dialects*, "Declarative Assembly Format".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Directive:
    """One of the classes below."""


@dataclass(frozen=True, slots=True)
class Literal(Directive):
    """A keyword or punctuation that stands in the text."""

    text: str


@dataclass(frozen=True, slots=True)
class Space(Directive):
    """White space for the printer: `` (none, suppresses the space before the next word), ` ` (a space), `\\n` (a
    line)."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable(Directive):
    """`$name`: an operand, attribute, region or successor; for a variadic one all of them, comma-separated."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeOf(Directive):
    """`type($name)`; `$operands` and `$results` stand for all. Types always keep their dialect's prefix, so `qualified`
    around it changes nothing."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionalType(Directive):
    """`functional-type($inputs, $results)`."""

    inputs: str
    results: str


@dataclass(frozen=True, slots=True)
class AttrDict(Directive):
    """`attr-dict`, or `attr-dict-with-keyword`: after the keyword `attributes`."""

    with_keyword: bool = False


@dataclass(frozen=True, slots=True)
class PropDict(Directive):
    """`prop-dict`: the properties that stand nowhere else, in `<{…}>`."""


@dataclass(frozen=True, slots=True)
class AllOperands(Directive):
    """`operands`."""


@dataclass(frozen=True, slots=True)
class AllRegions(Directive):
    """`regions`."""


@dataclass(frozen=True, slots=True)
class AllSuccessors(Directive):
    """`successors`."""


@dataclass(frozen=True, slots=True)
class Custom(Directive):
    """`custom<Name>($a, type($b))`: interpreted by the pair of functions registered under the name."""

    name: str
    arguments: tuple[Directive, ...]


@dataclass(frozen=True, slots=True)
class Reference(Directive):
    """`ref($name)` or `qualified($name)` in a place where it is only read or fully spelt."""

    argument: Directive


@dataclass(frozen=True, slots=True)
class Optional(Directive):
    """`(then)? ` or `(then) : (otherwise)?`; `anchor` is the index in `then` of the element marked `^`.

    The printer takes `then` when the anchor is present; the parser when the first parsed element of `then` is.
    """

    then: tuple[Directive, ...]
    otherwise: tuple[Directive, ...]
    anchor: int


@dataclass(frozen=True, slots=True)
class OneOf(Directive):
    """`oilist(`a` … | `b` …)`: clauses in any order, each at most once and introduced by its literal."""

    clauses: tuple[tuple[Directive, ...], ...]


_TOKEN: Final = re.compile(
    r"`(?P<literal>[^`]*)`|\$(?P<variable>\w+)|(?P<word>[A-Za-z_][\w-]*)|(?P<mark>[()<>?:^,|])|\s+"
)


def compile_format(text: str) -> tuple[Directive, ...]:
    """The directives of an assembly format. A mistake in the format raises ValueError with its position."""
    tokens: list[tuple[str, str, int]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"unexpected character at {position} in format: {text}")
        if match.lastgroup is not None:
            tokens.append((match.lastgroup, match.group(match.lastgroup), position))
        position = match.end()
    return _Compiler(text, tokens).compile()


class _Compiler:
    def __init__(self, text: str, tokens: list[tuple[str, str, int]]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0

    def compile(self) -> tuple[Directive, ...]:
        directives, _ = self.sequence(())
        if self.position != len(self.tokens):
            raise self.mistake("end of format")
        return directives

    def mistake(self, expected: str) -> ValueError:
        where = self.tokens[self.position][2] if self.position < len(self.tokens) else len(self.text)
        return ValueError(f"expected {expected} at {where} in format: {self.text}")

    def at(self, *marks: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position][:2] in [("mark", m) for m in marks]

    def accept(self, mark: str) -> bool:
        found = self.at(mark)
        self.position += found
        return found

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            raise self.mistake(f"'{mark}'")

    def sequence(self, stops: tuple[str, ...]) -> tuple[tuple[Directive, ...], int | None]:
        """Elements up to one of `stops`, and the index of the anchor among them."""
        directives: list[Directive] = []
        anchor: int | None = None
        while self.position < len(self.tokens) and not self.at(*stops):
            directives.append(self.element())
            if self.accept("^"):
                anchor = len(directives) - 1
        return tuple(directives), anchor

    def element(self) -> Directive:
        if self.accept("("):
            return self.optional()
        kind, text, _ = self.tokens[self.position]
        if kind == "mark":
            raise self.mistake("a directive")
        self.position += 1
        if kind == "literal":
            return Literal(text) if text.strip() and text != "\\n" else Space(text)
        if kind == "variable":
            return Variable(text)
        return self.directive(text)

    def optional(self) -> Optional:
        then, anchor = self.sequence((")",))
        self.expect(")")
        otherwise: tuple[Directive, ...] = ()
        if self.accept(":"):
            self.expect("(")
            otherwise, _ = self.sequence((")",))
            self.expect(")")
        self.expect("?")
        if anchor is None:
            raise self.mistake("an element marked '^' in the group before")
        return Optional(then, otherwise, anchor)

    def directive(self, word: str) -> Directive:
        match word:
            case "attr-dict":
                return AttrDict()
            case "attr-dict-with-keyword":
                return AttrDict(with_keyword=True)
            case "prop-dict":
                return PropDict()
            case "operands":
                return AllOperands()
            case "results":
                return Variable("results")
            case "regions":
                return AllRegions()
            case "successors":
                return AllSuccessors()
            case "type":
                (argument,) = self.arguments()
                return TypeOf(_name(argument))
            case "functional-type":
                inputs, results = self.arguments()
                return FunctionalType(_name(inputs), _name(results))
            case "qualified":
                (argument,) = self.arguments()
                return argument if isinstance(argument, TypeOf) else Reference(argument)
            case "ref":
                (argument,) = self.arguments()
                return Reference(argument)
            case "custom":
                return self.custom()
            case "oilist":
                return self.oilist()
            case _:
                self.position -= 1
                raise self.mistake("a known directive")

    def arguments(self) -> list[Directive]:
        self.expect("(")
        arguments: list[Directive] = []
        while not self.accept(")"):
            arguments.append(self.element())
            self.accept(",")
        return arguments

    def custom(self) -> Custom:
        self.expect("<")
        _, name, _ = self.tokens[self.position]
        self.position += 1
        self.expect(">")
        return Custom(name, tuple(self.arguments()))

    def oilist(self) -> OneOf:
        self.expect("(")
        clauses = [self.sequence(("|", ")"))[0]]
        while self.accept("|"):
            clauses.append(self.sequence(("|", ")"))[0])
        self.expect(")")
        return OneOf(tuple(clauses))


def _name(directive: Directive) -> str:
    match directive:
        case Variable(name):
            return name
        case AllOperands():
            return "operands"
        case _:
            raise ValueError(f"expected a name, not {directive}")
