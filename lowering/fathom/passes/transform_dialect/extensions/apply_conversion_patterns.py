"""`transform.apply_conversion_patterns`: a dialect conversion, whose patterns, types and legality a schedule says.

Source of the rules: *Transform Dialect*, and `ApplyConversionPatternsOp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import (
    CONVERSIONS,
    CONVERTERS,
    Conversion,
    conversions,
    converters,
    model_of,
    transforms,
)
from fathom.rewriting.conversion_driver import apply_full_conversion, apply_partial_conversion
from fathom.rewriting.target import ConversionTarget

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.transform_dialect.application import Application
    from fathom.rewriting.pattern import Pattern


@transforms("transform.apply_conversion_patterns")
def apply(op: ops.ApplyConversionPatternsOp, run: Application) -> None:
    """All targets are converted alike; handles to what is in them are given up, unless they are to be preserved."""
    targets = run.ops(op.target)
    target = ConversionTarget()
    target.legal(*_texts(op.legal_ops)).illegal(*_texts(op.illegal_ops))
    target.legal(*_texts(op.legal_dialects)).illegal(*_texts(op.illegal_dialects))
    patterns = _patterns(op, targets, target, run) if targets else []
    convert = apply_full_conversion if op.partial_conversion is None else apply_partial_conversion
    run.tracker.of_conversion = True
    for payload in targets:
        run.refuse_itself(payload)
        replaced = run.tracker.replaced if op.preserve_handles is not None else None
        said = convert(payload, target, patterns, run.context, replaced=replaced)
        run.state.diagnostics += said
        if any(diagnostic.severity == "error" and diagnostic.fatal for diagnostic in said):
            raise run.silenceable("dialect conversion failed", ("target op", payload))
        if run.tracker.failure is not None:
            return


def _texts(names: Attribute | None) -> list[str]:
    return (
        [name.value for name in names.elements if isinstance(name, StringAttr)] if isinstance(names, ArrayAttr) else []
    )


def _patterns(
    op: ops.ApplyConversionPatternsOp, targets: Sequence[Operation], target: ConversionTarget, run: Application
) -> list[Pattern]:
    regions = [[*(region.first or ())] if not region.is_empty else [] for region in op.regions]
    types = None
    for builder in regions[1] if len(regions) > 1 else ():
        build = model_of(builder, CONVERTERS, run.context)
        types = build(builder, targets[0]) if build is not None else None
    patterns: list[Pattern] = []
    for descriptor in regions[0]:
        if types is None:
            message = (
                "pattern descriptor does not specify type converter and apply_conversion_patterns op has no default "
                "type converter"
            )
            raise run.definite(message, ("pattern descriptor op", descriptor))
        model = model_of(descriptor, CONVERSIONS, run.context)
        if model is None:
            raise run.definite(f"'{descriptor.name}' op stands for patterns that are not known", at=descriptor)
        patterns += model(descriptor, Conversion(types, target, targets[0], run.context))
    return patterns


# ---- what becomes of types


@converters("transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter")
def to_llvm(op: ops.ApplyConversionPatternsMemrefMemrefToLlvmTypeConverterOp, root: Operation) -> LLVMTypeConverter:
    """A width of 0 is that of a machine word."""
    from fathom.passes.to_llvm.conversion import type_converter

    return type_converter(
        op.index_bitwidth.value,
        root,
        use_bare_ptr_memref_call_conv=bool(op.use_bare_ptr_call_conv.value),
        use_aligned_alloc=bool(op.use_aligned_alloc.value),
        use_generic_functions=bool(op.use_generic_functions.value),
        data_layout=op.data_layout.value if op.data_layout is not None else "",
    )


# ---- patterns


@conversions("transform.apply_conversion_patterns.dialect_to_llvm")
def of_dialect(op: ops.ApplyConversionPatternsDialectToLlvmOp, conversion: Conversion) -> Iterable[Pattern]:
    """Those of `convert-to-llvm`; what is legal says the schedule."""
    from fathom.passes.conversions.convert_to_llvm import parts_by_dialect
    from fathom.passes.to_llvm.further_dialects import FURTHER

    name = op.dialect_name.value
    if name in FURTHER:
        return FURTHER[name](conversion.root, conversion.types, ConversionTarget())
    part = parts_by_dialect().get(name)
    return part.patterns(conversion.types, conversion.root) if part is not None else ()


@conversions("transform.apply_conversion_patterns.func.func_to_llvm")
def of_functions(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_func_to_llvm import ConvertFuncToLLVMPass

    return ConvertFuncToLLVMPass().patterns(conversion.types, conversion.root)


@conversions("transform.apply_conversion_patterns.vector.vector_to_llvm")
def of_vectors(op: ops.ApplyConversionPatternsVectorVectorToLlvmOp, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_vector_to_llvm import ConvertVectorToLLVMPass
    from fathom.passes.conversions.convert_vector_to_llvm.lowerings import scalable_mask

    pass_ = ConvertVectorToLLVMPass(
        reassociate_fp_reductions=bool(op.reassociate_fp_reductions.value),
        use_vector_alignment=bool(op.use_vector_alignment.value),
    )
    mask = scalable_mask(narrow=bool(op.force_32bit_vector_indices.value))
    return [mask, *pass_.patterns(conversion.types, conversion.root)]


@conversions("transform.apply_conversion_patterns.scf.scf_to_control_flow")
def of_control_flow(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_scf_to_cf import control_flow, parallel

    return [*control_flow.PATTERNS, *parallel.PATTERNS]


@conversions("transform.apply_conversion_patterns.scf.structural_conversions")
def of_structure(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.loops import structural_types

    structural_types.allow(conversion.types, conversion.target)
    return structural_types.patterns(conversion.types)


@conversions("transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm")
def of_nvgpu(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_nvgpu_to_nvvm.holdings import add_types
    from fathom.passes.conversions.convert_nvgpu_to_nvvm.operations import LOWERINGS
    from fathom.passes.to_llvm.patterns import patterns

    add_types(conversion.types)
    return patterns(LOWERINGS, conversion.types)


@conversions("transform.apply_conversion_patterns.gpu.gpu_to_nvvm")
def of_nvidia(op: ops.ApplyConversionPatternsGpuGpuToNvvmOp, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_nvvm import operations

    operations.convert_types(conversion.types)
    return operations.patterns(conversion.types, op.benefit.value)


@conversions("transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm")
def of_matrices(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_nvvm.operations import matrix_patterns

    return matrix_patterns(conversion.types)


@conversions("transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm")
def of_reductions(op: Operation, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_nvvm.operations import reductions

    return reductions(conversion.types)


@conversions("transform.apply_conversion_patterns.gpu.gpu_to_rocdl")
def of_amd(op: ops.ApplyConversionPatternsGpuGpuToRocdlOp, conversion: Conversion) -> Iterable[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_rocdl import operations
    from fathom.passes.gpu_to_llvm.chipsets import Chipset

    operations.convert_types(conversion.types)
    chipset = Chipset.read(op.chipset.value)
    return operations.patterns(conversion.types, "HIP", chipset) if chipset is not None else ()
