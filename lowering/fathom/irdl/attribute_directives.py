"""The directives for attributes and properties: one by its name, and all the others in a dictionary.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import UNIT
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.attribute_forms import attribute_stands_next, parse_attribute, spelling_of
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.declared import Property
from fathom.irdl.directives import Directive
from fathom.irdl.pieces import Piece
from fathom.irdl.stripped import StrippedReader
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


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

    def presence(self) -> Callable[[Operation], bool]:
        name, default = self.prop.name, self.prop.default

        def is_there(op: Operation) -> bool:
            value = op.properties.get(name)
            return value is not None and value is not default and value != default

        return is_there

    def pieces(self) -> list[Piece]:
        if self.elided:
            return []
        spell, name = spelling_of(self.prop, qualified=self.qualified), self.prop.name

        def text(op: Operation, printer: OpPrinter) -> str:
            value = op.properties.get(name)
            return "" if value is None else spell(value, printer)

        return [self.lead, text]


@record(eq=False, slots=False)
class CaseDirective(PropertyDirective):
    """`enum($attribute)`: the one parameter of an attribute, whatever its own format is."""

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        definition = self.prop.constraint.definition
        assert definition is not None, "it is an attribute of one parameter"
        (parameter,) = definition.parameters
        value = parameter.kind.read(StrippedReader(parser, self.owner))
        parsed.attributes[self.prop.name] = definition.make_attribute(**{parameter.name: value})

    def stands_next(self, parser: OpParser) -> bool:
        definition = self.prop.constraint.definition
        return definition is not None and definition.parameters[0].kind.at(StrippedReader(parser, self.owner))

    def pieces(self) -> list[Piece]:
        definition, name = self.prop.constraint.definition, self.prop.name
        assert definition is not None, "it is an attribute of one parameter"
        kind = definition.parameters[0].kind

        def text(op: Operation, printer: OpPrinter) -> str:
            value = op.properties.get(name)
            if isinstance(value, DialectAttr) and len(value.parameters) == 1:
                return kind.spell(value.parameters[0], printer.spell)
            return "" if value is None else printer.spell(value)

        return [self.lead, text]


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

    def pieces(self) -> list[Piece]:
        used, lead = frozenset((*self.used, *self.apart)), " attributes" if self.with_keyword else ""
        defaults = {prop.name: prop.default for prop in self.defaults}

        def text(op: Operation, printer: OpPrinter) -> str:
            entries: list[tuple[str, Attribute]] = []
            for name, value in op.properties.items():
                if name not in used:
                    default = defaults.get(name)
                    if default is None or (value is not default and value != default):
                        entries.append((name, value))
            if op.attributes:
                entries += op.attributes.items()
            return lead + printer.spell_dictionary(entries) if entries else ""

        return [text]


@record(eq=False, slots=False)
class PropDict(Directive):
    """`prop-dict`: the properties that stand nowhere else, in `<{…}>`. Unless it is `checked`, any may stand there, and
    any be missing."""

    props: Sequence[Property]
    checked: bool

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parser.properties(parsed)
        parsed.prop_dict = self.props if self.checked else None

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("<")

    def pieces(self) -> list[Piece]:
        defaults = {prop.name: prop.default for prop in self.props}

        def text(op: Operation, printer: OpPrinter) -> str:
            entries = [
                (name, value) for name, value in op.properties.items() if name in defaults and value != defaults[name]
            ]
            return f" <{{{printer.spell_entries(entries)}}}>" if entries else " "

        return [text]
