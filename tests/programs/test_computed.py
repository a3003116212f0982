"""What each line computed last: by the source of a call, with the values behind its lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from fathom.cli import main
from fathom.context import default_context
from fathom.execution import Limits, Worker
from fathom.execution.spelled import spell
from fathom.inputs.loading import Loading
from fathom.messages.source import Source
from fathom.programs.behaviour import are_equal
from fathom.programs.computed import OTHERWISE, Program, Ran, computed
from fathom.programs.preparing import Part, Prepared, cut, prepare
from fathom.programs.telling import SHORT
from fathom.programs.told import of_statement
from tests.generated.returning import STEPS, returning_program
from tests.generated.rich import FILL
from tests.properties import tries


def check_values(text: str, expected: str, *arguments: str) -> None:
    """The lines of the called functions that have values, as `fathom run --values` prints them, or why there are
    none."""
    assert values_of(text, *arguments) == expected


def values_of(text: str, *arguments: str) -> str:
    stdout, stderr = io.StringIO(), io.StringIO()
    words = ["run", "--check", "--values", "--entry", "f", *(("--args", *arguments) if arguments else ())]
    main(words, io.StringIO(text), stdout, stderr)
    lines = [line.strip() for line in stdout.getvalue().splitlines() if "  // " in line]
    lines += [line for line in stderr.getvalue().splitlines() if "note: no values" in line]
    return "".join(f"{line}\n" for line in lines)


def test_memory_is_as_at_the_end_and_tensors_as_they_were_made() -> None:
    check_values(
        """\
func.func @f(%m: memref<2xi32>, %t: tensor<2xi32>) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<2xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %m[%c0] : memref<2xi32>
  %u = tensor.insert %y into %t[%c0] : tensor<2xi32>
  %freed = memref.alloc() : memref<i32>
  memref.store %y, %freed[] : memref<i32>
  memref.dealloc %freed : memref<i32>
  return %u : tensor<2xi32>
}
""",
        """\
func.func @f(%m: memref<2xi32>, %t: tensor<2xi32>) -> tensor<2xi32> {  // %m = 2xi32 [42, 5], %t = 2xi32 [1, 2]
%x = memref.load %m[%c0] : memref<2xi32>  // = 21
%y = arith.addi %x, %x : i32  // = 42
%u = tensor.insert %y into %t[%c0] : tensor<2xi32>  // = 2xi32 [42, 2]
%freed = memref.alloc() : memref<i32>  // = 42
""",
        "[21, 5], [1, 2]",
    )


def test_what_nothing_was_written_to_is_not_known() -> None:
    check_values(
        """\
func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<3xi32>
  memref.store %one, %m[%c1] : memref<3xi32>
  %known = memref.load %m[%c1] : memref<3xi32>
  %unknown = memref.load %m[%c0] : memref<3xi32>
  %sum = arith.addi %unknown, %one : i32
  %zero = arith.subi %sum, %sum : i32
  return %known : i32
}
""",
        """\
%m = memref.alloca() : memref<3xi32>  // = 3xi32 [?, 1, ?]
%known = memref.load %m[%c1] : memref<3xi32>  // = 1
%unknown = memref.load %m[%c0] : memref<3xi32>  // = ?
%sum = arith.addi %unknown, %one : i32  // = ?
%zero = arith.subi %sum, %sum : i32  // = 0
""",
    )


def test_a_way_that_follows_from_what_is_not_known_is_none() -> None:
    check_values(
        """\
func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<1xi32>
  %x = memref.load %m[%c0] : memref<1xi32>
  %is = arith.cmpi eq, %x, %zero : i32
  scf.if %is {
    memref.store %zero, %m[%c0] : memref<1xi32>
  }
  return %zero : i32
}
""",
        "<stdin>: note: no values: what is done follows from memory that nothing was written to\n",
    )


def test_of_a_recursion_the_outermost_call_counts() -> None:
    text = """\
func.func @f(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %is = arith.cmpi sgt, %n, %one : i32
  %r = scf.if %is -> i32 {
    %less = arith.subi %n, %one : i32
    %before = func.call @f(%less) : (i32) -> i32
    %product = arith.muli %before, %n : i32
    scf.yield %product : i32
  } else {
    %two = arith.addi %one, %one : i32
    scf.yield %one : i32
  }
  return %r : i32
}
"""
    check_values(
        text,
        """\
