"""Operations whose loops, masks and windows are their own do, interpreted, what a run does."""

from __future__ import annotations

import numpy
import pytest

from fathom.execution import Json
from fathom.programs.interpreted import by_interpreting
from tests.bisecting.test_interpreted import check_as_run, part_of

MATRIX: list[list[Json]] = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]]

PARALLEL = """\
func.func @f(%m: memref<3x5xf32>, %n: index) -> (f32, f32) {
  %sum, %most = affine.parallel (%i, %j) = (0, 1) to (3, min(5, %n)) step (1, 2) reduce ("addf", "maximumf")
    -> (f32, f32) {
    %x = affine.load %m[%i, %j] : memref<3x5xf32>
    %y = arith.mulf %x, %x : f32
    affine.yield %x, %y : f32, f32
  }
  affine.parallel (%i) = (0) to (3) {
    affine.store %sum, %m[%i, 0] : memref<3x5xf32>
  }
  return %sum, %most : f32, f32
}
"""

REALLOC = """\
func.func @f(%n: index, %k: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i32
  %y = arith.constant 9 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  memref.store %x, %m[%c0] : memref<?xi32>
  %p = memref.realloc %m(%k) : memref<?xi32> to memref<?xi32>
  memref.store %y, %p[%c1] : memref<?xi32>
  %a = memref.load %p[%c0] : memref<?xi32>
  %b = memref.load %p[%c1] : memref<?xi32>
  memref.dealloc %p : memref<?xi32>
  return %a, %b : i32, i32
}
"""

MASKS = """\
func.func @f(%m: memref<8xf32>, %n: index, %v: vector<4xf32>) -> (vector<4xf32>, f32) {
  %c1 = arith.constant 1 : index
  %pad = arith.constant 5.0 : f32
  %mask = vector.create_mask %n : vector<4xi1>
  %r = vector.mask %mask { vector.transfer_read %m[%c1], %pad : memref<8xf32>, vector<4xf32> }
    : vector<4xi1> -> vector<4xf32>
  vector.mask %mask { vector.transfer_write %v, %m[%c1] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
  %s = vector.mask %mask { vector.reduction <add>, %v, %pad : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %r, %s : vector<4xf32>, f32
}
"""

PACK = """\
func.func @f(%t: tensor<3x5xf32>) -> (tensor<3x2x2x2xf32>, tensor<3x5xf32>) {
  %pad = arith.constant 99.0 : f32
  %e = tensor.empty() : tensor<3x2x2x2xf32>
  %p = linalg.pack %t padding_value(%pad : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2]
    into %e : tensor<3x5xf32> -> tensor<3x2x2x2xf32>
  %d = tensor.empty() : tensor<3x5xf32>
  %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2]
    into %d : tensor<3x2x2x2xf32> -> tensor<3x5xf32>
  return %p, %u : tensor<3x2x2x2xf32>, tensor<3x5xf32>
}
"""

POOLS = """\
func.func @f(%t: tensor<1x4x4x2xf32>, %q: tensor<1x4x4x2xi8>)
    -> (tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1x2x2x2xi8>) {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %a = tosa.max_pool2d %t {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %b = tosa.avg_pool2d %t, %zero, %zero {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>,
    stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
  %c = tosa.max_pool2d %q {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %a, %b, %c : tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1x2x2x2xi8>
}
"""


MEANS = """\
func.func @f(%q: tensor<1x4x4x2xi8>, %s: tensor<1x4x4x2xi16>) -> (tensor<1x3x3x2xi8>, tensor<1x3x3x2xi16>) {
  %three = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %less = "tosa.const"() {values = dense<-7> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %a = tosa.avg_pool2d %q, %three, %less {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 1, 2>,
    stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi8>
  %b = tosa.avg_pool2d %s, %zero, %zero {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>,
    stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x3x2xi16>
  return %a, %b : tensor<1x3x3x2xi8>, tensor<1x3x3x2xi16>
}
"""

