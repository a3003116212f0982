"""The printer that an assembly format is: its directives, compiled once to a list of functions that write.

Where spaces go depends on the format alone, not on the operation, so it is decided here.
Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from fathom.ir.attributes import Attribute, DenseArrayAttr, EnumAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.constraints import spell_cases
from fathom.irdl.custom import CUSTOM_PRINTERS
from fathom.irdl.definition import SEGMENTS, Arity, AttributeForm, OpDefinition, Property
from fathom.irdl.format import (
    AllOperands,
    AllRegions,
    AllSuccessors,
    AttrDict,
    Custom,
    Directive,
    FunctionalType,
    Literal,
    OneOf,
    Optional,
    PropDict,
    Reference,
    Space,
    TypeOf,
    Variable,
    needs_space,
)

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.irdl.protocols import OpPrinter

Step: TypeAlias = "Callable[[Operation, OpPrinter], None]"
Test: TypeAlias = "Callable[[Operation], bool]"
Group: TypeAlias = "Callable[[Operation], Sequence[Value]]"


def compile_writer(definition: OpDefinition) -> Step:
    """What writes the text behind the operation's name, as the definition's assembly format says."""
    return _sequence(_Compiler(definition).run(definition.format))


def _sequence(steps: list[Step | str]) -> Step:
    """The steps as one; neighbouring constant texts are joined."""
    merged: list[Step | str] = []
    for step in steps:
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


class _Compiler:
    """Walks the format in the order of the text. `emit_space` and `after_punctuation` are what MLIR's own generator of
    printers keeps: branches of an optional group follow each other, as if both were printed."""

    def __init__(self, definition: OpDefinition) -> None:
        self.definition = definition
        self.emit_space = True
        self.after_punctuation = False
        self.operands = {operand.name: operand for operand in definition.operands}
        self.results = {result.name: result for result in definition.results}
        self.regions = {region.name: i for i, region in enumerate(definition.regions)}
        self.successors = {successor.name: i for i, successor in enumerate(definition.successors)}

    def run(self, directives: Iterable[Directive]) -> list[Step | str]:
        return [step for directive in directives for step in self.element(directive)]

    def element(self, directive: Directive) -> list[Step | str]:
        match directive:
            case Literal(text):
                return [self.literal(text)]
            case Space(text):
                return self.space(text)
            case AttrDict(with_keyword):
                self.after_punctuation = False
                return [self.attr_dict(with_keyword)]
            case PropDict():
                self.after_punctuation = False
                return [self.prop_dict()]
            case Optional():
                return [self.optional(directive)]
            case OneOf(clauses):
                return [self.clause(clause) for clause in clauses]
            case _:
                lead = " " if self.emit_space or not self.after_punctuation else ""
                self.emit_space, self.after_punctuation = True, False
                return [lead, self.spaced(directive)]

    def literal(self, text: str) -> str:
        space = " " if self.emit_space and needs_space(text, self.after_punctuation) else ""
        self.emit_space = len(text) != 1 or text not in "<({["
        self.after_punctuation = not (text[0] == "_" or text[0].isalpha())
        return space + text

    def space(self, text: str) -> list[Step | str]:
        if text == "\\n":
            return [lambda _, printer: printer.newline()]
        self.emit_space, self.after_punctuation = False, not text
        return [text]

    def spaced(self, directive: Directive) -> Step:
        """The elements that stand off from what is before them."""
        match directive:
            case Variable(name):
                return self.variable(name)
            case TypeOf(name):
                return self.types(name)
            case FunctionalType(inputs, results):
                ins, outs = self.group(inputs), self.group(results)
                return lambda op, p: p.functional_type([v.type for v in ins(op)], [v.type for v in outs(op)])
            case AllOperands():
                return lambda op, p: p.values(op.operands)
            case AllRegions():
                return _write_regions(lambda op: range(len(op.regions)))
            case AllSuccessors():
                return lambda op, p: p.write(", ".join(map(p.label, op.successors)))
            case Reference(argument):
                return self.spaced(argument)
            case Custom(name, arguments):
                return lambda op, p: CUSTOM_PRINTERS[name](op, p, arguments)
            case _:
                raise TypeError(f"not a directive: {directive!r}")

    # ---- variables

    def variable(self, name: str) -> Step:
        prop = self.definition.property_map.get(name)
        if prop is not None:
            return _write_property(prop)
        if name in self.regions:
            return self.region(name)
        if name in self.successors:
            return self.successor(name)
        single = self.single(name)
        if single is not None:
            return lambda op, p: p.value(op.operands[single])
        group = self.group(name)
        return lambda op, p: p.values(group(op))

    def region(self, name: str) -> Step:
        index = self.regions[name]
        if self.definition.regions[index].arity is Arity.ONE:
            if self.definition.implicit_terminator:
                return lambda op, p: p.region(op.regions[index], terminators=needs_terminator(op.regions[index]))
            return lambda op, p: p.region(op.regions[index])
        return _write_regions(lambda op: range(index, len(op.regions)))

    def successor(self, name: str) -> Step:
        index = self.successors[name]
        if self.definition.successors[index].arity is Arity.ONE:
            return lambda op, p: p.write(p.label(op.successors[index]))
        return lambda op, p: p.write(", ".join(map(p.label, op.successors[index:])))

    def types(self, name: str) -> Step:
        single = self.single(name)
        if single is not None:
            return lambda op, p: p.type(op.operands[single].type)
        if name in self.results and len(self.results) == 1 and self.results[name].arity is Arity.ONE:
            return lambda op, p: p.type(op.results[0].type)
        group = self.group(name)
        return lambda op, p: p.types([value.type for value in group(op)])

    def single(self, name: str) -> int | None:
        """The index of an operand that always stands at the same place."""
        for index, operand in enumerate(self.definition.operands):
            if operand.arity is not Arity.ONE:
                return None
            if operand.name == name:
                return index
        return None

    def group(self, name: str) -> Group:
        """The values of a group, or of `operands` and `results`."""
        definition = self.definition
        if name in self.operands:
            if len(self.operands) == 1:
                return lambda op: op.operands
            return lambda op: definition.operand_groups(op)[name]
        if name in self.results:
            if len(self.results) == 1:
                return lambda op: op.results
            return lambda op: definition.result_groups(op)[name]
        if name == "operands":
            return lambda op: op.operands
        if name == "results":
            return lambda op: op.results
        raise ValueError(f"{definition.name} has no values named ${name}")

    # ---- dictionaries

    def attr_dict(self, with_keyword: bool) -> Step:
        used = {*_names_in(self.definition.format), *SEGMENTS.values()}
        defaults = {
            p.name: p.default for p in self.definition.properties if p.default is not None and p.name not in used
        }

        def write(op: Operation, printer: OpPrinter) -> None:
            if not op.attributes and op.properties.keys() <= used:
                return
            elided = {name for name, default in defaults.items() if op.properties.get(name) == default}
            printer.attr_dict(op, used | elided, keyword=with_keyword)

        return write

    def prop_dict(self) -> Step:
        used = {*_names_in(self.definition.format), *SEGMENTS.values()}

        def write(op: Operation, printer: OpPrinter) -> None:
            entries = [(name, value) for name, value in op.properties.items() if name not in used]
            if entries:
                printer.write(f" <{{{printer.spell_entries(entries)}}}>")

        return write

    # ---- groups

    def optional(self, directive: Optional) -> Step:
        anchor = (directive.otherwise if directive.inverted else directive.then)[directive.anchor]
        present, inverted = self.presence(anchor), directive.inverted
        elements: Sequence[Directive] = directive.then
        if directive.anchor != 0 and self.is_unit(anchor):
            # The keyword before a unit attribute says all there is to say.
            elements = [element for element in directive.then if element is not anchor]
        then = _sequence(self.run(elements))
        otherwise = _sequence(self.run(directive.otherwise)) if directive.otherwise else None

        def write(op: Operation, printer: OpPrinter) -> None:
            if present(op) != inverted:
                then(op, printer)
            elif otherwise is not None:
                otherwise(op, printer)

        return write

    def is_unit(self, directive: Directive) -> bool:
        prop = self.definition.property_map.get(directive.name) if isinstance(directive, Variable) else None
        return prop is not None and prop.constraint.form is AttributeForm.UNIT

    def clause(self, clause: tuple[Directive, ...]) -> Step:
        tests = [self.presence(d) for d in clause[1:] if isinstance(d, (Variable, TypeOf, Custom))]
        elements = [d for d in clause if not self.is_unit(d)]
        then = _sequence(self.run(elements))

        def write(op: Operation, printer: OpPrinter) -> None:
            if any(test(op) for test in tests):
                then(op, printer)

        return write

    def presence(self, directive: Directive) -> Test:
        """Whether an anchor is there."""
        match directive:
            case Variable(name) if name in self.definition.property_map:
                return _has_property(self.definition.property_map[name])
            case Variable(name) if name in self.regions:
                index = self.regions[name]
                return lambda op: len(op.regions) > index and not op.regions[index].is_empty
            case Variable(name) if name in self.successors:
                index = self.successors[name]
                return lambda op: len(op.successors) > index
            case Variable(name) | TypeOf(name):
                group = self.group(name)
                return lambda op: bool(group(op))
            case FunctionalType(inputs, results):
                ins, outs = self.group(inputs), self.group(results)
                return lambda op: bool(ins(op)) or bool(outs(op))
            case AllOperands():
                return lambda op: bool(op.operands)
            case Reference(argument):
                return self.presence(argument)
            case Custom(_, arguments):
                tests = [self.presence(argument) for argument in arguments]
                return lambda op: any(test(op) for test in tests)
            case _:
                return lambda _: True


def needs_terminator(region: Region) -> bool:
    """Whether a terminator that the text may leave out says more than its name."""
    last = region.first.last if region.first is not None else None
    return last is None or bool(last.operands or last.results or last.attributes or last.properties)


def _write_regions(indices: Callable[[Operation], Iterable[int]]) -> Step:
    def write(op: Operation, printer: OpPrinter) -> None:
        for position, index in enumerate(indices(op)):
            if position:
                printer.write(", ")
            printer.region(op.regions[index])

    return write


def _names_in(directives: Iterable[Directive]) -> Collection[str]:
    """The variables that stand in a format, which `attr-dict` therefore leaves out."""
    names: set[str] = set()
    for directive in directives:
        match directive:
            case Variable(name):
                names.add(name)
            case Reference(argument):
                names.update(_names_in((argument,)))
            case Custom(_, arguments):
                names.update(map(_argument_name, arguments))
            case Optional(then, otherwise):
                names.update(_names_in(then), _names_in(otherwise))
            case OneOf(clauses):
                names.update(name for clause in clauses for name in _names_in(clause))
            case _:
                pass
    return names


def _argument_name(directive: Directive) -> str:
    """The name that `$x`, `type($x)` or `ref($x)` is about."""
    inner = directive.argument if isinstance(directive, Reference) else directive
    return inner.name if isinstance(inner, (Variable, TypeOf)) else ""


def _has_property(prop: Property) -> Test:
    name, default = prop.name, prop.default

    def present(op: Operation) -> bool:
        value = op.properties.get(name)
        return value is not None and value != default

    return present


def _write_property(prop: Property) -> Step:
    spell = _speller(prop)
    name = prop.name

    def write(op: Operation, printer: OpPrinter) -> None:
        value = op.properties.get(name)
        if value is not None:
            spell(value, printer)

    return write


def _speller(prop: Property) -> Callable[[Attribute, OpPrinter], None]:
    """How the attribute of a property stands in a format."""
    constraint = prop.constraint
    match constraint.form:
        case AttributeForm.TYPED_LITERAL:
            return lambda attribute, p: p.attribute_without_type(attribute)
        case AttributeForm.SYMBOL_NAME:
            return lambda attribute, p: p.symbol(cast("StringAttr", attribute).value)
        case AttributeForm.KEYWORD:
            return lambda attribute, p: p.write(_case(prop, attribute))
        case AttributeForm.FLAGS:
            return lambda attribute, p: p.write(f"<{_case(prop, attribute)}>")
        case AttributeForm.TYPE:
            return lambda attribute, p: p.type(cast("TypeAttr", attribute).type)
        case AttributeForm.ARRAY:
            return lambda attribute, p: p.write(f"[{cast('DenseArrayAttr', attribute).spell_values()}]")
        case AttributeForm.STRIPPED:
            return _write_stripped
        case _:
            return lambda attribute, p: p.attribute(attribute)


def _write_stripped(attribute: Attribute, p: OpPrinter) -> None:
    p.write(attribute.spell_stripped(p.spell) if isinstance(attribute, DialectAttr) else p.spell(attribute))


def _case(prop: Property, attribute: Attribute) -> str:
    if isinstance(attribute, EnumAttr):
        return attribute.text
    return spell_cases(prop.constraint, attribute.value) if isinstance(attribute, IntegerAttr) else str(attribute)
