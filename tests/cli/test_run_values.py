"""Values as `fathom run` takes and shows them, and what it does about what the passes of MLIR make of a program."""

from __future__ import annotations

import io
import json
import math
import struct

import pytest

from fathom.cli import main
from tests.cli.test_run import ADD, check_run, fathom

SAME = """func.func @bits(%a: i1, %v: vector<3xi1>, %m: memref<2xi1>) -> (i1, vector<3xi1>) {
  return %a, %v : i1, vector<3xi1>
}
func.func @double(%a: f64) -> f64 {
  return %a : f64
}
func.func @single(%a: f32) -> f32 {
  return %a : f32
}
func.func @fill(%m: memref<?x?xi8>) {
  return
}
"""


@pytest.mark.parametrize(
    "text",
    [
        "[[" + ", ".join(["1"] * 300) + "]]",
        "[" * 10_000,
        "é" * 300,
        "{" + "a" * 500 + ": 3}",
        "0x" + "f" * 5000,
        "9" * 5000,
        "1e" + "9" * 500,
        "1\0",
        "\udcff\udcfe" * 200,
        "[1,\n2]",
        "/nowhere/" + "a" * 300,
    ],
    ids=lambda text: text[:8].encode("ascii", "backslashreplace").decode(),
)
def test_long_and_odd_arguments_are_refused_in_few_words(text: str) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["run", "--entry", "f", "--args", text, "-"], io.StringIO(ADD), stdout, stderr) == 1
    assert stderr.getvalue().startswith("<stdin>: error: arguments")
    assert len(stderr.getvalue()) < 400


def test_a_list_longer_than_the_name_of_a_file() -> None:
    numbers = [*range(100)] * 3
    text = "func.func @f(%m: memref<?xi32>) {\n  return\n}\n"
    status, output, errors = fathom("--show-arguments=all", "--entry", "f", "--args", str(numbers), text=text)
    assert (status, errors) == (0, "")
    assert [int(number) for number in output.strip("]\n").partition("[")[2].split(",")] == numbers


def test_truth_values_are_words() -> None:
    arguments = ["--show-arguments=all", "--entry", "bits", "--args", "1, [true, 0, 1], [false, true]"]
    check_run(arguments, "true\n[true, false, true]\nargument #2: [false, true]\n", SAME)


@pytest.mark.parametrize("value", [0.1, 1e-300, 1e300, 1.0, -0.0, 1 / 3, 5e-324, 123456789.125, math.inf])
def test_floats_have_all_their_digits(value: float) -> None:
    status, shown, errors = fathom("--entry", "double", "--args", repr(value), text=SAME)
    assert (status, errors) == (0, "")
    assert struct.pack("d", float(shown)) == struct.pack("d", value)


def test_a_narrow_float_has_as_many_digits_as_it_needs() -> None:
    check_run(["--entry", "single", "--args", "0.1"], "0.1\n", SAME)
    check_run(["--entry", "single", "--args", "nan"], "nan\n", SAME)


def test_what_is_left_out_is_counted() -> None:
    answer = json.loads(fathom("--json", "--entry", "fill", "--args", "{shape: [300, 100], fill: 7}", text=SAME)[1])
    assert answer["arguments"][0]["truncated"] == 20_000


def test_types_that_are_not_passed() -> None:
    text = "func.func @main(%a: i32, %b: (i32) -> i32) -> i32 {\n  return %a : i32\n}\n"
    status, output, errors = fathom("--args", "1, 2", text=text)
    assert (status, output) == (1, "")
    assert errors == (
        "<stdin>: error: argument #1 of @main: '(i32) -> i32' is code, which no argument and no result can name: "
        "call it in the module\n"
        "<stdin>: note: call it from a function that takes and returns such values, and run that one: "
        "--entry NAME --args 1, 2.5, [1, 2]\n"
    )
    errors = fathom("--entry", "f", text=ADD)[2]
    assert errors.startswith("<stdin>: error: arguments: expected 1 for @f(i32), got 0\n<stdin>: note: give them with ")


