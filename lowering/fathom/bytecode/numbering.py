"""The numbers of what a file is made of: dialects, names, attributes, types, values, blocks and resources.

What is used most has the smallest numbers, and what is of one dialect stands together. Source of the rules: what
mlir-opt 22 writes; `mlir/lib/Bytecode/Writer/IRNumbering.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from fathom.bytecode.encodings import write_attribute, write_type
from fathom.bytecode.entry_writer import Parts
from fathom.bytecode.form import Version
from fathom.bytecode.properties import Layout
from fathom.bytecode.use_lists import Use, is_out_of_order, uses_of
from fathom.cached import cached_property
from fathom.ir.attributes import (
    Attribute,
    Blob,
    DenseResourceAttr,
    DictAttr,
    dict_attr,
)
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.operation_printer import Locator
from fathom.ir.property_values import properties_of
from fathom.ir.types import Type
from fathom.irdl.definition import OpDefinition
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import field, record
from fathom.slices import checkpoint

V = TypeVar("V", Attribute, Type, str)


@record(frozen=False)
class Numbered(Generic[V]):
    """Something that has a number, or will have: how often it is used, and the number of its dialect."""

    value: V
    dialect: str
    uses: int = 1
    number: int = 0


@record(frozen=False, slots=False)
class Numbering:
    """What an operation is made of, with numbers. `locate` gives the locations."""

    version: int
    locate: Locator
    dialects: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[str, Numbered[str]] = field(default_factory=dict[str, "Numbered[str]"])
    attributes: dict[Attribute, Numbered[Attribute]] = field(default_factory=dict[Attribute, "Numbered[Attribute]"])
    types: dict[Type, Numbered[Type]] = field(default_factory=dict[Type, "Numbered[Type]"])
    resources: dict[str, Blob | None] = field(default_factory=dict[str, "Blob | None"])
    values: dict[Value, int] = field(default_factory=dict[Value, int])
    blocks: dict[Block, int] = field(default_factory=dict[Block, int])
    value_counts: dict[Region, int] = field(default_factory=dict[Region, int])
    isolated: dict[Operation, bool] = field(default_factory=dict[Operation, bool])
    uses: dict[Value, list[Use]] = field(default_factory=dict[Value, "list[Use]"])
    """The uses of the values whose order of uses is not that of the text."""
    _layouts: dict[OpDefinition, Layout] = field(default_factory=dict[OpDefinition, Layout])
    _next: int = 0

    # ---- numbers that were given

    def attribute(self, value: Attribute) -> int:
        return self.attributes[value].number

    def type(self, value: Type) -> int:
        return self.types[value].number

    def resource(self, value: DenseResourceAttr) -> int:
        return self._resource_numbers[value.key]

    @cached_property
    def ordered_resources(self) -> dict[str, Blob | None]:
        """The resources by key: those with data, and then those that are only declared."""
        return dict(sorted(self.resources.items(), key=lambda entry: entry[1] is None))

    @cached_property
    def _resource_numbers(self) -> dict[str, int]:
        return {key: number for number, key in enumerate(self.ordered_resources)}

    def layout(self, definition: OpDefinition) -> Layout:
        """How the properties of a definition are written."""
        layout = self._layouts.get(definition)
        if layout is None:
            layout = self._layouts[definition] = Layout(definition)
        return layout

    # ---- giving them

    def run(self, root: Operation) -> None:
        """Numbers an operation and all that is nested in it."""
        self._isolation(root)
        self._operation(root)
        pending = [(region, 0) for region in root.regions]
        while pending:
            region, self._next = pending.pop()
            self._region(region)
            after = self._next
            for op in region.operations():
                pending += [(inner, 0 if self.isolated[op] else after) for inner in op.regions]
        _order(self.attributes, self.dialects)
        _order(self.names, self.dialects)
        _order(self.types, self.dialects)

    def _isolation(self, root: Operation) -> None:
        """Finds out which operations use no value from around them, and which values are used out of order."""
        numbers = {op: number for number, op in enumerate(root.walk())}
        values: set[Value] = set()
        for op in numbers:
            checkpoint()
            if op.regions:
                self.isolated.setdefault(op, True)
            results: list[Value] = [*op.results]
            results += [argument for region in op.regions for block in region.blocks for argument in block.arguments]
            values.update(value for value in results if is_out_of_order(value, numbers))
            for operand in op.operands:
                self._reach(op, operand)
        if values:
            self.uses = uses_of(values, numbers)

    def _reach(self, op: Operation, operand: Value) -> None:
        """The operations between one and the value that it uses are not isolated from what is around them."""
        block = operand.parent_block
        around = op.parent_op
        target = block.parent.parent if block is not None and block.parent is not None else None
        while around is not None and around is not target and not around.has(ISOLATED_FROM_ABOVE):
            self.isolated[around] = False
            around = around.parent_op

    def _region(self, region: Region) -> None:
        first = self._next
        for number, block in enumerate(region.blocks):
            self.blocks[block] = number
            for argument in block.arguments:
                self._value(argument)
                self._attribute(self.locate(argument))
                self._type(argument.type)
            for op in block:
                self._operation(op)
        self.value_counts[region] = self._next - first

    def _value(self, value: Value) -> None:
        self.values[value] = self._next
        self._next += 1

    def _operation(self, op: Operation) -> None:
        checkpoint()
        name = self.names.get(op.name)
        if name is None:
            dialect = op.name.partition(".")[0]
            self._dialect(dialect)
            self.names[op.name] = Numbered(op.name, dialect)
        else:
            name.uses += 1
        for result in op.results:
            self._value(result)
            self._type(result.type)
        if (attributes := self.attributes_of(op)).entries:
            self._attribute(attributes)
        if self.version >= Version.PROPERTIES:
            if op.definition is not None:
                self.layout(op.definition).write(op.properties, self._parts)
            elif op.properties:
                self._attribute(properties_of(op))
        self._attribute(self.locate(op))

    def attributes_of(self, op: Operation) -> DictAttr:
        """The attributes that stand with an operation: before version 5, those of its properties that are attributes at
        heart as well."""
        if self.version >= Version.PROPERTIES:
            return dict_attr(op.attributes)
        native: set[str] = set()
        if op.definition is not None:
            native = {prop.name for prop in op.definition.properties if prop.native}
        kept = op.properties if op.definition is not None else {}
        return dict_attr({**{k: v for k, v in kept.items() if k not in native}, **op.attributes})

    @property
    def _parts(self) -> Parts:
        return Parts(self.version, self._attribute, self._type, self._resource)

    def _dialect(self, name: str) -> None:
        self.dialects.setdefault(name, len(self.dialects))

    def _attribute(self, value: Attribute) -> None:
        self._met(self.attributes, value, dialect_of(value), lambda: write_attribute(value, self._parts))

    def _type(self, value: Type) -> None:
        self._met(self.types, value, dialect_of(value), lambda: write_type(value, self._parts))

    def _met(self, table: dict[V, Numbered[V]], value: V, dialect: str, go_on: Callable[[], bool]) -> None:
        known = table.get(value)
        if known is not None:
            known.uses += 1
            return
        table[value] = Numbered(value, dialect)
        self._dialect(dialect)
        go_on()

    def _resource(self, value: DenseResourceAttr) -> None:
        self.resources.setdefault(value.key, value.blob)


_BITS: Final = 7


def _order(table: dict[V, Numbered[V]], dialects: dict[str, int]) -> None:
    """Numbers entries by how often they are used; those whose numbers take as many bytes are grouped by dialect."""
    rest = sorted(table.values(), key=lambda entry: -entry.uses)
    ordered: list[Numbered[V]] = []
    first, size = 0, 0
    for count in range(1, 9):
        size = (1 << _BITS * count) - size
        group, rest = rest[:size], rest[size:]
        group.sort(key=lambda entry: (dialects[entry.dialect] != first, dialects[entry.dialect]))
        ordered += group
        if not rest:
            break
        first = dialects[group[-1].dialect]
    for number, entry in enumerate(ordered):
        entry.number = number
    table.clear()
    table.update((entry.value, entry) for entry in ordered)


def dialect_of(value: Attribute | Type) -> str:
    """The dialect that an attribute or a type belongs to."""
    return value.full_name.partition(".")[0] or "builtin"
