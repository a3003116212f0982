"""Values go into a program and come back as they were, at the edges of every type."""

from __future__ import annotations

import pytest

from fathom.execution import Json, Worker
from tests.execution.programs import run


def check_results(worker: Worker, function: str, arguments: list[Json], expected: list[Json]) -> None:
    outcome = run(worker, "values", function, *arguments)
    assert outcome.failure is None, outcome.failure
    assert list(outcome.results) == expected
    assert [type(value) for value in outcome.results] == [type(value) for value in expected]


I64_MIN, I64_MAX = -(2**63), 2**63 - 1


@pytest.mark.parametrize(
    ("function", "value", "expected"),
    [
        ("echo_i1", True, True),
        ("echo_i1", False, False),
        ("echo_i1", 1, True),
        ("echo_i1", -1, True),
        ("echo_i8", -128, -128),
        ("echo_i8", 255, -1),
        ("echo_i24", -(2**23), -(2**23)),
        ("echo_i24", 2**24 - 1, -1),
        ("echo_i64", I64_MIN, I64_MIN),
        ("echo_i64", I64_MAX, I64_MAX),
        ("echo_i64", "0x7fffffffffffffff", I64_MAX),
        ("echo_i128", -(2**127), -(2**127)),
        ("echo_i128", 2**100 + 1, 2**100 + 1),
        ("echo_i257", -(2**256) + 5, -(2**256) + 5),
        ("echo_index", 42, 42),
        ("echo_index", -1, -1),
        ("echo_f16", 65504.0, 65504.0),
        ("echo_f16", 1e6, "inf"),
        ("echo_f16", 0.1, 0.1),
        ("echo_bf16", 3.0, 3.0),
        ("echo_bf16", 0.1, 0.1),
        ("echo_f32", 0.1, 0.1),
        ("echo_f32", 16777217, 16777216.0),
        ("echo_f32", 1.1754943508222875e-38, 1.1754944e-38),
        ("echo_f32", "nan", "nan"),
        ("echo_f32", "-inf", "-inf"),
        ("echo_f32", 1e39, "inf"),
        ("echo_f64", 0.1, 0.1),
        ("echo_f64", float("nan"), "nan"),
        ("echo_f64", "1e400", "inf"),
        ("echo_f64", 5e-324, 5e-324),
        ("echo_f80", 0.1, 0.1),
        ("echo_f80", "-inf", "-inf"),
        ("echo_f128", 1e300, 1e300),
        ("echo_f8", 448.0, 448.0),
        ("echo_f8", 0.3, 0.3125),
        ("echo_complex", [1.5, "nan"], [1.5, "nan"]),
        ("echo_complex", 2, [2.0, 0.0]),
        ("echo_vector", [[1, 2, 3], [4, 5, 6]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        ("echo_vector", {"fill": 0.5}, [[0.5] * 3] * 2),
        ("echo_flags", [True, False, True, True], [True, False, True, True]),
    ],
)
def test_echo(worker: Worker, function: str, value: Json, expected: Json) -> None:
    check_results(worker, function, [value], [expected])


def test_negative_zero(worker: Worker) -> None:
    outcome = run(worker, "values", "echo_f32", -0.0)
    assert str(outcome.results[0]) == "-0.0"


def test_nothing(worker: Worker) -> None:
    check_results(worker, "nothing", [], [])


def test_narrow_floats_compute(worker: Worker) -> None:
    check_results(worker, "halve_f16", [3.0], [1.5])
    check_results(worker, "halve_bf16", [3.0], [1.5])


def test_symbols_that_only_machine_code_uses(worker: Worker) -> None:
    """Division of i128 and the remainder of floats are calls into support libraries."""
    check_results(worker, "divide_i128", [-(2**100), 2**50], [-(2**50)])
    check_results(worker, "remainder", [7.5, 2.0], [1.5])


def test_several_results(worker: Worker) -> None:
    check_results(worker, "several", [3, 2.5], [2.5, 3, False, 7])


def test_results_beyond_what_fits_in_registers(worker: Worker) -> None:
    check_results(worker, "many", [2**53], [*[2**53] * 9, float(2**53)])


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_optimization_levels_agree(worker: Worker, level: int) -> None:
    outcome = run(worker, "values", "several", 3, 2.5, optimization=level)
    assert outcome.results == (2.5, 3, False, 7)
