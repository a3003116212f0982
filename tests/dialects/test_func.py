"""The checks of the func dialect, worded as mlir-opt 22 words them."""

from __future__ import annotations

import pytest

from tests.verify.findings import problems


def check_message(text: str, message: str) -> None:
    assert message in problems(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "func.func @f(%a: i1) -> i32 {\n  return %a : i1\n}",
            "type of return operand 0 ('i1') doesn't match function result type ('i32') in function @f",
        ),
        (
            "func.func @f() -> i32 {\n  return\n}",
            "'func.return' op has 0 operands, but enclosing function (@f) returns 1",
        ),
        ('"foo.op"() ({\n  func.return\n}) : () -> ()', "'func.return' op expects parent op 'func.func'"),
        ("func.func @f(i32)", "'func.func' op symbol declaration cannot have public visibility"),
        (
            '"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({\n^bb0:\n  func.return\n}) : () -> ()',
            "'func.func' op entry block must have 1 arguments to match function signature",
        ),
        (
            '"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({\n^bb0(%a: i32):\n  func.return\n'
            "}) : () -> ()",
            "'func.func' op type of entry block argument #0('i32') must match the type of the corresponding argument "
            "in function signature('i1')",
        ),
    ],
)
def test_functions_and_returns(body: str, message: str) -> None:
    check_message(body, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call @missing() : () -> ()", "'func.call' op 'missing' does not reference a valid function"),
        ("call @f() : () -> ()", "'func.call' op incorrect number of operands for callee"),
        ("%0 = call @f(%a) : (i1) -> i32", "'func.call' op incorrect number of results for callee"),
        (
            "call @f(%b) : (i32) -> ()",
            "'func.call' op operand type mismatch: expected operand type 'i1', but provided 'i32' for operand number 0",
        ),
        ("%0 = call @g() : () -> f32", "'func.call' op result type mismatch at index 0"),
        ("%0 = constant @f : () -> ()", "'func.constant' op reference to function with mismatched type"),
        ("%0 = constant @missing : () -> ()", "'func.constant' op reference to undefined function 'missing'"),
    ],
)
def test_symbols(call: str, message: str) -> None:
    text = (
        "func.func private @g() -> i32\n"
        f"func.func @f(%a: i1) {{\n  %b = arith.constant 1 : i32\n  {call}\n  return\n}}\n"
    )
    check_message(text, message)


def test_a_right_call_has_no_problems() -> None:
    assert problems("func.func @f(%a: i1) {\n  call @f(%a) : (i1) -> ()\n  return\n}\n") == []
