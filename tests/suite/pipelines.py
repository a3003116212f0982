"""How mlir-opt's own passes bring a module to the LLVM dialect."""

from __future__ import annotations

PASSES = (
    "convert-bufferization-to-memref",
    "convert-linalg-to-loops",
    "func.func(lower-vector-mask,lower-vector-multi-reduction)",
    "convert-vector-to-scf",
    "expand-realloc",
    "memref-expand",
    "convert-complex-to-standard",
    "expand-strided-metadata",
    "lower-affine",
    "convert-math-to-funcs",
    "convert-math-to-llvm",
    "math-expand-ops",
    "convert-math-to-libm",
    "arith-expand",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-complex-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "finalize-memref-to-llvm",
    "convert-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)
"""mlir-opt's passes, all of them and in the order that lowers most."""

_MODELS = (
    "func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable,tosa-to-scf,tosa-to-linalg-named,"
    "tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor,shape-to-shape-lowering)",
    "convert-shape-constraints",
    "convert-shape-to-std",
    "canonicalize",
    "func.func(convert-elementwise-to-linalg)",
    "convert-tensor-to-linalg",
)
"""What comes of models before their tensors get memory."""

PIPELINES = {
    "alone": PASSES,
    "cleaned": ("canonicalize", "cse", *PASSES),
    "memory": (*_MODELS, "one-shot-bufferize{bufferize-function-boundaries=1}", "canonicalize", *PASSES),
    "loops": (
        *_MODELS,
        "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}",
        "buffer-deallocation-pipeline",
        "scf-forall-to-for",
        "convert-linalg-to-affine-loops",
        *PASSES,
    ),
    "affine": ("lower-affine", *_MODELS, "one-shot-bufferize{bufferize-function-boundaries=1}", *PASSES),
    "unknown": (*_MODELS, "one-shot-bufferize{allow-unknown-ops=1 bufferize-function-boundaries=1}", *PASSES),
    "tests": ("one-shot-bufferize{bufferize-function-boundaries=1}", "test-lower-to-llvm"),
}
"""What mlir-opt is asked, one after the other, until a module is brought down."""

OPTIONS = {
    name: ["--mlir-disable-threading", f"--pass-pipeline=builtin.module({','.join(passes)})"]
    for name, passes in PIPELINES.items()
}
"""The same as mlir-opt's options."""