def test_functions_of_libraries_that_the_file_declares() -> None:
    text = """func.func private @printF32(f32)
func.func private @printNewline()
func.func private @malloc(i64) -> !llvm.ptr
func.func @main() -> i32 {
  %x = arith.constant 1.5 : f32
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i64
  %c7 = arith.constant 7 : i32
  vector.print %x : f32
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  %p = call @malloc(%c4) : (i64) -> !llvm.ptr
  %m = memref.alloc() : memref<4xi32>
  memref.store %c7, %m[%c1] : memref<4xi32>
  %r = memref.load %m[%c1] : memref<4xi32>
  return %r : i32
}
"""
    check_run([], "1.5\n1.5\n7\n", text)


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("length", "1e300, 1e300", math.sqrt(2) * 1e300),
        ("length", "1e-300, 1e-300", math.sqrt(2) * 1e-300),
        ("length", "0, 0", 0.0),
        ("length", "inf, 1", math.inf),
        ("quotient", "1e300, 1e300", 1.0),
        ("quotient", "1e-300, 1e-300", 1.0),
    ],
)
def test_complex_numbers_do_not_overflow_on_the_way(function: str, arguments: str, expected: float) -> None:
    text = """func.func @length(%x: f64, %y: f64) -> f64 {
  %0 = complex.create %x, %y : complex<f64>
  %1 = complex.abs %0 : complex<f64>
  return %1 : f64
}
func.func @quotient(%x: f64, %y: f64) -> f64 {
  %0 = complex.create %x, %y : complex<f64>
  %1 = complex.div %0, %0 : complex<f64>
  %2 = complex.re %1 : complex<f64>
  return %2 : f64
}
"""
    status, shown, errors = fathom("--entry", function, "--args", arguments, text=text)
    assert (status, errors) == (0, "")
    assert float(shown) == pytest.approx(expected)


MASKS = """func.func @write(%m: memref<4xi32>, %v: vector<4xi32>, %in: vector<4xi1>, %out: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  vector.mask %out {
    vector.transfer_write %v, %m[%c0], %in {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  } : vector<4xi1>
  return
}
func.func @read(%m: memref<4xi32>, %in: vector<4xi1>, %out: vector<4xi1>, %o: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : i32
  %0 = vector.mask %out, %o {
    vector.transfer_read %m[%c0], %c9, %in {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  } : vector<4xi1> -> vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @gather(%m: memref<4xi32>, %in: vector<4xi1>, %out: vector<4xi1>, %o: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %i = arith.constant dense<[3, 2, 1, 0]> : vector<4xindex>
  %0 = vector.mask %out {
    vector.gather %m[%c0][%i], %in, %o
      : memref<4xi32>, vector<4xindex>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  } : vector<4xi1> -> vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @whole(%m: memref<4xi32>, %v: vector<4xi32>, %out: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %in = vector.constant_mask [4] : vector<4xi1>
  vector.mask %out {
    vector.transfer_write %v, %m[%c0], %in {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  } : vector<4xi1>
  return
}
"""


@pytest.mark.parametrize("checked", [[], ["--check"]], ids=["unchecked", "checked"])
@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (
            "write",
            "[0, 0, 0, 0], [1, 2, 3, 4], [1, 1, 0, 0], [1, 0, 1, 0]",
            "argument #0: 1 of 4 elements changed\n  [0]: 0 -> 1\n",
        ),
        (
            "read",
            "[1, 2, 3, 4], [1, 0, 1, 0], [1, 1, 0, 0], [-1, -2, -3, -4]",
            "[ 1,  9, -3, -4]\n",
        ),
        (
            "gather",
            "[1, 2, 3, 4], [1, 0, 1, 0], [1, 1, 0, 0], [-1, -2, -3, -4]",
            "[ 4, -2, -3, -4]\n",
        ),
    ],
)
def test_both_masks_count(checked: list[str], function: str, arguments: str, expected: str) -> None:
    status, output, errors = fathom(*checked, "--entry", function, "--args", arguments, text=MASKS)
    assert (status, output) == (0, expected)
    assert "warning: 'vector." in errors
    assert "has a mask of its own under a 'vector.mask'" in errors


def test_of_a_mask_that_leaves_nothing_out_nothing_is_said() -> None:
    arguments = ["--entry", "whole", "--args", "[0, 0, 0, 0], [1, 2, 3, 4], [1, 0, 1, 0]"]
    check_run(arguments, "argument #0: 2 of 4 elements changed\n  [0]: 0 -> 1\n  [2]: 0 -> 3\n", MASKS)
