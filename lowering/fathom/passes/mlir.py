"""The passes of MLIR 22: their names, and which of them lowers a dialect that no pass here lowers.

For messages only: of what Fathom's own passes do, they say it themselves.
"""

from __future__ import annotations

from typing import Final

LOWERED_BY: Final = {
    "tensor": "one-shot-bufferize",
    "bufferization": "one-shot-bufferize",
    "tosa": "tosa-to-linalg-pipeline",
    "gpu": "gpu-to-llvm",
    "async": "convert-async-to-llvm",
    "shape": "convert-shape-to-std",
}
"""The pass of MLIR that takes a dialect away."""

_OTHERS: Final = {
    "arm_sme": ("convert-arm-sme-to-llvm",),
    "async": ("async-to-async-runtime", "convert-async-to-llvm"),
    "gpu": ("convert-gpu-to-nvvm", "convert-gpu-to-rocdl"),
    "quant": ("lower-quant-ops",),
    "sparse_tensor": ("sparsifier",),
    "spirv": ("convert-spirv-to-llvm",),
    "xegpu": ("convert-xegpu-to-xevm",),
}
"""The passes of MLIR that are named for a dialect instead, or beside those above."""
_OF_THE_HOST: Final = frozenset(
    """
gpu.alloc gpu.binary gpu.create_2to4_spmat gpu.create_bsr gpu.create_coo gpu.create_coo_aos gpu.create_csc
gpu.create_csr gpu.create_dn_tensor gpu.dealloc gpu.destroy_dn_tensor gpu.destroy_sp_mat gpu.host_register
gpu.host_unregister gpu.launch_func gpu.memcpy gpu.memset gpu.sddmm gpu.sddmm_buffer_size gpu.set_csr_pointers
gpu.set_default_device gpu.spgemm_copy gpu.spgemm_create_descr gpu.spgemm_destroy_descr
gpu.spgemm_work_estimation_or_compute gpu.spmat_get_size gpu.spmm gpu.spmm_buffer_size gpu.spmv gpu.spmv_buffer_size
gpu.wait
""".split()
)
"""The operations of the dialect `gpu` that `gpu-to-llvm` takes: those around kernels."""
BUFFERIZED: Final = frozenset(
    ("arith", "bufferization", "cf", "func", "linalg", "ml_program", "scf", "shape", "tensor", "vector")
)
"""The dialects whose operations on tensors `one-shot-bufferize` gives memory to."""


def passes_of_mlir(name: str) -> tuple[str, ...]:
    """The passes of MLIR that lower an operation which no pass here lowers; none where there is none."""
    dialect = name.partition(".")[0]
    if name == "gpu.launch":
        return ("gpu-kernel-outlining",)
    if name == "gpu.module":
        return ("gpu-module-to-binary",)
    if name in _OF_THE_HOST:
        return ("gpu-to-llvm",)
    return _OTHERS.get(dialect) or ((LOWERED_BY[dialect],) if dialect in LOWERED_BY else ())


TRANSLATED: Final = frozenset({"omp"})
"""The dialects that MLIR translates to LLVM IR, and Fathom does not (`Target/LLVMIR/Dialect/All.h`)."""

OWN: Final = frozenset({"convert-ptr-to-llvm"})
"""The passes that are named as MLIR would name them, but do what mlir-opt does in a larger pass only."""

