"""`inline`: puts functions in the place of their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import PIPELINE as PASSES
from fathom.passes.options import STRING, UINT, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class Inliner(Pass):
    """Functions are simplified by a pipeline first, callees before their callers. A private function whose
    last call was inlined goes. Only calls of the func dialect are inlined."""

    name = "inline"
    summary = "puts the bodies of functions in the place of calls"
    shows_locations = True

    default_pipeline: str = option(
        "canonicalize",
        "the passes that run on functions that op-pipelines does not name",
        STRING,
    )
    inlining_threshold: int = option(
        2**32 - 1,
        "how large a callee may be, in percent of the operations of the caller",
        UINT,
    )
    max_iterations: int = option(4, "how often functions that call each other are inlined, at most", UINT)
    op_pipelines: tuple[str, ...] = option(
        (),
        "the passes that run on functions, by their operation: `dialect.op(passes)`",
        list_of(PASSES),
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.irdl.traits import SYMBOL_TABLE
        from fathom.passes.sequences import read_sequence
        from fathom.rewriting.inliner import Inliner as Driver

        if not op.has(SYMBOL_TABLE):
            message = f"'{op.name}' op  was scheduled to run under the inliner, but does not define a symbol table"
            return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
        pipelines: dict[str, list[Pass]] = {}
        for text in (f"({self.default_pipeline})", *self.op_pipelines):
            name, _, passes = text.partition("(")
            uses = read_sequence(passes.removesuffix(")"), context)
            if isinstance(uses, str):
                return [Diagnostic(uses, op.span, code=PIPELINE, op=op)]
            pipelines[name.strip()] = uses
        said: list[Diagnostic] = []

        def simplify(function: Operation) -> bool:
            for use in pipelines.get(function.name, pipelines[""]):
                said.extend(use.run(function, context))
            return not any(diagnostic.severity == "error" for diagnostic in said)

        Driver(op, context, simplify, self.max_iterations, self.inlining_threshold).run()
        return said
