"""Arguments in files, and said in a word; pointers; and what is refused of them, by its path."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fathom.cli import main
from fathom.execution import parse_arguments

TEXT = """func.func @same(%m: memref<?x?xf32>) -> memref<?x?xf32> {
  return %m : memref<?x?xf32>
}
func.func @ints(%m: memref<?xi8>) -> memref<?xi8> {
  return %m : memref<?xi8>
}
llvm.func @store(%p: !llvm.ptr, %x: i32) -> i32 {
  %0 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.store %x, %0 : i32, !llvm.ptr
  llvm.return %1 : i32
}
llvm.func @upper(%p: !llvm.ptr) {
  %0 = llvm.mlir.constant(65 : i8) : i8
  llvm.store %0, %p : i8, !llvm.ptr
  llvm.return
}
llvm.func @back(%p: !llvm.ptr) -> !llvm.ptr {
  llvm.return %p : !llvm.ptr
}
llvm.func @main(%argc: i32, %argv: !llvm.ptr) -> i8 {
  %0 = llvm.getelementptr %argv[%argc] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
  %1 = llvm.getelementptr %0[-1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
  %3 = llvm.load %2 : !llvm.ptr -> i8
  llvm.return %3 : i8
}
llvm.func fastcc @by(%r: !llvm.ptr {llvm.sret = !llvm.struct<(i8, i64)>},
    %p: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i32)>}, %s: i8 {llvm.signext}) {
  %0 = llvm.load %p : !llvm.ptr -> i64
  %1 = llvm.getelementptr %r[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i64)>
  llvm.store %0, %1 : i64, !llvm.ptr
  llvm.store %s, %r : i8, !llvm.ptr
  llvm.return
}
"""


def run(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "-", *arguments], io.StringIO(TEXT), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


def results(*arguments: str) -> list[Any]:
    status, out, errors = run("--json", *arguments)
    assert (status, errors) == (0, ""), out
    return json.loads(out)["results"]


@pytest.mark.parametrize(
    ("function", "given", "array"),
    [
        ("same", "zeros(2, 3)", np.zeros((2, 3))),
        ("same", "ones([2, 2])", np.ones((2, 2))),
        ("same", "iota(2, 2, start=5)", np.arange(5, 9).reshape(2, 2)),
        ("same", "eye(3)", np.eye(3)),
        ("same", "random(3, 4, seed=7)", np.random.default_rng(7).random((3, 4)).astype("f4")),
        ("ints", "random(5, seed=1)", np.random.default_rng(1).integers(0, 100, 5)),
    ],
)
def test_fills_are_those_of_numpy(tmp_path: Path, function: str, given: str, array: Any) -> None:
    file = tmp_path / "out.npy"
    assert run("-e", function, "--args", given.replace("[", "").replace("]", ""), "--save", str(file))[0] == 0
    saved = np.load(file)
    assert saved.dtype == (np.float32 if function == "same" else np.int8)
    np.testing.assert_array_equal(saved, array.astype(saved.dtype))


def test_files(tmp_path: Path) -> None:
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    np.save(tmp_path / "x.npy", array)
    np.savez(tmp_path / "x.npz", a=array.astype(">i2"), m=array)
    for given in ("x.npy", "x.npz[a]", "x.npz[m]"):
        assert results("-e", "same", "--args", f"{tmp_path}/{given}")[0]["data"] == array.tolist()
    (tmp_path / "a.json").write_text('{"m": "x.npy"}')
    assert results("-e", "same", f"--args-file={tmp_path}/a.json")[0]["data"] == array.tolist()


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("x.npy", b"", "this is no array of numbers as NumPy writes it"),
        ("x.npy", b"\x93NUMPY\x01\x00\xff\xff", "its header cannot be read"),
        ("x.npz", b"PK", "File is not a zip file"),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(data)
    status, _, errors = run("-e", "same", "--args", str(tmp_path / name))
    assert status == 1
    assert errors.startswith("<stdin>: error: arguments[0]: expected an array of numbers, got '")
    assert why in errors


def test_pickles_and_lying_headers(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.array([object()], dtype=object), allow_pickle=True)
    assert "objects of Python (pickled), which are not loaded" in run("-e", "same", "--args", str(file))[2]
    np.save(file, np.zeros((2, 2)))
    honest = file.read_bytes()
    for shape, why in ((b"(2**9,", "its header cannot be read"), (b"(9, 9)", "it ends before its last element")):
        file.write_bytes(honest.replace(b"(2, 2)", shape))
        status, _, errors = run("-e", "same", "--args", str(file))
        assert (status, why in errors) == (1, True), errors


def test_pointers() -> None:
    assert run("-e", "store", "--args", "{type: i32, data: [1, 2, 3]}, 9") == (
        0,
        "2\nargument #0: 1 of 3 elements changed\n  [1]: 2 -> 9\n",
        "",
    )
    assert run("-e", "upper", "--args", '"abc"')[1] == 'argument #0: "abc" -> "Abc"\n'
    assert results("-e", "back", "--args", "null") == [None]
    (address,) = results("-e", "back", "--args", '{bytes: "00ff"}')
    assert (address["argument"], address["offset"]) == (0, 0)


def test_the_words_of_a_command_line() -> None:
    for given in ("prog, x", "2, [prog, x]", "y, 1, x"):
        assert run("--args", given) == (0, f"{ord('x')}\n", "")


def test_values_by_way_of_memory() -> None:
    assert run("-e", "by", "--args", "[-5, 1], -3") == (0, "[-3, -5]\n", "")


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        ("back", "[1, 2]", "arguments[0]: expected null, a text, or an object"),
        ("back", "{type: nosuch, data: [1]}", "arguments[0].type: expected the text of a type"),
        ("back", "{type: i0, data: []}", "arguments[0].type: expected a type whose values lie in memory"),
        ("back", "{type: i32, data: [1, [2]]}", "arguments[0].data[1]: expected an integer"),
        ("back", '{bytes: "0"}', "arguments[0].bytes: expected two hexadecimal digits"),
        ("same", "zeros", 'arguments[0]: expected "shape"'),
        ("same", "random(2, 2, size=3)", "arguments[0]: expected seed= or type="),
        ("same", "iota(99999999, 99999999)", "arguments[0].iota: expected less than 1 GiB"),
        ("ints", "iota(300)", "arguments[0].iota+256: expected an integer from -128 to 255"),
        ("ints", "nosuch.npy", "arguments[0]: expected a file that can be read"),
        ("by", "[1], 2", "arguments[0]: expected a list of 2"),
    ],
)
def test_refused_by_path(function: str, given: str, message: str) -> None:
    status, _, errors = run("-e", function, "--args", given)
    assert status == 1
    assert errors.startswith(f"<stdin>: error: {message}")


def test_words_with_parentheses_stay_whole() -> None:
    assert parse_arguments("zeros(2, 3), x.npz[a], (1, 2)") == ["zeros(2, 3)", "x.npz[a]", [1, 2]]
