"""The directives of an operation's assembly format that are made of others: `custom<…>`, lists, optional groups,
`oilist`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fathom.ir.attributes import ArrayAttr, Attribute
from fathom.ir.property_values import elements_property
from fathom.irdl.attribute_directives import AttrDict, PropDict, PropertyDirective
from fathom.irdl.declared import CustomDirective
from fathom.irdl.directives import Directive, Step, WhiteSpace, Word, sequence
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import array_of
from fathom.irdl.value_directives import OperandDirective, TypeDirective
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp


@record(eq=False, slots=False)
class CustomDirectiveUse(Directive):
    """`custom<Name>($a, type($b), "text")`; `arguments` are the names and texts, `bound` the directives that `$a` and
    `type($b)` would be, `form` those of the code's own form."""

    lead: str
    code: CustomDirective
    arguments: tuple[str, ...]
    bound: tuple[Directive, ...]
    form: tuple[Directive, ...] = ()

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        groups = [bound.operand.name for bound in self.bound if isinstance(bound, OperandDirective)]
        parser.read_group(groups[0] if len(groups) == 1 else "")
        if self.code.parse is not None:
            self.code.parse(parser, parsed, self.arguments)
        for directive in self.form:
            directive.parse(parser, parsed)

    def stands_next(self, parser: OpParser) -> bool:
        if self.code.stands_next is not None:
            return self.code.stands_next(parser)
        if self.form:
            return self.form[0].stands_next(parser)
        return any(directive.stands_next(parser) for directive in self.bound)

    def is_there(self, op: Operation) -> bool:
        return any(directive.is_there(op) for directive in self.bound)

    def steps(self) -> list[Step | str]:
        write, arguments = self.code.print, self.arguments
        if write is None:
            return [self.lead, sequence(self.form)]
        return [self.lead, lambda op, p: write(op, p, arguments)]


