"""The measure of `docs/pieces.md`: where files are cut, whose error is whose, and which pieces count."""

from __future__ import annotations

import pytest

from tests.oracles import require_tool
from tests.suite.answers import Answer, Piece, answers, errors_in, split
from tests.suite.pieces import dialects_of

TEXT = """\
func.func private @f()
// -----
func.func @g() {
  return %x : i32
}
// -----
"foo.op"() : () -> ()
"""


def test_pieces_know_their_lines() -> None:
    assert [(piece.name, piece.line) for piece in split("a.mlir", TEXT)] == [
        ("a.mlir#0", 0),
        ("a.mlir#1", 1),
        ("a.mlir#2", 5),
    ]


def test_answers_are_told_apart() -> None:
    require_tool("mlir-opt")
    accepted, rejected, unknown = answers(split("a.mlir", TEXT))
    assert accepted.custom == "module {\n  func.func private @f()\n}\n\n"
    assert (rejected.custom, rejected.line, rejected.error) == (None, 3, "use of undeclared SSA value name")
    assert unknown.generic == '"builtin.module"() ({\n  "foo.op"() : () -> ()\n}) : () -> ()\n\n'


def test_errors_have_lines() -> None:
    stderr = "<stdin>:3:1: error: one\nx\n^\n<stdin>:3:1: note: see\n<unknown>:0: error: two\n"
    assert list(errors_in(stderr)) == [(3, "one"), (0, "two")]


@pytest.mark.parametrize(
    ("text", "dialects"),
    [
        ("%0:2 = arith.addi %a, %b : i32 // scf.for", {"arith"}),
        ('"foo.op"() {a = "cf.br"} : () -> ()', {"foo"}),
        ("func.func @f() attributes {llvm.x = 1, gpu.kernel} {\n  call @f() : () -> ()\n}", {"func"}),
        ("func.func @f(%a: !gpu.async.token) {\n  scf.yield\n}", {"func", "gpu", "scf"}),
    ],
)
def test_operations_of_a_rejected_piece(text: str, dialects: set[str]) -> None:
    require_tool("mlir-opt")
    assert dialects_of(Piece("a.mlir", 0, 0, text), Answer(None, None, 1, "wrong")) == dialects
