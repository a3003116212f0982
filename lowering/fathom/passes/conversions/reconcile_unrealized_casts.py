"""`reconcile-unrealized-casts`: removes the casts that undo each other, which passes leave between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record
from fathom.rewriting.type_converter import CAST, is_cast

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ReconcileUnrealizedCastsPass(Pass):
    """Never fails; a cast that stays is for what comes after to report."""

    name = "reconcile-unrealized-casts"
    summary = "takes away unrealized casts that cancel out"
    by_function = True
    handles = (CAST,)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.casts import reconcile

        reconcile([operation for operation in op.walk() if is_cast(operation)])
        return []