MASKED = """\
#maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
func.func @f(%v: vector<2x3xf32>, %a: vector<2xf32>, %n: index, %m: index)
    -> (vector<2xf32>, vector<2x2xf32>, f32) {
  %mask = vector.create_mask %n, %m : vector<2x3xi1>
  %r = vector.mask %mask { vector.multi_reduction <add>, %v, %a [1] : vector<2x3xf32> to vector<2xf32> }
    : vector<2x3xi1> -> vector<2xf32>
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %start = arith.constant dense<1.0> : vector<2x2xf32>
  %two = arith.constant 2 : index
  %loops = vector.create_mask %n, %two, %m : vector<2x2x3xi1>
  %c = vector.mask %loops { vector.contract {indexing_maps = #maps,
    iterator_types = ["parallel", "parallel", "reduction"]} %v, %t, %start
    : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32> } : vector<2x2x3xi1> -> vector<2x2xf32>
  %row = vector.create_mask %m : vector<3xi1>
  %otherwise = arith.constant dense<[3.0, 4.0, 5.0]> : vector<3xf32>
  %one = arith.constant 1.0 : f32
  %s = vector.mask %row { vector.reduction <add>, %otherwise, %one : vector<3xf32> into f32 } : vector<3xi1> -> f32
  return %r, %c, %s : vector<2xf32>, vector<2x2xf32>, f32
}
"""


def scan(kind: str, inclusive: str) -> str:
    return f"""\
func.func @f(%v: vector<2x3xi32>, %i: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {{
  %r:2 = vector.scan <{kind}>, %v, %i {{inclusive = {inclusive}, reduction_dim = 1 : i64}}
    : vector<2x3xi32>, vector<2xi32>
  return %r#0, %r#1 : vector<2x3xi32>, vector<2xi32>
}}
"""


def image(step: int, signed: bool) -> list[Json]:
    """An image of four by four points with two channels."""
    numbers = [(at * step) % 100 - (50 if signed else 0) for at in range(32)]
    return [[[numbers[(row * 4 + column) * 2 :][:2] for column in range(4)] for row in range(4)]]


@pytest.mark.parametrize("last", [5, 3, 2])
def test_parallel_loops_of_affine(last: int) -> None:
    check_as_run(PARALLEL, "f", [MATRIX, last])


@pytest.mark.parametrize("sizes", [(1, 4), (4, 2), (3, 3)])
def test_memory_of_another_size(sizes: tuple[int, int]) -> None:
    check_as_run(REALLOC, "f", [*sizes])


@pytest.mark.parametrize("count", [0, 2, 4])
def test_masks(count: int) -> None:
    check_as_run(MASKS, "f", [[1, 2, 3, 4, 5, 6, 7, 8], count, [10, 20, 30, 40]], "--lower-vector-mask")


def check_computed(text: str, arguments: list[Json], *results: object) -> None:
    """What is computed of arguments, where no pass lowers the operations by itself."""
    behaviour = by_interpreting(part_of(text, "f").module, part_of(text, "f"), arguments)
    assert behaviour.is_known, behaviour.unknown
    found = [result["data"] if isinstance(result, dict) else result for result in behaviour.outcome.results]
    assert found == [*results]


def test_what_passes_through_a_mask() -> None:
    text = """\
func.func @f(%m: memref<8xf32>, %v: vector<4xf32>) -> vector<4xf32> {
  %c1 = arith.constant 1 : index
  %pad = arith.constant 5.0 : f32
  %mask = vector.constant_mask [2] : vector<4xi1>
  %r = vector.mask %mask, %v { vector.transfer_read %m[%c1], %pad : memref<8xf32>, vector<4xf32> }
    : vector<4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
"""
    check_computed(text, [[1, 2, 3, 4, 5, 6, 7, 8], [10, 20, 30, 40]], [2.0, 3.0, 30.0, 40.0])


def test_packing() -> None:
    padded = numpy.full((4, 6), 99.0)
    padded[:3, :5] = numpy.array(MATRIX)
    tiles = padded.reshape(2, 2, 3, 2).transpose(2, 0, 1, 3)
    check_computed(PACK, [MATRIX], tiles.tolist(), numpy.array(MATRIX, float).tolist())


def test_pools() -> None:
    check_as_run(POOLS, "f", [image(37, signed=True), image(53, signed=True)])


def test_means_of_integers() -> None:
    check_as_run(MEANS, "f", [image(37, signed=True), image(53, signed=True)])


@pytest.mark.parametrize("sizes", [(1, 2), (2, 3), (0, 1)])
def test_what_combines_under_a_mask(sizes: tuple[int, int]) -> None:
    check_as_run(MASKED, "f", [[[1, 2, 3], [4, 5, 6]], [10, 20], *sizes])


@pytest.mark.parametrize("inclusive", ["true", "false"])
@pytest.mark.parametrize("kind", ["add", "mul", "maxsi"])
def test_scans(kind: str, inclusive: str) -> None:
    check_as_run(scan(kind, inclusive), "f", [[[3, 1, 2], [4, -6, 5]], [7, 2]])
