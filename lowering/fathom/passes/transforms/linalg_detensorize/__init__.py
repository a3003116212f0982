"""`linalg-detensorize`: tensors of one element become that element.

    %0 = linalg.generic … ins(%a, %b : tensor<f32>, tensor<f32>) outs(%c : tensor<f32>) {… arith.addf …}
->
    %x = tensor.extract %a[] : tensor<f32>
    %y = tensor.extract %b[] : tensor<f32>
    %1 = arith.addf %x, %y : f32
    %0 = tensor.from_elements %1 : tensor<f32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import FUNCTION, Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgDetensorizePass(Pass):
    """Those without dimensions: what `linalg.generic` computes of them where branches depend on it, and the arguments
    of blocks. What functions take and give stays."""

    name = "linalg-detensorize"
    summary = "computes with elements instead of tensors of one element"
    anchor = FUNCTION

    aggressive_mode: bool = option(False, "also where no branch depends on it", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.linalg_detensorize.conversion import detensorize

        return detensorize(op, context, everything=self.aggressive_mode)
