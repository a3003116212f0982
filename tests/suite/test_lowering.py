"""Which functions the measure of the code action *Lower* counts, and what it says of them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.client import FATHOM, Client
from tests.oracles import mlir_opt
from tests.suite.answers import Piece
from tests.suite.editor import suite_texts
from tests.suite.lowering import ORACLE, Lowered, functions_of, is_lowered, lowered, section

TWO = """
func.func @left(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %t, %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @declared(i32)
func.func @caller(%a: i32) {
  call @called(%a) : (i32) -> ()
  return
}
func.func @called(%a: i32) {
  return
}
func.func @other() {
  "gpu.barrier"() : () -> ()
  return
}
"""


def piece(text: str) -> Piece:
    return Piece("a.mlir", 0, 0, text)


def test_functions_of_a_piece_stand_each_with_what_it_uses() -> None:
    functions = dict(functions_of(piece(TWO)))
    assert list(functions) == ["left", "caller", "called"]
    assert "@called" in functions["caller"]
    assert "@left" not in functions["caller"]


def test_a_function_counts_if_mlir_opt_lowers_it() -> None:
    functions = dict(functions_of(piece(TWO)))
    assert is_lowered(mlir_opt(functions["caller"], *ORACLE))
    assert not is_lowered(mlir_opt(functions["left"], *ORACLE))
    assert not is_lowered(None)


def test_the_section_counts_functions_and_reasons() -> None:
    lines = section(
        [
            Lowered(piece(""), "a", text="llvm.func"),
            Lowered(piece(""), "b", text="llvm.func", error="1: no"),
            Lowered(piece(""), "c", refusal="@c does not lower: 'scf.for' was left (line 3)"),
            Lowered(piece(""), "d", refusal="@d does not lower: 'scf.if' was left (line 5)"),
        ],
        1,
    )
    assert [line for line in lines if line.startswith("| ")] == [
        "| functions | lowered | valid afterwards |",
        "| 4 | 2 (50.0 %) | 1 |",
        "| functions | reason |",
        "| 2 | '…' was left |",
    ]


def test_files_of_another_folder_are_taken(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.mlir").write_text(TWO, encoding="utf-8")
    (tmp_path / "c.mlir").write_text("", encoding="utf-8")
    assert suite_texts(None, tmp_path) == {"a/b.mlir": TWO, "c.mlir": ""}
    assert list(suite_texts("a/", tmp_path)) == ["a/b.mlir"]


def test_the_server_is_asked_as_an_editor_asks() -> None:
    text = TWO.replace("func.func @other", "func.func @plain(%a: i32) -> i32 {\n  return %a : i32\n}\nfunc.func @other")
    with Client(FATHOM) as client:
        client.initialize({})
        plain, other = lowered(client, piece(text), ["plain", "other"])
    assert "llvm.func @plain(%arg0: i32) -> i32" in plain.text
    assert "was left behind" in other.refusal