func.func @f(%n: i32) -> i32 {  // = 5
%is = arith.cmpi sgt, %n, %one : i32  // = true
%r = scf.if %is -> i32 {  // = 120
%less = arith.subi %n, %one : i32  // = 4
%before = func.call @f(%less) : (i32) -> i32  // = 24
%product = arith.muli %before, %n : i32  // = 120
""",
        "5",
    )


FAILS: Final = """\
func.func private @at(%m: memref<4xi32>, %i: index) -> i32 {
  %x = memref.load %m[%i] : memref<4xi32>
  return %x : i32
}
func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
  %c2 = arith.constant 2 : index
  %x = call @at(%m, %c2) : (memref<4xi32>, index) -> i32
  %j = arith.muli %i, %c2 : index
  %y = call @at(%m, %j) : (memref<4xi32>, index) -> i32
  return %y : i32
}
"""


def test_values_go_up_to_what_failed() -> None:
    check_values(
        FAILS,
        """\
func.func private @at(%m: memref<4xi32>, %i: index) -> i32 {  // %m = 4xi32 [1, 2, 3, 4], %i = 6
func.func @f(%m: memref<4xi32>, %i: index) -> i32 {  // %m = 4xi32 [1, 2, 3, 4], %i = 3
%x = call @at(%m, %c2) : (memref<4xi32>, index) -> i32  // = 3
%j = arith.muli %i, %c2 : index  // = 6
""",
        "[1, 2, 3, 4], 3",
    )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            "  %t = tensor.empty() : tensor<2000x2000xf32>\n  return",
            "an array of more than 1048576 elements is not interpreted",
        ),
        (
            "  %v = arith.constant dense<1> : vector<2097152xi8>\n  return",
            "an array of more than 1048576 elements is not interpreted",
        ),
        (
            "  %0 = func.call @abs(%arg) : (i32) -> i32\n  return",
            "the function @abs without a body is not interpreted",
        ),
        (
            "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
            "  %n = arith.constant 99999999 : index\n  scf.for %i = %c0 to %n step %c1 {\n  }\n  return",
            "a program of more than 2000000 steps is not interpreted",
        ),
    ],
)
def test_why_there_are_none(body: str, why: str) -> None:
    text = f"func.func private @abs(i32) -> i32\nfunc.func @f(%arg: i32) {{\n{body}\n}}\n"
    check_values(text, f"<stdin>: note: no values: {why}\n", "3")


@pytest.mark.parametrize(
    ("shape", "given", "told"),
    [
        ("2x2xf32", "[[1, 2.5], [-1, 0.1]]", "2x2xf32 [[1.0, 2.5], [-1.0, 0.1]]"),
        ("100x100xi64", "{iota: 0}", "100x100xi64 of 0 to 9999: [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …"),
        ("64x64xf64", "{fill: 7}", "64x64xf64 of 7.0"),
        ("0x3xi8", "{shape: [0, 3], data: []}", "0x3xi8"),
        ("3xi1", "[true, false, true]", "3xi1 [true, false, true]"),
        ("2xf32", '["nan", "inf"]', "2xf32 [nan, inf]"),
        ("f16", "[0.1]", "0.1"),
    ],
)
def test_arrays_in_short(shape: str, given: str, told: str) -> None:
    given = given.replace("[0.1]", "{data: [0.1]}") if shape == "f16" else given
    head = f"func.func @f(%m: memref<{shape}>) {{"
    check_values(f"{head}\n  return\n}}\n", f"{head}  // = {told}\n", given)


# ---- programs over all dialects


def returned(text: str) -> list[str]:
    """The names of what a generated function returns."""
    (line,) = (line for line in text.splitlines() if line.startswith("  return "))
    return re.findall(r"%\w+", line.partition(" : ")[0])


def part_of(text: str) -> Part:
    part = cut(Source("program.mlir", text), "f0", Loading(context=default_context()))
    assert isinstance(part, Part), part.message
    return part


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as started:
        yield started


def numbers_in(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"nan|-?inf|-?\d[\d.]*(?:e[+-]?\d+)?", text)]


def check_generated(number: int, worker: Worker) -> int:
    """What the lines of a program computed is what it returns of them when it is compiled: of so many values."""
    made = returning_program(Random(number))
    text = made.text.replace("$", "0") + FILL + STEPS
    given: list[Any] = [made.a, made.b, 2.5, made.d, -0.75, [made.a] * 4, {"shape": [4, 6], "iota": 0}]
    compiled = prepare(part_of(text))
    assert isinstance(compiled, Prepared), compiled.message
    outcome = worker.run(compiled.request(given), Limits())
    part = part_of(text)
    known = computed(Program(part.module, part.function, part.loading.context), part.signature, given, Ran(outcome))
    assert known.unknown in ("", "a negative power of zero is not interpreted", OTHERWISE), text
    if known.unknown:
        return 0
    sites = part.loaded.elaborated.sites.values()
    told = {name: value.short for site in sites for name, value in of_statement(site, known.values)}
    count = 0
    for name, value in zip(returned(made.text), outcome.results, strict=True):
        wanted = spell(value)
        if name in told and len(wanted) <= SHORT:
            # An array has its type before its elements.
            shown = re.sub(r"^\d\S* ", "", told[name]) if isinstance(value, list) else told[name]
            assert shown == wanted or are_equal(numbers_in(shown), numbers_in(wanted), 1e-5), name
            count += 1
    return count


def test_lines_compute_what_the_compiled_program_returns(worker: Worker) -> None:
    counts = [check_generated(number, worker) for number in range(tries(12))]
    # Floats that are rounded otherwise by the C library may lead to other integers.
    assert counts.count(0) <= len(counts) // 12
    assert sum(counts) >= 10 * len(counts)
