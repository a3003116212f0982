"""Of which symbols a unit needs the definition: another name of a symbol, or the address of a block in a function, is
nothing beside a declaration."""

from __future__ import annotations

from fathom.ir.symbol_references import references_of_operation
from fathom.ops import llvm as ops
from fathom.slices import paced
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom_server.model.elaboration import elaborated, operation_of, referenced
from fathom_server.model.linkage import is_other_name
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, Unit, item_of, symbols_of


def names_of(snapshot: Snapshot, unit: Unit) -> frozenset[str]:
    """The names in its scope that a unit refers to."""
    if not isinstance(unit, Symbol):
        return referenced(snapshot, unit)
    op = operation_of(elaborated(snapshot, unit.item), unit)
    walked = op.walk() if op is not None else ()
    return frozenset(reference.root for inner in paced(walked) for reference in references_of_operation(inner))


def needed_whole(snapshot: Snapshot, unit: Unit) -> frozenset[str]:
    """Those of them of which a declaration does not do."""
    if any(map(is_other_name, (unit,) if isinstance(unit, Symbol) else symbols_of(unit))):
        return names_of(snapshot, unit)
    item = item_of(unit)
    if not any(item.pieces.known(_addresses_blocks)):
        return frozenset()
    walked = (inner for op in elaborated(snapshot, item).operations for inner in paced(op.walk()))
    addresses = (inner for inner in walked if isinstance(inner, ops.BlockaddressOp))
    return frozenset(reference.root for inner in addresses for reference in references_of_operation(inner))


def _addresses_blocks(chunk: Chunk[Piece]) -> bool:
    """Whether some statement has the address of a block, by its words alone."""
    return any("llvm.blockaddress" in line for piece in chunk.elements for line in piece.lines)
