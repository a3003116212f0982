"""What operations from elsewhere are in LLVM IR, that have a translation as they stand.

Source of the rules: *LLVM IR Target*, "Translation to LLVM IR", `convertOperation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Operation, Value
from fathom.rewriting.lowerings import LLVMTranslation
from fathom.rewriting.rewriter import Rewriter
from fathom.translation.function import FunctionEmitter, Untranslatable

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


class _Standing(Rewriter):
    """Makes operations in a block of their own, and notes what stands for the operation that is translated."""

    values: Sequence[Value] = ()

    def replace(self, op: Operation, values: Sequence[Value | Sequence[Value]]) -> None:
        self.values = [value for value in values if isinstance(value, Value)]

    def erase(self, op: Operation) -> None:
        self.values = ()


def emit_from_outside(
    how: LLVMTranslation,
    out: FunctionEmitter,
    op: Operation,
    context: Definitions,
    emit: Callable[[Operation], None],
) -> None:
    """Has operations of the LLVM dialect emitted in the place of one that says which these are."""
    block = Block()
    rewriter = _Standing(context)
    rewriter.stand_in(op)
    rewriter.set_insertion_to_end(block)
    try:
        how.make(op, rewriter)
        for inner in block:
            emit(inner)
        if len(rewriter.values) != len(op.results):
            raise Untranslatable(op, f"'{op.name}' op has {len(op.results)} results, and {len(rewriter.values)} values")
        for result, value in zip(op.results, rewriter.values, strict=True):
            out.values[result] = out.operand(value, op)
    finally:
        for inner in reversed(list(block)):
            inner.erase()
