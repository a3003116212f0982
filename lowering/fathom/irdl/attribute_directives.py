"""The directives for attributes and properties: one by its name, and all the others in a dictionary.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import UNIT
from fathom.irdl.attribute_forms import attribute_stands_next, parse_attribute, spelling_of
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.declared import Property
from fathom.irdl.directives import Directive, Step
from fathom.records import record

if TYPE_CHECKING:
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
    """`prop-dict`: the properties that stand nowhere else, in `<{…}>`. Unless it is `checked`, any may stand there, and
    any be missing."""

    props: Sequence[Property]
    checked: bool

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        parser.properties(parsed)
        parsed.prop_dict = self.props if self.checked else None

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at("<")

    def steps(self) -> list[Step | str]:
        defaults = {prop.name: prop.default for prop in self.props}

        def write(op: Operation, printer: OpPrinter) -> None:
            entries = [
                (name, value) for name, value in op.properties.items() if name in defaults and value != defaults[name]
            ]
            printer.write(f" <{{{printer.spell_entries(entries)}}}>" if entries else " ")

        return [write]
