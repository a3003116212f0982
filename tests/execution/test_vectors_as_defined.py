"""Vectors that MLIR 22's passes compute otherwise than their operations say: what is run is what they say."""

from __future__ import annotations

import io
import json

import pytest

from fathom.cli import main

PROGRAMS = """
func.func @over_nothing(%v: vector<2x2xi32>, %start: vector<2x2xi32>) -> vector<2x2xi32> {
  %0 = vector.multi_reduction <add>, %v, %start [] : vector<2x2xi32> to vector<2x2xi32>
  return %0 : vector<2x2xi32>
}
func.func @over_nothing_of_a_row(%v: vector<3xf32>, %start: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <maximumf>, %v, %start [] : vector<3xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}
func.func @under_a_mask(%v: vector<2x2xi32>, %start: vector<2x2xi32>, %n: index) -> vector<2x2xi32> {
  %m = vector.create_mask %n, %n : vector<2x2xi1>
  %0 = vector.mask %m {
    vector.multi_reduction <mul>, %v, %start [] : vector<2x2xi32> to vector<2x2xi32>
  } : vector<2x2xi1> -> vector<2x2xi32>
  return %0 : vector<2x2xi32>
}
func.func @read_from_before(%m: memref<?xi32>, %pad: i32) -> vector<4xi32> {
  %start = arith.constant -2 : index
  %0 = vector.transfer_read %m[%start], %pad : memref<?xi32>, vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @read_rows(%m: memref<2x2xi32>, %pad: i32, %i: index) -> (vector<2x3xi32>, vector<3x2xi32>) {
  %start = arith.constant -1 : index
  %0 = vector.transfer_read %m[%i, %start], %pad : memref<2x2xi32>, vector<2x3xi32>
  %1 = vector.transfer_read %m[%i, %start], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
      : memref<2x2xi32>, vector<3x2xi32>
  return %0, %1 : vector<2x3xi32>, vector<3x2xi32>
}
func.func @write_from_before(%m: memref<?xi32>, %v: vector<3xi32>, %mask: vector<3xi1>) {
  %start = arith.constant -1 : index
  vector.transfer_write %v, %m[%start], %mask : vector<3xi32>, memref<?xi32>
  return
}
func.func @tensor_from_before(%t: tensor<?xi32>, %pad: i32) -> vector<4xi32> {
  %start = arith.constant -1 : index
  %0 = vector.transfer_read %t[%start], %pad : tensor<?xi32>, vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @nothing_of_it(%m: memref<?xi32>, %pad: i32) -> vector<2xi32> {
  %start = arith.constant -9 : index
  %0 = vector.transfer_read %m[%start], %pad : memref<?xi32>, vector<2xi32>
  return %0 : vector<2xi32>
}
func.func @bits(%m: memref<?xi1>, %i: index, %v: vector<4xi1>) -> (vector<4xi1>, i1) {
  %0 = vector.load %m[%i] : memref<?xi1>, vector<4xi1>
  vector.store %v, %m[%i] : memref<?xi1>, vector<4xi1>
  %c3 = arith.constant 3 : index
  %1 = memref.load %m[%c3] : memref<?xi1>
  return %0, %1 : vector<4xi1>, i1
}
func.func @transferred_bits(%m: memref<2x3xi1>, %i: index) -> vector<2x4xi1> {
  %pad = arith.constant true
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %i], %pad : memref<2x3xi1>, vector<2x4xi1>
  vector.transfer_write %0, %m[%c0, %c0] : vector<2x4xi1>, memref<2x3xi1>
  return %0 : vector<2x4xi1>
}
func.func @masked_bits(%m: memref<?xi1>, %mask: vector<4xi1>, %v: vector<4xi1>)
    -> (vector<4xi1>, vector<4xi1>, vector<2xi1>) {
  %c0 = arith.constant 0 : index
  %0 = vector.maskedload %m[%c0], %mask, %v : memref<?xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>
  vector.maskedstore %m[%c0], %mask, %mask : memref<?xi1>, vector<4xi1>, vector<4xi1>
  %1 = vector.expandload %m[%c0], %mask, %v : memref<?xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>
  %places = arith.constant dense<[3, 0]> : vector<2xi32>
  %both = arith.constant dense<true> : vector<2xi1>
  %none = arith.constant dense<false> : vector<2xi1>
  %2 = vector.gather %m[%c0] [%places], %both, %none
      : memref<?xi1>, vector<2xi32>, vector<2xi1>, vector<2xi1> into vector<2xi1>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<2xi1>
}
func.func @mask(%n: index) -> vector<3xi1> {
  %0 = vector.create_mask %n : vector<3xi1>
  return %0 : vector<3xi1>
}
"""


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("function", "arguments", "results"),
    [
        ("over_nothing", "[[1, 2], [3, 4]], [[10, 20], [30, 40]]", [[[11, 22], [33, 44]]]),
        ("over_nothing_of_a_row", "[1, 5, -1], [3, 3, 3]", [[3.0, 5.0, 3.0]]),
        ("under_a_mask", "[[1, 2], [3, 4]], [[10, 20], [30, 40]], 1", [[[10, 20], [30, 40]]]),
        ("read_from_before", "[1, 2, 3], 9", [[9, 9, 1, 2]]),
        ("read_from_before", "[1], 9", [[9, 9, 1, 9]]),
        ("read_rows", "[[1, 2], [3, 4]], 9, 1", [[[9, 3, 4], [9, 9, 9]], [[9, 9], [3, 9], [4, 9]]]),
        ("tensor_from_before", "[1, 2], 9", [[9, 1, 2, 9]]),
        ("nothing_of_it", "[1, 2], 9", [[9, 9]]),
        ("bits", "[1, 0, 1, 1, 0, 1], 1, [0, 0, 0, 1]", [[False, True, True, False], False]),
        ("transferred_bits", "[[0, 1, 0], [1, 0, 0]], 1", [[[True, False, True, True], [False, False, True, True]]]),
        (
            "masked_bits",
            "[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]",
            [[True, False, False, True], [True, True, True, True], [True, True]],
        ),
        ("mask", "4294967296", [[True, True, True]]),
        ("mask", "-4294967295", [[False, False, False]]),
        ("mask", "2", [[True, True, False]]),
    ],
)
def test_what_a_function_gives(function: str, arguments: str, results: object, checked: bool) -> None:
    assert _run(function, arguments, checked)["results"] == results


def test_what_is_written_from_before_the_memory() -> None:
    outcome = _run("write_from_before", "[1, 2, 3], [7, 8, 9], [1, 1, 0]", checked=True)
    assert outcome["arguments"][0]["data"] == [8, 2, 3]


def _run(function: str, arguments: str, checked: bool) -> dict[str, list[dict[str, object]]]:
    stdout, stderr = io.StringIO(), io.StringIO()
    command = ["run", "-", "--json", "-e", function, "--args", arguments, "--show-arguments=all"]
    assert main([*command, *["--check"] * checked], io.StringIO(PROGRAMS), stdout, stderr) == 0, stdout.getvalue()
    outcome = json.loads(stdout.getvalue())
    assert not outcome["notes"]
    return outcome
