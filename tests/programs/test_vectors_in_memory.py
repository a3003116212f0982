"""Arrays whose elements are vectors: in memory a row of lanes takes as many bytes as the next power of two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import fathom

TEXT = """\
func.func @second(%m: memref<?xvector<3xi64>>) -> vector<3xi64> {
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c1] : memref<?xvector<3xi64>>
  return %0 : vector<3xi64>
}
func.func @clear(%m: memref<?xvector<3xi64>>) {
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<0> : vector<3xi64>
  memref.store %0, %m[%c1] : memref<?xvector<3xi64>>
  return
}
func.func @same(%m: memref<?xvector<3xi64>>) -> memref<?xvector<3xi64>> { return %m : memref<?xvector<3xi64>> }
func.func @filled(%v: vector<2x3xi8>) -> memref<2xvector<2x3xi8>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xvector<2x3xi8>>
  %0 = arith.addi %v, %v : vector<2x3xi8>
  memref.store %v, %m[%c0] : memref<2xvector<2x3xi8>>
  memref.store %0, %m[%c1] : memref<2xvector<2x3xi8>>
  return %m : memref<2xvector<2x3xi8>>
}
func.func @value(%t: tensor<?xvector<3xi64>>, %u: memref<*xf32>) -> tensor<?xvector<3xi64>> {
  return %t : tensor<?xvector<3xi64>>
}
func.func @extracted(%t: tensor<?xvector<2x3xi8>>) -> vector<2x3xi8> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %t[%c1] : tensor<?xvector<2x3xi8>>
  return %0 : vector<2x3xi8>
}
func.func @wide(%m: memref<?xvector<8xf32>>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%c0] : memref<?xvector<8xf32>>
  return %0 : vector<8xf32>
}
func.func @bits(%m: memref<?xvector<8xi1>>) { return }
func.func @odd(%m: memref<?xvector<4xi24>>) { return }
"""


@pytest.fixture(scope="module", params=["in a worker", "in this process"])
def module(request: pytest.FixtureRequest) -> Iterator[fathom.Module]:
    with fathom.compile(TEXT, isolated=request.param == "in a worker") as module:
        yield module


def aligned(shape: tuple[int, ...], dtype: str, alignment: int = 64, beyond: int = 0) -> Any:
    """Zeros at an address that is so many bytes `beyond` one that is aligned."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 2 * alignment, "u1")
    start = -memory.__array_interface__["data"][0] % alignment + beyond
    return memory[start : start + size].view(dtype).reshape(shape)


def rows() -> Any:
    """Two vectors of three lanes, each with room for a fourth."""
    whole = aligned((2, 4), "i8")
    whole[:] = [[1, 2, 3, 9], [4, 5, 6, 9]]
    return whole


def test_rows_have_room(module: fathom.Module) -> None:
    whole = rows()
    own = whole[:, :3]
    assert module.second(own).tolist() == [4, 5, 6]
    assert module.same(own) is own
    module.clear(own)
    assert whole.tolist() == [[1, 2, 3, 9], [0, 0, 0, 9]]


def test_rows_without_room_are_refused(module: fathom.Module) -> None:
    expected = r"as has \[\.\.\., :3\] of an array whose last extent is 4\), got the strides \(24, 8\)"
    with pytest.raises(fathom.ArgumentError, match=expected):
        module.second(np.zeros((2, 3), "i8"))


def test_what_a_function_allocates(module: fathom.Module) -> None:
    made = module.filled([[1, 2, 3], [4, 5, 6]])
    assert made.tolist() == [[[1, 2, 3], [4, 5, 6]], [[2, 4, 6], [8, 10, 12]]]


def test_a_tensor_is_copied_to_rows_with_room(module: fathom.Module) -> None:
    values = np.arange(6, dtype="i8").reshape(2, 3)
    assert module.value(values, np.zeros(1, "f4")).tolist() == values.tolist()
    bytes_ = np.arange(12, dtype="i1").reshape(2, 2, 3)
    assert module.extracted(bytes_).tolist() == module.extracted(bytes_.tolist()).tolist() == [[6, 7, 8], [9, 10, 11]]


def test_memory_that_is_not_aligned(module: fathom.Module) -> None:
    """In this process a function that counts on the alignment would end it; a worker has a place of its own for it."""
    own = aligned((1, 8), "f4", 32, 16)
    if module.is_isolated:
        assert module.wide(own).tolist() == [0.0] * 8
        return
    with pytest.raises(
        fathom.ArgumentError, match=r"argument #0: expected an array aligned to 32 bytes for memref<\?x"
    ):
        module.wide(own)
    assert module.wide(aligned((1, 8), "f4", 32)).tolist() == [0.0] * 8


@pytest.mark.parametrize("name", ["bits", "odd"])
def test_lanes_that_lie_between_bytes_are_refused(module: fathom.Module, name: str) -> None:
    with pytest.raises(fathom.ArgumentError, match="its lanes do not lie side by side on whole bytes"):
        module[name](np.zeros((1, 8), bool) if name == "bits" else np.zeros((1, 4), "u4"))
