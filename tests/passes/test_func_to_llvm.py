"""`convert-func-to-llvm`: what it leaves it reports, with the type at fault; what it makes keeps its place.

The texts that it prints are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

from tests.passes.running import lower

PASS = "convert-func-to-llvm"

BUFFERIZE = "--one-shot-bufferize=bufferize-function-boundaries gives tensors memory"
"""What is said of operations on tensors besides."""


def check_left(text: str, name: str, note: str, **options: str) -> None:
    """The first operation that is reported is `name`, at the text that starts at the mark `<|>`; `note` has a line for
    each of its notes."""
    at = text.index("<|>")
    _, diagnostics = lower(PASS, text.replace("<|>", ""), **options)
    finding = next(diagnostic for diagnostic in diagnostics if not diagnostic.unplaced)
    assert finding.message == f"'{name}' was not lowered by --{PASS}"
    assert [told.message for told in finding.notes] == note.split("\n")
    assert finding.span is not None
    assert finding.span.start == at


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "func.func @g(%x: i32) {\n  return\n}\n<|>func.func @f(%x: i32, %t: tensor<4xf32>) {\n  return\n}\n",
            f"argument #1: 'tensor<4xf32>' has no memory\n{BUFFERIZE}",
        ),
        (
            "<|>func.func private @f() -> tuple<i32>\n",
            "result #0: LLVM has no value of type 'tuple<i32>'",
        ),
        (
            "<|>func.func private @f(memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>)\n",
            "argument #0: the layout of 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>' has no strides; "
            "normalise it first (--normalize-memrefs)",
        ),
    ],
)
def test_a_function_that_stays_is_reported(text: str, note: str) -> None:
    check_left(text, "func.func", note)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("llvm.linkage = 3 : i64", "Contains llvm.linkage attribute not of type LLVM::LinkageAttr"),
        ("llvm.readnone = 3 : i64", "Contains llvm.readnone attribute not of type UnitAttr"),
        (
            "func.varargs = true, llvm.emit_c_interface",
            "C interface for variadic functions is not supported yet.",
        ),
    ],
)
def test_attributes_that_do_not_fit_are_errors_that_stop_nothing(attribute: str, message: str) -> None:
    module, (said, left) = lower(
        PASS, f"func.func private @f(i32) attributes {{{attribute}}}\nfunc.func private @g()\n"
    )
    assert (said.message, said.severity, said.fatal) == (message, "error", False)
    assert (said.span, left.severity, [note.message for note in left.notes]) == (left.span, "warning", [message])
    assert [op.name for op in module.regions[0].operations()] == ["func.func", "llvm.func"]


def test_what_mlir_says_of_types_it_says_of_no_place() -> None:
    _, (said, left) = lower(PASS, 'func.func private @f(memref<4xf32, "near">)\n')
    assert (said.message, said.unplaced, said.fatal, said.follows_from) == (
        'conversion of memref memory space "near" to integer address space failed. '
        "Consider adding memory space conversions.",
        True,
        False,
        left,
    )


def test_bare_pointers_want_static_shapes() -> None:
    check_left(
        "<|>func.func private @f(memref<?xf32>)\n",
        "func.func",
        "argument #0: a bare pointer cannot stand for 'memref<?xf32>', "
        "whose sizes, strides and offset are not all static",
        use_bare_ptr_memref_call_conv="true",
    )


def test_a_call_that_stays_is_reported() -> None:
    text = (
        "func.func private @f(i32, tensor<4xf32>)\n"
        'llvm.func @g(%x: i32) {\n  %t = "t.make"() : () -> tensor<4xf32>\n'
        "  func.call @f(%x, %t) : (i32, tensor<4xf32>) -> ()\n  llvm.return\n}\n"
    )
    _, diagnostics = lower(PASS, text)
    call = next(d for d in diagnostics if "'func.call'" in d.message)
    assert call.span is not None
    assert text[call.span.start : call.span.end].startswith("func.call @f")
    assert [note.message for note in call.notes] == [
        "operand #1: 'tensor<4xf32>' has no memory",
        BUFFERIZE,
    ]


def test_what_is_made_keeps_its_place() -> None:
    text = (
        "func.func @f(%m: memref<?xf32>, %x: i32) -> (i32, memref<?xf32>) attributes {llvm.emit_c_interface} {\n"
        "  return %x, %m : i32, memref<?xf32>\n"
        "}\n"
        "func.func @g(%m: memref<?xf32>, %x: i32) {\n"
        "  %0:2 = call @f(%m, %x) : (memref<?xf32>, i32) -> (i32, memref<?xf32>)\n"
        "  return\n"
        "}\n"
    )
    module, diagnostics = lower(PASS, text)
    assert diagnostics == []
    for op in module.walk():
        if op is module:
            continue
        assert op.dialect == "llvm"
        assert op.span is not None, op.name
        source = text[op.span.start : op.span.end]
        expected = {
            "llvm.call": ("call @f", "func.func @f"),
            "llvm.func": ("func.func",),
            "llvm.return": ("return", "func.func @f"),
        }
        assert source.startswith(expected.get(op.name, ("call @f", "func.func", "return"))), op.name
