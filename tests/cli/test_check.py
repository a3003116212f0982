"""`fathom check`: what it says of claims in comments, and with which status it ends."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fathom import elaborate
from fathom.inputs import loading
from tests.cli.running import fathom

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"
AT = """\
func.func @at(%m: memref<?xi8>, %i: index) -> i8 {
  %0 = memref.load %m[%i] : memref<?xi8>
  memref.store %0, %m[%i] : memref<?xi8>
  return %0 : i8
}
func.func @two(%x: f32) -> (f32, tensor<2x2xi32>) {
  %t = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return %x, %t : f32, tensor<2x2xi32>
}
func.func @unknown(%x: i32) -> i32 {
  %0 = "shop.price"(%x) : (i32) -> i32
  return %0 : i32
}
"""


def check_claim(claim: str, told: str, status: int) -> None:
    """What is said of a claim about the functions above, each message in a line."""
    ended, stdout, stderr = fathom("check", "-", text=f"// FATHOM: {claim}\n{AT}")
    assert re.findall(r"^<stdin>:(.*)", stderr, re.MULTILINE) == [told] * bool(told)
    assert (ended, stdout) == (status, "0 of 1 hold\n" if status else "1 of 1 hold\n")


@pytest.mark.parametrize(
    "claim",
    [
        "run @at([1, 2, 3], 1) == 2; #0 == [1, 2, 3]",
        "run @at([1, -1, 3], 1) == 255",
        "run @at([1, 2, 3], 2)",
        'run @at([1, 2, 3], 2) prints ""',
        "run @two(0.1) == 0.1, [[1, 2], [3, 4]]",
        "run @two(nan) ~= nan, [[1, 2], [3, 4]] within 0",
        "run @two(100) ~= 101, {shape: [2, 2], iota: 1} within 0.01",
    ],
)
def test_what_holds(claim: str) -> None:
    check_claim(claim, "", 0)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("run @at([1, 2, 3], 1) == 3", "error: @at gives 2, not 3"),
        ("run @at([1, 2, 3], 1) == 2; #0 == [1, 2, 4]", "error: #0 holds [1, 2, 3], not [1, 2, 4]"),
        ("run @at([1, 2, 3], 1) #1 == 1", "error: #1 is no argument that the call may change"),
        ("run @at([1, 2, 3], 1) #2 == 1", "error: #2 is no argument that the call may change"),
        ("run @at([1, 2, 3], 1) == 2, 3", "error: @at gives 1 result, not 2"),
        ("run @at([1, 2, 3], 1) == 256", "error: result: expected an integer from -128 to 255 for i8, got 256"),
        ("run @at([1, 2, 3]) == 2", "error: arguments: expected 2 for @at(memref<?xi8>, index), got 1"),
        ('run @at([1, 2, 3], 1) fails "out"', "error: @at does not fail"),
        ('run @at([1], 0) prints "1"', 'error: it prints "", not "1"'),
        ("run @two(1) == 1, [[1, 2], [3, 5]]", "error: @two gives as result #1 [[1, 2], [3, 4]], not [[1, 2], [3, 5]]"),
        (
            "run @two(1) == 1, {shape: [9, 9], fill: 1}",
            "error: result[1].shape[0]: expected 2, from the type's shape 2x2, got 9",
        ),
        (
            "run @two(100) ~= 101.02, [[1, 2], [3, 4]] within 0.01",
            "error: @two gives as result #0 100.0, not 101.02",
        ),
        ("run @two(100) ~= 101, [[1, 2], [3, 4]]", "error: @two gives as result #0 100.0, not 101.0"),
        ("gcd == 1", "error: it does not begin with a call: run @f(1, [2, 3])"),
    ],
)
def test_what_does_not_hold(claim: str, told: str) -> None:
    check_claim(claim, f"1:12: {told}", 1)


def test_what_fails_is_told_with_its_place() -> None:
    said = "'memref.load' op out-of-bounds access: 3 is not in [0, 3)"
    check_claim('run @at([1, 2, 3], 3) fails "out-of-bounds"', "", 0)
    status, _, stderr = fathom("check", "-", text=f"// FATHOM: run @at([1, 2, 3], 3) == 1\n{AT}")
    assert status == 1
    assert re.findall(r"^<stdin>:(.*)", stderr, re.MULTILINE) == [f"1:12: error: {said}", f"3:8: note: {said}"]
    otherwise = f"1:12: error: @at fails otherwise: {said}"
    _, _, stderr = fathom("check", "-", text=f'// FATHOM: run @at([1, 2, 3], 3) fails "divide"\n{AT}')
    assert f"<stdin>:{otherwise}" in stderr


def test_structs_and_vectors_are_compared_by_their_parts() -> None:
    text = """\
