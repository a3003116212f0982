"""What lowering one item tells of another: an error at a symbol that a pass has to call, and that is not what it would
call.

llvm.func @malloc(i32) -> !llvm.ptr    here, when `@f` is lowered: redefinition of reserved function 'malloc'
func.func @f() {
  %0 = memref.alloc() : memref<4xf32>
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from fathom.diagnostics import Diagnostic, alone, is_failure
from fathom.syntax.tree import Item
from fathom_server.model.lookup import scope_behind, symbol
from fathom_server.model.lowered import KEPT_STALLS, lowered_at_the_end, stalled
from fathom_server.model.modules import moved, owner
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

Objections: TypeAlias = "tuple[tuple[str, Diagnostic], ...]"
"""Errors, each with the name of the symbol that it is about; spans count from the beginning of the item that has it."""


@query(keep=KEPT_STALLS)
def objections(snapshot: Snapshot, item: Item) -> Objections:
    """The errors that lowering an item tells of symbols in other items, once each."""
    if not stalled(snapshot, item):
        return ()
    made = lowered_at_the_end(snapshot, item, False)
    diagnostics: dict[tuple[str, str], Diagnostic] = {}
    for diagnostic in filter(is_failure, made.lowering.diagnostics):
        at = owner(made.module, diagnostic.span) if diagnostic.span is not None else None
        if at is not None and at[0] is not item:
            _, start, about = at
            diagnostics.setdefault((about.name, diagnostic.message), moved(alone(diagnostic), -start))
    return tuple((name, diagnostic) for (name, _), diagnostic in diagnostics.items())


def by_item(snapshot: Snapshot, known: Mapping[Item, Objections]) -> dict[Item, tuple[Diagnostic, ...]]:
    """What is told of items by others, once each, however many tell it."""
    told: dict[Item, dict[Diagnostic, None]] = {}
    for item, objected in known.items():
        for name, diagnostic in objected:
            objecting = symbol(snapshot, scope_behind(snapshot, item), name)
            if objecting is not None:
                told.setdefault(objecting.item, {})[diagnostic] = None
    return {item: tuple(diagnostics) for item, diagnostics in told.items()}
