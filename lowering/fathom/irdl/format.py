"""The declarative assembly format as it is written: a tree of directives, each with its place.

The language is LL(1): literals in backquotes, `$name`, `type($name)`, `attr-dict`, optional groups with an anchor. What
the names mean is found by `op_format` for operations, and by `parametric` for types and attributes. Source of the
rules: *Defining Dialects*, "Declarative Assembly Format".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fathom.cached import of_short_text
from fathom.irdl.expressions import DescriptionError
from fathom.records import field, record, replace


@record
class Directive:
    """One of the classes below; `column` is where it begins in the text of the format."""

    column: int = field(default=0, compare=False, kw_only=True)


@record
class Literal(Directive):
    """A keyword or punctuation that stands in the text."""

    text: str


@record
class Space(Directive):
    """White space for the printer: `` (none, suppresses the space before the next word), ` ` (a space), `\\n` (a
    line)."""

    text: str


@record
class Variable(Directive):
    """`$name`: an operand, attribute, region or successor; for a variadic one all of them, comma-separated."""

    name: str


@record
class CaseOf(Directive):
    """`enum($name)`, from MLIR 24 on: the word of an attribute that is a case, without what stands around it."""

    name: str


@record
class TypeOf(Directive):
    """`type($name)`; `$operands` and `$results` stand for all. The type of a dialect's own kind stands without dialect
    and name, unless it is `qualified`."""

    name: str
    qualified: bool = False


@record
class FunctionalType(Directive):
    """`functional-type($inputs, $results)`."""

    inputs: str
    results: str


@record
class AttrDict(Directive):
    """`attr-dict`, or `attr-dict-with-keyword`: after the keyword `attributes`."""

    with_keyword: bool = False


@record
class PropDict(Directive):
    """`prop-dict`: the properties that stand nowhere else, in `<{…}>`."""


@record
class AllOperands(Directive):
    """`operands`."""


@record
class AllRegions(Directive):
    """`regions`."""


@record
class AllSuccessors(Directive):
    """`successors`."""


@record
class StringArgument(Directive):
    """`"text"` among the arguments of `custom`."""

    text: str


@record
class Params(Directive):
    """`params`: all parameters of a type or attribute, comma-separated."""


@record
class Struct(Directive):
    """`struct($a, $b)`, or `struct(params)`: `a = …, b = …`, in any order."""

    arguments: tuple[Directive, ...]


@record
class Custom(Directive):
    """`custom<Name>($a, type($b))`: interpreted by the pair of functions registered under the name."""

    name: str
    arguments: tuple[Directive, ...]


@record
class Reference(Directive):
    """`ref($name)` or `qualified($name)` in a place where it is only read or fully spelt."""

    argument: Directive


@record
class Optional(Directive):
    """`(then)? ` or `(then) : (otherwise)?`; `anchor` is the index of the element marked `^`, in `then`, or if it is
    `inverted` in `otherwise`.

    The printer takes `then` when the anchor is present (absent, if inverted); the parser when the first parsed element
    of `then` is.
    """

    then: tuple[Directive, ...]
    otherwise: tuple[Directive, ...]
    anchor: int
    inverted: bool = False


@record
class Listed(Directive):
    """`list($a `:` type($a))`: elements with commas between them, at least one. Only forms that code gives have it."""

    element: tuple[Directive, ...]


@record
class OneOf(Directive):
    """`oilist(`a` … | `b` …)`: clauses in any order, each at most once and introduced by its literal; with a
    `separator` between them, `oilist<`,`>(…)`, from MLIR 24 on."""

    clauses: tuple[tuple[Directive, ...], ...]
    separator: str = ""


_TOKEN: Final = re.compile(
    r'`(?P<literal>[^`]*)`|\$(?P<variable>\w+)|(?P<word>[A-Za-z_][\w-]*)|"(?P<string>(?:[^"\\]|\\.)*)"'
    r"|(?P<mark>[()<>?:^,|])|\s+"
)
NO_ELEMENT: Final = "expected literal, variable, directive, or optional group"
DEEPEST: Final = 32
"""Groups and directives within each other."""
_LITERAL: Final = re.compile(r"[A-Za-z_][\w$.]*|[:,=<>()\[\]{}?+*-]|->|\.\.\.")


@of_short_text
def compile_format(text: str) -> tuple[Directive, ...]:
    """The directives of an assembly format. A mistake in the format raises DescriptionError with its column."""
    tokens: list[tuple[str, str, int]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise DescriptionError("unexpected character", position)
        if match.lastgroup is not None:
            tokens.append((match.lastgroup, match.group(match.lastgroup), position))
        position = match.end()
    return _Compiler(text, tokens).compile()


class _Compiler:
    def __init__(self, text: str, tokens: list[tuple[str, str, int]]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def compile(self) -> tuple[Directive, ...]:
        directives, anchor = self.sequence(())
        if anchor is not None:
            raise DescriptionError("only an element of an optional group can be marked with '^'", self.column - 1)
        return directives

    @property
    def column(self) -> int:
        return self.tokens[self.position][2] if self.position < len(self.tokens) else len(self.text)

    def mistake(self, message: str) -> DescriptionError:
        return DescriptionError(message, self.column)

    def at(self, *marks: str) -> bool:
        if self.position >= len(self.tokens):
            return False
        kind, text, _ = self.tokens[self.position]
        return kind == "mark" and text in marks

    def accept(self, mark: str) -> bool:
        length = self.at(mark)
        self.position += length
        return length

    def expect(self, mark: str, where: str) -> None:
        if not self.accept(mark):
            raise self.mistake(f"expected '{mark}' {where}")

    def sequence(self, stops: tuple[str, ...]) -> tuple[tuple[Directive, ...], int | None]:
        """Elements up to one of `stops`, and the index of the anchor among them."""
        directives: list[Directive] = []
        anchor: int | None = None
        while self.position < len(self.tokens) and not self.at(*stops):
            directives.append(self.element())
            if self.accept("^"):
                if anchor is not None:
                    message = "only one element can be marked as the anchor of an optional group"
                    raise DescriptionError(message, self.column)
                anchor = len(directives) - 1
        return tuple(directives), anchor

    def element(self) -> Directive:
        if self.depth == DEEPEST:
            raise self.mistake(f"nested too deeply: more than {DEEPEST} levels")
        self.depth += 1
        directive = self._element(self.column)
        self.depth -= 1
        return directive

    def _element(self, column: int) -> Directive:
        if self.accept("("):
            return self.optional(column)
        if self.position >= len(self.tokens) or self.tokens[self.position][0] == "mark":
            raise self.mistake(NO_ELEMENT)
        kind, text, _ = self.tokens[self.position]
        self.position += 1
        match kind:
            case "literal":
                return self.literal(text, column)
            case "variable":
                return Variable(text, column=column)
            case "string":
                return StringArgument(re.sub(r"\\(.)", r"\1", text), column=column)
            case _:
                return self.directive(text, column)

    def literal(self, text: str, column: int) -> Directive:
        if text in ("", " ", "\\n"):
            return Space(text, column=column)
        if _LITERAL.fullmatch(text) is None:
            raise DescriptionError(f"expected valid literal but got '{text}'", column)
        return Literal(text, column=column)

    def optional(self, column: int) -> Optional:
        then, anchor = self.sequence((")",))
        self.expect(")", "to end an optional group")
        otherwise: tuple[Directive, ...] = ()
        inverted = anchor is None
        if self.accept(":"):
            self.expect("(", "to start else branch of optional group")
            otherwise, other_anchor = self.sequence((")",))
            self.expect(")", "to end an optional group")
            if other_anchor is not None and not inverted:
                raise DescriptionError("only one element can be marked as the anchor of an optional group", column)
            anchor = other_anchor if inverted else anchor
        self.expect("?", "after optional group")
        if anchor is None:
            raise DescriptionError("optional group has no anchor element", column)
        return Optional(then, otherwise, anchor, inverted, column=column)

    def directive(self, word: str, column: int) -> Directive:
        match word:
            case "attr-dict":
                return AttrDict(column=column)
            case "attr-dict-with-keyword":
                return AttrDict(True, column=column)
            case "prop-dict":
                return PropDict(column=column)
            case "operands":
                return AllOperands(column=column)
            case "results":
                return Variable("results", column=column)
            case "regions":
                return AllRegions(column=column)
            case "successors":
                return AllSuccessors(column=column)
            case "params":
                return Params(column=column)
            case "struct":
                return Struct(tuple(self.arguments()), column=column)
            case "type":
                return TypeOf(_name(self.argument()), column=column)
            case "functional-type":
                arguments = self.arguments()
                if len(arguments) != 2:
                    raise DescriptionError("'functional-type' takes inputs and results", column)
                return FunctionalType(_name(arguments[0]), _name(arguments[1]), column=column)
            case "qualified":
                argument = self.argument()
                if isinstance(argument, TypeOf):
                    return TypeOf(argument.name, qualified=True, column=column)
                return Reference(argument, column=column)
            case "ref":
                return Reference(self.argument(), column=column)
            case "custom":
                return self.custom(column)
            case "enum":
                return CaseOf(_name(self.argument()), column=column)
            case "oilist":
                return self.oilist(column)
            case "list":
                return self.listed(column)
            case _:
                raise DescriptionError(NO_ELEMENT, column)

    def argument(self) -> Directive:
        arguments = self.arguments()
        if len(arguments) != 1:
            raise DescriptionError("expected one argument", self.column)
        return arguments[0]

    def arguments(self) -> list[Directive]:
        self.expect("(", "before argument list")
        if self.accept(")"):
            return []
        directives = [self.element()]
        while self.accept(","):
            directives.append(self.element())
        self.expect(")", "after argument list")
        return directives

    def custom(self, column: int) -> Custom:
        self.expect("<", "before custom directive name")
        if self.position >= len(self.tokens) or self.tokens[self.position][0] != "word":
            raise self.mistake("expected custom directive name identifier")
        name = self.tokens[self.position][1]
        self.position += 1
        self.expect(">", "after custom directive name")
        return Custom(name, tuple(self.arguments()), column=column)

    def listed(self, column: int) -> Listed:
        if not self.accept("("):
            raise DescriptionError(NO_ELEMENT, column)
        element, _ = self.sequence((")",))
        self.expect(")", "to end a list")
        return Listed(element, column=column)

    def oilist(self, column: int) -> OneOf:
        separator = ""
        if self.accept("<") and self.position < len(self.tokens):
            kind, separator, _ = self.tokens[self.position]
            if kind != "literal" or not separator:
                raise self.mistake("expected a literal that separates the clauses")
            self.position += 1
            self.expect(">", "after the separator of clauses")
        self.expect("(", "before oilist argument list")
        clauses = [self.sequence(("|", ")"))[0]]
        while self.accept("|"):
            clauses.append(self.sequence(("|", ")"))[0])
        self.expect(")", "after oilist argument list")
        if any(not clause or not isinstance(clause[0], Literal) for clause in clauses):
            raise DescriptionError("a clause of 'oilist' begins with a literal", column)
        return OneOf(tuple(clauses), separator, column=column)


def renamed(directive: Directive, names: Sequence[str]) -> Directive:
    """A directive of a clause, with the names of its arguments in the place of their numbers."""

    def all_renamed(directives: Iterable[Directive]) -> tuple[Directive, ...]:
        return tuple(renamed(directive, names) for directive in directives)

    match directive:
        case Variable(name) | TypeOf(name):
            if not name.isdecimal() or int(name) >= len(names):
                raise DescriptionError(f"a clause has no argument '{name}'", directive.column)
            return replace(directive, name=names[int(name)])
        case Optional(then, otherwise):
            return replace(directive, then=all_renamed(then), otherwise=all_renamed(otherwise))
        case Listed(element):
            return replace(directive, element=all_renamed(element))
        case Custom(_, arguments):
            return replace(directive, arguments=all_renamed(arguments))
        case _:
            return directive


def _name(directive: Directive) -> str:
    match directive:
        case Variable(name):
            return name
        case AllOperands():
            return "operands"
        case _:
            raise DescriptionError("'type' directive operand expects variable or directive operand", directive.column)


def needs_space(text: str, after_punctuation: bool) -> bool:
    """Whether a literal stands off from what is before it."""
    if len(text) != 1 and text != "->":
        return True
    return text[0] not in (">)}]," if after_punctuation else "<>(){}[],")
