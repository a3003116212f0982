"""Mathematics that MLIR 22's passes compute otherwise than its operations say, or not at all."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import pytest

from fathom.cli import main

PROGRAMS = """
func.func @near_zero(%x: TYPE) -> (TYPE, TYPE) {
  %0 = math.expm1 %x : TYPE
  %1 = math.log1p %x : TYPE
  return %0, %1 : TYPE, TYPE
}
func.func @of_vectors(%x: vector<2x2xTYPE>) -> vector<2x2xTYPE> {
  %0 = math.expm1 %x : vector<2x2xTYPE>
  return %0 : vector<2x2xTYPE>
}
func.func @classes(%x: TYPE) -> (i1, i1, i1, i1) {
  %0 = math.isinf %x : TYPE
  %1 = math.isnormal %x : TYPE
  %2 = math.isnan %x : TYPE
  %3 = math.isfinite %x : TYPE
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
func.func @classes_of_vectors(%x: vector<3xTYPE>) -> (vector<3xi1>, vector<3xi1>) {
  %0 = math.isinf %x : vector<3xTYPE>
  %1 = math.isnormal %x : vector<3xTYPE>
  return %0, %1 : vector<3xi1>, vector<3xi1>
}
func.func @narrowed(%x: TYPE) -> f32 {
  %0 = arith.truncf %x : TYPE to bf16
  %1 = arith.extf %0 : bf16 to f32
  return %1 : f32
}
"""


@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
def test_what_is_near_zero(type: str) -> None:
    x = 2.0**-7 if type in ("f16", "bf16") else 2.0**-40
    given = _run("near_zero", type, repr(x))
    assert given == pytest.approx([math.expm1(x), math.log1p(x)], rel=2.0**-7 if "16" in type else 1e-7)
    assert all(given)


def test_a_vector_near_zero() -> None:
    (given,) = _run("of_vectors", "f32", "[[1e-10, 0], [-1e-12, 1]]")
    assert [*given[0], *given[1]] == pytest.approx([1e-10, 0, -1e-12, math.e - 1], rel=1e-6)


@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize(
    ("value", "classes"),
    [
        ("inf", [True, False, False, False]),
        ("-inf", [True, False, False, False]),
        ("nan", [False, False, True, False]),
        ("0", [False, False, False, True]),
        ("-2", [False, True, False, True]),
    ],
)
def test_classes_of_floats(type: str, value: str, classes: list[bool]) -> None:
    assert _run("classes", type, value) == classes


def test_classes_of_a_vector() -> None:
    assert _run("classes_of_vectors", "f32", "[1e-45, inf, 1e-37]") == [[False, True, False], [False, False, True]]


@pytest.mark.parametrize("type", ["f64", "f80", "f128"])
@pytest.mark.parametrize(
    ("value", "near"),
    [
        (1.5, 1.5),
        (-1.0 - 2.0**-8, -1.0),
        (1.0 + 3 * 2.0**-8, 1.0 + 2.0**-6),
        # Rounded to f32 on the way, these would lie in the middle between two floats.
        (1.0 + 2.0**-8 + 2.0**-40, 1.0 + 2.0**-7),
        (-1.0 - 3 * 2.0**-8 + 2.0**-40, -1.0 - 2.0**-7),
        (1e300, math.inf),
        (-1e-300, -0.0),
        (math.inf, math.inf),
    ],
)
def test_what_is_rounded_to_16_bits(type: str, value: float, near: float) -> None:
    (given,) = _run("narrowed", type, repr(value))
    assert (given, math.copysign(1, given)) == (near, math.copysign(1, near))


def test_what_is_no_number_is_none_with_16_bits() -> None:
    (given,) = _run("narrowed", "f64", "nan")
    assert math.isnan(given)


def _run(function: str, type: str, argument: str) -> list[Any]:
    """The results; a float that JSON has no number for is a text there."""
    stdout, stderr = io.StringIO(), io.StringIO()
    command = ["run", "-", "--json", "-e", function, "--args", argument]
    assert main(command, io.StringIO(PROGRAMS.replace("TYPE", type)), stdout, stderr) == 0, stdout.getvalue()
    results = json.loads(stdout.getvalue())["results"]
    return [float(result) if isinstance(result, str) else result for result in results]
