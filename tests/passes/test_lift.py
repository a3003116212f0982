"""What cannot be lifted, `lift-cf-to-scf` reports in MLIR's words, at its place."""

from __future__ import annotations

from tests.passes.test_reports import check_report

PASS = "lift-cf-to-scf"


def test_blocks_that_nothing_leads_to_but_that_lead_to_others() -> None:
    unreached = "  cf.br ^bb3\n^bb1:\n  <|>cf.cond_br %c, ^bb1, ^bb3<|>\n^bb3:\n  return\n"
    message = "'cf.cond_br' op transformation does not support unreachable blocks"
    check_report(f"func.func @f(%c: i1) {{\n{unreached}}}\n", PASS, message)


def test_a_loop_without_an_end_in_another_region() -> None:
    inner = "  scf.execute_region {\n    cf.br ^bb1\n  ^bb1:\n    <|>cf.br ^bb1<|>\n  }\n"
    message = "Cannot create unreachable terminator for 'scf.execute_region'"
    check_report(f"func.func @f() {{\n{inner}  return\n}}\n", PASS, message)
