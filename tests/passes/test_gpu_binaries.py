"""GPU modules are compiled by LLVM; what would need another tool is told."""

from __future__ import annotations

import re

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from tests.oracles import mlir_opt

KERNEL = """gpu.module @m [{}] {{
  llvm.func @kernel(%n: i32, %p: !llvm.ptr) attributes {{gpu.kernel, nvvm.kernel}} {{
    llvm.store %n, %p : i32, !llvm.ptr
    llvm.return
  }}
}}
"""
NVIDIA = '#nvvm.target<chip = "sm_70">'


def compiled(text: str, options: str) -> tuple[str, list[str]]:
    """A text after the pass, and what was said."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    pipeline = parse_pipeline(f"builtin.module(gpu-module-to-binary{{{options}}})")
    result = run(pipeline, loaded.module, default_context())
    return print_module(loaded.module), [diagnostic.message for diagnostic in result.diagnostics]


def test_assembly_for_nvidia_is_that_of_mlir_opt_but_for_the_time_that_it_took() -> None:
    text = KERNEL.format(NVIDIA)
    made, said = compiled(text, "format=isa")
    assert not said
    expected = mlir_opt(text, "--gpu-module-to-binary=format=isa")
    assert _without_time(made).strip() == _without_time(expected).strip()


def _without_time(text: str) -> str:
    return re.sub(r"InMs = \d+", "InMs = 0", text)


def test_bitcode_begins_as_such_and_has_the_section() -> None:
    made, said = compiled(KERNEL.format(NVIDIA), "format=llvm section=__fatbin")
    assert not said
    assert r'properties = {section = "__fatbin"}, offload = "BC\C0\DE' in made


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        (NVIDIA, "", "format=fatbin needs ptxas, which Fathom does not call: take format=isa or format=llvm"),
        (NVIDIA, "format=other", "Invalid format specified."),
        (NVIDIA, "format=isa l=a.bc", "Fathom does not link files to what it compiles for GPUs"),
        ("#xevm.target", "format=isa", "Fathom does not compile for 'xevm.target'"),
    ],
)
def test_what_is_not_compiled_is_told(target: str, options: str, message: str) -> None:
    made, said = compiled(KERNEL.format(target), options)
    assert said == [message]
    assert "gpu.module @m" in made


def test_a_module_without_targets_is_an_error() -> None:
    _, said = compiled("gpu.module @m {\n}\n", "format=isa")
    assert said == ["the module has no target attributes"]


def test_functions_of_the_device_library_of_amd_are_told() -> None:
    text = "gpu.module @m [#rocdl.target] {\n  llvm.func @__ocml_sin_f64(f64) -> f64\n}\n"
    _, said = compiled(text, "format=isa")
    assert said == ["'__ocml_sin_f64' is of AMD's device library, which Fathom does not link"]
