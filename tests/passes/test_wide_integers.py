"""What the emulation of wide integers cannot rewrite, it reports at its place, as mlir-opt does.

The texts that it prints are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from tests.passes.running import run_pass

ILLEGAL = "failed to legalize operation '{}' that was explicitly marked illegal"


def check_first(text: str, message: str, reason: str, name: str = "arith-emulate-wide-int", options: str = "") -> None:
    """The first error is about what stands between the marks `<|>`, and gives this reason."""
    start, inside, end = text.split("<|>")
    loaded = load(start + inside + end)
    assert not loaded.has_errors, loaded.diagnostics
    diagnostic = run_pass(name, loaded.module, options)[0]
    assert diagnostic.message == message
    assert reason in [note.message for note in diagnostic.notes]
    assert diagnostic.span is not None
    assert (start + inside + end)[diagnostic.span.start : diagnostic.span.end] == inside


def test_an_extension_to_more_than_twice_the_bits() -> None:
    check_first(
        "func.func @f(%a: i64) {\n  %0 = <|>arith.extsi %a : i64 to i128<|>\n  return\n}",
        ILLEGAL.format("arith.extsi"),
        "unsupported type: i128",
    )


def test_a_width_between() -> None:
    check_first(
        "func.func @f(%a: i64) {\n  %0 = <|>arith.trunci %a : i64 to i48<|>\n  return\n}",
        ILLEGAL.format("arith.trunci"),
        "unsupported result type: i48",
    )


def test_an_operation_without_rule() -> None:
    check_first(
        "func.func @f(%a: i64) {\n  %0 = <|>arith.divsi %a, %a : i64<|>\n  return\n}",
        ILLEGAL.format("arith.divsi"),
        "no pattern of this conversion is for it",
    )


def test_a_result_of_a_call() -> None:
    check_first(
        "func.func @f() {\n  %0 = <|>func.call @g() : () -> i8<|>\n  return\n}\nfunc.func private @g() -> i8",
        ILLEGAL.format("func.call"),
        "the type of a result has no conversion",
        options="widest-int-supported=2",
    )


def test_elements_that_are_not_in_the_text() -> None:
    check_first(
        "func.func @f() {\n  %0 = <|>arith.constant dense_resource<a> : vector<2xi64><|>\n  return\n}",
        ILLEGAL.format("arith.constant"),
        "unhandled constant attribute",
    )


def test_more_equal_numbers_than_are_written_out() -> None:
    check_first(
        "func.func @f() {\n  %0 = <|>arith.constant dense<1> : vector<4000000xi64><|>\n  return\n}",
        ILLEGAL.format("arith.constant"),
        "more than 1,048,576 numbers are not written out",
    )


def test_memory_that_is_a_parameter() -> None:
    check_first(
        "func.func @f(%m: memref<4xi64>, %i: index) {\n  %0 = <|>memref.load %m[%i] : memref<4xi64><|>\n  return\n}",
        "failed to legalize unresolved materialization from ('memref<4xi64>') to ('memref<4xvector<2xi32>>') "
        "that remained live after conversion",
        "see existing live user here",
        name="memref-emulate-wide-int",
    )


def test_memory_that_is_given_back() -> None:
    check_first(
        "func.func @f() {\n  %m = memref.alloc() : memref<4xi64>\n"
        "  <|>memref.dealloc %m : memref<4xi64><|>\n  return\n}",
        ILLEGAL.format("memref.dealloc"),
        "no pattern of this conversion is for it",
        name="memref-emulate-wide-int",
    )


@pytest.mark.parametrize("name", ["arith-emulate-wide-int", "memref-emulate-wide-int"])
@pytest.mark.parametrize("width", [0, 1, 24])
def test_what_halves_there_are(name: str, width: int) -> None:
    module = load("func.func @f(%a: i64) {\n  return\n}").module
    (diagnostic,) = run_pass(name, module, f"widest-int-supported={width}")
    assert diagnostic.message == f"the widest integers supported have a power of two of bits, 2 at least, not {width}"
