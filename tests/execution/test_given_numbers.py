"""Sizes and divisors that a program is given: with checks, one that cannot be is named with its place."""

from __future__ import annotations

import pytest

from fathom.execution import Json, Worker
from tests.execution.programs import QUICK
from tests.execution.test_checks import request

PROGRAMS = """
func.func @apply(%i: index, %n: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0 + s0)>(%i)[%n]
  return %0 : index
}
func.func @least(%n: index) -> index {
  %0 = affine.min affine_map<()[s0] -> (20 mod s0, 12)>()[%n]
  return %0 : index
}
func.func @nested(%n: index, %k: index) -> index {
  %0 = affine.apply affine_map<()[s0, s1] -> (100 floordiv (s0 floordiv s1))>()[%n, %k]
  return %0 : index
}
func.func @loop(%n: index, %m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = affine.for %i = 0 to affine_map<()[s0] -> (12 floordiv s0)>()[%n] iter_args(%sum = %c0) -> i32 {
    %1 = affine.load %m[%i] : memref<?xi32>
    %2 = arith.addi %sum, %1 : i32
    affine.yield %2 : i32
  }
  return %0 : i32
}
func.func @branch(%a: index, %n: index) -> i1 {
  %0 = affine.if affine_set<()[s0, s1] : (s0 mod s1 == 0)>()[%a, %n] -> i1 {
    %true = arith.constant true
    affine.yield %true : i1
  } else {
    %false = arith.constant false
    affine.yield %false : i1
  }
  return %0 : i1
}
func.func @parallel(%n: index, %m: memref<?xi32>) {
  %c3 = arith.constant 3 : i32
  affine.parallel (%i) = (0) to (8 ceildiv symbol(%n)) {
    affine.store %c3, %m[%i] : memref<?xi32>
  }
  return
}
func.func @subscript(%n: index, %m: memref<?xi32>) -> i32 {
  %0 = affine.load %m[7 mod symbol(%n)] : memref<?xi32>
  return %0 : i32
}
func.func @delinearize(%n: index) -> (index, index) {
  %c20 = arith.constant 20 : index
  %0:2 = affine.delinearize_index %c20 into (4, %n) : index, index
  return %0#0, %0#1 : index, index
}
func.func @index(%a: index, %n: index) -> index {
  %0 = index.floordivs %a, %n
  return %0 : index
}
llvm.func @llvm(%a: i32, %n: i32) -> i32 {
  %0 = llvm.srem %a, %n : i32
  llvm.return %0 : i32
}
func.func @part(%m: memref<8x4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.subview %m[1, 0] [%n, 2] [1, 1] : memref<8x4xf32> to memref<?x2xf32, strided<[4, 1], offset: 4>>
  %1 = memref.load %m[%c0, %c0] : memref<8x4xf32>
  return %1 : f32
}
func.func @alloc(%n: index) {
  %c2 = arith.constant 2 : index
  %0 = memref.alloc(%c2, %n) : memref<?x3x?xi8>
  memref.dealloc %0 : memref<?x3x?xi8>
  return
}
func.func @recast(%m: memref<8xi8>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2, %n], strides: [2, 1]
    : memref<8xi8> to memref<2x?xi8, strided<[2, 1]>>
  return
}
func.func @view(%m: memref<40xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %0 = memref.view %m[%c0][%n] : memref<40xi8> to memref<?x2xi8>
  return
}
"""
BY_ZERO = "op division by zero"
BY_NEGATIVE = "op division by a negative number: {} is less than 0"


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("apply", [3, 0], f"'affine.apply' {BY_ZERO}"),
        ("apply", [3, -2], f"'affine.apply' {BY_NEGATIVE.format(-2)}"),
        ("least", [0], f"'affine.min' {BY_ZERO}"),
        ("nested", [3, 0], f"'affine.apply' {BY_ZERO}"),
        ("nested", [3, 4], f"'affine.apply' {BY_ZERO}"),
        ("loop", [0, [1]], f"'affine.for' {BY_ZERO}"),
        ("branch", [4, 0], f"'affine.if' {BY_ZERO}"),
        ("parallel", [0, [1]], f"'affine.parallel' {BY_ZERO}"),
        ("subscript", [0, [1]], f"'affine.load' {BY_ZERO}"),
        ("subscript", [4, [1]], "'affine.load' op out-of-bounds access: 3 is not in [0, 1)"),
        ("delinearize", [0], f"'affine.delinearize_index' {BY_ZERO}"),
        ("index", [4, 0], f"'index.floordivs' {BY_ZERO}"),
        ("index", [-(2**63), -1], "'index.floordivs' op overflow: the lowest number is divided by -1"),
        ("llvm", [4, 0], f"'llvm.srem' {BY_ZERO}"),
        ("part", [{"fill": 0}, -3], "'memref.subview' op size 0 is negative: -3 is less than 0"),
        ("alloc", [-1], "'memref.alloc' op size 2 is negative: -1 is less than 0"),
        ("recast", [{"fill": 0}, -1], "'memref.reinterpret_cast' op size 1 is negative: -1 is less than 0"),
        ("view", [{"fill": 0}, -1], "'memref.view' op size 0 is negative: -1 is less than 0"),
    ],
)
def test_what_cannot_be(worker: Worker, function: str, arguments: list[Json], message: str) -> None:
    asked = request(PROGRAMS, function, *arguments)
    failure = worker.run(asked, QUICK).failure
    assert failure is not None
    assert (failure.kind, failure.message) == ("assertion", message)
    span = asked.checks[int(str(failure.details["check"]))].span
    assert span is not None
    assert PROGRAMS[span.start :].startswith(message.split("'")[1])


@pytest.mark.parametrize(
    ("function", "arguments", "results"),
    [
        ("apply", [7, 2], (6,)),
        ("least", [7], (6,)),
        ("nested", [12, 4], (33,)),
        ("loop", [4, [1, 2, 3]], (6,)),
        ("branch", [4, 2], (True,)),
        ("parallel", [4, [0, 0]], ()),
        ("subscript", [4, [1, 2, 3, 4]], (4,)),
        ("delinearize", [3], (6, 2)),
        ("index", [-7, 2], (-4,)),
        ("llvm", [7, 4], (3,)),
        ("part", [{"fill": 5}, 0], (5.0,)),
        ("alloc", [0], ()),
        ("recast", [{"fill": 0}, 4], ()),
        ("view", [{"fill": 0}, 20], ()),
    ],
)
def test_what_can_be(worker: Worker, function: str, arguments: list[Json], results: tuple[Json, ...]) -> None:
    outcome = worker.run(request(PROGRAMS, function, *arguments), QUICK)
    assert (outcome.failure, outcome.results) == (None, results)
