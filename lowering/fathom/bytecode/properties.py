"""The properties of operations: which of them stand in what order, and how each is written.

Attributes stand by name; behind them what is no attribute at heart, in the order of the definition, and then how many
values each group has. Source of the rules: the code that MLIR 22's `mlir-tblgen` makes of ODS; `mlir/IR/Properties.td`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter
from fathom.bytecode.form import Version
from fathom.bytecode.native_properties import native_kind
from fathom.cached import cached_property
from fathom.ir.attributes import Attribute, DenseArrayAttr, UnknownAttr
from fathom.ir.types import I32
from fathom.irdl.definition import SEGMENTS, OpDefinition, Property
from fathom.records import record

_LEGACY: Final = {"operandSegmentSizes": "operand_segment_sizes", "resultSegmentSizes": "result_segment_sizes"}
"""What the sizes of groups were called as attributes, by which they stand among the others before version 6."""
_MOST_INDEX_BITS: Final = 8


@record(slots=False)
class Layout:
    """The properties of an operation of a definition as a file has them."""

    definition: OpDefinition

    @cached_property
    def attributes(self) -> tuple[Property, ...]:
        """Those that are attributes, by name."""
        segments = SEGMENTS.values()
        kept = [prop for prop in self.definition.properties if not prop.native and prop.name not in segments]
        return tuple(sorted(kept, key=lambda prop: prop.name))

    @cached_property
    def native(self) -> tuple[Property, ...]:
        """Those that are no attributes at heart, in order."""
        return tuple(prop for prop in self.definition.properties if prop.native)

    @cached_property
    def segments(self) -> tuple[tuple[str, int], ...]:
        """The properties that hold how many values each group has, with the number of groups."""
        definition = self.definition
        groups = ((definition.has_segments, "operands"), (definition.has_result_segments, "results"))
        counts = {"operands": len(definition.operands), "results": len(definition.results)}
        return tuple((SEGMENTS[which], counts[which]) for has, which in groups if has)

    @property
    def is_empty(self) -> bool:
        return not (self.definition.properties or self.segments)

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of attributes that are always there; the others stand with a flag."""
        sizes = {operand.segments for operand in self.definition.operands}
        kept = [p.name for p in self.attributes if p.name in sizes or not (p.optional or p.default is not None)]
        return frozenset(kept)

    def is_required(self, name: str) -> bool:
        """Whether an attribute, or the sizes of groups, is always there, and has no flag."""
        return name in self.required or name in dict(self.segments)

    # ---- reading

    def read(self, reader: EntryReader, version: int) -> dict[str, Attribute]:
        """The properties that stand in the bytes."""
        properties: dict[str, Attribute] = {}
        for name in self.order(version):
            sizes = dict(self.segments).get(name)
            if sizes is not None:
                properties[name] = self._read_legacy_sizes(reader, sizes)
                continue
            value = reader.attribute() if name in self.required else reader.optional_attribute()
            if value is not None:
                properties[name] = self._stored(self.definition.property_map[name], value)
        for prop in self.native:
            value = native_kind(prop).read(reader)
            if value is not None:
                properties[prop.name] = value
        if version >= Version.SEGMENTS:
            for name, count in self.segments:
                properties[name] = DenseArrayAttr(I32, read_sparse(reader, count))
        return properties

    def order(self, version: int) -> Sequence[str]:
        """The names of what stands as attributes, in order."""
        names = [attribute.name for attribute in self.attributes]
        if version < Version.SEGMENTS:
            names = sorted([*names, *(name for name, _ in self.segments)], key=lambda name: _LEGACY.get(name, name))
        return names

    def _stored(self, prop: Property, value: Attribute) -> Attribute:
        is_stored = prop.constraint.is_stored
        if is_stored is not None and not is_stored(value) and not isinstance(value, UnknownAttr):
            name, summary = self.definition.name, prop.constraint.summary
            raise Malformed(f"expected {summary} for the property '{prop.name}' of '{name}', but got: {value}")
        return value

    @staticmethod
    def _read_legacy_sizes(reader: EntryReader, count: int) -> Attribute:
        stored = reader.attribute_of(DenseArrayAttr, "mlir::detail::DenseArrayAttrImpl<int>")
        if stored.element != I32 or len(stored.values) > count:
            raise Malformed("size mismatch for operand/result_segment_size")
        return DenseArrayAttr(I32, (*stored.values, *(0,) * (count - len(stored.values))))

    # ---- writing

    def write(self, properties: Mapping[str, Attribute], writer: EntryWriter) -> None:
        """Writes the properties of an operation. One that has to be there and is not raises Malformed."""
        for name in self.order(writer.version):
            value = properties.get(name)
            if not self.is_required(name):
                writer.optional_attribute(value)
            elif value is None:
                raise Malformed(f"'{self.definition.name}' op requires attribute '{name}'")
            else:
                writer.attribute(value)
        for prop in self.native:
            native_kind(prop).write(properties.get(prop.name, prop.default), writer)
        if writer.version >= Version.SEGMENTS:
            for name, count in self.segments:
                value = properties.get(name)
                sizes = value.values if isinstance(value, DenseArrayAttr) else (0,) * count
                write_sparse(sizes, writer)


def read_sparse(reader: EntryReader, size: int) -> tuple[int, ...]:
    """So many numbers, of which those that are not 0 stand in the bytes, each with its index; or all of them."""
    source = reader.bytes
    count, is_sparse = source.flagged()
    numbers = [0] * size
    if not is_sparse:
        if count > size:
            raise Malformed(f"trying to read an array of {count} but only {size} storage available.")
        numbers[:count] = [_int32(source.varint()) for _ in range(count)]
        return tuple(numbers)
    if not count:
        return tuple(numbers)
    bits = source.varint()
    if bits > _MOST_INDEX_BITS:
        raise Malformed(f"reading sparse array with indexing above 8 bits: {bits}")
    for _ in range(count):
        pair = source.varint()
        index = pair & ((1 << bits) - 1)
        if index >= size:
            raise Malformed(f"reading a sparse array found index {index} but only {size} storage available.")
        numbers[index] = _int32(pair >> bits)
    return tuple(numbers)


def write_sparse(numbers: Sequence[int], writer: EntryWriter) -> None:
    """The same for numbers that are to be written."""
    there = [index for index, number in enumerate(numbers) if number]
    last = there[-1] if there else 0
    if last > 1 << _MOST_INDEX_BITS or len(there) > len(numbers) // 2:
        writer.flagged(len(numbers), False)
        for number in numbers:
            writer.varint(number & _WORD)
        return
    writer.flagged(len(there), True)
    if there:
        bits = last.bit_length()
        writer.varint(bits)
        for index in there:
            writer.varint((numbers[index] << bits | index) & _WORD)


_WORD: Final = (1 << 64) - 1


def _int32(number: int) -> int:
    """What 32 bits keep of a number."""
    number &= (1 << 32) - 1
    return number - (1 << 32) if number >> 31 else number
