"""`transform-interpreter`: a schedule in the transform dialect, applied to the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import NestingPass
from fathom.passes.options import BOOL, STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Prepare


@record
class InterpreterPass(NestingPass):
    """The sequence has a name, and stands in the program that it is applied to. Handles to an operation follow it where
    it is replaced."""

    name = "transform-interpreter"
    summary = "applies a schedule in the transform dialect"
    # What it applies may be a conversion that does, such as that of GPUs.
    shows_locations = True

    debug_bind_trailing_args: tuple[str, ...] = option(
        (),
        "what further arguments of the sequence stand for: operations of a name, `^` and a name for their results, or"
        " `#` and numbers",
        list_of(STRING),
    )
    debug_payload_root_tag: str = option("", "the `transform.target_tag` of the operation it is applied to", STRING)
    disable_expensive_checks: bool = option(False, "do not look for handles that mean nothing any more", BOOL)
    entry_point: str = option("__transform_main", "the name of the sequence", STRING)

    def run_with(self, op: Operation, context: Context, prepare: Prepare) -> list[Diagnostic]:
        from fathom.passes.transform_dialect.interpreter import interpret

        return interpret(
            op,
            context,
            prepare,
            entry=self.entry_point,
            tag=self.debug_payload_root_tag,
            trailing=self.debug_bind_trailing_args,
            checks_handles=not self.disable_expensive_checks,
        )
