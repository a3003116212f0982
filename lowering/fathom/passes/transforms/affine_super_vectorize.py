"""`affine-super-vectorize`: affine loops work on vectors.

affine.for %i = 0 to 64 {                       affine.for %i = 0 to 64 step 8 {
  %x = affine.load %m[%i] : memref<64xf32>  ->    %p = ub.poison : f32
  …                                               %x = vector.transfer_read %m[%i], %p : …, vector<8xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, LONG, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation


@record
class AffineVectorize(Pass):
    """Of loops whose iterations may run in any order, as many in one another as the vectors have dimensions. Reads and
    writes of memory become transfers."""

    name = "affine-super-vectorize"
    summary = "has affine loops work on vectors"
    anchor = "func.func"

    test_fastest_varying: tuple[int, ...] = option(
        (), "along which dimensions of memrefs the loops move, from the last; any, if not said", list_of(LONG)
    )
    vectorize_reductions: bool = option(False, "also loops that reduce what they carry", BOOL)
    virtual_vector_size: tuple[int, ...] = option((), "how long vectors are in each dimension", list_of(LONG))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.super_vectorize import super_vectorize

        problem = self._problem()
        if problem is not None:
            return [Diagnostic(problem, op.span, code=PIPELINE, op=op)]
        sizes, fastest = self.virtual_vector_size, self.test_fastest_varying
        reduces = self.vectorize_reductions
        return within_limits(op, lambda: super_vectorize(op, context, sizes, fastest, reduces=reduces))

    def _problem(self) -> str | None:
        sizes, fastest = self.virtual_vector_size, self.test_fastest_varying
        if fastest and len(fastest) != len(sizes):
            return "Fastest varying pattern specified with different size than the vector size."
        if self.vectorize_reductions and len(sizes) != 1:
            return "Vectorizing reductions is supported only for 1-D vectors."
        if any(size <= 0 for size in sizes):
            return "Vectorization factor must be greater than zero."
        return None
