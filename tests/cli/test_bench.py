"""`fathom run --bench` and what it stands on: what is measured, what is counted, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import fathom
from fathom.programs.benching import Measured, compare
from fathom.programs.work import Work
from tests.cli.running import fathom as run

TEXT = """\
func.func @root(%a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = math.sqrt %x : f64
    %z = arith.divf %y, %x : f64
    memref.store %z, %a[%i] : memref<?xf64>
  }
  return
}
func.func @fma(%a: vector<4xf32>, %m: memref<4xvector<4xf32>>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %b = memref.load %m[%c0] : memref<4xvector<4xf32>>
  %0 = vector.fma %a, %b, %b : vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @made(%n: index) -> memref<?xi8> {
  %m = memref.alloc(%n) : memref<?xi8>
  return %m : memref<?xi8>
}
func.func @square(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  return %0 : i32
}
func.func @fails(%a: memref<?xi32>, %i: index) -> i32 {
  %0 = memref.load %a[%i] : memref<?xi32>
  return %0 : i32
}
func.func @endless() {
  cf.br ^again
^again:
  cf.br ^again
}
"""
LINE = re.compile(
    r"(@[^:]+): \S+ [num]?s(?:ec)? ± \S+ [num]?s(?:ec)?, "
    r"the median of (\d+) values of (\d+) processes; (?:not )?certain .*"
)


def check_work(function: str, values: tuple[object, ...], flops: int, moved: int) -> None:
    """What a call computes, and loads and stores."""
    with fathom.compile(TEXT) as module:
        measured = module[function].bench(*values, seconds=0.01)
    assert measured.work == Work(flops, moved)
    assert measured.median > 0


def test_the_work_of_a_call_is_counted() -> None:
    check_work("root", (np.full(100, 2.0),), 200, 1600)
    check_work("fma", (np.ones(4, np.float32), np.ones((4, 4), np.float32)), 8, 16)
    check_work("square", (3,), 0, 0)


def test_what_is_measured_leaves_arrays_as_they_are() -> None:
    values = np.full(8, 2.0)
    with fathom.compile(TEXT) as module:
        measured = module.root.bench(values, seconds=0.01)
    assert values.tolist() == [2.0] * 8
    assert (len(measured.values), {len(run) for run in measured.values}) == (3, {4})
    assert re.fullmatch(LINE, str(measured)), str(measured)


def test_memory_that_is_returned_is_freed() -> None:
    # Nobody could hold what so many calls allocate.
    with fathom.compile(TEXT, memory=1 << 28) as module:
        assert module.made.bench(1 << 24, seconds=0.01).median > 0


def test_mistakes_are_those_of_a_call() -> None:
    with fathom.compile(TEXT) as module:
        with pytest.raises(fathom.ArgumentError, match="expected 1 for @square"):
            module.square.bench()
        with pytest.raises(fathom.RunError, match="segmentation fault"):
            module.fails.bench(np.zeros(4, np.int32), 1 << 40)


def test_differences_that_may_be_chance_are_noise() -> None:
    def of(name: str, *runs: tuple[float, ...]) -> Measured:
        return Measured(name, runs, 1, 0)

    first = of("@f", (1.0, 1.1, 0.9), (1.05, 0.95, 1.0))
    assert str(compare(first, of("@g", (1.0, 1.1, 0.9), (1.04, 0.97, 1.0)))).endswith("more than noise")
    assert str(compare(first, of("@g", (2.0, 2.1, 1.9), (2.0, 2.1, 1.9)))) == "@f is 2.00 times as fast as @g"
    assert str(compare(first, of("@g", (0.5, 0.51, 0.49), (0.5, 0.5, 0.5)))) == "@g is 2.00 times as fast as @f"


def test_two_functions_over_sizes_as_a_plot(tmp_path: Path) -> None:
    file, plot = tmp_path / "a.mlir", tmp_path / "a.svg"
    file.write_text(TEXT)
    options = ["--bench", "--bench-seconds", "0.01", "-e", "root", "--against", "@root", "--sizes", "4,8"]
    status, stdout, stderr = run("run", *options, "--plot", str(plot), "--args", "{shape: [N], fill: 2}", str(file))
    assert (status, stderr) == (0, "")
    lines = stdout.splitlines()
    assert [lines[0], lines[4]] == ["N = 4", "N = 8"]
    assert all(LINE.fullmatch(lines[number]) for number in (1, 2, 5, 6)), stdout
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


def test_two_pipelines(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(TEXT)
    options = [
        "--bench",
        "--bench-seconds",
        "0.01",
        "-e",
        "square",
        "--against-pipeline",
        "--canonicalize --lower-to-llvm",
    ]
    status, stdout, stderr = run("run", *options, "--args", "3", "--", str(file))
    assert (status, stderr) == (0, "")
    assert "@square by --canonicalize --lower-to-llvm: " in stdout


def test_what_is_measured_as_json(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(TEXT)
    options = ["--bench", "--json", "--bench-seconds", "0.01", "-e", "square", "--against", "square", "--sizes", "3,4"]
    status, stdout, stderr = run("run", *options, "--args", "N", "--", str(file))
    assert (status, stderr) == (0, "")
    first, second = json.loads(stdout)
    assert (first["N"], second["N"], len(first["compared"])) == (3, 4, 1)
    measured, other = first["measured"]
    assert measured["told"].startswith("@square: ")
    assert (measured["work"], other["name"]) == ({"flops": 0, "bytes": 0}, "@square")
    assert sum(map(len, measured["values"])) >= 12
    assert 0 < measured["median"] < 1


OF_ALL_KINDS = """\
llvm.func @pointed(%p: !llvm.ptr) -> i8 {
  %0 = llvm.load %p : !llvm.ptr -> i8
  llvm.return %0 : i8
}
func.func @parts(%s: !llvm.struct<(f32, array<2 x f64>)>, %v: vector<2xf32>) -> f32 {
  %0 = llvm.extractvalue %s[0] : !llvm.struct<(f32, array<2 x f64>)>
  return %0 : f32
}
func.func @rows(%m: memref<?xvector<3xi64>>, %t: tensor<2xi1>) -> vector<3xi64> {
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c1] : memref<?xvector<3xi64>>
  return %0 : vector<3xi64>
}
"""


@pytest.mark.parametrize(
    ("function", "arguments", "wrong"),
    [
        ("pointed", '"text"', ""),
        ("pointed", "{type: i32, data: [1, 2]}", ""),
        ("pointed", '{bytes: "00ff"}', ""),
        ("pointed", "zeros(8, type=f32)", ""),
        ("pointed", "null", "it accessed a null pointer"),
        ("pointed", '["a", "b"]', "expected what has no pointers in it, to be measured"),
        ("pointed", "{type: i8, shape: [1000000000000], fill: 3}", "more memory than there is"),
        ("parts", "[nan, [1.0, inf]], [nan, 1]", ""),
        ("parts", "[nan, [1.0]], [nan, 1]", "argument #0[1]: expected a sequence of 2"),
        ("rows", "[[1, 2, 3], [4, 5, 6]], [true, false]", ""),
        ("rows", "{shape: [4], fill: [1, 2, 3]}, [true, false]", ""),
        ("rows", "{shape: [1000000000000], fill: [1, 2, 3]}, zeros", "more memory than there is"),
    ],
)
def test_arguments_of_all_kinds(function: str, arguments: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(OF_ALL_KINDS)
    options = ["--bench", "--bench-seconds", "0.01", "-e", function, f"--args={arguments}"]
    status, stdout, stderr = run("run", *options, str(file))
    assert (status, wrong in stderr, stdout.startswith(f"@{function}: ")) == (int(bool(wrong)), True, not wrong), stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["-e", "endless", "--timeout", "0.5"], "running the program took longer than the limit of 0.5 s"),
        (["-e", "nope"], "no function '@nope' with a body; there are: @root, @fma, @made, @square, @fails, @endless"),
        (["-e", "made", "--memory-limit=1000000", "--args", "9999999"], "beyond its limit of 1000000 bytes of memory"),
        (["-e", "square"], "arguments: expected 1: i32, got 0"),
        (["-e", "square", "--args", "x"], "argument #0: expected an integer"),
        (["-e", "root", "--args", "[1]", "--plot", "x.svg"], "--plot draws the sizes that --sizes names"),
        (["-e", "root", "--args", "[1]", "--sizes", "a"], "--sizes takes numbers, separated by commas: 16,32,64"),
        (["-e", "square", "--args", "3", "--against-pipeline", "--nope"], "nope"),
    ],
)
def test_what_is_refused(options: list[str], told: str, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(TEXT)
    status, _, stderr = run("run", "--bench", "--bench-seconds", "0.01", *options, "--", str(file))
    assert status == 1
    assert told in stderr
