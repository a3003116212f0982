"""`finalize-memref-to-llvm`: what it leaves it reports, with the cause; what it makes keeps its place in the source.

The texts that it prints are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

from fathom.verify import verify
from tests.passes.running import lower

PASS = "finalize-memref-to-llvm"


def check_left(text: str, message: str, note: str) -> None:
    """The operation between the marks `<|>` stays, and is the only one reported, with `note` as its cause or cure. What
    MLIR says of its type follows from that."""
    start, inside, end = text.split("<|>")
    _, diagnostics = lower(PASS, start + inside + end)
    *said, finding = diagnostics
    assert all(
        diagnostic.follows_from == finding and diagnostic.unplaced and not diagnostic.fatal for diagnostic in said
    )
    assert finding.severity == "warning"
    assert finding.message == message
    assert [told.message for told in finding.notes] == [note]
    assert finding.span is not None
    assert (start + inside + end)[finding.span.start : finding.span.end] == inside


def check_spans(text: str) -> None:
    """Every operation that is made comes from the line between the marks `<|>`; the others from elsewhere, and what is
    declared from the module, as MLIR has it."""
    start, inside, end = text.split("<|>")
    module, diagnostics = lower(PASS, start + inside + end)
    assert diagnostics == []
    made = [op for op in module.walk() if op.dialect == "llvm" and op.name != "llvm.func"]
    assert made
    for op in made:
        assert op.span is not None, op.name
        assert len(start) <= op.span.start < op.span.end <= len(start + inside), op.name


@pytest.mark.parametrize(
    ("line", "note"),
    [
        (
            "%0 = <|>memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>><|>",
            "'memref.subview' is rewritten by --expand-strided-metadata",
        ),
        (
            "%0 = <|>memref.atomic_rmw muli %v, %n[%i] : (i32, memref<4xi32>) -> i32<|>",
            "LLVM has no atomic multiplication; --memref-expand makes a loop of it",
        ),
        (
            "%0 = <|>memref.alloc() : memref<4x2xf32, strided<[2, 1]>><|>",
            "the layout strided<[2, 1]> is not the identity; "
            "allocate 'memref<4x2xf32, strided<[2, 1]>>' without one and view it",
        ),
        (
            "%0 = <|>memref.load %t[%i] : memref<4xtf32><|>",
            "operand #0: the elements of 'memref<4xtf32>' have no LLVM type: LLVM IR has no type for 'tf32'",
        ),
        (
            "<|>memref.dealloc %s : memref<4xf32, 3><|>",
            "'free' takes a pointer in address space 0, but 'memref<4xf32, 3>' is in 3 : i64",
        ),
        (
            '%0 = <|>memref.load %h[%i] : memref<4xf32, "hi"><|>',
            'operand #0: the memory space "hi" is not an integer address space: map it to a number first',
        ),
    ],
)
def test_an_operation_that_stays_is_reported(line: str, note: str) -> None:
    arguments = (
        "%m: memref<4xf32>, %n: memref<4xi32>, %i: index, %v: i32, %t: memref<4xtf32>, %s: memref<4xf32, 3>, "
        '%h: memref<4xf32, "hi">'
    )
    name = line.partition("memref.")[2].partition(" ")[0].partition("(")[0]
    message = f"'memref.{name}' was not lowered by --{PASS}"
    check_left(f"func.func @f({arguments}) {{\n  {line}\n  return\n}}\n", message, note)


@pytest.mark.parametrize(
    "line",
    [
        "%0 = memref.load %m[%i, %i] : memref<4x?xf32>",
        "memref.store %v, %m[%i, %i] : memref<4x?xf32>",
        "%0 = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>",
        "%0 = memref.alloca() : memref<4xf32>",
        "memref.dealloc %m : memref<4x?xf32>",
        "%0 = memref.dim %m, %i : memref<4x?xf32>",
        "%0 = memref.cast %m : memref<4x?xf32> to memref<*xf32>",
        "memref.copy %m, %m : memref<4x?xf32> to memref<4x?xf32>",
    ],
)
def test_what_is_made_keeps_its_place(line: str) -> None:
    check_spans(f"func.func @f(%m: memref<4x?xf32>, %i: index, %v: f32) {{\n  <|>{line}<|>\n  return\n}}\n")


def test_a_reserved_function_of_another_type_is_a_cause() -> None:
    text = "llvm.func @malloc(i32) -> !llvm.ptr\nfunc.func @f() {\n  %0 = memref.alloc() : memref<4xf32>\n  return\n}\n"
    message = "redefinition of reserved function 'malloc' of different type '!llvm.func<ptr (i32)>' is prohibited"
    _, (said, left) = lower(PASS, text)
    assert (said.message, said.severity, said.fatal) == (message, "error", False)
    assert said.span is not None and text[said.span.start :].startswith("llvm.func @malloc")
    assert [note.message for note in left.notes] == [message]


def test_a_width_of_32_reaches_the_descriptor() -> None:
    module, _ = lower(
        PASS, "func.func @f() {\n  %0 = memref.alloca() : memref<4xf32>\n  return\n}\n", index_bitwidth="32"
    )
    types = {str(op.result.type) for op in module.walk() if op.name == "llvm.insertvalue"}
    assert types == {"!llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>"}


def test_runtime_functions_are_declared_in_the_gpu_module_that_calls_them() -> None:
    function = "  func.func @f() {\n    %0 = memref.alloc() : memref<4xi32>\n    return\n  }\n"
    module, diagnostics = lower(PASS, f'"gpu.module"() <{{sym_name = "gpu"}}> ({{\n{function}}}) : () -> ()\n')
    assert diagnostics == []
    (malloc,) = [op for op in module.walk() if op.name == "llvm.func"]
    assert malloc.parent_op is not None and malloc.parent_op.name == "gpu.module"
    assert verify(module) == []
