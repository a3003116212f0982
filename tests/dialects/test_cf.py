"""The checks of the cf dialect, worded as mlir-opt 22 words them."""

from __future__ import annotations

import pytest

from fathom.dialects.cf.switches import edges_of
from fathom.elaborate import load
from tests.verify.findings import problems


@pytest.mark.parametrize(
    ("branch", "message"),
    [
        ("cf.br ^next", "branch has 0 operands for successor #0, but target block has 1"),
        ("cf.br ^next(%b : i32)", "type mismatch for bb argument #0 of successor #0"),
        ("cf.cond_br %a, ^next(%c : f32), ^next", "branch has 0 operands for successor #1, but target block has 1"),
        (
            '"cf.switch"(%b)[^last, ^last] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : '
            "vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()",
            "'cf.switch' op 'flag' type ('i32') should match case value type ('i64')",
        ),
        (
            '"cf.switch"(%b)[^last, ^last] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : '
            "vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()",
            "'cf.switch' op number of case values (2) should match number of case destinations (1)",
        ),
    ],
)
def test_branches(branch: str, message: str) -> None:
    text = (
        f"func.func @f(%a: i1, %b: i32, %c: f32) {{\n  {branch}\n^next(%x: f32):\n  cf.br ^last\n^last:\n  return\n}}\n"
    )
    assert message in problems(text)


def test_successor_operands_of_a_switch() -> None:
    text = (
        "func.func @f(%a: i32, %b: f32) {\n  cf.switch %a : i32, [\n    default: ^one(%b : f32),\n    3: ^two,\n"
        "    4: ^one(%b : f32)\n  ]\n^one(%x: f32):\n  return\n^two:\n  return\n}\n"
    )
    loaded = load(text)
    assert not loaded.has_errors
    switch = next(op for op in loaded.module.walk() if op.name == "cf.switch")
    assert [len(edge.passed) for edge in edges_of(switch)] == [1, 0, 1]
