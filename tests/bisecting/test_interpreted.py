"""What is interpreted does what a run does: the examples, and each stage of their lowering that is understood."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from fathom.bisecting.stages import stages
from fathom.bisecting.ways import Call, by_lowering
from fathom.context import default_context
from fathom.execution import Json, Limits, Worker
from fathom.inputs.loading import Loading
from fathom.messages.source import Source
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.programs.interpreted import by_interpreting
from fathom.programs.preparing import Part, cut
from tests.bisecting import programs

ROOT: Final = Path(__file__).resolve().parents[2]
CALLS: Final[tuple[tuple[str, str, list[Json]], ...]] = (
    ("gcd.mlir", "gcd", [1071, 462]),
    ("saxpy.mlir", "saxpy", [2.0, [1, 2, 3], [10, 10, 10]]),
    ("sieve.mlir", "main", []),
    ("sort.mlir", "main", []),
    ("tensors/softmax.mlir", "softmax", [[[1, 2, 3], [3, 5, 4]]]),
)
ARITHMETIC: Final = """\
func.func @f(%a: i8, %b: i8, %x: f32, %y: f16) -> (i8, i8, i8, i8, i8, i16, f32, f16, i32, vector<2xi1>, f32) {
  %0 = arith.divsi %a, %b : i8
  %1 = arith.remui %a, %b : i8
  %2 = arith.shrsi %a, %b : i8
  %3 = arith.floordivsi %a, %b : i8
  %4 = arith.ceildivsi %a, %b : i8
  %5 = arith.extsi %a : i8 to i16
  %6 = arith.divf %x, %x : f32
  %7 = arith.mulf %y, %y : f16
  %8 = arith.fptosi %x : f32 to i32
  %v = vector.from_elements %x, %6 : vector<2xf32>
  %w = vector.broadcast %x : f32 to vector<2xf32>
  %9 = arith.cmpf olt, %w, %v : vector<2xf32>
  %10 = math.sqrt %x : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
    : i8, i8, i8, i8, i8, i16, f32, f16, i32, vector<2xi1>, f32
}
"""
TRAPS: Final = """\
func.func @divides(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r = arith.divsi %a, %zero : i32
  return %r : i32
}
func.func @frees(%m: memref<4xi32>) {
  %t = memref.alloc() : memref<4xi32>
  memref.dealloc %t : memref<4xi32>
  memref.dealloc %t : memref<4xi32>
  return
}
func.func @beyond(%i: index) -> i32 {
  %t = memref.alloc() : memref<4xi32>
  %r = memref.load %t[%i] : memref<4xi32>
  return %r : i32
}
func.func @ends(%i: index) -> index {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
"""


def part_of(text: str, entry: str) -> Part:
    part = cut(Source("program.mlir", text), entry, Loading(context=default_context()))
    assert isinstance(part, Part)
    return part


def check_as_run(text: str, entry: str, arguments: list[Json], first: str = "") -> None:
    """The source, and each stage that is interpreted, does what a run does. What the lowering does not know, passes
    that run `first` lower."""
    part = part_of(text, entry)
    interpreted = [by_interpreting(part.module, part, arguments)]
    if first:
        assert not run(parse_pipeline([first]), part.module, part.loading.context).failed
    with Worker() as worker:
        ran = by_lowering(part.module, part, Call(arguments, worker, Limits()))
    assert ran.is_known, ran.unknown
    for _, went in stages(LOWER_TO_LLVM, part.module, part.loading.context):
        interpreted.append(by_interpreting(went.module, part, arguments))
    assert interpreted[0].is_known, interpreted[0].unknown
    for behaviour in interpreted:
        assert behaviour.agrees_with(ran, 1e-5), (behaviour, ran)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_examples(call: tuple[str, str, list[Json]]) -> None:
    file, entry, arguments = call
    check_as_run((ROOT / "examples" / file).read_text(encoding="utf-8"), entry, arguments)


@pytest.mark.parametrize("numbers", [(-7, 2, 2.75, 1.5), (100, -3, -0.5, 60000.0), (-128, 7, 1e9, 0.0001)])
def test_arithmetic(numbers: tuple[Json, ...]) -> None:
    check_as_run(ARITHMETIC, "f", list(numbers))


@pytest.mark.parametrize("numbers", [(1.0, 2.0), (2.0, 1.0), (0.5, 0.5), ("nan", 1.0)])
def test_comparisons_of_floats(numbers: tuple[Json, ...]) -> None:
    predicates = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
    lines = "".join(f"  %{at} = arith.cmpf {word}, %a, %b : f32\n" for at, word in enumerate(predicates))
    results, types = ", ".join(f"%{at}" for at in range(16)), ", ".join(["i1"] * 16)
    text = f"func.func @f(%a: f32, %b: f32) -> ({types}) {{\n{lines}  return {results} : {types}\n}}\n"
    check_as_run(text, "f", list(numbers))


def test_tensors_and_layers() -> None:
    matrices: list[Json] = [[[1, 2, 3], [4, 5, 6]], [[1, 0], [2, 1], [0, 3]], [[1, 2], [3, 4]]]
    check_as_run(programs.TENSORS, "tensors", matrices)
    check_as_run(programs.LAYERS, "layers", [[[1, 2, 3], [4, 5, 6]], [[7, 0, 2], [1, 9, 4]]])


def test_vectors() -> None:
    check_as_run(programs.VECTORS, "vectors", [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5], [[1, 2, 3], [4, 5, 6]]])


@pytest.mark.parametrize(
    ("entry", "arguments", "kind", "message"),
    [
        ("divides", [1], "crash", "a division by zero"),
        ("frees", [[1, 2, 3, 4]], "crash", "something is freed that is not allocated"),
        ("beyond", [9], "crash", "index 9 is out of bounds of a dimension of size 4"),
        ("ends", [9], "timeout", "the program does not end within 1000 operations"),
    ],
)
def test_ends_that_are_none(entry: str, arguments: list[Json], kind: str, message: str) -> None:
    part = part_of(TRAPS, entry)
    failure = by_interpreting(part.module, part, arguments, 1000).outcome.failure
    assert failure is not None
    assert (failure.kind, failure.message) == (kind, message)
