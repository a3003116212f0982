"""Conflicts of One-Shot Bufferize are told where mlir-opt shows them."""

from __future__ import annotations

from tests.oracles import require_tool
from tests.suite.conflicts import measure, uses

TEXT = """\
// RUN: mlir-opt %s -one-shot-bufferize="test-analysis-only analysis-heuristic=top-down" -split-input-file
// RUN: mlir-opt %s -pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries})"
// RUN: mlir-opt %s -one-shot-bufferize="copy-before-write"
func.func @read_later(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = tensor.insert %x into %a[%i] : tensor<8xf32>
  %v = tensor.extract %a[%i] : tensor<8xf32>
  return %b, %v : tensor<8xf32>, f32
}
// -----
func.func @not_writable(%x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %d = tensor.insert %x into %c[%i] : tensor<4xf32>
  return %d : tensor<4xf32>
}
// -----
func.func @in_a_loop(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (tensor<8xf32>) {
    %s = linalg.add ins(%acc, %t : tensor<8xf32>, tensor<8xf32>) outs(%acc : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""


def test_options_that_only_show_something_are_left_out() -> None:
    assert uses(TEXT) == ["analysis-heuristic=top-down", "bufferize-function-boundaries"]


def test_each_conflict_is_told() -> None:
    require_tool("mlir-opt")
    counts = measure({"a.mlir": TEXT})
    assert (counts.pieces, counts.shown, counts.told, counts.differences) == (6, 6, 6, [])
