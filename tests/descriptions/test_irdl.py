"""Dialects that files of IRDL define: a program in, what is wrong with it out, as `mlir-opt --irdl-file` says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.context import Context
from fathom.descriptions.files import Descriptions, DialectFile, dialects_in
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.verify import verify
from tests.oracles import run_tool

CMATH = """\
irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(elem: %2)
  }
  irdl.attribute @unit {
    %0 = irdl.base "#builtin.string"
    irdl.parameters(name: %0)
  }
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @cmath::@complex<%0>
    irdl.operands(complex: %1)
    irdl.results(norm: %0)
  }
  irdl.operation @sum {
    %0 = irdl.base @cmath::@complex
    %1 = irdl.base @cmath::@unit
    irdl.operands(first: %0, others: variadic %0)
    irdl.results(sum: %0)
    irdl.attributes {"in" = %1}
  }
  irdl.operation @parts {
    %0 = irdl.any
    irdl.operands(a: optional %0, b: variadic %0)
  }
  irdl.operation @scale {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.region(%0)
    %2 = irdl.region with size 2
    irdl.operands(by: %0)
    irdl.regions(body: %1, rest: %2)
  }
}
"""
CONTEXT = Context(dialects_in([DialectFile("cmath.mlir", CMATH)]))

F32, F64 = "!cmath.complex<f32>", "!cmath.complex<f64>"
USE = 'in = #cmath.unit<"m">'


def said(body: str, context: Context = CONTEXT) -> str:
    """`line: message` of the first mistake of a function with this body."""
    loaded = load(program(body), context)
    problems = loaded.diagnostics if loaded.has_errors else verify(loaded.module, None, context)
    first = problems[0]
    assert first.span is not None
    line = program(body).count("\n", 0, first.span.start) + 1
    return f"{line}: {first.message}"


def program(body: str) -> str:
    return f"func.func @f(%a: {F32}, %b: {F64}, %i: i32, %j: i64) {{\n{body}\n  return\n}}\n"


FINE = [
    f'  %0 = "cmath.norm"(%a) : ({F32}) -> f32',
    f'  %0 = "cmath.sum"(%a, %a, %a) {{{USE}}} : ({F32}, {F32}, {F32}) -> {F32}',
    '  "cmath.parts"(%i, %i, %i) {operandSegmentSizes = array<i32: 1, 2>} : (i32, i32, i32) -> ()',
    '  "cmath.scale"(%i) ({\n  ^bb0(%x: i32):\n    llvm.unreachable\n  }, {\n    cf.br ^bb1\n  ^bb1:\n'
    "    llvm.unreachable\n  }) : (i32) -> ()",
]
WRONG = [
    (f'  %0 = "cmath.norm"(%a) : ({F32}) -> f64', "2: expected 'f32' but got 'f64'"),
    ('  %0 = "cmath.norm"(%i) : (i32) -> f64', "2: expected base type 'cmath.complex' but got 'i32'"),
    ('  %0 = "cmath.norm"() : () -> f64', "2: op expects exactly 1 operands, but got 0"),
    (f'  %0 = "cmath.sum"() {{{USE}}} : () -> {F32}', "2: op expects at least 1 operands, but got 0"),
    (f'  %0 = "cmath.sum"(%a) : ({F32}) -> {F32}', "2: 'cmath.sum' op attribute \"in\" is expected but not provided"),
    (
        f'  %0 = "cmath.sum"(%a) {{in = "m"}} : ({F32}) -> {F32}',
        "2: expected base attribute 'cmath.unit' but got 'builtin.string'",
    ),
    (
        f'  %0 = "cmath.sum"(%a, %b) {{{USE}}} : ({F32}, {F64}) -> {F32}',
        f"2: expected '{F32}' but got '{F64}'",
    ),
    ('  "cmath.parts"(%i) : (i32) -> ()', "2: 'operandSegmentSizes' attribute is expected but not provided"),
    (
        '  "cmath.parts"(%i) {operandSegmentSizes = array<i32: 1, 1>} : (i32) -> ()',
        "2: sum of elements in 'operandSegmentSizes' attribute must be equal to the number of operands",
    ),
    (
        '  "cmath.parts"(%i) {operandSegmentSizes = array<i32: 2, -1>} : (i32) -> ()',
        "2: element 0 in 'operandSegmentSizes' attribute must be equal to 0 or 1",
    ),
    ('  "cmath.scale"(%i) : (i32) -> ()', "2: 'cmath.scale' op unexpected number of regions: expected 2 but got 0"),
    (
        '  "cmath.scale"(%i) ({\n  ^bb0(%x: i64):\n    llvm.unreachable\n  }, {\n    llvm.unreachable\n  })'
        " : (i32) -> ()",
        "3: expected 'i32' but got 'i64'",
    ),
    (
        '  "cmath.scale"(%i) ({\n  ^bb0(%x: i32):\n    llvm.unreachable\n  }, {\n    llvm.unreachable\n  })'
        " : (i32) -> ()",
        "2: expected region 1 to have 2 block(s) but got 1",
    ),
    ('  %0 = "cmath.norm"(%c) : (!cmath.complex<i32>) -> i32', "2: 'i32' does not satisfy the constraint"),
    ('  %0 = "cmath.norm"(%c) : (!cmath.complex) -> i32', "2: expected 1 type arguments, but had 0"),
    ('  %0 = "cmath.norm"(%c) : (!cmath.complx<f32, f32>) -> i32', "2: expected dynamic type"),
    ('  %0 = "cmath.sum"(%a) {in = #cmath.unt} : () -> i32', "2: expected dynamic attribute"),
]


@pytest.mark.parametrize("body", FINE)
def test_what_is_fine(body: str) -> None:
    loaded = load(program(body), CONTEXT)
    assert not loaded.has_errors
    assert not verify(loaded.module, None, CONTEXT)
    again = load(print_module(loaded.module), CONTEXT)
    assert not again.has_errors
    assert print_module(again.module) == print_module(loaded.module)


@pytest.mark.parametrize(("body", "expected"), WRONG)
def test_what_is_wrong(body: str, expected: str) -> None:
    assert said(body) == expected


PREDICATES = """irdl.dialect @of_cpp {
  irdl.operation @take {
    %0 = irdl.c_pred "::llvm::isa<::mlir::IntegerType>($_self) && $_self.isInteger(32)"
    %1 = irdl.c_pred "(::llvm::isa<::mlir::VectorType>($_self))"
    %2 = irdl.c_pred "(::llvm::cast<::mlir::VectorType>($_self).getRank() > 1)"
    %3 = irdl.all_of(%1, %2)
    %4 = irdl.c_pred "isSomething($_self)"
    %5 = irdl.c_pred "::llvm::isa<::mlir::IntegerAttr>($_self)"
    irdl.operands(a: %0, b: optional %3, c: variadic %4)
    irdl.attributes {"x" = %5}
  }
}
"""


def test_predicates_in_cpp_as_far_as_they_are_understood() -> None:
    context = Context(dialects_in([DialectFile("of_cpp.mlir", PREDICATES)]))
    vectors = '%v = "a.b"() : () -> vector<4x4xf32>\n  %w = "a.b"() : () -> vector<4xf32>\n  '
    take = '"of_cpp.take"({}) {{operandSegmentSizes = array<i32: 1, {}, {}>, x = {}}} : ({}) -> ()'
    fine = load(program(vectors + take.format("%i, %v, %a", 1, 1, 5, f"i32, vector<4x4xf32>, {F32}")), context)
    assert not fine.has_errors
    assert not verify(fine.module, None, context)
    assert said(take.format("%j", 0, 0, 5, "i64"), context) == "2: 'i64' does not satisfy the constraint"
    wrong = vectors + take.format("%i, %w", 1, 0, 5, "i32, vector<4xf32>")
    assert said(wrong, context) == "4: 'vector<4xf32>' does not satisfy the constraint"
    assert said(take.format("%i", 0, 0, '"a"', "i32"), context) == "2: '\"a\"' does not satisfy the constraint"


def test_operations_have_the_generic_form_only() -> None:
    """mlir-opt refuses another without a word."""
    assert said("  %0 = cmath.norm %a") == "2: custom op 'cmath.norm' has no custom assembly form"


def test_as_mlir_opt(tmp_path: Path) -> None:
    """The first message about each of these programs is mlir-opt's, at its line."""
    irdl = tmp_path / "cmath.mlir"
    irdl.write_text(CMATH)
    texts = [program(body) for body in (*FINE, *(body for body, _ in WRONG))]
    ran = run_tool("mlir-opt", (f"--irdl-file={irdl}", "--split-input-file"), "// -----\n".join(texts))
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    mistakes: dict[int, str] = {}
    for line in ran.stderr.splitlines():
        place, mark, message = line.partition(": error: ")
        if mark:
            number = int(place.split(":")[-2])
            index = max(index for index, start in enumerate(starts) if start < number)
            mistakes.setdefault(index, f"{number - starts[index]}: {message}")
    expected = {index + len(FINE): message for index, (_, message) in enumerate(WRONG)}
    assert {index: message for index, message in mistakes.items() if index in expected} == expected
    assert not any(index < len(FINE) for index in mistakes)


