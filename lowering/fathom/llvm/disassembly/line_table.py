"""The line table of an object file: which addresses come from which place.

Source of the rules: DWARF 5, section 6.2; pyelftools reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from elftools.common.utils import struct_parse
from elftools.dwarf.lineprogram import LineProgram
from elftools.dwarf.structs import DWARFStructs

from fathom.llvm.codegen.printed import Place


def line_rows(data: bytes, address_size: int, *, is_little: bool = True) -> Iterator[tuple[int, Place | None]]:
    """Addresses, each with the place that instructions come from which begin there or behind it. The content may be
    anything, and what is wrong with it raises anything."""
    stream = BytesIO(data)
    start = 0
    while start < len(data):
        structs = DWARFStructs(little_endian=is_little, dwarf_format=32, address_size=address_size)
        header = struct_parse(structs.Dwarf_lineprog_header, stream, start)
        end = start + header["unit_length"] + structs.initial_length_field_size()
        program = LineProgram(header, stream, structs, stream.tell(), min(end, len(data)))
        for entry in program.get_entries():
            state = entry.state
            if state is not None:
                has_line = state.line > 0 and not state.end_sequence
                yield state.address, (state.line, state.column) if has_line else None
        if end <= start:
            return
        start = end
