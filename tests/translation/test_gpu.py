"""Binaries for GPUs and launches of their kernels in LLVM IR, as `mlir-translate` has them."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.translation import translate
from tests.oracles import mlir_translate

LAUNCHES = """
module attributes {gpu.container_module} {
  llvm.func @init() { llvm.return }
  gpu.binary @one [#gpu.object<#nvvm.target, "A\\00B">]
  gpu.binary @two [#gpu.object<#nvvm.target, properties = {O = 2 : i32, section = ".gpu"}, assembly = "text">]
  llvm.func @host(%n: i64, %p: !llvm.ptr<1>, %x: f64, %s: !llvm.ptr) {
    gpu.launch_func @one::@first blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%p : !llvm.ptr<1>, %x : f64)
    gpu.launch_func <%s : !llvm.ptr> @two::@first blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @one::@first clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}
"""


@pytest.mark.parametrize(
    "text",
    [
        LAUNCHES,
        LAUNCHES.replace(
            "gpu.binary @one",
            "llvm.mlir.global_ctors ctors = [@init], priorities = [7 : i32], data = [#llvm.zero]\ngpu.binary @one",
        ),
    ],
    ids=["alone", "behind constructors"],
)
def test_launches(text: str) -> None:
    made = translate(load(text).module)
    assert (made.all_told, made.text) == ([], mlir_translate(text))


def test_a_binary_that_is_not_there() -> None:
    text = LAUNCHES.replace("gpu.binary @one", "gpu.binary @other")
    made = translate(load(text).module)
    assert made.diagnostics[0].message == "Couldn't find the binary: one_module"


def test_an_object_that_is_not_there() -> None:
    text = LAUNCHES.replace("gpu.binary @one", "gpu.binary @one <#gpu.select_object<3>>")
    made = translate(load(text).module)
    assert made.diagnostics[0].message == "the requested target object couldn't be found"
