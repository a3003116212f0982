"""The directives of an operation's assembly format that are made of others: `custom<…>`, lists, optional groups,
`oilist`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import ArrayAttr
from fathom.ir.property_values import elements_property
from fathom.ir.values import Value
from fathom.irdl.attribute_directives import AttrDict, PropDict, PropertyDirective
from fathom.irdl.declared import CustomDirective
from fathom.irdl.directives import Directive, WhiteSpace, Word, all_pieces
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import array_of
from fathom.irdl.pieces import Piece, Text, Writer, together, writing
from fathom.irdl.value_directives import OperandDirective, TypeDirective
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
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

    def presence(self) -> Callable[[Operation], bool]:
        return _any_there(self.bound)

    def pieces(self) -> list[Piece]:
        write, spell, arguments = self.code.print, self.code.spell, self.arguments
        if spell is not None:
            return [self.lead, lambda op, p: spell(op, p, arguments)]
        if write is not None:
            return [self.lead, Writer(lambda op, p: write(op, p, arguments))]
        return [self.lead, *all_pieces(self.form)]


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

    def presence(self) -> Callable[[Operation], bool]:
        parts = _variables(self.parts)
        return lambda op: any([_column(part, op) for part in parts])  # noqa: C419 - of two or three

    def pieces(self) -> list[Piece]:
        parts = self.parts

        def element(row: Sequence[Value | Type | Attribute], p: OpPrinter) -> str:
            rest = iter(row)
            return "".join([_spell_part(part, rest, p) for part in parts])

        def text(op: Operation, p: OpPrinter) -> str:
            rows = zip(*[_column(part, op) for part in _variables(parts)], strict=False)
            return ", ".join([element(row, p) for row in rows])

        return [self.lead, text]


def _column(part: Directive, op: Operation) -> Sequence[Value | Type | Attribute]:
    """What a part is in each of the elements."""
    match part:
        case OperandDirective(values=values):
            return values(op)
        case TypeDirective(values=values):
            return [value.type for value in values(op)]
        case PropertyDirective(prop=prop):
            return elements_property(op, prop.name)
        case _:
            raise TypeError(f"{type(part).__name__} is no part of an element")


def _spell_part(part: Directive, rest: Iterator[Value | Type | Attribute], p: OpPrinter) -> str:
    """The text of a part in an element; `rest` has what the parts are that are no words."""
    match part:
        case Word(lead, text):
            return lead + text
        case OperandDirective(lead) | TypeDirective(lead) | PropertyDirective(lead):
            of = next(rest)
            return lead + (p.spell_value(of) if isinstance(of, Value) else p.spell(of))
        case _:
            raise TypeError(f"{type(part).__name__} is no part of an element")


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

    def presence(self) -> Callable[[Operation], bool]:
        is_there = self.anchor.presence()
        return (lambda op: not is_there(op)) if self.inverted else is_there

    def pieces(self) -> list[Piece]:
        then, otherwise = together(all_pieces(self.then)), together(all_pieces(self.otherwise))
        return [_either(self.anchor.presence(), *((otherwise, then) if self.inverted else (then, otherwise)))]


def _either(is_there: Callable[[Operation], bool], then: Text | Writer, otherwise: Text | Writer) -> Piece:
    """One of two pieces."""
    if not isinstance(then, Writer) and not isinstance(otherwise, Writer):
        return lambda op, p: then(op, p) if is_there(op) else otherwise(op, p)
    write, write_otherwise = writing(then), writing(otherwise)
    return Writer(lambda op, p: write(op, p) if is_there(op) else write_otherwise(op, p))


@record(eq=False, slots=False)
class Clauses(Directive):
    """`oilist(…)`: clauses in any order, each at most once and introduced by its word, with a separator between them if
    there is one."""

    clauses: tuple[tuple[Word, tuple[Directive, ...]], ...]
    separator: str = ""

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        seen: set[str] = set()
        while True:
            chosen = next((clause for clause in self.clauses if clause[0].stands_next(parser)), None)
            if chosen is None and self.separator and seen:
                words = ", ".join(f"'{word.text}'" for word, _ in self.clauses)
                parser.fail(f"custom op '{parsed.name}' expected one of {words} after '{self.separator}'")
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
            if self.separator and not parser.accept(self.separator):
                return

    def stands_next(self, parser: OpParser) -> bool:
        return any([word.stands_next(parser) for word, _ in self.clauses])  # noqa: C419 - part of the shape

    def presence(self) -> Callable[[Operation], bool]:
        return _any_there([directive for _, clause in self.clauses for directive in _variables(clause)])

    def pieces(self) -> list[Piece]:
        before: list[Directive] = []
        pieces: list[Piece] = []
        for word, directives in self.clauses:
            pieces.append(self._clause(word, directives, before))
            before += _variables(directives)
        return pieces

    def _clause(self, word: Word, directives: tuple[Directive, ...], before: Sequence[Directive]) -> Piece:
        """A clause, behind those that stand before it."""
        is_flag = any(isinstance(directive, PropertyDirective) and directive.is_unit for directive in directives)
        own = all_pieces([word] if is_flag else [word, *directives])
        if self.separator and before:
            own = [_behind(_any_there(before), self.separator), *own]
        return _either(_any_there(_variables(directives)), together(own), together(()))


def _behind(is_there: Callable[[Operation], bool], separator: str) -> Text:
    """A separator behind what is there."""

    def text(op: Operation, printer: OpPrinter) -> str:
        del printer
        return separator if is_there(op) else ""

    return text


def _any_there(directives: Iterable[Directive]) -> Callable[[Operation], bool]:
    """Whether an operation has something for one of them to write."""
    tests = [directive.presence() for directive in directives]
    return tests[0] if len(tests) == 1 else lambda op: any([is_there(op) for is_there in tests])  # noqa: C419


def _variables(directives: Sequence[Directive]) -> list[Directive]:
    """What decides whether a clause is written."""
    return [directive for directive in directives if not isinstance(directive, (Word, WhiteSpace, AttrDict, PropDict))]
