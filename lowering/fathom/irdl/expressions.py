"""The small language inside the strings of a description: names with arguments, as ODS writes them.

    Variadic<AnyTypeOf<[AnyInteger, Index]>>
    TypesMatchWith<"result has the element type of source", source, result, ElementType>

An expression is a name with arguments in angle brackets, a string, an integer, or a list of expressions. A mistake
raises `DescriptionError` with its column in the string.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn, TypeAlias

from fathom.cached import of_short_text
from fathom.records import record


class DescriptionError(ValueError):
    """A description is wrong at a column of the string at hand; a description that is read as a whole turns it into a
    mistake with a place in its file."""

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


class NotUnderstood(DescriptionError):
    """A format needs code that nobody gave; what is otherwise described of the operation or type holds. Where it has a
    part of another definition that is to blame, that `is_told` there."""

    def __init__(self, message: str, column: int = 0, *, is_told: bool = False) -> None:
        super().__init__(message, column)
        self.is_told = is_told


@record
class Call:
    """A name, with arguments if it has any; `column` is where it begins."""

    name: str
    arguments: tuple[Expression, ...] = ()
    column: int = 0

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(map(spell, self.arguments))}>" if self.arguments else self.name


@record
class Text:
    """A string literal."""

    value: str
    column: int = 0


@record
class Number:
    """An integer."""

    value: int
    column: int = 0


@record
class List:
    """Expressions in brackets."""

    elements: tuple[Expression, ...]
    column: int = 0


Expression: TypeAlias = "Call | Text | Number | List"


def spell(expression: Expression) -> str:
    """The expression as text."""
    match expression:
        case Call():
            return str(expression)
        case Text(value):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case Number(value):
            return str(value)
        case List(elements):
            return f"[{', '.join(map(spell, elements))}]"


_TOKEN: Final = re.compile(
    r'\s*(?:(?:::)?(?:(?:mlir|llvm)::)?(?P<name>[A-Za-z_0-9][\w.]*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<negative>-\d+)|(?P<mark>\S)|$)'
)
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_PLAIN_ENTRY: Final = re.compile(r"(?P<name>[A-Za-z_]\w*): (?P<outer>[A-Za-z_]\w*)(?:<(?P<inner>[A-Za-z_]\w*)>)?")
_SPACE: Final = re.compile(r"\s*")


def parse_expression(text: str, column: int = 0) -> Call:
    """The name with arguments that `text` is as a whole; `column` is added to all places."""
    if _PLAIN_NAME.fullmatch(text):
        return Call(text, (), column)
    reader = _Reader(text, column)
    call = reader.call()
    reader.end()
    return call


@record
class Entry:
    """`name: constraint = default`, of which the constraint and the default may be missing."""

    name: str
    constraint: Call | None
    default: str | None
    default_column: int


@of_short_text
def parse_entry(text: str) -> Entry:
    """An operand, attribute, parameter, region or the like of a definition."""
    plain = _PLAIN_ENTRY.fullmatch(text)
    if plain is not None:
        inner = (Call(plain["inner"], (), plain.start("inner")),) if plain["inner"] is not None else ()
        return Entry(plain["name"], Call(plain["outer"], inner, plain.start("outer")), None, len(text))
    match = _PLAIN_NAME.match(text)
    if match is None:
        raise DescriptionError("expected a name", 0)
    reader = _Reader(text, 0)
    reader.position = match.end()
    constraint = reader.call() if reader.accept(":") else None
    default, column = None, len(text)
    if reader.accept("="):
        rest = text[reader.position :]
        default, column = rest.strip(), reader.position + len(rest) - len(rest.lstrip())
        if not default:
            raise DescriptionError("expected a default after '='", column)
    else:
        reader.end()
    return Entry(match[0], constraint, default, column)


class _Reader:
    def __init__(self, text: str, column: int) -> None:
        self.text = text
        self.offset = column
        self.position = 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise DescriptionError(message, self.offset + (self.position if at is None else at))

    def _next(self) -> re.Match[str]:
        match = _TOKEN.match(self.text, self.position)
        assert match is not None, "the pattern matches anything"
        return match

    def accept(self, mark: str) -> bool:
        match = self._next()
        if match["mark"] != mark:
            return False
        self.position = match.end()
        return True

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            self.fail(f"expected '{mark}'", self._start())

    def _start(self) -> int:
        """Where the next token begins."""
        match = _SPACE.match(self.text, self.position)
        return match.end() if match is not None else self.position

    def end(self) -> None:
        if self._start() < len(self.text):
            self.fail(f"unexpected '{self.text[self._start() :]}'", self._start())

    def call(self) -> Call:
        start = self._start()
        expression = self.expression(0)
        if not isinstance(expression, Call):
            self.fail("expected the name of a constraint", start)
        return expression

    def expression(self, depth: int) -> Expression:
        match = self._next()
        start = self._start()
        column = self.offset + start
        if depth > 50:
            self.fail("nested too deeply", start)
        if match["string"] is not None:
            self.position = match.end()
            return Text(re.sub(r"\\(.)", r"\1", match["string"][1:-1]), column)
        if match["negative"] is not None:
            self.position = match.end()
            return Number(int(match["negative"]), column)
        if match["name"] is not None:
            self.position = match.end()
            name = match["name"]
            if name.isdecimal():
                return Number(int(name[:18]), column)
            return Call(name, self._list("<", ">", depth), column)
        if match["mark"] != "[":
            self.fail("expected an expression", start)
        return List(self._list("[", "]", depth), column)

    def _list(self, opening: str, closing: str, depth: int) -> tuple[Expression, ...]:
        if not self.accept(opening):
            return ()
        if self.accept(closing):
            return ()
        expressions = [self.expression(depth + 1)]
        while self.accept(","):
            expressions.append(self.expression(depth + 1))
        self.expect(closing)
        return tuple(expressions)
