"""The measure of `docs/passes-on-pieces.md`: which passes it takes, on which pieces, and what it says of them."""

from __future__ import annotations

from fathom.passes import names
from fathom.passes.mlir import OWN
from tests.oracles import require_tool
from tests.suite.passes import USES, Use, findings_of, is_chosen, row
from tests.suite.pieces import Finding

CF = Use("convert-cf-to-llvm", frozenset({"cf"}))

TEXT = """\
func.func @f() {
  cf.br ^bb1
^bb1:
  return
}
// -----
func.func private @g()
// -----
func.func @h(%m: tensor<i1>) {
  cf.br ^bb1(%m : tensor<i1>)
^bb1(%x: tensor<i1>):
  return
}
"""


def test_every_pass_is_held_against_pieces() -> None:
    assert set(names()) - OWN <= {use.name for use in USES}


def test_options_stand_behind_the_name() -> None:
    assert Use("inline", frozenset(), "max-iterations=2").flag == "--inline=max-iterations=2"


def test_a_use_concerns_operations_of_its_dialects() -> None:
    casts = Use("reconcile-unrealized-casts", frozenset({"builtin.unrealized_conversion_cast"}))
    assert casts.concerns({"builtin.module", "cf.br"}) == frozenset()
    assert casts.concerns({"builtin.unrealized_conversion_cast"}) == casts.over
    assert CF.concerns({"builtin.module", "cf.br"}) == frozenset({"cf"})


def test_samples_are_the_same_each_time() -> None:
    pieces = [f"a.mlir#{number}" for number in range(100)]
    chosen = [piece for piece in pieces if is_chosen(piece, 10)]
    assert 0 < len(chosen) < 30
    assert all(is_chosen(piece, 1) for piece in pieces)


def test_pieces_are_run_through_both_tools() -> None:
    require_tool("mlir-opt")
    findings = findings_of(("a.mlir", TEXT, (CF,), 1))
    assert [(label, finding.piece, finding.kind) for label, finding in findings] == [
        ("convert-cf-to-llvm", "a.mlir#0", ""),
        ("convert-cf-to-llvm", "a.mlir#2", ""),
    ]


def test_lines_that_a_text_tells_are_those_of_the_piece() -> None:
    require_tool("mlir-opt")
    load = "func.func @f(%m: memref<?xi8>, %i: index) {\n  memref.load %m[%i] : memref<?xi8>\n  return\n}\n"
    checks = Use("generate-runtime-verification", frozenset({"memref"}))
    findings = findings_of(("a.mlir", f"{load}// -----\n{load}", (checks,), 1))
    assert [finding.kind for _, finding in findings] == ["", ""]


def test_a_row_counts_texts_and_errors() -> None:
    of = frozenset({"cf"})
    findings = [Finding("a#0", "custom", of), Finding("a#1", "custom", of, "order"), Finding("a#2", "rejected", of)]
    assert row("x", findings) == "| x | 2 | 50.0 % | 1 | 100.0 % |"
