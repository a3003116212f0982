"""What is special about tensors on the way to LLVM IR, seen from what runs give."""

from __future__ import annotations

import io
import json

import pytest

from fathom.cli import main

PROGRAMS = """
func.func @value_of_buffer(%m: memref<4xi32>, %n: memref<?xi32>) -> (i32, tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %t = bufferization.to_tensor %m : memref<4xi32> to tensor<4xi32>
  memref.store %v, %m[%c1] : memref<4xi32>
  %0 = tensor.extract %t[%c1] : tensor<4xi32>
  %u = bufferization.to_tensor %n : memref<?xi32> to tensor<?xi32>
  %w = tensor.insert %v into %u[%c1] : tensor<?xi32>
  return %0, %w : i32, tensor<?xi32>
}
func.func @no_dimensions(%t: tensor<4xi32>, %v: i32) -> tensor<4xi32> {
  %r = scf.forall () in () shared_outs(%o = %t) -> (tensor<4xi32>) {
    %q = linalg.fill ins(%v : i32) outs(%o : tensor<4xi32>) -> tensor<4xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [4] [1] : tensor<4xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}
func.func @masked(%t: tensor<?xi32>, %i: index, %m: vector<4xi1>, %v: vector<4xi32>) -> tensor<?xi32> {
  %0 = vector.mask %m {
    vector.transfer_write %v, %t[%i] : vector<4xi32>, tensor<?xi32>
  } : vector<4xi1> -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @identity_by_strides(%t: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %0 = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<2x3xi32> to tensor<2x3xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [3, 2] : tensor<6xi32> into tensor<3x2xi32>
  return %2 : tensor<3x2xi32>
}
func.func @affine(%t: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %0 = affine.for %i = 0 to 4 iter_args(%s = %t) -> (tensor<4xi32>) {
    %x = tensor.extract %s[%i] : tensor<4xi32>
    %y = arith.addi %x, %x : i32
    %1 = tensor.insert %y into %s[%i] : tensor<4xi32>
    %2 = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] -> tensor<4xi32> {
      affine.yield %1 : tensor<4xi32>
    } else {
      affine.yield %s : tensor<4xi32>
    }
    affine.yield %2 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}
func.func @wide(%t: tensor<3xi65>, %x: i65) -> (tensor<3xi65>, tensor<2xi161>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<3xi65>
  %y = arith.extsi %x : i65 to i161
  %1 = tensor.from_elements %y, %y : tensor<2xi161>
  return %0, %1 : tensor<3xi65>, tensor<2xi161>
}
"""


@pytest.mark.parametrize(
    ("function", "arguments", "results"),
    [
        # A tensor is what the buffer held where it was made, if nobody says that nothing else changes it.
        ("value_of_buffer", "[1, 2, 3, 4], [5, 6, 7]", [2, [5, 7, 7]]),
        ("no_dimensions", "[1, 2, 3, 4], 5", [[5, 5, 5, 5]]),
        ("masked", "[1, 2, 3, 4, 5], 1, [1, 0, 0, 1], [9, 9, 9, 9]", [[1, 9, 3, 4, 9]]),
        ("affine", "[1, 2, 3, 4], 2", [[1, 2, 6, 8]]),
        # What is allocated is as large as the processor has it.
        ("wide", "[1, 2, -3], -9", [[-9, 2, -3], [-9, -9]]),
        ("identity_by_strides", "[[1, 2, 3], [4, 5, 6]]", [[[1, 2], [3, 4], [5, 6]]]),
    ],
)
def test_what_a_function_gives(function: str, arguments: str, results: object) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    command = ["run", "-", "--json", "--check", "-e", function, "--args", arguments]
    assert main(command, io.StringIO(PROGRAMS), stdout, stderr) == 0, stdout.getvalue()
    outcome = json.loads(stdout.getvalue())
    assert [result["data"] if isinstance(result, dict) else result for result in outcome["results"]] == results
    assert not outcome["notes"]
