"""`lower-to-llvm`: from the dialects of programs to the LLVM dialect.

A pass stands behind those that make what it is for. So tensors get memory first, then come operations that stand for
many, then what views of memory and structured control flow are made of, then the dialects that have a counterpart in
LLVM's.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.irdl.interfaces import symbol_name
from fathom.passes.conversions.convert_func_to_llvm import ConvertFuncToLLVMPass
from fathom.passes.definition import PassPipeline
from fathom.passes.math_as_defined import MathAsDefined
from fathom.passes.memory_for_tensors import ElementsOfTensors, LoopsOfTensors, MemoryForTensors
from fathom.passes.options import BOOL, UINT, option
from fathom.passes.transforms.canonicalize import Canonicalizer
from fathom.passes.vectors.as_defined import VectorsAsDefined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.passes.definition import Held

_ALLOCATES: Final = ("malloc", "aligned_alloc", "_mlir_memref_to_llvm_alloc", "_mlir_memref_to_llvm_aligned_alloc")
_FREES: Final = ("free", "_mlir_memref_to_llvm_free")
_PRINTS: Final = tuple(
    f"print{name}" for name in "I64 U64 F32 F64 F16 BF16 ApFloat String Open Close Comma Newline".split()
)
_CALLED: Final = {
    "cf.assert": ("abort", "puts"),
    "memref.alloc": _ALLOCATES,
    "memref.copy": ("memrefCopy",),
    "memref.dealloc": _FREES,
    "vector.print": _PRINTS,
}
"""The functions of libraries that an operation becomes a call of."""
LIBRARY_FUNCTIONS: Final = frozenset(name for names in _CALLED.values() for name in names)
"""Where a module has one of these itself, all of it may be lowered in another order."""


@record
class ConvertDeclaredFirst(ConvertFuncToLLVMPass):
    """`convert-func-to-llvm` before the passes that declare functions of libraries, where the module has one of them
    itself: then that is called, and there is no second one of another name."""

    name = "declared-functions"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        called = {name for caller, names in _CALLED.items() if caller in held for name in names}
        return bool(called) and any(symbol_name(function) in called for function in held.get("func.func", ()))


@record
class WithoutUnreachedEnds(Canonicalizer):
    """`canonicalize` of coroutines that are never suspended: nothing leads to the block in which they are destroyed."""

    name = "coroutines-without-end"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return "async.coro.free" in held and Canonicalizer.is_for(held)


_OWN: Final = (
    ConvertDeclaredFirst,
    WithoutUnreachedEnds,
    LoopsOfTensors,
    ElementsOfTensors,
    MemoryForTensors,
    MathAsDefined,
    VectorsAsDefined,
)


@record
class LowerToLLVMPipeline(PassPipeline):
    """Of its passes each runs only where the module then holds something that it is for: a function of arithmetic takes
    `convert-arith-to-llvm` and `convert-func-to-llvm`."""

    name = "lower-to-llvm"
    summary = "lowers a module to the LLVM dialect, by the passes that it needs"
    only_as_needed = True
    passes = (
        # What passes of MLIR make something else of: before any folds it, and once more where tensors have memory.
        "vectors-as-defined",
        # Blocks that nothing leads to go: conversions do not visit them.
        "func.func(canonicalize{max-num-rewrites=0 region-simplify=disabled})",
        # What models compute, as structured operations on tensors; these get memory.
        "func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable)",
        "func.func(tosa-to-scf,tosa-to-linalg-named,tosa-to-linalg)",
        "tosa-to-mlprogram",
        "tosa-to-arith{include-apply-rescale=true}",
        "func.func(tosa-to-tensor,shape-to-shape-lowering)",
        "convert-shape-constraints",
        "convert-shape-to-std",
        # What a mask is for is known while it stands at the operation, on tensors too.
        "func.func(lower-vector-mask)",
        "loops-of-tensors",
        "elements-of-tensors",
        "memory-for-tensors",
        # Operations that stand for many: what they become is lowered by all that follows.
        "convert-bufferization-to-memref",
        "convert-linalg-to-loops",
        "vectors-as-defined",
        "func.func(lower-vector-mask,lower-vector-multi-reduction,test-vector-scan-lowering)",
        "scf-forall-to-for",
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
        "math-as-defined",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "arith-expand",
        # What runs beside is suspended within conditions, which become branches then.
        "async-func-to-async-runtime",
        "async-to-async-runtime",
        "async-runtime-ref-counting",
        "async-runtime-ref-counting-opt",
        "func.func(coroutines-without-end{max-num-rewrites=0 region-simplify=disabled})",
        "convert-async-to-llvm",
        "convert-scf-to-cf",
        "declared-functions",
        # To the LLVM dialect: vectors become arithmetic too, and memory is what functions are given.
        # An index may need more than 32 bits, also in a mask.
        "convert-vector-to-llvm{force-32bit-vector-indices=false}",
        "convert-complex-to-llvm",
        "convert-index-to-llvm",
        "convert-ub-to-llvm",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "finalize-memref-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts",
    )
    own = MappingProxyType({each.name: each for each in _OWN})

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)
    use_bare_ptr_memref_call_conv: bool = option(
        False, "pass memrefs as pointers to their elements, without sizes and strides", BOOL
    )
    use_aligned_alloc: bool = option(False, "call aligned_alloc instead of malloc", BOOL)
    use_generic_functions: bool = option(
        False,
        "call functions of MLIR's own names to allocate and free",
        BOOL,
    )
