"""What NumPy writes into `.npy` files is read: the bytes here are those of `numpy.save`."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.execution import Json
from fathom.execution.npy import NotAnArray, read_array

SUMS = """
func.func @sum(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %start = tensor.splat %zero[%n] : tensor<?xf32>
  %sums = linalg.reduce { arith.addf } ins(%x : tensor<?x2xf32>) outs(%start : tensor<?xf32>) dimensions = [1]
  return %sums : tensor<?xf32>
}
"""


def array(kind: str, shape: str, data: bytes, order: str = "False", version: int = 1) -> bytes:
    """A file as NumPy writes it."""
    header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}"
    size = 2 if version == 1 else 4
    header += " " * (-(8 + size + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY" + bytes((version, 0)) + len(header).to_bytes(size, "little") + header.encode() + data


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (array("<f4", "(2, 2)", struct.pack("<4f", 1, 2.5, -3, 4)), [[1.0, 2.5], [-3.0, 4.0]]),
        (array("<i8", "(3,)", struct.pack("<3q", 1, -2, 3)), [1, -2, 3]),
        (array(">u2", "(2,)", struct.pack(">2H", 1, 65535), version=2), [1, 65535]),
        (array("|b1", "(2,)", b"\0\1"), [False, True]),
        (array("<f8", "()", struct.pack("<d", 0.5)), 0.5),
        (array("<c8", "(2,)", struct.pack("<4f", 1, 2, 3, 4)), [[1.0, 2.0], [3.0, 4.0]]),
        (array("<i4", "(2, 3)", struct.pack("<6i", 1, 4, 2, 5, 3, 6), "True"), [[1, 2, 3], [4, 5, 6]]),
        (array("<f2", "(0, 2)", b""), []),
    ],
)
def test_arrays(file: bytes, expected: Json) -> None:
    assert read_array(file) == expected


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "this is no array of numbers as NumPy writes it"),
        (b"[1, 2]", "this is no array of numbers as NumPy writes it"),
        (array("<U3", "(2,)", b"\0" * 24), "it holds elements of the type 'U3'"),
        (array("<f4", "(9,)", b"\0" * 8), "it ends before its last element"),
    ],
)
def test_what_is_none(file: bytes, why: str) -> None:
    with pytest.raises(NotAnArray, match=why):
        read_array(file)


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"

    def ran(path: Path) -> tuple[int, str, str]:
        stdout, stderr = io.StringIO(), io.StringIO()
        status = main(["run", "-", "--entry", "sum", "--args", str(path)], io.StringIO(SUMS), stdout, stderr)
        return status, stdout.getvalue(), stderr.getvalue()

    file.write_bytes(array("<f4", "(3, 2)", struct.pack("<6f", *range(6))))
    assert ran(file) == (0, "[1.0, 5.0, 9.0]\n", "")
    file.write_bytes(b"no")
    said = f"'{file}': this is no array of numbers as NumPy writes it"
    assert ran(file) == (1, "", f"<stdin>: error: arguments[0]: expected an array of numbers, got {said}\n")
    status, _, errors = ran(tmp_path / "none.npy")
    assert (status, "No such file or directory" in errors) == (1, True)
