"""IR to bytecode: `write_bytecode` gives the bytes of a file.

Source of the rules: *MLIR Bytecode Format*; what mlir-opt 22 writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeVar

from fathom import __version__
from fathom.bytecode.encoding import ByteWriter, Malformed
from fathom.bytecode.encodings import write_attribute, write_type
from fathom.bytecode.entry_writer import Emitter
from fathom.bytecode.form import NEWEST, Part, Section, Version
from fathom.bytecode.numbering import Numbered, Numbering
from fathom.bytecode.resources import ResourceWriter
from fathom.bytecode.sections import Header, Strings, write_header
from fathom.bytecode.texts import spelt
from fathom.bytecode.use_lists import write_orders
from fathom.diagnostics import PARSE, Diagnostic
from fathom.ir.attributes import Attribute
from fathom.ir.custom_text import CUSTOM_TEXT
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.operation_printer import Locator
from fathom.ir.property_values import properties_of
from fathom.ir.types import Type
from fathom.slices import checkpoint

V = TypeVar("V", Attribute, Type, str)

PRODUCER: Final = f"Fathom{__version__}"


def write_bytecode(
    module: Operation,
    locate: Locator,
    external: Mapping[str, Mapping[str, str]],
    *,
    version: int = NEWEST,
    elide: bool = False,
) -> bytes | Diagnostic:
    """The file that a module is in a version of the format, or what stands in the way. With `elide`, resources are
    named and their data are left out. TextTooLong where what stands as text is longer than a text can be."""
    if not 0 <= version <= NEWEST:
        problem = f"unsupported version requested {version}, must be in range [0, {NEWEST:d}]"
        return Diagnostic(problem, module.span, code=PARSE, op=module)
    for op in module.walk():
        if op.definition is None and CUSTOM_TEXT in op.properties:
            problem = f"'{op.name}' is known by its text only, which bytecode cannot hold"
            return Diagnostic(problem, op.span, code=PARSE, op=op)
    try:
        return _Writer(module, locate, version).file(external, elide=elide)
    except Malformed as mistake:
        return Diagnostic(str(mistake), module.span, code=PARSE)


class _Writer:
    """Writes one module, once."""

    def __init__(self, module: Operation, locate: Locator, version: int) -> None:
        self._module = module
        self._version = version
        self._locate = locate
        self._strings = Strings()
        self._properties: dict[bytes, int] = {}
        self._numbers = Numbering(version, locate)
        self._numbers.run(module)

    def file(self, external: Mapping[str, Mapping[str, str]], *, elide: bool) -> bytes:
        out = ByteWriter()
        write_header(out, Header(self._version, PRODUCER))
        out.section(Section.DIALECT, self._names())
        offsets, entries = self._entries()
        out.section(Section.ATTR_TYPE_OFFSET, offsets)
        out.section(Section.ATTR_TYPE, entries)
        operations = ByteWriter()
        operations.flagged(1, False)
        self._operation(self._module, operations)
        out.section(Section.IR, operations)
        resources = ResourceWriter(self._strings, elide=elide)
        resources.external(external)
        resources.dialect(self._numbers.dialects.get("builtin", 0), self._numbers.ordered_resources)
        out.section(Section.RESOURCE_OFFSET, resources.offsets)
        out.section(Section.RESOURCE, resources.bodies)
        out.section(Section.STRING, self._strings.body())
        if self._version >= Version.PROPERTIES:
            properties = ByteWriter()
            properties.varint(len(self._properties))
            properties.data += b"".join(self._properties)
            out.section(Section.PROPERTIES, properties)
        return bytes(out.data)

    def _names(self) -> ByteWriter:
        """The dialects, and the names of operations."""
        out = ByteWriter()
        out.varint(len(self._numbers.dialects))
        for dialect in self._numbers.dialects:
            number = self._strings.number(dialect)
            out.varint(number << 1 if self._version >= Version.DIALECT_VERSIONS else number)
        if self._version >= Version.UNKNOWN_LOCATIONS:
            out.varint(len(self._numbers.names))
        registered = {op.name for op in self._module.walk() if op.definition is not None}

        def write(name: str) -> None:
            number = self._strings.number(name.partition(".")[2])
            if self._version >= Version.PROPERTIES:
                out.flagged(number, name in registered)
            else:
                out.varint(number)

        self._grouped(self._numbers.names.values(), out, write)
        return out

    def _grouped(self, entries: Iterable[Numbered[V]], out: ByteWriter, write: Callable[[V], None]) -> None:
        """Entries that stand together and are of one dialect."""
        for dialect, group in groupby(entries, key=lambda entry: entry.dialect):
            members = list(group)
            out.varint(self._numbers.dialects[dialect])
            out.varint(len(members))
            for entry in members:
                write(entry.value)

    def _entries(self) -> tuple[ByteWriter, ByteWriter]:
        """The table of attributes and types: the size of each, and then all of them."""
        numbers, offsets, bodies = self._numbers, ByteWriter(), ByteWriter()
        offsets.varint(len(numbers.attributes))
        offsets.varint(len(numbers.types))
        emitter = Emitter(self._version, bodies, numbers, self._strings)

        def write(value: Attribute | Type) -> None:
            checkpoint()
            start = len(bodies.data)
            is_type = isinstance(value, Type)
            is_native = write_type(value, emitter) if is_type else write_attribute(value, emitter)
            if not is_native:
                bodies.text(spelt(value))
            offsets.flagged(len(bodies.data) - start, is_native)

        self._grouped(numbers.attributes.values(), offsets, write)
        self._grouped(numbers.types.values(), offsets, write)
        return offsets, bodies

    # ---- operations

    def _operation(self, op: Operation, out: ByteWriter) -> None:
        checkpoint()
        numbers = self._numbers
        out.varint(numbers.names[op.name].number)
        mask, parts = len(out.data), Part(0)
        out.byte(0)
        out.varint(numbers.attribute(self._locate(op)))
        if (attributes := numbers.attributes_of(op)).entries:
            parts |= Part.ATTRIBUTES
            out.varint(numbers.attribute(attributes))
        if (properties := self._properties_of(op)) is not None:
            parts |= Part.PROPERTIES
            out.varint(properties)
        groups: tuple[tuple[Part, Sequence[int]], ...] = (
            (Part.RESULTS, [numbers.type(result.type) for result in op.results]),
            (Part.OPERANDS, [numbers.values[operand] for operand in op.operands]),
            (Part.SUCCESSORS, [numbers.blocks[block] for block in op.successors]),
        )
        for part, group in groups:
            if group:
                parts |= part
                out.varint(len(group))
                for number in group:
                    out.varint(number)
        if self._version >= Version.USE_LISTS and write_orders(op.results, numbers.uses, out):
            parts |= Part.USE_LISTS
        if op.regions:
            parts |= Part.REGIONS
        out.data[mask] = parts
        if op.regions:
            self._regions(op, out)

    def _properties_of(self, op: Operation) -> int | None:
        """The number of the properties of an operation; None where it has none."""
        if self._version < Version.PROPERTIES:
            return None
        body = ByteWriter()
        if op.definition is not None:
            layout = self._numbers.layout(op.definition)
            if layout.is_empty:
                return None
            layout.write(op.properties, Emitter(self._version, body, self._numbers, self._strings))
        elif op.properties:
            body.varint(self._numbers.attribute(properties_of(op)))
        else:
            return None
        sized = ByteWriter()
        sized.varint(len(body.data))
        return self._properties.setdefault(bytes(sized.data + body.data), len(self._properties))

    def _regions(self, op: Operation, out: ByteWriter) -> None:
        isolated = self._numbers.isolated[op]
        out.flagged(len(op.regions), isolated)
        is_section = isolated and self._version >= Version.ISOLATED_REGIONS
        inner = ByteWriter() if is_section else out
        for region in op.regions:
            self._region(region, inner)
        if is_section:
            out.section(Section.IR, inner)

    def _region(self, region: Region, out: ByteWriter) -> None:
        blocks = list(region.blocks)
        out.varint(len(blocks))
        if blocks:
            out.varint(self._numbers.value_counts[region])
        for block in blocks:
            self._block(block, out)

    def _block(self, block: Block, out: ByteWriter) -> None:
        out.flagged(len(block), bool(block.arguments))
        if block.arguments:
            out.varint(len(block.arguments))
            for argument in block.arguments:
                type, location = self._numbers.type(argument.type), self._locate(argument)
                is_known = not isinstance(location, UnknownLoc)
                if self._version >= Version.UNKNOWN_LOCATIONS:
                    out.flagged(type, is_known)
                else:
                    out.varint(type)
                if is_known or self._version < Version.UNKNOWN_LOCATIONS:
                    out.varint(self._numbers.attribute(location))
            if self._version >= Version.USE_LISTS:
                mask = len(out.data)
                out.byte(0)
                if write_orders(block.arguments, self._numbers.uses, out):
                    out.data[mask] = Part.USE_LISTS
        for op in block:
            self._operation(op, out)
