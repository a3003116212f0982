"""Arguments that do not fit are refused before anything runs, by path and with what was expected."""

from __future__ import annotations

import pytest

from fathom.execution import ArgumentProblem, Json, Limits, RunRequest, Worker, parse_arguments
from fathom.ir.types import F32, I32, FloatType, TupleType, VectorType
from tests.execution.programs import run


@pytest.fixture(scope="module")
def idle() -> Worker:
    """A worker that must not be started."""
    return Worker()


def check_refused(idle: Worker, function: str, arguments: list[Json], message: str) -> None:
    name = "memrefs" if function in {"sum", "increment", "corner", "column", "points", "rank", "window"} else "values"
    outcome = run(idle, name, function, *arguments)
    assert outcome.failure is not None
    assert outcome.failure.kind == "bad-argument"
    assert outcome.failure.message == message
    assert idle.pid is None


KEYS = "shape, fill, data, iota, random, eye, strides, offset"
CONTENTS = 'one of "fill", "data", "iota", "random", "eye"'
SHAPE = "arguments[0].shape"
EXTENT = f"an integer from 0 to {2**40}"
ANY_I32 = f"an integer from {-(2**31)} to {2**32 - 1}"
CORNER = "memref<2x2xi64, strided<[?, 1], offset: ?>>"


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("echo_i8", [], "arguments: expected 1 for @echo_i8(i8), got 0"),
        ("echo_i8", [256], "arguments[0]: expected an integer from -128 to 255 for i8, got 256"),
        ("echo_i8", [-129], "arguments[0]: expected an integer from -128 to 255 for i8, got -129"),
        ("echo_i8", [1.5], "arguments[0]: expected an integer from -128 to 255 for i8, got 1.5"),
        ("echo_i8", [None], "arguments[0]: expected an integer from -128 to 255 for i8, got null"),
        ("echo_i8", [[1]], "arguments[0]: expected an integer from -128 to 255 for i8, got a list of 1"),
        ("echo_i1", [2], "arguments[0]: expected an integer from -1 to 1 for i1, got 2"),
        ("echo_f32", ["much"], 'arguments[0]: expected a number for f32, got the string "much"'),
        ("echo_f32", [True], "arguments[0]: expected a number for f32, got true"),
        ("echo_complex", [[1, 2, 3]], "arguments[0]: expected [re, im] for complex<f32>, got a list of 3"),
        ("echo_complex", [[1, "x"]], 'arguments[0][1]: expected a number for f32, got the string "x"'),
        ("echo_vector", [[[1, 2, 3]]], "arguments[0]: expected a list of 2, got a list of 1"),
        ("echo_vector", [[[1, 2, 3], [4, 5]]], "arguments[0][1]: expected a list of 3, got a list of 2"),
        ("echo_vector", [1], "arguments[0]: expected nested lists for vector<2x3xf32>, got 1"),
        ("sum", [1], "arguments[0]: expected a list (dimension 1 of 1), got 1"),
        ("sum", [[[1]]], "arguments[0][0]: expected a number for f32, got a list of 1"),
        ("sum", [[1, 2, None]], "arguments[0][2]: expected a number for f32, got null"),
        ("sum", [{"fill": 1}], 'arguments[0]: expected "shape", as the type leaves it open: ?, got no shape'),
        ("sum", [{"shape": [2]}], f"arguments[0]: expected {CONTENTS}, got none of them"),
        ("sum", [{"shape": [-2], "fill": 0}], f"{SHAPE}[0]: expected {EXTENT}, got -2"),
        ("sum", [{"shape": [2, 2], "fill": 0}], "arguments[0].shape: expected the rank 1 of ?, got 2"),
        ("sum", [{"fill": 0, "iota": 0}], f"arguments[0]: expected {CONTENTS}, got fill and iota"),
        ("sum", [{"size": 2}], f'arguments[0].size: expected one of the keys {KEYS}, got the string "size"'),
        ("sum", [{"data": [1, 2], "strides": [2]}], "arguments[0].strides[0]: expected 1, from memref<?xf32>, got 2"),
        ("increment", [[[1, 2, 3]]], "arguments[0]: expected a list of 2, got a list of 1"),
        ("increment", [[[1, 2, 3], [4, 5]]], "arguments[0][1]: expected a list of 3, got a list of 2"),
        ("increment", [[[1, 2, 3], [4, 5, 2**32]]], f"arguments[0][1][2]: expected {ANY_I32} for i32, got {2**32}"),
        ("increment", [{"shape": [2, 4], "fill": 0}], f"{SHAPE}[1]: expected 3, from the type's shape 2x3, got 4"),
        ("corner", [{"fill": 0, "offset": -1}, 0], f"arguments[0].offset: expected {EXTENT}, got -1"),
        ("corner", [{"fill": 0, "strides": [2, 3]}, 0], f"arguments[0].strides[1]: expected 1, from {CORNER}, got 3"),
        ("rank", [[[1, 2], [3]]], "arguments[0][1]: expected a list of 2, got a list of 1"),
    ],
)
def test_refused(idle: Worker, function: str, arguments: list[Json], message: str) -> None:
    check_refused(idle, function, arguments, message)


@pytest.mark.parametrize("type", [TupleType((I32,)), FloatType("tf32"), VectorType((4,), F32, (True,))])
def test_types_that_cannot_be_passed(idle: Worker, type: TupleType | FloatType | VectorType) -> None:
    outcome = idle.run(RunRequest("", "f", (type,), (), (0,)))
    assert outcome.failure is not None
    assert outcome.failure.kind == "unsupported-signature"
    assert str(type) in outcome.failure.message


def test_arguments_beyond_the_limit_of_memory(idle: Worker) -> None:
    outcome = run(idle, "memrefs", "sum", {"shape": [10**9], "fill": 0}, limits=Limits(memory=1 << 20))
    assert outcome.failure is not None
    assert outcome.failure.kind == "memory-limit"
    assert idle.pid is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("1, 2.5, [[1,2],[3,4]]", [1, 2.5, [[1, 2], [3, 4]]]),
        ("1., .5, -2.e3, 1e2, +7", [1.0, 0.5, -2000.0, 100.0, 7]),
        ("nan, -inf, [inf]", ["nan", "-inf", ["inf"]]),
        ("true, false, null", [True, False, None]),
        ("0xFF, 007", ["0xFF", 7]),
        ("{shape: [2, 3], fill: nan}", [{"shape": [2, 3], "fill": "nan"}]),
        ('{"shape": [1], "iota": 0}, 5', [{"shape": [1], "iota": 0}, 5]),
        ("(1, 2)", [[1, 2]]),
        ('"a, b"', ["a, b"]),
    ],
)
def test_parse_arguments(text: str, values: list[Json]) -> None:
    assert parse_arguments(text) == values


@pytest.mark.parametrize("text", ["1,", "[1", "1 2", "{a}", '"x', ", 1"])
def test_parse_arguments_refuses(text: str) -> None:
    with pytest.raises(ArgumentProblem, match="expected values separated by commas"):
        parse_arguments(text)
