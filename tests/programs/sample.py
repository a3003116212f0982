# pyright: strict
"""A program of somebody who uses the library: it runs, and whoever checks types has nothing to say of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fathom

TEXT = "func.func @f(%a: i32, %m: memref<?xf32>) -> i32 { return %a : i32 }"


def numbers(path: Path) -> list[int]:
    """What is compiled, called and asked."""
    given: list[int] = []
    path.write_text(TEXT)
    with fathom.compile(path, optimize=3, pipeline="", dialects=[], isolated=False, timeout=None) as module:
        own: fathom.Module = module
        function: fathom.Function = own["f"]
        given.append(int(function(1, np.zeros(2, np.float32))))
        given.append(int(module.f(2, np.zeros(2, np.float32))))
        given.append(len(function.signature.inputs))
        given.append(sum(stage.name == "convert-func-to-llvm" for stage in module.stages))
        given.append(len([diagnostic.message for diagnostic in module.diagnostics]))
        given.append(len(list(module)) + ("f" in module) + (function.address is not None))
        assert module.llvm_ir.count("define") + module.assembly.count("ret") > 1
    try:
        fathom.compile("func.func @f(", dialects=[])
    except fathom.CompileError as error:
        given.append(sum(problem.severity == "error" for problem in error.diagnostics) > 0)
    try:
        with fathom.compile(TEXT, memory=1 << 30, libraries=[]) as module:
            module.f("1", np.zeros(2, np.float32))
    except fathom.ArgumentError as error:
        given.append(len(error.failure.kind) + len(error.stdout))
    return given
