"""What is verified between passes: a mistake in what a pass made is a failure, whatever else is verified; what it left
of the source and changed around is a leftover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fathom.context import default_context
from fathom.diagnostics import LOWERING, VERIFY, Diagnostic, is_failure
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.ir.types import I64
from fathom.passes.definition import Pass
from fathom.pipeline.language import Nest, Pipeline
from fathom.pipeline.lowering import run
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.pipeline.lowering import Verifying

TEXT = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"


@record
class MakesWrong(Pass):
    """Puts an addition that gives another type in the place of each."""

    name = "makes-wrong"
    summary = "a pass with a mistake"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        for target in [inner for inner in op.walk() if inner.name == "arith.addi"]:
            assert target.parent is not None
            definition = context.lookup("arith.muli")
            made = Operation("arith.muli", target.operands, [I64], span=target.span, definition=definition)
            target.parent.insert_before(made, target)
            target.replace_all_uses_with(made.results)
            target.erase()
        return []


@record
class ChangesAround(Pass):
    """Has functions return what is of another type, which a cast gives."""

    name = "changes-around"
    summary = "a pass that leaves something"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        for target in [inner for inner in op.walk() if inner.name == "func.return"]:
            assert target.parent is not None
            definition = context.lookup("builtin.unrealized_conversion_cast")
            cast = Operation(
                "builtin.unrealized_conversion_cast", target.operands, [I64], span=target.span, definition=definition
            )
            target.parent.insert_before(cast, target)
            target.set_operands(cast.results)
        return []


def found(use: Pass, verifying: Verifying) -> list[Diagnostic]:
    """What is said of a pass, and of the same module as a verdict."""
    module, pipeline = load(TEXT).module, Pipeline(Nest("builtin.module", (use,)))
    lowering = run(pipeline, module, default_context(), verifying=verifying)
    assert {diagnostic.message for diagnostic in lowering.diagnostics} <= {
        finding.message for finding in lowering.verdict().findings
    }
    return lowering.diagnostics


@pytest.mark.parametrize("verifying", ["each", "made"])
def test_what_a_pass_made_wrong_is_a_failure(verifying: Verifying) -> None:
    first, *_ = found(MakesWrong(), verifying)
    assert first.message.startswith("'arith.muli' op ")
    assert first.code == VERIFY
    assert is_failure(first)
    assert first.span is not None
    assert TEXT[first.span.start :].startswith("%0 = arith.addi") or TEXT[first.span.start :].startswith("arith.addi")


def test_what_it_left_of_the_source_is_a_leftover() -> None:
    (first,) = found(ChangesAround(), "made")
    assert first.code == LOWERING
    assert first.severity == "error"
    assert not is_failure(first)


def test_nothing_is_verified_where_that_is_not_wanted() -> None:
    module, pipeline = load(TEXT).module, Pipeline(Nest("builtin.module", (MakesWrong(),)))
    assert not run(pipeline, module, default_context(), verifying="never").diagnostics