NAMES: Final = frozenset(
    """
acc-if-clause-lowering acc-implicit-data acc-implicit-declare acc-implicit-routine acc-legalize-serial acc-loop-tiling
acc-specialize-for-device acc-specialize-for-host affine-data-copy-generate affine-expand-index-ops
affine-expand-index-ops-as-affine affine-fold-memref-alias-ops affine-loop-coalescing affine-loop-fusion
affine-loop-invariant-code-motion affine-loop-normalize affine-loop-tile affine-loop-unroll affine-loop-unroll-jam
affine-parallelize affine-pipeline-data-transfer affine-raise-from-memref affine-scalrep affine-simplify-min-max
affine-simplify-structures affine-super-vectorize affine-super-vectorizer-test amdgpu-emulate-atomics
amdgpu-fold-memrefs-ops amdgpu-maskedload-to-load amdgpu-resolve-strided-metadata arith-emulate-unsupported-floats
arith-emulate-wide-int arith-expand arith-int-range-narrowing arith-unsigned-when-equivalent arm-neon-2d-to-intr
arm-sme-outer-product-fusion arm-sme-vector-legalization arm-sve-legalize-vector-storage async-func-to-async-runtime
async-parallel-for async-runtime-policy-based-ref-counting async-runtime-ref-counting async-runtime-ref-counting-opt
async-to-async-runtime bubble-down-memory-space-casts buffer-deallocation-pipeline buffer-deallocation-simplification
buffer-hoisting buffer-loop-hoisting buffer-results-to-out-params bufferization-lower-deallocations canonicalize
composite-fixed-point-pass control-flow-sink convert-affine-for-to-gpu convert-amdgpu-to-rocdl convert-arith-to-amdgpu
convert-arith-to-apfloat convert-arith-to-arm-sme convert-arith-to-emitc convert-arith-to-llvm convert-arith-to-spirv
convert-arm-sme-to-llvm convert-arm-sme-to-scf convert-async-to-llvm convert-bufferization-to-memref convert-cf-to-llvm
convert-cf-to-spirv convert-complex-to-libm convert-complex-to-llvm convert-complex-to-rocdl-library-calls
convert-complex-to-spirv convert-complex-to-standard convert-elementwise-to-linalg convert-func-to-emitc
convert-func-to-llvm convert-func-to-spirv convert-gpu-to-llvm-spv convert-gpu-to-nvvm convert-gpu-to-rocdl
convert-gpu-to-spirv convert-index-to-llvm convert-index-to-spirv convert-linalg-to-affine-loops
convert-linalg-to-loops convert-linalg-to-parallel-loops convert-linalg-to-std convert-math-to-apfloat
convert-math-to-emitc convert-math-to-funcs convert-math-to-libm convert-math-to-llvm convert-math-to-rocdl
convert-math-to-spirv convert-math-to-xevm convert-memref-to-emitc convert-memref-to-spirv convert-nvgpu-to-nvvm
convert-nvvm-to-llvm convert-openacc-to-scf convert-openmp-to-llvm convert-parallel-loops-to-gpu
convert-pdl-to-pdl-interp convert-scf-to-cf convert-scf-to-emitc convert-scf-to-openmp convert-scf-to-spirv
convert-shape-constraints convert-shape-to-std convert-shard-to-mpi convert-spirv-to-llvm convert-tensor-to-linalg
convert-tensor-to-spirv convert-to-emitc convert-to-llvm convert-ub-to-llvm convert-ub-to-spirv convert-vector-to-amx
convert-vector-to-arm-sme convert-vector-to-gpu convert-vector-to-llvm convert-vector-to-scf convert-vector-to-spirv
convert-vector-to-xegpu convert-xegpu-to-xevm convert-xevm-to-llvm cse decorate-spirv-composite-type-layout
drop-equivalent-buffer-results duplicate-function-elimination eliminate-empty-tensors empty-tensor-to-alloc-tensor
enable-arm-streaming ensure-debug-info-scope-on-llvm-func expand-realloc expand-strided-metadata
finalize-memref-to-llvm flatten-memref fold-memref-alias-ops fold-tensor-subset-ops form-expressions
generate-runtime-verification gpu-async-region gpu-decompose-memrefs gpu-eliminate-barriers gpu-kernel-outlining
gpu-launch-sink-index-computations gpu-lower-to-nvvm-pipeline gpu-lower-to-xevm-pipeline gpu-map-parallel-loops
gpu-module-to-binary gpu-to-llvm inline int-range-optimizations lift-cf-to-scf linalg-block-pack-matmul
linalg-detensorize linalg-fold-into-elementwise linalg-fold-unit-extent-dims linalg-fuse-elementwise-ops
linalg-generalize-named-ops linalg-inline-scalar-operands linalg-morph-ops linalg-specialize-generic-ops
llvm-add-comdats llvm-legalize-for-export llvm-optimize-for-nvvm-target llvm-request-c-wrappers
llvm-target-to-data-layout llvm-target-to-target-features llvm-use-default-visibility loop-invariant-code-motion
loop-invariant-subset-hoisting lower-affine lower-host-to-llvm lower-quant-ops lower-sparse-foreach-to-scf
lower-sparse-iteration-to-scf lower-sparse-ops-to-foreach lower-vector-mask lower-vector-multi-reduction
lower-vector-to-from-elements-to-shuffle-tree map-memref-spirv-storage-class math-expand-ops
math-extend-to-supported-types math-sincos-fusion math-uplift-to-fma mem2reg memref-emulate-wide-int memref-expand
mlprogram-pipeline-globals normalize-memrefs normalize-quant-types nvgpu-optimize-shared-memory nvvm-attach-target
offload-livein-value-canonicalization omp-offload-privatization-prepare one-shot-bufferize openacc-legalize-data-values
optimize-allocation-liveness outline-shape-computation ownership-based-buffer-deallocation pre-sparsification-rewrite
print-ir print-op-stats promote-buffers-to-stack reconcile-unrealized-casts reify-result-shapes remove-dead-values
remove-shape-constraints resolve-ranked-shaped-type-result-dims resolve-shaped-type-result-dims rocdl-attach-target
sccp scf-for-loop-canonicalization scf-for-loop-peeling scf-for-loop-range-folding scf-for-loop-specialization
scf-for-to-while scf-forall-to-for scf-forall-to-parallel scf-parallel-for-to-nested-fors scf-parallel-loop-fusion
scf-parallel-loop-specialization scf-parallel-loop-tiling set-llvm-module-datalayout shape-to-shape-lowering
shard-partition sharding-propagation simplify-depthwise-conv slice-analysis-test snapshot-op-locations sparse-assembler
sparse-buffer-rewrite sparse-gpu-codegen sparse-reinterpret-map sparse-space-collapse sparse-storage-specifier-to-llvm
sparse-tensor-codegen sparse-tensor-conversion sparse-vectorization sparsification sparsification-and-bufferization
sparsifier spirv-attach-target spirv-canonicalize-gl spirv-lower-abi-attrs spirv-promote-to-replicated-constants
spirv-rewrite-inserts spirv-unify-aliased-resource spirv-update-vce spirv-webgpu-prepare sroa stage-sparse-ops
strip-debuginfo strip-func-quant-types symbol-dce symbol-privatize test-arith-emulate-wide-int
test-cf-assert test-gpu-rewrite test-memref-to-llvm-with-transforms test-transform-dialect-erase-schedule
test-math-polynomial-approximation test-vector-scan-lowering topological-sort
tosa-arith-const-to-tosa-const tosa-attach-target tosa-convert-integer-type-to-signless tosa-infer-shapes
tosa-layerwise-constant-fold tosa-make-broadcastable tosa-narrow-f64-to-f32 tosa-narrow-i64-to-i32
tosa-optional-decompositions tosa-reduce-transposes tosa-test-quant-utils tosa-to-arith tosa-to-linalg
tosa-to-linalg-named tosa-to-linalg-pipeline tosa-to-mlprogram tosa-to-scf tosa-to-tensor tosa-validate
transform-dialect-check-uses transform-infer-effects transform-interpreter transform-preload-library view-op-graph
wrap-emitc-func-in-class xegpu-blocking xegpu-fold-alias-ops xegpu-optimize-block-loads xegpu-propagate-layout
xegpu-subgroup-distribute xegpu-vector-linearize xegpu-wg-to-sg-distribute xevm-attach-target
""".split()
)
"""All that mlir-opt lists; of those that only serve its tests, the ones that are here."""
