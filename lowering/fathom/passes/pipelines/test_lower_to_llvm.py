"""`test-lower-to-llvm`: how tests of MLIR bring what they made to the LLVM dialect, to run it."""

from __future__ import annotations

from fathom.passes.definition import PassPipeline
from fathom.passes.options import BOOL, option
from fathom.records import record


@record
class TestLowerToLLVMPipeline(PassPipeline):
    """All passes run, whatever there is. `lower-to-llvm` takes more."""

    name = "test-lower-to-llvm"
    summary = "lowers to the LLVM dialect as MLIR's own tests do"
    passes = (
        "func.func(convert-vector-to-scf,convert-linalg-to-loops)",
        "lower-affine",
        "convert-scf-to-cf",
        "canonicalize",
        "cse",
        "convert-vector-to-llvm",
        "func.func(convert-math-to-llvm)",
        "expand-strided-metadata",
        "lower-affine",
        "finalize-memref-to-llvm",
        "convert-func-to-llvm",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "convert-index-to-llvm",
        "convert-ub-to-llvm",
        "reconcile-unrealized-casts",
    )

    reassociate_fp_reductions: bool = option(False, "let sums of floats be made in any order", BOOL)
