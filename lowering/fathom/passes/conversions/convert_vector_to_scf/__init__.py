"""`convert-vector-to-scf`: transfers of several dimensions, and prints of vectors, as loops over smaller ones.

    %0 = vector.transfer_read %m[%i, %j], %p : memref<?x?xf32>, vector<4x9xf32>
->
    %buffer = memref.alloca() : memref<vector<4x9xf32>>
    %rows = vector.type_cast %buffer : memref<vector<4x9xf32>> to memref<4xvector<9xf32>>
    scf.for %k = %c0 to %c4 step %c1 {
      … scf.if, where the row is outside of the bounds
      %1 = vector.transfer_read %m[%i + %k, %j], %p : memref<?x?xf32>, vector<9xf32>
      memref.store %1, %rows[%k] : memref<4xvector<9xf32>>
    }
    %0 = memref.load %buffer[] : memref<vector<4x9xf32>>

Source of the rules: *'vector' Dialect*; what is made, and in which order, is what mlir-opt 22 makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertVectorToSCFPass(Pass):
    """First, maps that permute dimensions become transpositions. What is small enough, and stands side by side in
    memory, is left for `convert-vector-to-llvm`."""

    name = "convert-vector-to-scf"
    summary = "turns transfers and prints of vectors into loops over smaller ones"
    by_function = True
    handles = ("vector.transfer_read", "vector.transfer_write", "vector.print")

    full_unroll: bool = option(False, "write each step out instead of a loop", BOOL)
    target_rank: int = option(1, "how many dimensions the vectors have that are left", UINT)
    lower_tensors: bool = option(False, "also convert transfers from and to tensors", BOOL)
    lower_scalable: bool = option(False, "also convert transposes of scalable vectors, with loops", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_vector_to_scf.lowerings import lowerings
        from fathom.passes.vectors.permutations import PERMUTATIONS
        from fathom.rewriting.greedy_driver import apply_patterns

        for patterns in (PERMUTATIONS, lowerings(self)):
            apply_patterns(op, patterns, context)
        return []
