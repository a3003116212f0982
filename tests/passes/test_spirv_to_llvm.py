"""`convert-spirv-to-llvm` and `lower-host-to-llvm`: what they say.

The texts that they make are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

from tests.passes.running import lower


@pytest.mark.parametrize("client", ["Metal", "Vulkan", "WebGPU"])
def test_clients_whose_address_spaces_are_not_known(client: str) -> None:
    _, (said,) = lower("convert-spirv-to-llvm", "", client_api=client)
    message = f"address space mapping for client '{client}' not implemented"
    assert (said.message, said.severity) == (message, "warning")


@pytest.mark.parametrize(
    "type",
    [
        "!spirv.array<4 x f32, stride=8>",
        "!spirv.struct<(!spirv.array<4 x f32, stride=8>)>",
        "!spirv.struct<(i32 [0], i32 [8])>",
        "!spirv.struct<(i8 [0], !spirv.struct<(i8 [0], i16 [1])> [2])>",
        "!spirv.struct<(f32 [RelaxedPrecision])>",
        "!spirv.matrix<3 x vector<3xf32>>",
    ],
)
def test_types_that_are_laid_out_by_hand_are_left(type: str) -> None:
    _, (said,) = lower("convert-spirv-to-llvm", f'spirv.func @f(%a: {type}) "None" {{\n  spirv.Return\n}}\n')
    assert said.message == "failed to legalize operation 'spirv.func' that was explicitly marked illegal"


LAUNCH = """
gpu.module @kernels {
  gpu.func @f() kernel {
    gpu.return
  }
}
func.func @main(%one: index) {
  gpu.launch_func @kernels::@f blocks in (%one, %one, %one) threads in (%one, %one, %one)
  return
}
"""


@pytest.mark.parametrize(
    ("kernels", "message"),
    [
        ("", "'gpu.launch_func' op SPIR-V kernel module '__spv__kernels' is not found"),
        (
            "spirv.module @__spv__kernels Logical GLSL450 {\n}\n",
            "The module must contain exactly one entry point function",
        ),
    ],
)
def test_a_kernel_that_is_missing_is_told(kernels: str, message: str) -> None:
    text = f"module attributes {{gpu.container_module}} {{\n{kernels}{LAUNCH}}}\n"
    _, (said, *_) = lower("lower-host-to-llvm", text)
    assert (said.message, said.severity) == (message, "error")
