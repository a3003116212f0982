"""The directives for operands and for the types of operands and results.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.dialect_values import DialectType
from fathom.irdl.declared import Operand, Result
from fathom.irdl.directives import Directive
from fathom.irdl.groups import Arity
from fathom.irdl.pieces import Piece
from fathom.irdl.stripped import parse_stripped_type, stripped_stands_next
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp
Values: TypeAlias = "Callable[[Operation], Sequence[Value]]"


@record(eq=False, slots=False)
class OperandDirective(Directive):
    """`$operand`: one value, or all of the group. `index` is the place of one that always stands at the same. One of an
    optional group is `required` where a word of a form announces it."""

    lead: str
    operand: Operand
    index: int | None
    values: Values
    required: bool = False

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parser.read_group(self.operand.name)
        parsed.operands[self.operand.name] = self._parse(parser, parsed)

    def _parse(self, parser: OpParser, parsed: ParsedOp) -> list[int]:
        if self.operand.segments:
            return self._parse_groups(parser, parsed)
        match self.operand.arity:
            case Arity.ONE:
                return [parser.value_use()]
            case Arity.OPTIONAL if self.required:
                return [parser.value_use()]
            case Arity.OPTIONAL:
                use = parser.optional_value_use()
                return [] if use is None else [use]
            case Arity.VARIADIC:
                return parser.bare_value_list()

    def _parse_groups(self, parser: OpParser, parsed: ParsedOp) -> list[int]:
        """`(%a, %b), (%c)`, whose sizes are a property."""
        from fathom.ir.types import I32

        counts: list[int] = []
        sizes: list[int] = []
        while parser.at("("):
            group = parser.value_list()
            counts += group
            sizes.append(len(group))
            if not parser.accept(","):
                break
        parsed.attributes[self.operand.segments] = DenseArrayAttr(I32, tuple(sizes))
        return counts

    def stands_next(self, parser: OpParser) -> bool:
        parser.read_group(self.operand.name)
        return parser.at("(") if self.operand.segments else parser.at_kind("value")

    def presence(self) -> Callable[[Operation], bool]:
        values = self.values
        return lambda op: bool(values(op))

    def pieces(self) -> list[Piece]:
        index, values, segments = self.index, self.values, self.operand.segments
        if segments:

            def spell(op: Operation, p: OpPrinter) -> str:
                groups = split_by(op.properties.get(segments), values(op))
                return ", ".join([f"({p.spell_values(group)})" for group in groups])

            return [self.lead, spell]
        if index is not None:
            return [self.lead, lambda op, p: p.spell_value(op.operands[index])]
        return [self.lead, lambda op, p: p.spell_values(values(op))]


def split_by(segments: Attribute | None, values: Sequence[Value]) -> list[Sequence[Value]]:
    """The values in groups of the sizes that an attribute says."""
    sizes = segments.values if isinstance(segments, DenseArrayAttr) else ()
    parts: list[Sequence[Value]] = []
    start = 0
    for size in sizes:
        parts.append(values[start : start + size])
        start += size
    return parts


@record(eq=False, slots=False)
class AllOperands(Directive):
    """`operands`."""

    lead: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parser.read_group("operands")
        parsed.operands["operands"] = parser.bare_value_list()

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_kind("value")

    def presence(self) -> Callable[[Operation], bool]:
        return lambda op: bool(op.operands)

    def pieces(self) -> list[Piece]:
        return [self.lead, lambda op, p: p.spell_values(op.operands)]


@record(eq=False, slots=False)
class TypeDirective(Directive):
    """`type($name)`: the type of one value, or those of a group; `group` is None for `operands` and `results`. `index`
    is the place of one that always stands at the same."""

    lead: str
    name: str
    group: Operand | Result | None
    values: Values
    owner: str
    index: int | None
    qualified: bool = False

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        group = self.group
        if isinstance(group, Operand) and group.segments:
            self._parse_groups(parser, parsed)
        elif group is None or group.arity is not Arity.ONE:
            # MLIR wants a type wherever there may be several.
            is_optional = group is not None and group.arity is Arity.OPTIONAL
            parsed.types[self.name] = parser.optional_type_list() if is_optional else parser.type_list()
        elif group.constraint.definition is None or self.qualified or parser.at_type():
            parsed.types[self.name] = [parser.type()]
        else:
            parsed.composed_types[self.name] = parse_stripped_type(group.constraint.definition, parser, self.owner)

    def _parse_groups(self, parser: OpParser, parsed: ParsedOp) -> None:
        types = parsed.types[self.name] = []
        while parser.accept("("):
            if not parser.accept(")"):
                types += parser.type_list()
                parser.expect(")")
            if not parser.accept(","):
                break

    def stands_next(self, parser: OpParser) -> bool:
        definition = self.group.constraint.definition if self.group is not None else None
        if parser.at_type():
            return True
        return definition is not None and stripped_stands_next(definition, parser, self.owner)

    def presence(self) -> Callable[[Operation], bool]:
        values = self.values
        return lambda op: bool(values(op))

    def pieces(self) -> list[Piece]:
        values, group = self.values, self.group
        if isinstance(group, Operand) and (segments := group.segments):

            def spell(op: Operation, p: OpPrinter) -> str:
                groups = split_by(op.properties.get(segments), values(op))
                return ", ".join([f"({p.spell_types([value.type for value in members])})" for members in groups])

            return [self.lead, spell]
        if group is None or group.arity is not Arity.ONE:
            return [self.lead, lambda op, p: p.spell_types([value.type for value in values(op)])]
        if group.constraint.definition is not None and not self.qualified:
            return [self.lead, lambda op, p: _spell_stripped(values(op)[0].type, p)]
        if (index := self.index) is None:
            return [self.lead, lambda op, p: p.spell(values(op)[0].type)]
        if isinstance(group, Operand):
            return [self.lead, lambda op, p: p.spell(op.operands[index].type)]
        return [self.lead, lambda op, p: p.spell(op.results[index].type)]


_PREFIX: Final = re.compile(r"!\w+\.\w+")
"""The dialect and the name of a type."""


def _spell_stripped(type: Type, p: OpPrinter) -> str:
    full = p.spell(type)
    match = _PREFIX.match(full)
    # One of which nothing would be left stands as a whole.
    return (
        type.spell_stripped(p.spell) if isinstance(type, DialectType) else full[match.end() :] if match else ""
    ) or full


@record(eq=False, slots=False)
class FunctionalType(Directive):
    """`functional-type($inputs, $results)`."""

    lead: str
    inputs: str
    results: str
    input_values: Values
    result_values: Values

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parsed.types[self.inputs], parsed.types[self.results] = parser.functional_type()

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("(")

    def presence(self) -> Callable[[Operation], bool]:
        ins, outs = self.input_values, self.result_values
        return lambda op: bool(ins(op)) or bool(outs(op))

    def pieces(self) -> list[Piece]:
        ins, outs = self.input_values, self.result_values
        return [
            self.lead,
            lambda op, p: p.spell_functional_type([v.type for v in ins(op)], [v.type for v in outs(op)]),
        ]
