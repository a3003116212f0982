"""Modules of an older edition on their way into passes: rewritten in memory, with the spans that they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


def modernise_in_memory(module: Operation, context: Context) -> list[Diagnostic]:
    """Makes a module that was read in the context of an older edition one of MLIR 22, in place; what cannot be said
    today is an error, but stays as it is where the edition is a folder. One that is so already stays as it is."""
    edition, today = context.edition, context.newest
    if edition is None or all(op.definition is today.lookup(op.name) for op in module.walk()):
        return []
    # Of MLIR 22 alone, as most are, the rules are not loaded.
    from fathom.modernising.rewriting import Rewriting, rewrite
    from fathom.modernising.rules import RULES, element_rules

    rewriting = Rewriting(context, today, keeps_unknown=edition.is_folder)
    rewrite(module, rewriting, RULES, element_rules(context, today))
    for op in rewriting.as_written:
        if op.definition is not None and not edition.is_folder:
            rewriting.refuse(
                op, f"'{op.name}' is kept as it is written in LLVM {edition.name}, and has no way to today's"
            )
    return rewriting.problems