def check_findings(text: str, *expected: str) -> None:
    """What is wrong with a file of IRDL, each with its place."""
    mistakes = [
        str(finding)
        for described in Descriptions().read([DialectFile("x.mlir", text)])
        for finding in described.findings
    ]
    assert mistakes == list(expected)


def test_mistakes_in_a_file() -> None:
    check_findings(
        "irdl.dialect @x {\n  irdl.operation @Y {\n  }\n}\n",
        "x.mlir:2:3: name of operation should not contain uppercase letters",
    )
    check_findings(
        "irdl.dialect @x {\n  irdl.type @t {\n    %0 = irdl.base @x::@u\n    irdl.parameters(p: %0)\n  }\n}\n",
        "x.mlir:3:10: 'irdl.base' op symbol '@x::@u' not found",
    )
    check_findings(
        'irdl.dialect @x {\n  irdl.type @t {\n    %0 = irdl.base "!builtin.what"\n  }\n}\n',
        "x.mlir:3:10: no registered type with name !builtin.what",
    )
    check_findings(
        "irdl.dialect @x {\n  irdl.type @t {\n    irdl.parameters(3)\n  }\n}\n",
        "x.mlir:3:21: custom op 'irdl.parameters' expected valid keyword",
    )


@pytest.mark.parametrize(
    ("constraints", "is_wrong"),
    [
        ("%a, %p", True),
        ("%p, %p", True),
        ("%p, %b", False),
        ("%i, %p", False),
        ("%all, %p", True),
    ],
)
def test_constraints_that_may_take_the_same(constraints: str, is_wrong: bool, tmp_path: Path) -> None:
    """As mlir-opt refuses them, which cannot read an `irdl.base` among them."""
    text = f"""\
irdl.dialect @loop {{
  irdl.type @node {{
    %i = irdl.is i32
    irdl.parameters(next: %i)
  }}
  irdl.operation @use {{
    %a = irdl.any
    %i = irdl.is i32
    %p = irdl.parametric @loop::@node<%i>
    %b = irdl.base "!builtin.integer"
    %all = irdl.all_of(%p, %i)
    %any = irdl.any_of({constraints})
    irdl.operands(x: %any)
  }}
}}
"""
    path = tmp_path / "loop.irdl.mlir"
    path.write_text(text)
    said = "any_of constraints are not in the correct form"
    messages = [
        finding.message for file in Descriptions().read([DialectFile(str(path), text)]) for finding in file.findings
    ]
    assert messages == ([said] if is_wrong else [])
    if "%b" not in constraints:
        told = run_tool("mlir-opt", [f"--irdl-file={path}"], "")
        assert (said in told.stderr) == is_wrong
