"""Bytecode to IR: `read_bytecode` takes a whole file.

Source of the rules: *MLIR Bytecode Format*; the reader of MLIR 22 for the order and the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable

from fathom.bytecode.dialects import read_names
from fathom.bytecode.encoding import ByteReader, Malformed
from fathom.bytecode.entries import Entries
from fathom.bytecode.form import MAGIC, Section
from fathom.bytecode.regions import RegionReader
from fathom.bytecode.resources import Resources
from fathom.bytecode.sections import read_header, read_sections, read_strings
from fathom.bytecode.texts import TextReader
from fathom.context import Context
from fathom.diagnostics import PARSE, Diagnostic
from fathom.ir.metadata import Metadata
from fathom.ir.operation import Operation
from fathom.records import field, record


@record
class Bytecode:
    """What a file holds: the operations at its top and its resources, or what is wrong with it."""

    operations: list[Operation] = field(default_factory=list[Operation])
    metadata: Metadata = field(default_factory=Metadata)
    problem: Diagnostic | None = None


def is_bytecode(data: bytes) -> bool:
    """Whether a file says that it is one."""
    return data.startswith(MAGIC)


def read_bytecode(data: bytes, context: Context, refuses: Callable[[str], bool]) -> Bytecode:
    """What the bytes of a file stand for. `refuses` tells of which dialects nothing may be met.

    The IR is not verified.
    """
    file = ByteReader(data)
    try:
        return _read(file, read_header(file).version, context, refuses)
    except Malformed as mistake:
        return Bytecode(problem=Diagnostic(str(mistake), code=PARSE))


def origin(data: bytes) -> str | None:
    """What messages about a file say of where it comes from; None where it does not tell."""
    try:
        header = read_header(ByteReader(data))
    except Malformed:
        return None
    return f"in bytecode version {header.version} produced by: {header.producer}"


def _read(file: ByteReader, version: int, context: Context, refuses: Callable[[str], bool]) -> Bytecode:
    sections = read_sections(file, version)
    strings = read_strings(sections[Section.STRING])
    properties = _properties(sections[Section.PROPERTIES]) if Section.PROPERTIES in sections else []
    names = read_names(sections[Section.DIALECT], strings, version, refuses)
    resources = Resources()
    offsets, bodies = sections.get(Section.RESOURCE_OFFSET), sections.get(Section.RESOURCE)
    if offsets is not None and bodies is not None:
        resources.read(names.dialects, strings, offsets, bodies)
    elif offsets is not None:
        raise Malformed("unexpected resource offset section when resource section is not present")
    elif bodies is not None:
        raise Malformed("expected resource offset section when resource section is present")
    entries = Entries(strings, resources.attribute, TextReader(context, resources.metadata, refuses))
    entries.fill(names.dialects, sections[Section.ATTR_TYPE_OFFSET], sections[Section.ATTR_TYPE])
    operations = RegionReader(context, version, names.operations, entries, properties).read(sections[Section.IR])
    return Bytecode(operations, resources.metadata)


def _properties(section: ByteReader) -> list[ByteReader]:
    """The properties of operations, by their numbers."""
    if not section.left:
        return []
    parts = section.list(lambda: section.part(section.varint()))
    if section.left:
        raise Malformed("Broken properties section: didn't exhaust the offsets table")
    return parts
