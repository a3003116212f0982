"""Arithmetic on floats that no machine has, by functions of the runtime: the results are those of MLIR's library."""

from __future__ import annotations

import io

import pytest

from fathom.cli import main

PIPELINE = "builtin.module(convert-arith-to-apfloat,convert-math-to-apfloat,lower-to-llvm)"


def check_printed(body: str, type: str, *expected: str) -> None:
    text = f"func.func @main() {{\n{body}\n  vector.print %0 : {type}\n  return\n}}\n"
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "--pass-pipeline", PIPELINE], io.StringIO(text), stdout, stderr)
    assert (status, stdout.getvalue(), stderr.getvalue()) == (0, "\n".join(expected) + "\n", "")


def constants(type: str, *values: str) -> str:
    return "\n".join(f"  %{name} = arith.constant {value} : {type}" for name, value in zip("abc", values, strict=False))


@pytest.mark.parametrize(
    ("operation", "type", "values", "expected"),
    [
        ("arith.addf", "f8E4M3FN", ("1.5", "2.25"), "3.75"),
        ("arith.addf", "f8E4M3FN", ("448.0", "448.0"), "nan"),
        ("arith.addf", "f8E5M2", ("57344.0", "57344.0"), "inf"),
        ("arith.addf", "f4E2M1FN", ("6.0", "6.0"), "6"),
        ("arith.addf", "f8E8M0FNU", ("2.0", "2.0"), "4"),
        ("arith.subf", "f8E4M3FNUZ", ("1.0", "1.0"), "0"),
        ("arith.mulf", "f8E4M3FN", ("0.015625", "0.125"), "0.00195312"),
        ("arith.divf", "f6E3M2FN", ("1.0", "3.0"), "0.3125"),
        ("arith.remf", "f8E3M4", ("5.5", "2.0"), "-0.5"),
        ("arith.minimumf", "bf16", ("1.0", "-2.0"), "-2"),
        ("arith.maxnumf", "f8E5M2", ("1.0", "0x7F"), "1"),
        ("arith.maximumf", "f8E5M2", ("1.0", "0x7F"), "nan"),
    ],
)
def test_of_two_numbers(operation: str, type: str, values: tuple[str, str], expected: str) -> None:
    check_printed(f"{constants(type, *values)}\n  %0 = {operation} %a, %b : {type}", type, expected)


@pytest.mark.parametrize(
    ("line", "source", "value", "result", "expected"),
    [
        ("arith.extf %a", "f8E4M3FN", "0.001953125", "f32", "0.00195312"),
        ("arith.truncf %a", "f32", "2.2", "f8E4M3FN", "2.25"),
        ("arith.truncf %a", "f32", "-1000.0", "f6E2M3FN", "-7.5"),
        ("arith.fptosi %a", "f8E4M3FN", "-2.5", "i8", "-2"),
        ("arith.fptosi %a", "f8E4M3FN", "448.0", "i8", "127"),
        ("arith.fptoui %a", "f8E4M3FN", "-3.0", "i32", "0"),
        ("arith.sitofp %a", "i16", "-9", "f4E2M1FN", "-6"),
        ("arith.uitofp %a", "i16", "-9", "bf16", "65536"),
        ("arith.sitofp %a", "i64", "9007199791611905", "f32", "9.0072e+15"),
    ],
)
def test_casts(line: str, source: str, value: str, result: str, expected: str) -> None:
    check_printed(f"{constants(source, value)}\n  %0 = {line} : {source} to {result}", result, expected)


@pytest.mark.parametrize(
    ("line", "values", "expected"),
    [
        ("arith.cmpf olt, %a, %b : f8E4M3FN", ("-1.0", "1.0"), "1"),
        ("arith.cmpf ueq, %a, %b : f8E4M3FN", ("0x7F", "1.0"), "1"),
        ("arith.cmpf oge, %a, %b : f8E4M3FN", ("0x7F", "1.0"), "0"),
        ("math.isnan %a : f8E4M3FN", ("0x7F",), "1"),
        ("math.isfinite %a : f8E4M3FN", ("0x7F",), "0"),
        ("math.isinf %a : f8E4M3FN", ("448.0",), "0"),
        ("math.isnormal %a : f8E4M3FN", ("0.001953125",), "0"),
    ],
)
def test_questions(line: str, values: tuple[str, ...], expected: str) -> None:
    check_printed(f"{constants('f8E4M3FN', *values)}\n  %0 = {line}", "i1", expected)


def test_a_product_and_a_sum_are_rounded_once() -> None:
    body = f"{constants('f16', '1.0009765625', '1.0009765625', '-1.001953125')}\n  %0 = math.fma %a, %b, %c : f16"
    check_printed(body, "f16", "9.53674e-07")


def test_vectors() -> None:
    body = constants("vector<2xf8E5M2>", "dense<[1.0, -2.0]>") + "\n  %0 = arith.negf %a : vector<2xf8E5M2>"
    check_printed(body, "vector<2xf8E5M2>", "( -1, 2 )")
