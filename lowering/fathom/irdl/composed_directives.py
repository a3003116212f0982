"""The directives of an operation's assembly format that are made of others: `custom<…>`, optional groups, `oilist`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.irdl.attribute_directives import AttrDict, PropDict, PropertyDirective
from fathom.irdl.definition import CustomDirective
from fathom.irdl.directives import Directive, Step, WhiteSpace, Word, sequence
from fathom.irdl.value_directives import OperandDirective
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


@record(eq=False, slots=False)
class CustomDirectiveUse(Directive):
    """`custom<Name>($a, type($b), "text")`; `arguments` are the names and texts, `bound` the directives that `$a` and
    `type($b)` would be."""

    lead: str
    code: CustomDirective
    arguments: tuple[str, ...]
    bound: tuple[Directive, ...]

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        groups = [each.operand.name for each in self.bound if isinstance(each, OperandDirective)]
        parser.read_group(groups[0] if len(groups) == 1 else "")
        self.code.parse(parser, parsed, self.arguments)

    def stands_next(self, parser: OpParser) -> bool:
        if self.code.stands_next is not None:
            return self.code.stands_next(parser)
        return any(directive.stands_next(parser) for directive in self.bound)

    def is_there(self, op: Operation) -> bool:
        return any(directive.is_there(op) for directive in self.bound)

    def steps(self) -> list[Step | str]:
        code, arguments = self.code, self.arguments
        return [self.lead, lambda op, p: code.print(op, p, arguments)]


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
            found = next((clause for clause in self.clauses if clause[0].stands_next(parser)), None)
            if found is None:
                return
            word, directives = found
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
        is_flag = any(isinstance(each, PropertyDirective) and each.is_unit for each in directives)
        then = sequence([word] if is_flag else [word, *directives])

        def write(op: Operation, printer: OpPrinter) -> None:
            if any(directive.is_there(op) for directive in variables):
                then(op, printer)

        return write


def _variables(directives: Sequence[Directive]) -> list[Directive]:
    """What decides whether a clause is written."""
    return [each for each in directives if not isinstance(each, (Word, WhiteSpace, AttrDict, PropDict))]
