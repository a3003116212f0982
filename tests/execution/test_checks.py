"""Programs with checks: what fails is named with its values and its place, and what is right gives what it gave."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.context import default_context
from fathom.dialects.llvm.signatures import signature_of
from fathom.elaborate import load
from fathom.execution import Check, Json, RunOutcome, RunRequest, Worker
from fathom.execution.checks import add_checks
from fathom.execution.image import Image
from fathom.execution.results import outcome_of
from fathom.irdl.interfaces import symbol_name
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import run
from fathom.translation import translate
from fathom.verify import verify
from tests.execution.programs import QUICK

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = """
func.func @load(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}
func.func @load_2d(%m: memref<2x?xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<2x?xf32>
  return %0 : f32
}
func.func @own(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%i] : memref<4xi32>
  }
  %0 = memref.load %m[%c1] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return %0 : i32
}
func.func @calls(%n: index) -> i32 {
  %0 = func.call @own(%n) : (index) -> i32
  return %0 : i32
}
func.func @allocated(%n: index, %i: index) {
  %v = arith.constant 1.0 : f32
  %m = memref.alloca(%n) : memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  return
}
func.func @atomic(%m: memref<?xi32>, %i: index) -> i32 {
  %v = arith.constant 5 : i32
  %0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<?xi32>) -> i32
  return %0 : i32
}
func.func @dim(%m: memref<?x?xf32>, %i: index) -> index {
  %0 = memref.dim %m, %i : memref<?x?xf32>
  return %0 : index
}
func.func @cast(%m: memref<?x?xf32>) {
  %0 = memref.cast %m : memref<?x?xf32> to memref<?x4xf32>
  return
}
func.func @unranked(%m: memref<?xf32>) {
  %0 = memref.cast %m : memref<?xf32> to memref<*xf32>
  func.call @ranked(%0) : (memref<*xf32>) -> ()
  return
}
func.func @ranked(%m: memref<*xf32>) {
  %0 = memref.cast %m : memref<*xf32> to memref<2x2xf32>
  return
}
func.func @copy(%m: memref<?xf32>, %n: memref<?xf32>) {
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  return
}
func.func @divide(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
func.func @rest(%a: i64, %b: i64) -> i64 {
  %0 = arith.remui %a, %b : i64
  return %0 : i64
}
func.func @claim(%a: i32) {
  %c0 = arith.constant 0 : i32
  %0 = arith.cmpi sgt, %a, %c0 : i32
  cf.assert %0, "it {must} be positive"
  return
}
func.func @affine(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = affine.load %m[symbol(%i) + 3] : memref<?xf32>
  return %0 : f32
}
func.func @affine_loop(%m: memref<4x?xf32>, %v: f32) {
  affine.for %i = 0 to 5 {
    affine.store %v, %m[%i, 0] : memref<4x?xf32>
  }
  return
}
func.func @affine_vector(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %0 = affine.vector_load %m[symbol(%i)] : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @vector(%m: memref<?x?xf32>, %i: index) -> vector<2xf32> {
  %0 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<2xf32>
  return %0 : vector<2xf32>
}
func.func @vector_store(%m: memref<?xf32>, %v: vector<4xf32>, %i: index) {
  vector.store %v, %m[%i] : memref<?xf32>, vector<4xf32>
  return
}
func.func @of_vectors(%m: memref<?xvector<4xf32>>, %i: index) -> vector<4xf32> {
  %0 = vector.load %m[%i] : memref<?xvector<4xf32>>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @transfer(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 9.0 : f32
  %0 = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @padded_transfer(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 9.0 : f32
  %0 = vector.transfer_read %m[%i], %p : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @sum(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}
func.func @product(%a: memref<2x?xf32>, %b: memref<?x?xf32>, %c: memref<2x?xf32>) {
  linalg.matmul ins(%a, %b : memref<2x?xf32>, memref<?x?xf32>) outs(%c : memref<2x?xf32>)
  return
}
func.func @convolution(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.conv_1d ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}
func.func @backwards(%a: memref<?xf32>, %b: memref<2xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (1 - d0)>],
                  iterator_types = ["parallel"]} ins(%a : memref<?xf32>) outs(%b : memref<2xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  return
}
"""


def request(text: str, function: str, *arguments: Json, optimization: int = 2) -> RunRequest:
    """What asks the worker to run a function of a text, with checks."""
    module = load(text).module
    inner = next(op for op in module.walk() if symbol_name(op) == function)
    signature = signature_of(inner)
    assert signature is not None
    checks = add_checks(module, default_context())
    result = run(LOWER_TO_LLVM, module, default_context())
    translation = translate(module)
    assert not result.diagnostics
    assert not translation.diagnostics
    types = signature.inputs, signature.results
    return RunRequest(translation.text, function, *types, arguments, optimization, checks=checks)


def check_failed(worker: Worker, function: str, arguments: list[Json], message: str, place: str) -> None:
    """The message, and the text of the line at the place."""
    asked = request(PROGRAMS, function, *arguments)
    failure = worker.run(asked, QUICK).failure
    assert failure is not None
    assert (failure.kind, failure.message) == ("assertion", message)
    span = asked.checks[int(str(failure.details["check"]))].span
    assert span is not None
    assert PROGRAMS[span.start :].startswith(place)


def check_runs(worker: Worker, function: str, *arguments: Json) -> RunOutcome:
    outcome = worker.run(request(PROGRAMS, function, *arguments), QUICK)
    assert outcome.failure is None, outcome.failure
    return outcome


@pytest.mark.parametrize(
    ("function", "arguments", "message", "place"),
    [
        ("load", [[1, 2], 2], "'memref.load' op out-of-bounds access: 2 is not in [0, 2)", "memref.load"),
        ("load", [[1, 2], -1], "'memref.load' op out-of-bounds access: -1 is not in [0, 2)", "memref.load"),
        (
            "load_2d",
            [{"shape": [2, 3], "fill": 1}, 1, 3],
            "'memref.load' op out-of-bounds access in dimension 1: 3 is not in [0, 3)",
            "memref.load",
        ),
        (
            "load_2d",
            [{"shape": [2, 3], "fill": 1}, 2, 0],
            "'memref.load' op out-of-bounds access in dimension 0: 2 is not in [0, 2)",
            "memref.load",
        ),
        ("own", [64], "'memref.store' op out-of-bounds access: 4 is not in [0, 4)", "memref.store %v, %m[%i]"),
        ("calls", [5], "'memref.store' op out-of-bounds access: 4 is not in [0, 4)", "memref.store %v, %m[%i]"),
        ("allocated", [3, 3], "'memref.store' op out-of-bounds access: 3 is not in [0, 3)", "memref.store"),
        ("atomic", [[1], 1], "'memref.atomic_rmw' op out-of-bounds access: 1 is not in [0, 1)", "memref.atomic_rmw"),
        ("dim", [[[1]], 2], "'memref.dim' op index is out of bounds: 2 is not in [0, 2)", "memref.dim"),
        ("cast", [[[1, 2]]], "'memref.cast' op size mismatch of dim 1: 2 instead of 4", "memref.cast"),
        ("unranked", [[1]], "'memref.cast' op rank mismatch: 1 instead of 2", "memref.cast %m : memref<*xf32>"),
        (
            "copy",
            [[1], [1, 2]],
            "'memref.copy' op size of 0-th source/target dim does not match: 1 instead of 2",
            "memref.copy",
        ),
        ("divide", [5, 0], "'arith.divsi' op division by zero", "arith.divsi"),
        ("divide", [-(2**31), -1], "'arith.divsi' op overflow: the lowest number is divided by -1", "arith.divsi"),
        ("rest", [5, 0], "'arith.remui' op division by zero", "arith.remui"),
        (
            "sum",
            [[1, 2, 3], [1, 2], [0, 0, 0]],
            "'linalg.add' op dimension #0 of input/output operand #1 is incompatible with inferred dimension size: "
            "2 instead of 3",
            "linalg.add",
        ),
        (
            "product",
            [[[1, 2], [3, 4]], [[1, 2], [3, 4], [5, 6]], [[0, 0], [0, 0]]],
            "'linalg.matmul' op dimension #0 of input/output operand #1 is incompatible with inferred dimension size: "
            "3 instead of 2",
            "linalg.matmul",
        ),
        (
            "convolution",
            [[1, 2, 3, 4], [1, 1], [0, 0, 0, 0]],
            "'linalg.conv_1d' op dimension #0 of input/output operand #0 is incompatible with inferred dimension size: "
            "5 is more than 4",
            "linalg.conv_1d",
        ),
        (
            "backwards",
            [[1, 2, 3], [0, 0]],
            "'linalg.generic' op unexpected negative result on dimension #0 of input/output operand #1: "
            "-1 is less than 0",
            "linalg.generic",
        ),
        ("affine", [[1, 2, 3], 1], "'affine.load' op out-of-bounds access: 4 is not in [0, 3)", "affine.load"),
        (
            "affine_loop",
            [{"shape": [4, 1], "fill": 1}, 2],
            "'affine.store' op out-of-bounds access in dimension 0: 4 is not in [0, 4)",
            "affine.store",
        ),
        (
            "affine_vector",
            [[1, 2, 3, 4], 1],
            "'affine.vector_load' op out-of-bounds access: 4 is not in [0, 4)",
            "affine.vector_load",
        ),
        (
            "vector",
            [[[1, 2], [3, 4], [5, 6]], 1],
            "'vector.load' op out-of-bounds access in dimension 1: 2 is not in [0, 2)",
            "vector.load",
        ),
        (
            "vector_store",
            [[1, 2, 3, 4], [1, 2, 3, 4], -1],
            "'vector.store' op out-of-bounds access: -1 is not in [0, 4)",
            "vector.store",
        ),
        (
            "transfer",
            [[1, 2, 3, 4], 2],
            "'vector.transfer_read' op out-of-bounds access: 5 is not in [0, 4)",
            "vector.transfer_read",
        ),
        ("claim", [0], "assertion failed: it {must} be positive", "cf.assert"),
    ],
)
def test_what_fails(worker: Worker, function: str, arguments: list[Json], message: str, place: str) -> None:
    check_failed(worker, function, arguments, message, place)


def test_what_is_right(worker: Worker) -> None:
    assert check_runs(worker, "load", [1, 2], 1).results == (2.0,)
    assert check_runs(worker, "load_2d", [[1, 2], [3, 4]], 1, 0).results == (3.0,)
    assert check_runs(worker, "own", 4).results == (1,)
    assert check_runs(worker, "dim", [[1, 2, 3]], 1).results == (3,)
    assert check_runs(worker, "divide", -7, -1).results == (7,)
    assert check_runs(worker, "rest", 7, 4).results == (3,)
    check_runs(worker, "allocated", 3, 2)
    check_runs(worker, "atomic", [1], 0)
    check_runs(worker, "cast", [[1, 2, 3, 4]])
    check_runs(worker, "copy", [1, 2], [3, 4])
    check_runs(worker, "claim", 1)
    assert check_runs(worker, "sum", [1, 2], [3, 4], [0, 0]).arguments[2] == {
        "type": "memref<?xf32>",
        "shape": [2],
        "data": [4.0, 6.0],
    }
    assert check_runs(worker, "affine", [1, 2, 3, 4], 0).results == (4.0,)
    check_runs(worker, "affine_vector", [1, 2, 3, 4], 0)
    check_runs(worker, "vector", [[1, 2], [3, 4]], 0)
    check_runs(worker, "vector_store", [1, 2, 3, 4, 5], [1, 2, 3, 4], 1)
    check_runs(worker, "transfer", [1, 2, 3, 4], 0)
    assert check_runs(worker, "padded_transfer", [1, 2], 1).results == ([2.0, 9.0, 9.0, 9.0],)
    check_runs(worker, "sum", [], [1], [2])
    check_runs(worker, "product", [[1], [2]], [[1, 2]], [[0, 0], [0, 0]])
    check_runs(worker, "convolution", [1, 2, 3, 4], [1, 1], [0, 0, 0])
    check_runs(worker, "backwards", [1, 2], [0, 0])


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_examples_give_what_they_gave(worker: Worker, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    module = load(text).module
    run(LOWER_TO_LLVM, module, default_context())
    checked = request(text, "main")
    plain = worker.run(RunRequest(translate(module).text, "main", (), checked.result_types), QUICK)
    assert plain.failure is None
    outcome = worker.run(checked, QUICK)
    assert (outcome.failure, outcome.results, outcome.stdout) == (None, plain.results, plain.stdout)


def test_an_assertion_prints_as_ever(worker: Worker) -> None:
    assert worker.run(request(PROGRAMS, "claim", 0), QUICK).stdout == "it {must} be positive\n"


def test_a_long_loop_that_is_not_optimised(worker: Worker) -> None:
    text = """
func.func @loop(%m: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%c0] : memref<?xi32>
  }
  return
}
"""
    outcome = worker.run(request(text, "loop", [0], 1_000_000, optimization=0), QUICK)
    assert outcome.failure is None, outcome.failure


def test_what_cannot_fail_is_not_checked() -> None:
    text = """
func.func @sure(%m: memref<4xi32>, %a: i32) -> i32 {
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : i32
  %0 = memref.load %m[%c3] : memref<4xi32>
  %1 = arith.divsi %0, %c2 : i32
  return %1 : i32
}
"""
    module = load(text).module
    assert add_checks(module, default_context()) == ()
    assert [symbol_name(op) for op in module.regions[0].operations()] == ["sure"]


def test_checks_of_parts_are_valid() -> None:
    """Of what no pass here lowers yet."""
    text = """
func.func @parts(%m: memref<4x?xf32>, %n: memref<?xf32>, %i: index) {
  %0 = memref.subview %m[%i, 1] [2, %i] [1, %i] : memref<4x?xf32> to memref<2x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.expand_shape %n [[0, 1]] output_shape [%i, 2] : memref<?xf32> into memref<?x2xf32>
  %2 = memref.assume_alignment %n, 16 : memref<?xf32>
  return
}
"""
    module = load(text).module
    checks = add_checks(module, default_context())
    assert verify(module, context=default_context()) == []
    assert [check.failed([3, 4]) for check in checks] == [
        "'memref.subview' op size 1 is negative: 3 is less than 4",
        "'memref.subview' op offset 0 is out-of-bounds: 3 is not in [0, 4)",
        "'memref.subview' op subview runs out-of-bounds along dimension 0: 3 is not in [0, 4)",
        "'memref.subview' op offset 1 is out-of-bounds",
        "'memref.subview' op subview runs out-of-bounds along dimension 1",
        "'memref.expand_shape' op size 0 is negative: 3 is less than 4",
        "'memref.expand_shape' op static result dims in reassoc group do not divide src dim evenly: 3 instead of 4",
        "'memref.assume_alignment' op memref is not aligned to 16: 3 instead of 4",
    ]


def test_where_the_names_are_taken() -> None:
    text = PROGRAMS + "func.func private @fathom_check(%a: i32)\n"
    assert add_checks(load(text).module, default_context()) == ()


@pytest.mark.parametrize("number", [-1, 1, "x", None])
def test_a_forged_check(number: object) -> None:
    asked = RunRequest("", "f", checks=(Check("it failed"),))
    failure = {"kind": "assertion", "message": "", "check": number, "values": [0, 0]}
    told = outcome_of(asked, Image(), {"failure": failure}, b"").failure
    assert told is not None
    assert "could not be read" in told.message


# ---- on the command line


def fathom(*arguments: str, text: str = PROGRAMS) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(["run", *arguments], io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()


def test_the_line_on_the_command_line() -> None:
    expected = (
        "<stdin>:16:5: error: 'memref.store' op out-of-bounds access: 4 is not in [0, 4)\n"
        "    memref.store %v, %m[%i] : memref<4xi32>\n"
        "    ^\n"
    )
    assert fathom("--check", "-e", "own", "--args", "64") == (1, "", expected)
    status, output, errors = fathom("--check", "--json", "-e", "own", "--args", "64")
    assert (status, errors) == (1, "")
    assert '"line": 16,\n    "column": 5,\n    "kind": "assertion"' in output
    assert fathom("--check", "-e", "own", "--args", "4") == (0, "1\n", "")


def test_a_pipeline_that_does_not_lower_the_checks() -> None:
    text = """
func.func @main(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}
"""
    passes = ["--finalize-memref-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts"]
    status, output, errors = fathom("--check", *passes, "--args", "[1,2]", "1", text=text)
    assert (status, output) == (0, "2.0\n")
    assert errors.startswith(
        "<stdin>:3:8: warning: the run is not checked, because the pipeline does not lower the checks: 'arith."
    )


def test_the_pass_in_a_pipeline_of_the_user() -> None:
    """Its assertions print and abort, as mlir-runner has it."""
    passes = ["--generate-runtime-verification=verbose-level=0", "--convert-scf-to-cf", "--convert-arith-to-llvm"]
    passes += ["--convert-cf-to-llvm", "--finalize-memref-to-llvm", "--convert-func-to-llvm"]
    passes += ["--reconcile-unrealized-casts", "--entry=load", "--args", "[1, 2]", "2"]
    status, output, errors = fathom(*passes, text=PROGRAMS[: PROGRAMS.index("func.func @load_2d")])
    message = 'ERROR: Runtime op verification failed\n^ out-of-bounds access\nLocation: loc("<stdin>":3:8)\n'
    assert (status, output) == (1, message)
    assert "SIGABRT" in errors