@record(eq=False, slots=False)
class Elements(Directive):
    """`list(…)`: elements with commas between them, `parts` of one. Values and their types are those of groups,
    attributes the elements of arrays."""

    lead: str
    parts: tuple[Directive, ...]

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        arrays: dict[str, list[Node]] = {}
        for part in self.parts:
            match part:
                case OperandDirective(_, operand):
                    parsed.operands[operand.name] = []
                case TypeDirective(_, name):
                    parsed.types[name] = []
                case PropertyDirective(_, prop):
                    arrays[prop.name] = []
                case _:
                    pass
        comma_separated(parser, lambda: self._parse(parser, parsed, arrays))
        for name, values in arrays.items():
            parsed.attributes[name] = array_of(parser, values)

    def miss(self, parsed: ParsedOp) -> None:
        """Without the list, an array that must be there has no elements."""
        for part in self.parts:
            if isinstance(part, PropertyDirective) and not part.prop.optional:
                parsed.attributes[part.prop.name] = ArrayAttr(())

    def _parse(self, parser: OpParser, parsed: ParsedOp, arrays: dict[str, list[Node]]) -> None:
        for part in self.parts:
            match part:
                case OperandDirective(_, operand):
                    parsed.operands[operand.name].append(parser.value_use())
                case TypeDirective(_, name):
                    parsed.types[name].append(parser.type())
                case PropertyDirective(_, prop):
                    arrays[prop.name].append(parser.attribute())
                case _:
                    part.parse(parser, parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return self.parts[0].stands_next(parser)

    def is_there(self, op: Operation) -> bool:
        return any(_column(part, op) for part in _variables(self.parts))

    def steps(self) -> list[Step | str]:
        parts = self.parts

        def write(op: Operation, p: OpPrinter) -> None:
            columns = [_column(part, op) for part in _variables(parts)]
            for position, row in enumerate(zip(*columns, strict=False)):
                p.write(", " if position else "")
                rest = iter(row)
                for part in parts:
                    if isinstance(part, Word):
                        p.write(part.lead + part.text)
                    else:
                        next(rest)(p)

        return [self.lead, write]


def _column(part: Directive, op: Operation) -> list[Callable[[OpPrinter], None]]:
    """What writes a part in each of the elements."""
    match part:
        case OperandDirective(lead, _, _, values):
            return [partial(_write_value, lead, value) for value in values(op)]
        case TypeDirective(lead, _, _, values):
            return [partial(_write, lead, value.type) for value in values(op)]
        case PropertyDirective(lead, prop):
            return [partial(_write, lead, element) for element in elements_property(op, prop.name)]
        case _:
            raise TypeError(f"{type(part).__name__} is no part of an element")


def _write_value(lead: str, value: Value, p: OpPrinter) -> None:
    p.write(lead)
    p.value(value)


def _write(lead: str, element: Type | Attribute, p: OpPrinter) -> None:
    p.write(lead)
    if isinstance(element, Attribute):
        p.attribute(element)
    else:
        p.type(element)


@record(eq=False, slots=False)
class Group(Directive):
    """`(then)?`, or `(then) : (otherwise)?`: the branch that the anchor decides."""

    then: tuple[Directive, ...]
    otherwise: tuple[Directive, ...]
    anchor: Directive
    inverted: bool

    @property
    def first(self) -> Directive:
        """What the parser looks for."""
        return next(directive for directive in self.then if not isinstance(directive, WhiteSpace))

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        taken = self.first.stands_next(parser)
        if isinstance(self.anchor, PropertyDirective) and taken != self.inverted:
            self.anchor.mark(parsed)
        for directive in self.otherwise if taken else self.then:
            directive.miss(parsed)
        for directive in self.then if taken else self.otherwise:
            directive.parse(parser, parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return self.first.stands_next(parser)

    def is_there(self, op: Operation) -> bool:
        return self.anchor.is_there(op) != self.inverted

    def steps(self) -> list[Step | str]:
        then, otherwise = sequence(self.then), sequence(self.otherwise)
        is_there = self.is_there

        def write(op: Operation, printer: OpPrinter) -> None:
            (then if is_there(op) else otherwise)(op, printer)

        return [write]


@record(eq=False, slots=False)
class Clauses(Directive):
    """`oilist(…)`: clauses in any order, each at most once and introduced by its word."""

    clauses: tuple[tuple[Word, tuple[Directive, ...]], ...]

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        seen: set[str] = set()
        while True:
            chosen = next((clause for clause in self.clauses if clause[0].stands_next(parser)), None)
            if chosen is None:
                return
            word, directives = chosen
            if word.text in seen:
                message = f"`{word.text}` clause can appear at most once in the expansion of the oilist directive"
                parser.fail(f"custom op '{parsed.name}' {message}", parsed.name_token)
            seen.add(word.text)
            word.parse(parser, parsed)
            for directive in directives:
                if isinstance(directive, PropertyDirective):
                    directive.mark(parsed)
                directive.parse(parser, parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return any([word.stands_next(parser) for word, _ in self.clauses])  # noqa: C419 - part of the shape

    def is_there(self, op: Operation) -> bool:
        return any(directive.is_there(op) for _, clause in self.clauses for directive in _variables(clause))

    def steps(self) -> list[Step | str]:
        return [self._clause(word, directives) for word, directives in self.clauses]

    def _clause(self, word: Word, directives: tuple[Directive, ...]) -> Step:
        variables = _variables(directives)
        is_flag = any(isinstance(directive, PropertyDirective) and directive.is_unit for directive in directives)
        then = sequence([word] if is_flag else [word, *directives])

        def write(op: Operation, printer: OpPrinter) -> None:
            if any(directive.is_there(op) for directive in variables):
                then(op, printer)

        return write


def _variables(directives: Sequence[Directive]) -> list[Directive]:
    """What decides whether a clause is written."""
    return [directive for directive in directives if not isinstance(directive, (Word, WhiteSpace, AttrDict, PropDict))]
