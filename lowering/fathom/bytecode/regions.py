"""The operations of a file, with their regions and blocks.

Regions are followed by a stack. Source of the rules: *MLIR Bytecode Format*, "IR Section"; the reader of MLIR 22 for
the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.bytecode.dialects import OperationName
from fathom.bytecode.encoding import ByteReader, Malformed
from fathom.bytecode.entries import Entries
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.form import Part, Section, Version
from fathom.bytecode.properties import Layout
from fathom.bytecode.texts import unknown_dialect
from fathom.bytecode.use_lists import Order, apply_order, read_orders, uses_of
from fathom.context import Context
from fathom.ir.attributes import Attribute, DenseArrayAttr, DictAttr
from fathom.ir.locations import LocationAttr, UnknownLoc
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.property_values import properties_as
from fathom.ir.types import I32, NONE
from fathom.irdl.build import with_defaults
from fathom.irdl.definition import SEGMENTS, OpDefinition
from fathom.records import field, record
from fathom.slices import checkpoint

MOST_REGIONS: Final = 96
"""How many regions may be open at a time; what prints them follows them by calls."""


@record(frozen=False)
class _Scope:
    """The values that may be named, by their numbers: those of the regions that are open, up to one that is isolated
    from above. A number that is named before its value is read stands for a value of its own until then."""

    size: int = 0
    values: dict[int, Value] = field(default_factory=dict[int, Value])


@record(frozen=False)
class _OpenRegions:
    """The regions of an operation that are being read: those that are left, and the place in the one that is open."""

    source: ByteReader
    scope: _Scope
    regions: Iterator[Region]
    isolated: bool
    blocks: list[Block] = field(default_factory=list[Block])
    rest: Iterator[Block] | None = None
    block: Block | None = None
    operations: int = 0
    """How many are left in the block."""
    first: int = 0
    """The number of the first value of the region."""
    next: int = 0
    """The number of the next value that it defines."""
    values: int = 0
    """How many it says it defines. The top has none that could be named."""
    waiting: int = 0
    """How many of them were named and are still to be read."""


class RegionReader:
    """Reads operations. Nothing is made before the bytes are there that it takes."""

    def __init__(
        self,
        context: Context,
        version: int,
        names: Sequence[OperationName],
        entries: Entries,
        properties: Sequence[ByteReader],
    ) -> None:
        self._context = context
        self._version = version
        self._names = names
        self._entries = entries
        self._properties = properties
        self._layouts: dict[OpDefinition, Layout] = {}
        self._stack: list[_OpenRegions] = []
        self._waiting: dict[Value, list[tuple[Operation, int]]] = {}
        """The values that stand for those that were named and are not yet read, with their places among operands."""
        self._late: set[Value] = set()
        """The values that were named before they were read."""
        self._orders: dict[Value, Order] = {}

    def read(self, section: ByteReader) -> list[Operation]:
        """The operations at the top."""
        top = Block()
        state = _OpenRegions(section, _Scope(), iter(()), isolated=True, blocks=[top], block=top, rest=iter(()))
        self._stack = [state]
        self._block_header(state, top)
        while self._stack:
            self._read_on(self._stack[-1])
        self._order_uses(top)
        return list(top)

    def _read_on(self, state: _OpenRegions) -> None:
        """Reads up to the end of the regions, or up to an operation with regions of its own, which come first."""
        while True:
            if state.block is None and not self._next_block(state):
                self._stack.pop()
                return
            while state.operations:
                state.operations -= 1
                if self._operation(state):
                    return
            state.block = None

    def _next_block(self, state: _OpenRegions) -> bool:
        """Goes on to the next block, of the next region if there is none; False if there is none of these either."""
        block = next(state.rest, None) if state.rest is not None else None
        while block is None:
            self._close_region(state)
            region = next(state.regions, None)
            if region is None:
                return False
            block = self._open_region(state, region)
        state.block = block
        self._block_header(state, block)
        return True

    def _open_region(self, state: _OpenRegions, region: Region) -> Block | None:
        """The first block of a region; None of an empty one."""
        source = state.source
        count = source.varint()
        if not count:
            return None
        values = source.varint()
        if count > source.left:
            raise Malformed("attempting to parse a byte at the end of the bytecode")
        state.blocks = [Block() for _ in range(count)]
        for block in state.blocks:
            region.append(block)
        state.first = state.next = state.scope.size
        state.values = values
        state.scope.size += values
        state.rest = iter(state.blocks)
        return next(state.rest)

    @staticmethod
    def _close_region(state: _OpenRegions) -> None:
        """Gives up the values that the region defined."""
        if state.rest is None:
            return
        if state.waiting:
            raise Malformed("not all forward unresolved forward operand references")
        scope = state.scope
        for number in range(state.first, state.next):
            del scope.values[number]
        scope.size = state.first
        state.rest = None

    # ---- blocks

    def _block_header(self, state: _OpenRegions, block: Block) -> None:
        source = state.source
        state.operations, has_arguments = source.flagged()
        if not has_arguments:
            return
        for _ in range(source.varint()):
            location: Attribute = UnknownLoc()
            if self._version >= Version.UNKNOWN_LOCATIONS:
                index, has_location = source.flagged()
                type = self._entries.type(index)
                if has_location:
                    location = self._location(source)
            else:
                type = self._entries.type(source.varint())
                location = self._location(source)
            block.add_argument(type).location = location
        self._define(state, block.arguments)
        if self._version >= Version.USE_LISTS and source.byte():
            self._take_orders(source, block.arguments)

    def _location(self, source: ByteReader) -> LocationAttr:
        return self._entries.attribute_of(source.varint(), LocationAttr, "LocationAttr")

    # ---- operations

    def _operation(self, state: _OpenRegions) -> bool:
        """Reads an operation without its regions; whether it has any, which are then to be read."""
        checkpoint()
        source, entries = state.source, self._entries
        index = source.varint()
        if index >= len(self._names):
            raise Malformed(f"invalid operation name index: {index}")
        name = self._names[index]
        if name.dialect.is_refused and name.name:
            raise Malformed(unknown_dialect(name.dialect.name))
        parts = source.byte()
        location = self._location(source)
        definition = self._context.lookup(name.full_name)
        attributes: Mapping[str, Attribute] = {}
        properties: Mapping[str, Attribute] = {}
        if parts & Part.ATTRIBUTES:
            attributes = dict(entries.attribute_of(source.varint(), DictAttr, "DictionaryAttr").entries)
        if parts & Part.PROPERTIES:
            properties = self._read_properties(source.varint(), name, definition)
        types = source.list(lambda: entries.type(source.varint())) if parts & Part.RESULTS else []
        operands = source.list(lambda: self._operand(state)) if parts & Part.OPERANDS else []
        successors = source.list(lambda: self._successor(state)) if parts & Part.SUCCESSORS else []
        orders = read_orders(source, len(types)) if parts & Part.USE_LISTS and self._has_orders else {}
        regions, isolated = source.flagged() if parts & Part.REGIONS else (0, False)
        if regions > source.left:
            raise Malformed("attempting to parse a byte at the end of the bytecode")
        if definition is not None:
            properties, attributes = _divided(definition, properties, attributes)
        op = Operation(
            name.full_name,
            operands,
            types,
            properties,
            attributes,
            successors,
            [Region() for _ in range(regions)],
            definition=definition,
        )
        op.location = location
        if self._waiting:
            for number, operand in enumerate(operands):
                if operand in self._waiting:
                    self._waiting[operand].append((op, number))
        block = state.block
        assert block is not None, "an operation stands in a block"
        block.append(op)
        if op.results:
            if state.values:
                self._define(state, op.results)
            for number, order in orders.items():
                if number < len(op.results):
                    self._orders[op.results[number]] = order
        if op.regions:
            self._enter(state, op, isolated)
        return bool(op.regions)

    @property
    def _has_orders(self) -> bool:
        return self._version >= Version.USE_LISTS

    def _enter(self, state: _OpenRegions, op: Operation, isolated: bool) -> None:
        """Begins with the regions of an operation."""
        if len(self._stack) > MOST_REGIONS:
            raise Malformed(f"regions that nest deeper than {MOST_REGIONS} levels are not read")
        source = state.source
        if isolated and self._version >= Version.ISOLATED_REGIONS:
            kind, source = source.section()
            if kind is not Section.IR:
                raise Malformed("expected IR section for region")
        scope = _Scope() if isolated else state.scope
        self._stack.append(_OpenRegions(source, scope, iter(op.regions), isolated))

    def _read_properties(
        self, index: int, name: OperationName, definition: OpDefinition | None
    ) -> dict[str, Attribute]:
        if index >= len(self._properties):
            raise Malformed(f"Properties idx out-of-bound for {name.full_name}")
        body = self._properties[index]
        reader = EntryReader(self._entries, ByteReader(body.data, body.position, body.end))
        if definition is not None and name.was_registered:
            layout = self._layouts.get(definition)
            if layout is None:
                layout = self._layouts[definition] = Layout(definition)
            return layout.read(reader, self._version)
        if name.was_registered:
            raise Malformed(
                f"the properties of '{name.full_name}' can only be read by its definition, which is not known"
            )
        return properties_as(reader.attribute())

    def _successor(self, state: _OpenRegions) -> Block:
        index = state.source.varint()
        if index >= len(state.blocks):
            raise Malformed(f"invalid successor index: {index}")
        return state.blocks[index]

    # ---- values

    def _operand(self, state: _OpenRegions) -> Value:
        index, scope = state.source.varint(), state.scope
        value = scope.values.get(index)
        if value is None:
            if index >= scope.size:
                raise Malformed(f"invalid value index: {index}")
            value = scope.values[index] = Value(NONE)
            self._waiting[value] = []
            next(waiting for waiting in reversed(self._stack) if waiting.first <= index).waiting += 1
        return value

    def _define(self, state: _OpenRegions, values: Sequence[Value]) -> None:
        """Gives values the next numbers."""
        scope, first = state.scope, state.next
        state.next = last = first + len(values)
        if last > scope.size:
            raise Malformed(
                "value index range was outside of the expected range for the parent region, got "
                f"[{first}, {last}), but the maximum index was {scope.size - 1}"
            )
        for number, value in enumerate(values, first):
            stand_in = scope.values.get(number)
            scope.values[number] = value
            if stand_in is not None:
                for op, place in self._waiting.pop(stand_in):
                    op.set_operand(place, value)
                state.waiting -= 1
                self._late.add(value)

    # ---- uses

    def _take_orders(self, source: ByteReader, values: Sequence[Value]) -> None:
        orders = read_orders(source, len(values))
        for index, value in enumerate(values):
            if index in orders:
                self._orders[value] = orders[index]

    def _order_uses(self, top: Block) -> None:
        """Puts the uses of values in order, where they are not met in it."""
        concerned = {*self._late, *self._orders}
        if not concerned:
            return
        region = Region([top])
        uses = uses_of(concerned, region.walk())
        region.remove(top)
        for value, places in uses.items():
            apply_order(value, self._orders.get(value), places)


def _divided(
    definition: OpDefinition, properties: Mapping[str, Attribute], attributes: Mapping[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """The properties of an operation with those among its attributes, and what is left of these."""
    if not properties and not attributes and not definition.properties and not definition.has_segments:
        return {}, {}
    inherent, rest = dict(properties), dict(attributes)
    for name in attributes:
        prop = definition.property_map.get(name)
        known = _SEGMENTS.get(name)
        if known is not None and known not in inherent and _has_segments(definition, known):
            inherent[known] = rest.pop(name)
        elif prop is not None and not prop.native:
            inherent[name] = rest.pop(name)
    for which, groups in (("operands", definition.operands), ("results", definition.results)):
        if _has_segments(definition, SEGMENTS[which]):
            inherent.setdefault(SEGMENTS[which], DenseArrayAttr(I32, (0,) * len(groups)))
    return with_defaults(definition, inherent), rest


_SEGMENTS: Final = {
    "operandSegmentSizes": "operandSegmentSizes",
    "operand_segment_sizes": "operandSegmentSizes",
    "resultSegmentSizes": "resultSegmentSizes",
    "result_segment_sizes": "resultSegmentSizes",
}
"""The properties that hold how many values each group has, by what they are called as attributes."""


def _has_segments(definition: OpDefinition, name: str) -> bool:
    return definition.has_segments if name == SEGMENTS["operands"] else definition.has_result_segments