// FATHOM: run @pair(7, 0.5) == [7, 0.5]
// FATHOM: run @pair(7, 0.5) == [7, 1]
// FATHOM: run @vector([1, 2]) == [1, 2]
// FATHOM: run @complex([1, 2]) ~= [1, 2.1] within 0.1
llvm.func @pair(%a: i8, %b: f32) -> !llvm.struct<(i8, f32)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i8, f32)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(i8, f32)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(i8, f32)>
  llvm.return %2 : !llvm.struct<(i8, f32)>
}
func.func @vector(%a: vector<2xi8>) -> vector<2xi8> {
  return %a : vector<2xi8>
}
func.func @complex(%a: complex<f32>) -> complex<f32> {
  return %a : complex<f32>
}
"""
    status, stdout, stderr = fathom("check", "-", text=text)
    assert (status, stdout) == (1, "3 of 4 hold\n")
    assert re.findall(r"^<stdin>:(.*)", stderr, re.MULTILINE) == ["2:12: error: @pair gives [7, 0.5], not [7, 1.0]"]


def test_a_function_that_is_not_there() -> None:
    text = "// FATHOM: run @three()\nfunc.func @one() {\n  return\n}\n"
    told = "<stdin>:1:12: error: no function '@three' with a body; there are: @one\n"
    status, _, stderr = fathom("check", "-", text=text)
    assert (status, stderr.startswith(told)) == (1, True)


def test_what_is_not_lowered_does_not_count_as_failing() -> None:
    status, _, stderr = fathom("check", "-", text=f'// FATHOM: run @unknown(1) fails "shop"\n{AT}')
    assert status == 1
    assert re.search(r"^<stdin>:1:12: error: .*unregistered dialect", stderr, re.MULTILINE)


def test_many_elements_are_named_by_their_places() -> None:
    text = "func.func @f(%m: memref<100xi32>) {\n  return\n}\n// FATHOM: run @f({iota: 0}) #0 == {iota: 1}\n"
    _, _, stderr = fathom("check", "-", text=text)
    assert "error: #0 holds 0 at [0], not 1, 1 at [1], not 2, 2 at [2], not 3; 100 of 100 elements differ" in stderr


def test_what_nobody_frees_is_a_warning() -> None:
    text = """\
// FATHOM: run @f(4)
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = call @rand() : () -> i32
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<i32>
    memref.store %v, %m[] : memref<i32>
  }
  return
}
func.func private @rand() -> i32
"""
    status, stdout, stderr = fathom("check", "-", text=text)
    assert (status, stdout) == (0, "1 of 1 hold\n")
    assert "<stdin>:1:12: warning: 4 allocations were not freed" in stderr


def test_a_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many functions are called."""
    text = "".join(
        f"// FATHOM: run @f{number}({number}) == {number}\nfunc.func @f{number}(%a: i32) -> i32 {{ return %a : i32 }}\n"
        for number in range(4)
    )
    read: list[str] = []

    def load(text: str, *given: Any) -> Any:
        read.append(text)
        return elaborate.load(text, *given)

    monkeypatch.setattr(loading, "load", load)
    assert fathom("check", "-", text=text) == (0, "4 of 4 hold\n", "")
    assert read == [text]


def test_nothing_to_check_is_told() -> None:
    assert fathom("check", "-", text=AT) == (2, "", "fathom check: no comment says // FATHOM: run @f(…) == …\n")
    assert fathom("check")[0] == 2


def test_folders_lines_and_reports(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.mlir").write_text(f"{AT}// FATHOM: run @two(1) == 2, 3\n// FATHOM: run @at([7], 0) == 7\n// \x01\n")
    (tmp_path / "b.mlir").write_text("// FATHOM: nothing <\x01>\n")
    report = tmp_path / "report.xml"
    status, stdout, _ = fathom("check", str(tmp_path), "--junit", str(report))
    assert (status, stdout) == (1, "1 of 3 hold\n")
    suites = ElementTree.parse(report).getroot()
    assert [(suite.get("tests"), suite.get("failures")) for suite in suites] == [("1", "1"), ("2", "1")]
    cases = [(case.get("name"), case.get("line"), len(case)) for suite in suites for case in suite]
    assert cases == [("nothing <\ufffd>", "1", 1), ("run @two(1) == 2, 3", "14", 1), ("run @at([7], 0) == 7", "15", 0)]
    assert fathom("check", str(inside / "a.mlir"), "--line", "15")[:2] == (0, "1 of 1 hold\n")


def test_the_examples_of_the_page_hold() -> None:
    blocks = re.findall(r"```mlir\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for text in blocks:
        status, _, stderr = fathom("check", "-", text=text)
        assert (status, stderr) == (0, ""), stderr
