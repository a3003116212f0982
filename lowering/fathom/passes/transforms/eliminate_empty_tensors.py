"""`eliminate-empty-tensors`: what is computed only to be put into another tensor is computed there.

%0 = tensor.empty() : tensor<4xf32>                      %0 = tensor.extract_slice %t[0] [4] [1]
%1 = linalg.fill … outs(%0)                      ->      %1 = linalg.fill … outs(%0)
%2 = tensor.insert_slice %1 into %t[0] [4] [1]           %2 = tensor.insert_slice %1 into %t[0] [4] [1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class EmptyTensorElimination(Pass):
    """Bufferization then needs neither a buffer nor a copy for it. The pass looks where `one-shot-bufferize` would put
    in no copy of what is put in."""

    name = "eliminate-empty-tensors"
    summary = "computes parts of tensors where they are to be"
    handles = ("tensor.empty",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.empty_tensors import eliminate_empty_tensors
        from fathom.bufferization.options import refusals_of

        return refusals_of(lambda: eliminate_empty_tensors(op, context))
