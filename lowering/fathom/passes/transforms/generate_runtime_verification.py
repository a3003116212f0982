"""`generate-runtime-verification`: operations check when they run what nobody can know before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.rewriting.runtime_checks import ErrorMessage


@record
class GenerateRuntimeVerificationPass(Pass):
    """In front of each operation on memrefs and tensors whose indices, sizes or alignment may be wrong, and of each
    structured operation of linalg, stands a `cf.assert` for what it takes for granted. Its message says what is wrong
    and where the operation comes from."""

    name = "generate-runtime-verification"
    summary = "adds assertions of what operations take for granted"
    shows_locations = True

    verbose_level: int = option(
        1,
        "what an assertion says: 0 the place, 1 the operation too",
        UINT,
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.rewriting.rewriter import Rewriter
        from fathom.rewriting.runtime_checks import RUNTIME_VERIFICATION, RuntimeChecks

        if self.verbose_level > 1:
            message = f"{self.name} pass: set verboseLevel to 0 or 1"
            return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
        message = _message_of(op if self.verbose_level else None)
        rewriter = Rewriter(context)
        # All are found first: what makes up a check is not checked in turn.
        checked = [(inner, context.aspect(RUNTIME_VERIFICATION, inner.dialect).get(inner.name)) for inner in op.walk()]
        for inner, make_checks in checked:
            if make_checks is not None and inner.parent is not None:
                make_checks(inner, RuntimeChecks(inner, rewriter, message))
        return []


def _message_of(scope: Operation | None) -> ErrorMessage:
    """What is said of an operation; with a `scope` around it the operation is shown, with the names that values have in
    that now."""
    from fathom.ir.locations import UnknownLoc
    from fathom.ir.naming import name_values
    from fathom.ir.operation_printer import Printer
    from fathom.ir.printing_flags import ELIDED_IN_MESSAGES, PrintingFlags

    flags = PrintingFlags(local_scope=True, skip_regions=True, elide_elements_above=ELIDED_IN_MESSAGES)
    names = name_values(scope, flags) if scope is not None else None

    def message(op: Operation, reason: str) -> str:
        shown = ""
        if names is not None:
            printer = Printer(names, flags)
            printer.op(op)
            shown = "".join(printer.parts) + "\n"
        return f"ERROR: Runtime op verification failed\n{shown}^ {reason}\nLocation: {op.location or UnknownLoc()}"

    return message
