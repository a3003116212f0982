"""The directives of an operation's assembly format, each bound to the operand, property, region or successor it means.

A directive reads what it stands for into the parsed operation, tells whether the text goes on with it, says whether an
operation has something for it to write, and gives the steps that write it. `op_format` makes them of a definition.
Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import UNIT, Attribute, DenseArrayAttr
from fathom.ir.dialect_values import DialectType
from fathom.irdl.attribute_forms import attribute_stands_next, parse_attribute, spelling_of
from fathom.irdl.definition import Arity, AttributeForm, Operand, Property, Result
from fathom.irdl.stripped import parse_stripped_type, stripped_stands_next
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

Step: TypeAlias = "Callable[[Operation, OpPrinter], None]"
Values: TypeAlias = "Callable[[Operation], Sequence[Value]]"


@record(eq=False, slots=False)
class Directive:
    """One of the classes below."""

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        """Reads what it stands for."""
        raise TypeError(f"{type(self).__name__} reads nothing")

    def miss(self, parsed: ParsedOp) -> None:
        """Notes that it is not in the text, where that has to be known."""

    def stands_next(self, parser: OpParser) -> bool:
        """Whether the text goes on with it; the language is LL(1), so its first token tells."""
        return False

    def is_there(self, op: Operation) -> bool:
        """Whether the operation has something for it to write."""
        return True

    def steps(self) -> list[Step | str]:
        """What writes it; a string is written as it is."""
        raise TypeError(f"{type(self).__name__} writes nothing")


def sequence(directives: Iterable[Directive]) -> Step:
    """What writes the directives, as one step; neighbouring constant texts are joined."""
    merged: list[Step | str] = []
    for directive in directives:
        for step in directive.steps():
            if isinstance(step, str) and merged and isinstance(merged[-1], str):
                merged[-1] += step
            elif step != "":
                merged.append(step)
    run = [_constant(step) if isinstance(step, str) else step for step in merged]

    def write(op: Operation, printer: OpPrinter) -> None:
        for step in run:
            step(op, printer)

    return write


def _constant(text: str) -> Step:
    return lambda _, printer: printer.write(text)


# ---- words


@record(eq=False, slots=False)
class Word(Directive):
    """A keyword or punctuation; `lead` is the white space that is written in front of it, here and below."""

    lead: str
    text: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        is_keyword = self.text[0] == "_" or self.text[0].isalpha()
        parser.expect(self.text, f"custom op '{parsed.name}' expected '{self.text}'" if is_keyword else None)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at(self.text)

    def steps(self) -> list[Step | str]:
        return [self.lead + self.text]


@record(eq=False, slots=False)
class WhiteSpace(Directive):
    """White space for the printer alone."""

    text: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        pass

    def steps(self) -> list[Step | str]:
        return [(lambda _, printer: printer.newline())] if self.text == "\\n" else [self.text]


# ---- values


@record(eq=False, slots=False)
class OperandDirective(Directive):
    """`$operand`: one value, or all of the group. `index` is the place of one that always stands at the same."""

    lead: str
    operand: Operand
    index: int | None
    values: Values

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parsed.operands[self.operand.name] = self._parse(parser, parsed)

    def _parse(self, parser: OpParser, parsed: ParsedOp) -> list[int]:
        if self.operand.segments:
            return self._parse_groups(parser, parsed)
        match self.operand.arity:
            case Arity.ONE:
                return [parser.value_use()]
            case Arity.OPTIONAL:
                use = parser.optional_value_use()
                return [] if use is None else [use]
            case Arity.VARIADIC:
                return parser.bare_value_list()

    def _parse_groups(self, parser: OpParser, parsed: ParsedOp) -> list[int]:
        """`(%a, %b), (%c)`, whose sizes are a property."""
        from fathom.ir.types import I32

        found: list[int] = []
        sizes: list[int] = []
        while parser.at("("):
            group = parser.value_list()
            found += group
            sizes.append(len(group))
            if not parser.accept(","):
                break
        parsed.attributes[self.operand.segments] = DenseArrayAttr(I32, tuple(sizes))
        return found

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("(") if self.operand.segments else parser.at_kind("value")

    def is_there(self, op: Operation) -> bool:
        return bool(self.values(op))

    def steps(self) -> list[Step | str]:
        index, values, segments = self.index, self.values, self.operand.segments
        if segments:

            def write(op: Operation, p: OpPrinter) -> None:
                for position, group in enumerate(split_by(op.properties.get(segments), values(op))):
                    p.write(", (" if position else "(")
                    p.values(group)
                    p.write(")")

            return [self.lead, write]
        if index is not None:
            return [self.lead, lambda op, p: p.value(op.operands[index])]
        return [self.lead, lambda op, p: p.values(values(op))]


def split_by(segments: Attribute | None, values: Sequence[Value]) -> list[Sequence[Value]]:
    """The values in groups of the sizes that an attribute says."""
    sizes = segments.values if isinstance(segments, DenseArrayAttr) else ()
    found: list[Sequence[Value]] = []
    start = 0
    for size in sizes:
        found.append(values[start : start + size])
        start += size
    return found


@record(eq=False, slots=False)
class AllOperands(Directive):
    """`operands`."""

    lead: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parsed.operands["operands"] = parser.bare_value_list()

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_kind("value")

    def is_there(self, op: Operation) -> bool:
        return bool(op.operands)

    def steps(self) -> list[Step | str]:
        return [self.lead, lambda op, p: p.values(op.operands)]


@record(eq=False, slots=False)
class TypeDirective(Directive):
    """`type($name)`: the type of one value, or those of a group; `group` is None for `operands` and `results`."""

    lead: str
    name: str
    group: Operand | Result | None
    values: Values
    owner: str
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
        found = parsed.types[self.name] = []
        while parser.accept("("):
            if not parser.accept(")"):
                found += parser.type_list()
                parser.expect(")")
            if not parser.accept(","):
                break

    def stands_next(self, parser: OpParser) -> bool:
        definition = self.group.constraint.definition if self.group is not None else None
        if parser.at_type():
            return True
        return definition is not None and stripped_stands_next(definition, parser, self.owner)

    def is_there(self, op: Operation) -> bool:
        return bool(self.values(op))

    def steps(self) -> list[Step | str]:
        values, group = self.values, self.group
        if isinstance(group, Operand) and (segments := group.segments):

            def write_groups(op: Operation, p: OpPrinter) -> None:
                for position, each in enumerate(split_by(op.properties.get(segments), values(op))):
                    p.write(", (" if position else "(")
                    p.types([value.type for value in each])
                    p.write(")")

            return [self.lead, write_groups]
        if group is None or group.arity is not Arity.ONE:
            return [self.lead, lambda op, p: p.types([value.type for value in values(op)])]
        if group.constraint.definition is not None and not self.qualified:
            return [self.lead, lambda op, p: _write_stripped(op, p, values)]
        return [self.lead, lambda op, p: p.type(values(op)[0].type)]


_PREFIX: Final = re.compile(r"!\w+\.\w+")
"""The dialect and the name of a type."""


def _write_stripped(op: Operation, p: OpPrinter, values: Values) -> None:
    type = values(op)[0].type
    full = p.spell(type)
    match = _PREFIX.match(full)
    # One of which nothing would be left stands as a whole.
    p.write(
        (type.spell_stripped(p.spell) if isinstance(type, DialectType) else full[match.end() :] if match else "")
        or full
    )


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

    def is_there(self, op: Operation) -> bool:
        return bool(self.input_values(op)) or bool(self.result_values(op))

    def steps(self) -> list[Step | str]:
        ins, outs = self.input_values, self.result_values
        return [
            self.lead,
            lambda op, p: p.functional_type([v.type for v in ins(op)], [v.type for v in outs(op)]),
        ]


# ---- attributes


@record(eq=False, slots=False)
class PropertyDirective(Directive):
    """`$attribute`, in the form that its constraint says. What stands around an `elided` unit attribute says it."""

    lead: str
    prop: Property
    owner: str
    qualified: bool = False
    elided: bool = False

    @property
    def is_unit(self) -> bool:
        return self.prop.constraint.form is AttributeForm.UNIT

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        if not self.elided:
            parsed.attributes[self.prop.name] = parse_attribute(self.prop, parser, self.owner)

    def mark(self, parsed: ParsedOp) -> None:
        """A unit attribute is there because what stands around it is."""
        if self.elided:
            parsed.attributes[self.prop.name] = UNIT

    def stands_next(self, parser: OpParser) -> bool:
        return not self.elided and attribute_stands_next(self.prop, parser, self.owner)

    def is_there(self, op: Operation) -> bool:
        value = op.properties.get(self.prop.name)
        return value is not None and value != self.prop.default

    def steps(self) -> list[Step | str]:
        if self.elided:
            return []
        spell, name = spelling_of(self.prop, qualified=self.qualified), self.prop.name

        def write(op: Operation, printer: OpPrinter) -> None:
            value = op.properties.get(name)
            if value is not None:
                spell(value, printer)

        return [self.lead, write]


@record(eq=False, slots=False)
class AttrDict(Directive):
    """`attr-dict`: the attributes that stand nowhere else, without those that have their default, and behind a
    `prop-dict` without the properties `apart`."""

    with_keyword: bool
    used: Collection[str]
    defaults: Sequence[Property]
    apart: Collection[str] = ()

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        (parser.attr_dict_with_keyword if self.with_keyword else parser.attr_dict)(parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("attributes" if self.with_keyword else "{")

    def steps(self) -> list[Step | str]:
        used, with_keyword = frozenset((*self.used, *self.apart)), self.with_keyword
        defaults = {prop.name: prop.default for prop in self.defaults if prop.name not in used}

        def write(op: Operation, printer: OpPrinter) -> None:
            if not op.attributes and op.properties.keys() <= used:
                return
            elided = {name for name, default in defaults.items() if op.properties.get(name) == default}
            printer.attr_dict(op, used | elided, keyword=with_keyword)

        return [write]


@record(eq=False, slots=False)
class PropDict(Directive):
    """`prop-dict`: the properties that stand nowhere else, in `<{…}>`."""

    used: Collection[str]
    defaults: Sequence[Property]

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parser.properties(parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("<")

    def steps(self) -> list[Step | str]:
        used = frozenset(self.used)
        defaults = {prop.name: prop.default for prop in self.defaults}

        def write(op: Operation, printer: OpPrinter) -> None:
            entries = [
                (name, value)
                for name, value in op.properties.items()
                if name not in used and value != defaults.get(name)
            ]
            printer.write(f" <{{{printer.spell_entries(entries)}}}>" if entries else " ")

        return [write]


# ---- regions and successors


def needs_terminator(region: Region) -> bool:
    """Whether a terminator that the text may leave out says more than its name."""
    last = region.first.last if region.first is not None else None
    return last is None or bool(last.operands or last.results or last.attributes or last.properties)


@record(eq=False, slots=False)
class RegionDirective(Directive):
    """`$region`, or `regions` from the first on: one, or several with commas between them."""

    lead: str
    index: int
    single: bool
    implicit_terminator: bool
    separator: str = ","

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        if self.single:
            parser.region(parsed)
            return
        if not parser.at_region():
            return
        parser.region(parsed)
        while parser.accept(","):
            parser.region(parsed)

    def miss(self, parsed: ParsedOp) -> None:
        if self.single:
            parsed.absent_regions.append(self.index)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_region()

    def is_there(self, op: Operation) -> bool:
        return len(op.regions) > self.index and not op.regions[self.index].is_empty

    def steps(self) -> list[Step | str]:
        index, single, implicit = self.index, self.single, self.implicit_terminator

        def write(op: Operation, p: OpPrinter) -> None:
            regions = [op.regions[index]] if single else op.regions[index:]
            for position, region in enumerate(regions):
                if position:
                    p.write(", ")
                p.region(region, terminators=not implicit or needs_terminator(region))

        return [self.lead, write]


@record(eq=False, slots=False)
class SuccessorDirective(Directive):
    """`$successor`, or `successors` from the first on: one, or several with commas between them."""

    lead: str
    index: int
    single: bool

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        if self.single:
            parser.successor_block(parsed)
            return
        if not parser.at_kind("block"):
            return
        parser.successor_block(parsed)
        while parser.accept(","):
            parser.successor_block(parsed)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_kind("block")

    def is_there(self, op: Operation) -> bool:
        return len(op.successors) > self.index

    def steps(self) -> list[Step | str]:
        index = self.index
        if self.single:
            return [self.lead, lambda op, p: p.write(p.label(op.successors[index]))]
        return [self.lead, lambda op, p: p.write(", ".join(map(p.label, op.successors[index:])))]
