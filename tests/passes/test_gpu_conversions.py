"""What the conversions for makers of GPUs say where they do not convert; what they make is held against mlir-opt
(`test_fixtures.py`)."""

from __future__ import annotations

from tests.passes.running import lower


def check_said(name: str, text: str, *messages: str, **options: str) -> None:
    """The pass says this of the text, in messages and their notes."""
    _, diagnostics = lower(name, text, **options)
    said = [line for each in diagnostics for line in (each.message, *(note.message for note in each.notes))]
    assert said == list(messages)


def test_a_register_of_a_type_that_ptx_does_not_have() -> None:
    text = 'llvm.func @f(%x: f32) -> i8 {\n  %0 = nvvm.inline_ptx "cvt" ro (%x : f32) -> i8\n  llvm.return %0 : i8\n}'
    link = "https://docs.nvidia.com/cuda/inline-ptx-assembly/index.html#constraints"
    check_said(
        "convert-nvvm-to-llvm",
        text,
        "The register type could not be deduced from MLIR type. The 'i8' is not supported. Supported types are:"
        "i1, i16, i32, i64, f32, f64,pointers.\nPlease use llvm.bitcast if you have different type. \n"
        f"See the constraints from here: {link}",
    )


def test_a_product_of_floats_that_are_not_to_be_rounded() -> None:
    text = (
        "func.func @f(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) {\n"
        "  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 8]} : "
        "(vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>\n  return\n}"
    )
    check_said(
        "convert-nvgpu-to-nvvm",
        text,
        "'nvgpu.mma.sync' was not lowered by --convert-nvgpu-to-nvvm",
        "floats of 32 bits are multiplied only where the operation says `tf32Enabled`",
    )


def test_an_accumulator_that_no_thread_can_hold() -> None:
    of = "!nvgpu.warpgroup.accumulator<fragmented = vector<640000000x8xf32>>"
    text = (
        f"func.func @f(%a: {of}, %m: memref<640000000x8xf32>) {{\n"
        f"  nvgpu.warpgroup.mma.store %a, %m : {of} to memref<640000000x8xf32>\n  return\n}}"
    )
    check_said(
        "convert-nvgpu-to-nvvm",
        text,
        "'nvgpu.warpgroup.mma.store' was not lowered by --convert-nvgpu-to-nvvm",
        f"operand #0: no rule converts '{of}' to the LLVM dialect",
    )


def test_words_that_are_too_many() -> None:
    type = "vector<40000000xi32>"
    text = f"func.func @f(%x: {type}) {{\n  %0 = amdgpu.swizzle_bitmode %x 1 2 4 : {type}\n  return\n}}"
    check_said(
        "convert-amdgpu-to-rocdl",
        text,
        "failed to legalize operation 'amdgpu.swizzle_bitmode' that was explicitly marked illegal",
        "some 360,000,000 operations would be made for its elements; the limit is 131,072",
        chipset="gfx950",
    )


def test_a_chipset_that_is_none() -> None:
    for name in ("convert-amdgpu-to-rocdl", "amdgpu-emulate-atomics"):
        check_said(name, "module {}", "Invalid chipset name: gfx12", chipset="gfx12")


def test_a_product_without_memory_to_work_in() -> None:
    mode = "#gpu<mat_transpose_mode NON_TRANSPOSE>"
    sizes = "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>"
    token, dense = "!gpu.async.token", "!gpu.sparse.dntensor_handle"
    text = f"""func.func @f(%n: index, %p: memref<?xindex>, %m: memref<?xf64>) {{
  %t0 = gpu.wait async
  %a, %t1 = gpu.create_coo async [%t0] %n, %n, %n, %p, %p, %m : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %b, %t2 = gpu.create_dn_tensor async [%t1] %m, %n, %n : index, index into memref<?xf64>
  %t3 = "gpu.spmm"(%t2, %a, %b, %b) <{{computeType = f64, modeA = {mode}, modeB = {mode}, {sizes}}}>
    : ({token}, !gpu.sparse.spmat_handle, {dense}, {dense}) -> {token}
  gpu.wait [%t3]
  return
}}"""
    lowered, diagnostics = lower("gpu-to-llvm", text)
    assert not diagnostics
    assert any(op.name == "gpu.spmm" for op in lowered.walk())
