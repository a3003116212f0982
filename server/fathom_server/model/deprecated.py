"""Operations that should not be used any more: those whose definitions say so, with what to do instead."""

from __future__ import annotations

from fathom.diagnostics import DEPRECATED, Diagnostic
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot


@query()
def deprecated_operations(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """The names of such operations in an item."""
    diagnostics: list[Diagnostic] = []
    for site in elaborated(snapshot, item).sites.values():
        for token, op in site.operations.items():
            if op.definition is not None and (instead := op.definition.deprecated):
                message = f"'{op.name}' is deprecated: {instead}"
                diagnostics.append(Diagnostic(message, site.span(token), "hint", DEPRECATED))
    return tuple(diagnostics)
