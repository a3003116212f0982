"""Keeps one constant of each value and type, at the entry of the region that all its users share.

    func.func @f() {                                  func.func @f() {
      %a = "use"() ({                                   %0 = arith.constant 1 : i32
        %0 = arith.constant 1 : i32                     …
      …                                           ->
      %1 = arith.constant 1 : i32

Source of the rules: *Operation Canonicalization*, "Canonicalizing with the `fold` method"; the places are those of
mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.folding import TAKES_CONSTANTS
from fathom.irdl.traits import ISOLATED_FROM_ABOVE

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.listening_rewriter import ListeningRewriter

Key = tuple[str, "Attribute", "Type"]


class ConstantPool:
    """The constants that were met. It holds for one walk over a region."""

    def __init__(self, rewriter: ListeningRewriter) -> None:
        self._rewriter = rewriter
        self._constants: dict[Region, dict[Key, Operation]] = {}
        self._owned: set[Operation] = set()

    def insert_known(self, op: Operation, value: Attribute) -> bool:
        """Takes up the constant `op`, which stands for `value`; False where it was replaced by one known before."""
        block = op.parent
        if block is None or op in self._owned:
            return True
        region = insertion_region(block, self._rewriter.context)
        if region is None or region.first is None:
            return True
        known = self._constants.setdefault(region, {})
        key = (op.dialect, value, op.results[0].type)
        operation = known.get(key)
        if operation is not None:
            self._rewriter.replace(op, [operation.results[0]])
            operation.location = UnknownLoc()
            return False
        entry = region.first
        if block is not entry:
            self._to_front(op, entry)
            op.location = UnknownLoc()
        elif entry.first is not op and op.previous not in self._owned:
            self._to_front(op, entry)
        known[key] = op
        self._owned.add(op)
        return True

    @staticmethod
    def _to_front(op: Operation, block: Block) -> None:
        op.unlink()
        block.insert_before(op, block.first)


def insertion_region(block: Block, context: Definitions) -> Region | None:
    """The region at whose entry constants for `block` stand: the nearest that nothing outside is seen from, or that its
    dialect wants them in."""
    region = block.parent
    while region is not None:
        parent = region.parent
        if parent is None or parent.parent is None:
            return region
        if parent.definition is None or parent.has(ISOLATED_FROM_ABOVE):
            return region
        takes = context.aspect(TAKES_CONSTANTS, parent.dialect)
        if takes is not None and takes(region):
            return region
        region = parent.parent.parent
    return None
