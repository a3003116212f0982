"""What the index of the workspace knows of a `.ll` file: its functions and globals. No file in MLIR names them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fathom.slices import paced
from fathom_server.features.index_entry import LONGEST_NAME, MOST_SYMBOLS, IndexedSymbol, IndexEntry
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.llvm_ir.units import UnitKind


def index_entry(tree: LlvmText) -> IndexEntry:
    """What the index is to know of a text."""
    return IndexEntry(tuple(islice(_symbols(tree), MOST_SYMBOLS)), frozenset())


def _symbols(tree: LlvmText) -> Iterator[IndexedSymbol]:
    line = 0
    for unit in paced(tree.units):
        span = unit.name_span if unit.is_function or unit.kind is UnitKind.GLOBAL else None
        if span is not None and len(unit.key) <= LONGEST_NAME:
            number = unit.line_number(span[0])
            first, last = (place - unit.line_starts[number] for place in span)
            before = unit.line(number)[:last]
            yield IndexedSymbol(
                unit.key[1:],
                "",
                "FUNCTION" if unit.is_function else "DATA",
                "",
                line + number,
                first,
                last,
                "" if before.isascii() else before,
                False,
                unit.kind is UnitKind.DECLARATION,
            )
        line += unit.line_count
