"""Checks of single lanes, of positions in vectors, of views and of the steps of loops: what fails is told with its
values, and what is right gives what it gave."""

from __future__ import annotations

import io
import json

import pytest

from fathom.cli import main

PROGRAMS = """
func.func @extract(%i: index) -> i32 {
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %0 = vector.extract %v[%i] : i32 from vector<4xi32>
  return %0 : i32
}
func.func @insert(%i: index) -> vector<2x2xi32> {
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %k = arith.constant 9 : i32
  %0 = vector.insert %k, %v[1, %i] : i32 into vector<2x2xi32>
  return %0 : vector<2x2xi32>
}
func.func @gather(%m: memref<?x?xi32>, %row: index, %at: vector<2xi16>, %mask: vector<2xi1>) -> vector<2xi32> {
  %c1 = arith.constant 1 : index
  %other = arith.constant dense<-7> : vector<2xi32>
  %0 = vector.gather %m[%row, %c1] [%at], %mask, %other
      : memref<?x?xi32>, vector<2xi16>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  return %0 : vector<2xi32>
}
func.func @scatter(%m: memref<?xi32>, %at: vector<2xindex>, %mask: vector<2xi1>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<9> : vector<2xi32>
  vector.scatter %m[%c0] [%at], %mask, %v : memref<?xi32>, vector<2xindex>, vector<2xi1>, vector<2xi32>
  return
}
func.func @masked(%m: memref<?xi32>, %i: index, %mask: vector<4xi1>) -> vector<4xi32> {
  %other = arith.constant dense<7> : vector<4xi32>
  %0 = vector.maskedload %m[%i], %mask, %other : memref<?xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @expand(%m: memref<?xi32>, %i: index, %mask: vector<4xi1>) -> vector<4xi32> {
  %other = arith.constant dense<7> : vector<4xi32>
  %0 = vector.expandload %m[%i], %mask, %other : memref<?xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @transfer(%m: memref<?xi32>, %i: index) -> vector<2xi32> {
  %pad = arith.constant 7 : i32
  %0 = vector.transfer_read %m[%i], %pad : memref<?xi32>, vector<2xi32>
  return %0 : vector<2xi32>
}
func.func @view(%shift: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<16xi8>
  %v = memref.view %m[%shift][%n] : memref<16xi8> to memref<?xi32>
  %0 = memref.dim %v, %c0 : memref<?xi32>
  return %0 : index
}
func.func @reshape(%m: memref<?xi32>, %shape: memref<2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %r = memref.reshape %m(%shape) : (memref<?xi32>, memref<2xi32>) -> memref<?x?xi32>
  %0 = memref.load %r[%c0, %c0] : memref<?x?xi32>
  return %0 : i32
}
func.func @insert_slice(%t: tensor<?xi32>, %part: tensor<2xi32>, %i: index) -> tensor<?xi32> {
  %0 = tensor.insert_slice %part into %t[%i] [2] [1] : tensor<2xi32> into tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @loop(%upper: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = scf.for %i = %c0 to %upper step %step iter_args(%sum = %c0) -> index {
    %1 = arith.addi %sum, %step : index
    scf.yield %1 : index
  }
  return %0 : index
}
func.func @narrow(%lower: i8, %upper: i8, %step: i8) -> i8 {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %0 = scf.for %i = %lower to %upper step %step iter_args(%n = %zero) -> i8 : i8 {
    %1 = arith.addi %n, %one : i8
    scf.yield %1 : i8
  }
  return %0 : i8
}
func.func @unsigned(%lower: i8, %upper: i8, %step: i8) -> i8 {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %0 = scf.for unsigned %i = %lower to %upper step %step iter_args(%n = %zero) -> i8 : i8 {
    %1 = arith.addi %n, %one : i8
    scf.yield %1 : i8
  }
  return %0 : i8
}
func.func @parallel(%step: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%step) {
    scf.reduce
  }
  return %c0 : index
}
"""


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("extract", "4", "'vector.extract' op position is out of bounds: 4 is not in [0, 4)"),
        ("insert", "-1", "'vector.insert' op position 1 is out of bounds: -1 is not in [0, 2)"),
        (
            "gather",
            "[[1, 2], [3, 4]], 1, [0, 1], [1, 1]",
            "'vector.gather' op out-of-bounds access: 2 is not in [0, 2)",
        ),
        (
            "gather",
            "[[1, 2], [3, 4]], 1, [-2, 0], [1, 1]",
            "'vector.gather' op out-of-bounds access: -1 is not in [0, 2)",
        ),
        (
            "gather",
            "[[1, 2], [3, 4]], 2, [0, 0], [1, 0]",
            "'vector.gather' op out-of-bounds access in dimension 0: 2 is not in [0, 2)",
        ),
        ("scatter", "[1, 2], [0, 2], [1, 1]", "'vector.scatter' op out-of-bounds access: 2 is not in [0, 2)"),
        ("masked", "[1, 2, 3], 2, [1, 1, 0, 0]", "'vector.maskedload' op out-of-bounds access: 3 is not in [0, 3)"),
        ("expand", "[1, 2, 3], 2, [1, 0, 0, 1]", "'vector.expandload' op out-of-bounds access: 3 is not in [0, 3)"),
        ("expand", "[1, 2, 3], -1, [1, 0, 0, 1]", "'vector.expandload' op out-of-bounds access: -1 is not in [0, 3)"),
        ("transfer", "[1, 2], -1", "'vector.transfer_read' op it begins in front of its memory: -1 is less than 0"),
        ("view", "5, 3", "'memref.view' op the view ends behind its memory: 17 is more than 16"),
        ("view", "-4, 1", "'memref.view' op the view begins in front of its memory: -4 is less than 0"),
        ("reshape", "[1, 2, 3, 4], [3, 3]", "'memref.reshape' op the number of elements changes: 9 instead of 4"),
        (
            "insert_slice",
            "[1, 2, 3, 4], [7, 8], 3",
            "'tensor.insert_slice' op insert_slice runs out-of-bounds along dimension 0: 4 is not in [0, 4)",
        ),
        ("loop", "4, 0", "'scf.for' op the step of the loop is not above zero: 0 is less than 1"),
        ("loop", "4, -1", "'scf.for' op the step of the loop is not above zero: -1 is less than 1"),
        ("narrow", "100, 120, 15", "'scf.for' op the variable of the loop overflows: 130 is more than 127"),
        ("unsigned", "200, 250, 60", "'scf.for' op the variable of the loop overflows: 260 is more than 255"),
        ("parallel", "0", "'scf.parallel' op the step of the loop is not above zero: 0 is less than 1"),
    ],
)
def test_what_fails_is_told(function: str, arguments: str, message: str) -> None:
    outcome = _run(function, arguments)
    assert not outcome["ok"]
    assert outcome["failure"]["message"] == message


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        ("extract", "3", 4),
        ("insert", "0", [[1, 2], [9, 4]]),
        ("gather", "[[1, 2], [3, 4]], 1, [-1, 0], [1, 1]", [3, 4]),
        ("gather", "[[1, 2], [3, 4]], 1, [9, 0], [0, 1]", [-7, 4]),
        ("gather", "[[1, 2], [3, 4]], 7, [0, 0], [0, 0]", [-7, -7]),
        ("masked", "[1, 2, 3], 1, [1, 1, 0, 0]", [2, 3, 7, 7]),
        ("masked", "[], 0, [0, 0, 0, 0]", [7, 7, 7, 7]),
        ("expand", "[1, 2, 3], 1, [1, 0, 0, 1]", [2, 7, 7, 3]),
        ("expand", "[1, 2, 3], 9, [0, 0, 0, 0]", [7, 7, 7, 7]),
        ("transfer", "[1, 2], 1", [2, 7]),
        ("transfer", "[1, 2], 5", [7, 7]),
        ("view", "4, 3", 3),
        ("reshape", "[1, 2, 3, 4], [2, 2]", 1),
        ("loop", "4, 3", 6),
        ("narrow", "100, 120, 10", 2),
        ("narrow", "100, 90, 50", 0),
        ("narrow", "-128, 127, 51", 5),
        ("unsigned", "200, 250, 25", 2),
    ],
)
def test_what_is_right_is_as_it_was(function: str, arguments: str, result: object) -> None:
    assert _run(function, arguments)["results"] == [result]


def _run(function: str, arguments: str) -> dict[str, dict[str, object]]:
    stdout = io.StringIO()
    command = ["run", "-", "--check", "--json", "-e", function, "--args", arguments]
    main(command, io.StringIO(PROGRAMS), stdout, io.StringIO())
    return json.loads(stdout.getvalue())
