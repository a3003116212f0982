"""A run that is checked tells how much of what the program allocates nobody frees."""

from __future__ import annotations

import pytest

from fathom.execution import Worker
from fathom.records import replace
from tests.execution.test_checks import QUICK, request

PROGRAMS = """
func.func private @rand() -> i32
func.func @leaks(%n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = call @rand() : () -> i32
  %returned = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %kept = memref.alloc() : memref<i32>
    %other = memref.alloc() : memref<i32>
    memref.store %v, %kept[] : memref<i32>
    memref.store %v, %other[] : memref<i32>
    memref.store %v, %returned[%i] : memref<?xi32>
    memref.dealloc %other : memref<i32>
  }
  return %returned : memref<?xi32>
}
func.func @unranked(%n: index) -> memref<*xi32> {
  %m = memref.alloc(%n) : memref<?xi32>
  %cast = memref.cast %m : memref<?xi32> to memref<*xi32>
  return %cast : memref<*xi32>
}
memref.global "private" constant @numbers : memref<2xi32> = dense<[1, 2]>
func.func @global(%n: index) -> memref<2xi32> {
  %m = memref.get_global @numbers : memref<2xi32>
  return %m : memref<2xi32>
}
func.func @tensors(%n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %first = tensor.splat %one[%n] : tensor<?xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> tensor<?xi32> {
    %twice = arith.addi %t, %first : tensor<?xi32>
    scf.yield %twice : tensor<?xi32>
  }
  return %last : tensor<?xi32>
}
"""


@pytest.mark.parametrize(
    ("function", "argument", "notes"),
    [
        ("leaks", 0, ()),
        ("leaks", 1, ("1 allocation was not freed",)),
        ("leaks", 3, ("3 allocations were not freed",)),
        ("unranked", 2, ()),
        ("global", 2, ()),
        ("tensors", 0, ()),
        ("tensors", 3, ()),
    ],
)
def test_what_is_not_freed_is_told(worker: Worker, function: str, argument: int, notes: tuple[str, ...]) -> None:
    asked = request(PROGRAMS, function, argument, optimization=0)
    outcome = worker.run(replace(asked, counts_memory=True), QUICK)
    assert (outcome.failure, outcome.notes) == (None, notes)
    assert worker.run(asked, QUICK).notes == ()


UNUSED = """
func.func @unused(%n: index) -> index {
  %m = memref.alloc(%n) : memref<?xi32>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  memref.store %c7, %m[%c0] : memref<?xi32>
  %freed = memref.alloc() : memref<4xi32>
  memref.dealloc %freed : memref<4xi32>
  return %n : index
}
"""


@pytest.mark.parametrize("level", [0, 2, 3])
def test_what_nothing_comes_of_is_told_too(worker: Worker, level: int) -> None:
    """LLVM takes an allocation away that nobody reads; not where it is counted."""
    asked = request(UNUSED, "unused", 4, optimization=level)
    outcome = worker.run(replace(asked, counts_memory=True), QUICK)
    assert (outcome.failure, outcome.results, outcome.notes) == (None, (4,), ("1 allocation was not freed",))
    assert worker.run(asked, QUICK).notes == ()


ALIKE = """
func.func @carried_twice(%a: tensor<2xi32>, %n: index) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<2xi32>, tensor<2xi32>) {
    %first = tensor.insert %one into %x[%c0] : tensor<2xi32>
    %sum = arith.addi %first, %y : tensor<2xi32>
    %cast = tensor.cast %sum : tensor<2xi32> to tensor<?xi32>
    %back = tensor.cast %cast : tensor<?xi32> to tensor<2xi32>
    scf.yield %sum, %back : tensor<2xi32>, tensor<2xi32>
  }
  return %last#0, %last#1 : tensor<2xi32>, tensor<2xi32>
}
func.func @carries_constants(%a: tensor<2xi32>, %n: index) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %numbers = arith.constant dense<[5, 6]> : tensor<2xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<2xi32>) {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %chosen = scf.if %is_first -> tensor<2xi32> {
      scf.yield %numbers : tensor<2xi32>
    } else {
      scf.yield %x : tensor<2xi32>
    }
    scf.yield %chosen : tensor<2xi32>
  }
  %put = tensor.insert %one into %last[%c0] : tensor<2xi32>
  return %put, %numbers : tensor<2xi32>, tensor<2xi32>
}
func.func @branches(%a: tensor<2xi32>, %n: i32) -> tensor<2xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %a : i32, tensor<2xi32>)
^head(%i: i32, %t: tensor<2xi32>):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %twice = arith.addi %t, %t : tensor<2xi32>
  %next = arith.addi %i, %c1 : i32
  cf.br ^head(%next, %twice : i32, tensor<2xi32>)
^end:
  return %t : tensor<2xi32>
}
func.func @calls_branches(%a: tensor<2xi32>, %n: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %b = call @branches(%a, %n) : (tensor<2xi32>, i32) -> tensor<2xi32>
  %c = arith.addi %b, %a : tensor<2xi32>
  return %c, %b : tensor<2xi32>, tensor<2xi32>
}
"""
"""Buffers that are one where nobody sees it: what loops carry, and what a function returns that nobody sees through."""


KEPT = """
func.func private @twice(%t: tensor<2xi32>) -> tensor<2xi32> {
  %sum = arith.addi %t, %t : tensor<2xi32>
  return %sum : tensor<2xi32>
}
func.func @changes(%t: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %put = tensor.insert %seven into %t[%c0] : tensor<2xi32>
  %more = call @twice(%put) : (tensor<2xi32>) -> tensor<2xi32>
  return %put, %more : tensor<2xi32>, tensor<2xi32>
}
func.func @calls(%m: memref<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %t = bufferization.to_tensor %m restrict : memref<2xi32> to tensor<2xi32>
  %a, %b = call @changes(%t) : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}
"""


def test_what_a_function_is_given_stays_what_it_is(worker: Worker) -> None:
    asked = replace(request(KEPT, "calls", [1, 2]), counts_memory=True)
    outcome = worker.run(asked, QUICK)
    assert (outcome.failure, outcome.notes) == (None, ())
    held = [result["data"] for result in (*outcome.results, *outcome.arguments) if isinstance(result, dict)]
    assert held == [[7, 2], [14, 4], [1, 2]]


@pytest.mark.parametrize(
    ("function", "count", "results"),
    [
        ("carried_twice", 0, [[3, 5], [3, 5]]),
        ("carried_twice", 1, [[4, 10], [4, 10]]),
        ("carried_twice", 3, [[6, 40], [6, 40]]),
        ("carries_constants", 0, [[1, 5], [5, 6]]),
        ("carries_constants", 2, [[1, 6], [5, 6]]),
        ("branches", 0, [[3, 5]]),
        ("branches", 2, [[12, 20]]),
        ("calls_branches", 0, [[6, 10], [3, 5]]),
        ("calls_branches", 1, [[9, 15], [6, 10]]),
    ],
)
def test_buffers_that_may_be_one(worker: Worker, function: str, count: int, results: list[list[int]]) -> None:
    outcome = worker.run(request(ALIKE, function, [3, 5], count), QUICK)
    assert outcome.failure is None, outcome.failure
    assert [result["data"] for result in outcome.results if isinstance(result, dict)] == results
