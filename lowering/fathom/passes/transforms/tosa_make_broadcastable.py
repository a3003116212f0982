"""`tosa-make-broadcastable`: what is left to do where operands have equal ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class TosaMakeBroadcastablePass(Pass):
    """In MLIR it reshapes operands to the rank of the others. MLIR 22 refuses operations with operands of different
    ranks before any pass runs, so there are none. Constants are folded, and what nobody uses goes, as always where
    patterns are applied until nothing changes."""

    name = "tosa-make-broadcastable"
    summary = "cleans up before tosa's element-wise operations are lowered"
    anchor = "func.func"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return any(name.startswith("tosa.") for name in held)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, (), context)
        return []
