"""One operation from its text: its operands, the types of its results, its properties and attributes.

What the text leaves out follows from the definition: its type rules, or its own `resolve` for an irregular operation.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.numbers import fits
from fathom.elaborate.property_keys import mistaken_keys
from fathom.elaborate.rules import resolve_by_rules
from fathom.ir.attributes import (
    FALSE,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
    UnknownAttr,
    dict_attr,
)
from fathom.ir.floats import from_float
from fathom.ir.former_attributes import as_today
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.property_values import properties_as
from fathom.ir.types import I32, I64, NONE, POISON, FloatType, IntegerType, Type
from fathom.irdl.attribute_forms import refused_property
from fathom.irdl.cases import number_of
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.definition import OpDefinition, Property
from fathom.irdl.groups import SEGMENTS
from fathom.irdl.traits import TERMINATOR
from fathom.syntax.nodes import (
    Argument,
    AttributeSource,
    ComposedAttribute,
    FunctionSignature,
    Node,
    ParsedOp,
    Ref,
    StringToken,
    SymbolToken,
    UntypedLiteral,
)

if TYPE_CHECKING:
    from fathom.elaborate.sites import Place
    from fathom.irdl.dialect import Definitions


class Surroundings(Protocol):
    """What the resolution of an operation asks of the elaborator."""

    def use(self, text: str, type: Type | None, place: Place) -> Value: ...

    def mention(self, text: str, place: Place) -> Value:
        """The value of a name in the text of an unknown operation, which need not be that of any."""
        ...

    def block(self, label: str, place: Place) -> Block: ...

    def report(self, message: str, place: Place) -> None: ...


class Resolution:
    """The operation being elaborated, and what has been found out about it; filled by `resolve`. It is the `Resolver`
    of a definition's own `resolve`."""

    def __init__(
        self,
        parsed: ParsedOp,
        definition: OpDefinition | None,
        meanings: Meanings,
        text: Callable[[Ref], str],
        place: Callable[[Ref], Place],
        surroundings: Surroundings,
    ) -> None:
        self.parsed = parsed
        self.definition = definition
        self.meanings = meanings
        self.text = text
        self._place = place
        self._surroundings = surroundings
        self.operands: list[Value] = []
        self.result_types: list[Type] = []
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.successors: list[Block] = []
        self.region_argument_types: list[list[Type]] = []
        self.region_order: list[int] = []
        """Where the regions of the operation stand in the text; empty when they stand there in order."""
        self.imply: Callable[[Operation, Definitions], None] | None = None
        self.unnamed = 0
        """How many results an operation of which only the text is known has where none has a name."""
        self.regions: Sequence[Region] = ()
        """The regions in the text, once they have been read."""
        self.introduced: Container[Ref] = ()
        """The names in the text of an unknown operation that are no operands, but arguments of its regions."""

    # ---- what a definition's own `resolve` uses

    def fail(self, message: str, token: Ref | None = None) -> NoReturn:
        raise ElaborationFailure(message, self.parsed.name_token if token is None else token)

    def report(self, message: str, token: Ref) -> None:
        self._surroundings.report(message, self._place(token))

    def is_empty_region(self, index: int) -> bool:
        return index < len(self.regions) and self.regions[index].is_empty

    def end_of(self, node: Node) -> Ref:
        return node.end

    def type(self, node: Node) -> Type:
        return self.meanings.type(node, self.text)

    def types(self, nodes: Sequence[Node]) -> list[Type]:
        return [self.meanings.type(node, self.text) for node in nodes]

    def operand(self, token: Ref, type: Type | None = None) -> Value:
        """The value that a token names, which must be of the type, if one is given."""
        return self._surroundings.use(self.text(token), type, self._place(token))

    def block_of(self, token: Ref) -> Block:
        """The block that a token names."""
        return self._surroundings.block(self.text(token), self._place(token))

    def operand_list(self, tokens: Sequence[Ref], types: Sequence[Type], at: Ref | None = None) -> list[Value]:
        if len(tokens) != len(types):
            name = f"custom op '{self.parsed.name}' "
            given = f"got {len(tokens)} operands and {len(types)} types"
            self.fail(f"{name}number of operands and types do not match: {given}", at)
        return [self.operand(token, type) for token, type in zip(tokens, types, strict=True)]

    def attribute(self, source: AttributeSource, implied: Type | None = None) -> Attribute:
        if isinstance(source, Node):
            if source.kind in ("type", "plain_type"):
                return TypeAttr(self.type(source))
            return self.meanings.attribute(source, self.text, implied)
        if isinstance(source, UntypedLiteral):
            return self.attribute(source.node, implied)
        if isinstance(source, ComposedAttribute):
            return source.make(self.type, self.attribute)
        if isinstance(source, SymbolToken):
            return StringAttr(symbol_name(self.text(source.token)))
        if isinstance(source, StringToken):
            return StringAttr(unquote(self.text(source.token)))
        return source

    def entries(self, dictionary: Node) -> dict[str, Attribute]:
        """The entries of `{a = 1, b}`."""
        return self.meanings.entries(dictionary, self.text)

    def is_inherent(self, name: str) -> bool:
        return self.definition is not None and name in self.definition.property_map

    def check_properties(self, token: Ref | None = None) -> None:
        if self.definition is None or self.parsed.properties is not None:
            return
        for prop in self.definition.properties:
            value = self.properties.get(prop.name)
            in_dictionary = prop.name not in self.parsed.attributes
            if value is not None and in_dictionary and not prop.constraint.accepts(value):
                self._refuse_property(prop, token)

    def argument_type(self, argument: Argument) -> Type:
        if argument.type is None:
            return POISON
        return argument.type if isinstance(argument.type, Type) else self.type(argument.type)

    def argument_attributes(self, node: Node | None) -> Attribute:
        """The dictionary of an argument or result, empty when there is none."""
        return self.attribute(node) if node is not None else DictAttr(())

    def signature_attributes(self, signature: FunctionSignature) -> None:
        """Stores the attributes of the arguments and results of a signature, if any, as `arg_attrs` and `res_attrs`."""
        groups = {
            "arg_attrs": [argument.attributes for argument in signature.arguments],
            "res_attrs": signature.result_attributes,
        }
        for name, nodes in groups.items():
            if any(node is not None for node in nodes):
                self.properties[name] = ArrayAttr(tuple(self.argument_attributes(node) for node in nodes))

    def resolve_by_rules(self) -> None:
        """What an operation without its own `resolve` gets: the groups that were parsed, and types by the rules."""
        assert self.definition is not None, "only a defined operation has rules"
        resolve_by_rules(self, self.definition)

    # ---- the generic way

    def resolve(self) -> None:
        """Finds everything out. Raises ElaborationFailure where the text is inconsistent."""
        parsed, definition = self.parsed, self.definition
        self.resolve_attributes()
        if parsed.generic:
            self._resolve_generic()
            self._check_inherent()
        elif definition is None:
            tokens = [token for token in parsed.operands.get("", []) if token not in self.introduced]
            self.operands = [self._surroundings.mention(self.text(token), self._place(token)) for token in tokens]
            self.result_types = [POISON] * (sum(group.count for group in parsed.result_groups) or self.unnamed)
        elif not parsed.is_whole:
            self._resolve_beginning()
        elif definition.custom is not None and definition.custom.resolve is not None:
            definition.custom.resolve(self, parsed, parsed.value)
        elif definition.resolve is not None:
            definition.resolve(self, parsed)
        else:
            resolve_by_rules(self, definition)
        if not self.successors:
            self.resolve_successors()
        if not self.region_argument_types:
            self.region_argument_types = [
                [self.argument_type(argument) for argument in region.arguments] for region in parsed.regions
            ]
        if definition is not None:
            dropped = self._drop_properties(definition) if definition.custom is not None and not parsed.generic else ()
            for name, value in definition.defaults:
                if name not in self.properties and name not in dropped:
                    self.properties[name] = value

    def _resolve_beginning(self) -> None:
        """Of an operation whose text goes wrong behind a region, or breaks off in it: what stands before that. What the
        definition's own `resolve` counts on may be missing."""
        self.operands = [self.operand(token) for tokens in self.parsed.operands.values() for token in tokens]
        self.result_types = [POISON] * sum(group.count for group in self.parsed.result_groups)

    def _drop_properties(self, definition: OpDefinition) -> list[str]:
        """Of what a parser of code has read, MLIR keeps nothing in the place of a property of another class."""
        dropped = [
            prop.name
            for prop in definition.classed
            if (value := self.properties.get(prop.name)) is not None and not _is_stored(prop, value)
        ]
        for name in dropped:
            del self.properties[name]
        return dropped

    def resolve_attributes(self) -> None:
        """The attributes that stand in the text, each as a property if the definition says so."""
        parsed, definition = self.parsed, self.definition
        inherent = definition.property_map if definition is not None else {}
        if parsed.properties is not None or parsed.prop_dict is not None:
            entries = self._stated_properties(parsed.properties) if parsed.properties is not None else {}
            if parsed.prop_dict is not None and (why := mistaken_keys(entries, parsed.prop_dict)) is not None:
                self._refuse_properties(dict_attr(entries), why)
            for name, value in entries.items():
                prop = inherent.get(name)
                if prop is not None and prop.native and (number := number_of(value)) is not None:
                    value = IntegerAttr(number, I32)
                if value == FALSE and definition is not None and name in definition.unit_properties:
                    continue
                if prop is not None and not prop.native and not _is_stored(prop, value):
                    why = f"Invalid attribute `{name}` in property conversion: {value}"
                    self._refuse_properties(dict_attr(entries), why, prop.constraint.wanted(name))
                if definition is not None and _is_segments(definition, name):
                    self._check_segments(definition, entries, name, value)
                self.properties[name] = value
        stated: set[str] = set()
        if parsed.attr_dict is not None:
            for name, value in self._entries_today(parsed.attr_dict).items():
                prop = inherent.get(name)
                is_inherent = (definition is not None and _is_segments(definition, name)) or (
                    prop is not None and not prop.native
                )
                (self.properties if is_inherent else self.attributes)[name] = value
                if prop is not None and is_inherent:
                    self._check_entry(prop, value)
                    stated.add(name)
        has_format = definition is not None and definition.assembly is not None
        for name, source in parsed.attributes.items():
            # What the dictionary says goes before what stands in a format.
            if isinstance(source, UntypedLiteral) or (has_format and name in stated):
                continue
            prop = inherent.get(name)
            literal = prop is not None and prop.constraint.form is AttributeForm.TYPED_LITERAL
            implied = prop.constraint.type if prop is not None and literal and prop.constraint.type != NONE else None
            if prop is not None and prop.native and isinstance(implied, IntegerType) and isinstance(source, Node):
                self._check_size(prop, implied, source)
            value = self.attribute(source, implied)
            if prop is not None and prop.constraint.form is AttributeForm.ARRAY and isinstance(value, ArrayAttr):
                value = _dense_array(value, prop.constraint.type or I64)
            if prop is not None and definition is not None and definition.form is not None:
                if not _is_stored(prop, value):
                    self.fail(f"custom op '{parsed.name}' invalid kind of attribute specified", _place_of(source))
            (self.properties if prop is not None or definition is None else self.attributes)[name] = value

    def _entries_today(self, dictionary: Node) -> dict[str, Attribute]:
        """The entries of the dictionary, by the names of today."""
        entries, language = self.entries(dictionary), self.meanings.context.language
        if language.has_properties or self.definition is None:
            return entries
        return as_today(language, self.parsed.name, entries)

    def _check_size(self, prop: Property, type: IntegerType, literal: Node) -> None:
        """A property that is a number at heart holds what C++ holds in so many bits, with a sign."""
        sign = self.text(literal.start)
        digits = self.text(literal.start + 1) if sign == "-" else sign
        if digits[:1].isdecimal() and not fits(f"-{digits}" if sign == "-" else digits, type.width):
            name = self.parsed.name
            further = ((refused_property(prop, name), literal.start),)
            raise ElaborationFailure(f"custom op '{name}' integer value too large", literal.start, further=further)

    def _stated_properties(self, node: Node) -> dict[str, Attribute]:
        """`<{a = 1}>`, or what an alias in angles stands for. Of an unknown operation any other attribute is kept, and
        an empty dictionary, which is printed of it."""
        inner = node.nodes[0]
        if inner.nodes and inner.nodes[0].kind == "attr_dict" and inner.nodes[0].nodes:
            return self.entries(inner.nodes[0])
        attribute = self.attribute(inner)
        if self.definition is None:
            return properties_as(attribute)
        if not isinstance(attribute, DictAttr):
            self._refuse_properties(attribute, "expected DictionaryAttr to set properties")
        return dict(attribute.entries)

    def _refuse_properties(self, stated: Attribute, why: str, hint: str = "") -> NoReturn:
        """What is stated, or a property in it, is of a class that MLIR cannot keep in its place."""
        message = f"invalid properties {stated} for op {self.parsed.name}: {why}"
        raise ElaborationFailure(message, self.parsed.name_token, hint=hint)

    def _check_segments(
        self, definition: OpDefinition, entries: dict[str, Attribute], name: str, value: Attribute
    ) -> None:
        """There is a size for each group."""
        groups = len(definition.operands if name == SEGMENTS["operands"] else definition.results)
        if not isinstance(value, DenseArrayAttr) or value.element != I32:
            self._refuse_properties(dict_attr(entries), "expected DenseI32ArrayAttr for key `value`")
        if len(value.values) != groups:
            why = f"size mismatch in attribute conversion: {len(value.values)} vs {groups}"
            self._refuse_properties(dict_attr(entries), why)

    def _check_entry(self, prop: Property, value: Attribute) -> None:
        """The parser that an assembly format gives looks at the inherent attributes of `attr-dict` itself."""
        parsed, definition = self.parsed, self.definition
        if parsed.generic or definition is None or definition.assembly is None or prop.constraint.accepts(value):
            return
        self._refuse_property(prop, parsed.attr_dict.start if parsed.attr_dict is not None else None)

    def _check_inherent(self) -> None:
        """Where the generic form states properties as attributes, its parser looks at them first."""
        if self.definition is None or self.parsed.properties is not None or self.parsed.attr_dict is None:
            return
        for prop in self.definition.properties:
            value = self.properties.get(prop.name)
            if value is not None and not prop.native and not prop.constraint.accepts(value):
                hint = prop.constraint.wanted(prop.name)
                raise ElaborationFailure(self._unsatisfied(prop), self.parsed.name_token, hint=hint)

    def _refuse_property(self, prop: Property, at: Ref | None) -> NoReturn:
        self.fail(f"custom op '{self.parsed.name}' {self._unsatisfied(prop)}", at)

    def _unsatisfied(self, prop: Property) -> str:
        """What is said of a property that is not what it should be."""
        summary = prop.constraint.summary
        return f"'{self.parsed.name}' op attribute '{prop.name}' failed to satisfy constraint: {summary}"

    def resolve_successors(self) -> None:
        for successor in self.parsed.successors:
            self.successors.append(self.block_of(successor.block))
            if successor.types or (successor.operands and not self.parsed.generic):
                types = self.types(successor.types)
                self.operands += self.operand_list(successor.operands, types, successor.block)

    def _resolve_generic(self) -> None:
        parsed = self.parsed
        tokens = parsed.operands.get("", [])
        if parsed.successors and self.definition is not None and not self.definition.has(TERMINATOR):
            self.fail("successors in non-terminator", parsed.successors[0].block - 1)
        if parsed.function_type is None:
            self.operands = [self.operand(token) for token in tokens]
            self.result_types = [POISON] * sum(group.count for group in parsed.result_groups)
            return
        inputs, results = self.meanings.function_type(parsed.function_type, self.text)
        if len(inputs) != len(tokens):
            plural = "" if len(tokens) == 1 else "s"
            self.fail(f"expected {len(tokens)} operand type{plural} but had {len(inputs)}", parsed.function_type.start)
        self.operands = [self.operand(token, type) for token, type in zip(tokens, inputs, strict=True)]
        self.result_types = results
        if self.definition is not None:
            self._no_segments(self.definition)

    def _no_segments(self, definition: OpDefinition) -> None:
        """Sizes of groups that the text does not give are there, and 0."""
        if definition.has_segments:
            self.properties.setdefault(SEGMENTS["operands"], DenseArrayAttr(I32, (0,) * len(definition.operands)))
        if definition.has_result_segments:
            self.properties.setdefault(SEGMENTS["results"], DenseArrayAttr(I32, (0,) * len(definition.results)))


def _is_stored(prop: Property, value: Attribute) -> bool:
    """Whether MLIR can keep the attribute as the property; what is not known may be anything."""
    is_stored = prop.constraint.is_stored
    return is_stored is None or is_stored(value) or isinstance(value, UnknownAttr)


def _place_of(source: AttributeSource) -> Ref | None:
    if isinstance(source, Node):
        return source.start
    return source.token if isinstance(source, (StringToken, SymbolToken)) else None


def _is_segments(definition: OpDefinition, name: str) -> bool:
    """Whether an attribute of this name holds the sizes of groups."""
    if name == SEGMENTS["operands"]:
        return definition.has_segments
    return name == SEGMENTS["results"] and definition.has_result_segments


def _dense_array(value: ArrayAttr, element: Type) -> Attribute:
    numbers: list[int] = []
    for number in value.elements:
        if isinstance(number, IntegerAttr) and not isinstance(element, FloatType):
            numbers.append(number.value)
        elif isinstance(number, FloatAttr) and isinstance(element, FloatType):
            numbers.append(from_float(number.value, element.name))
        else:
            return value
    return DenseArrayAttr(element, tuple(numbers))
