"""`lower-to-llvm`: from the dialects of programs to the LLVM dialect.

A pass stands behind those that make what it is for. So operations that stand for many come first, then what views of
memory and structured control flow are made of, then the dialects that have a counterpart in LLVM's.
"""

from __future__ import annotations

from fathom.passes.definition import PassPipeline
from fathom.passes.options import BOOL, UINT, option
from fathom.records import record


@record
class LowerToLLVMPipeline(PassPipeline):
    """Of its passes each runs only where the module then holds something that it is for: a function of arithmetic takes
    `convert-arith-to-llvm` and `convert-func-to-llvm`."""

    name = "lower-to-llvm"
    summary = "Lower a module to the LLVM dialect, by the passes that it needs"
    passes = (
        # Blocks that nothing leads to go: conversions do not visit them.
        "func.func(canonicalize{max-num-rewrites=0 region-simplify=disabled})",
        # Operations that stand for many: what they become is lowered by all that follows.
        "convert-bufferization-to-memref",
        "convert-linalg-to-loops",
        "func.func(lower-vector-mask,lower-vector-multi-reduction)",
        "convert-vector-to-scf",
        "expand-realloc",
        "memref-expand",
        "convert-complex-to-standard",
        # Views of memory as sizes and strides, which affine maps compute.
        "expand-strided-metadata",
        "lower-affine",
        # What LLVM has an intrinsic for is neither to be expanded nor to become a call.
        "math-expand-ops{ops=clampf}",
        "convert-math-to-funcs",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "arith-expand",
        "convert-scf-to-cf",
        # To the LLVM dialect: vectors become arithmetic too, and memory is what functions are given.
        "convert-vector-to-llvm",
        "convert-complex-to-llvm",
        "convert-index-to-llvm",
        "convert-ub-to-llvm",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "finalize-memref-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts",
    )

    index_bitwidth: int = option(0, "Bitwidth of the index type, 0 to use size of machine word", UINT)
    use_bare_ptr_memref_call_conv: bool = option(
        False, "Replace FuncOp's MemRef arguments with bare pointers to the MemRef element types", BOOL
    )
    use_aligned_alloc: bool = option(False, "Use aligned_alloc in place of malloc for heap allocations", BOOL)
    use_generic_functions: bool = option(
        False,
        "Use generic allocation and deallocation functions instead of the classic 'malloc', 'aligned_alloc' and 'free' "
        "functions",
        BOOL,
    )
