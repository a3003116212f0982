"""The lowering of one operation, for hovers: what the pipeline made of it in its function."""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation
from fathom.ir.printer import print_with_map
from fathom.irdl.traits import SYMBOL, SYMBOL_TABLE
from fathom.pipeline import run
from fathom.syntax.tree import Item
from fathom_server.session.analysis import function_module
from fathom_server.session.snapshot import Snapshot, analyse

MOST_LINES: Final = 16
"""A hover shows no more lines than this of what an operation becomes."""


def lowered_op(op: Operation, item: Item, snapshot: Snapshot) -> str | None:
    """The lines of the LLVM dialect that came from an operation of an item; None where it has none of its own."""
    if op.span is None or op.definition is None or op.dialect in ("llvm", "builtin"):
        return None
    if op.definition.has(SYMBOL) or op.definition.has(SYMBOL_TABLE):
        return None
    # The analysis is part of the key, so that lines of a former version cannot come back.
    key = (snapshot.settings.pipeline_text, analyse(snapshot, item))
    known, lines = item.cache.get("lowered", (None, {}))
    if known is None or known[0] != key[0] or known[1] is not key[1]:
        lines = _lowered_lines(item, snapshot)
        item.cache["lowered"] = (key, lines)
    found: list[str] = lines.get((op.span.start, op.span.end), [])
    if len(found) > MOST_LINES:
        found = [*found[:MOST_LINES], f"// … {len(found) - MOST_LINES} more"]
    return "\n".join(found) or None


def _lowered_lines(item: Item, snapshot: Snapshot) -> dict[tuple[int, int], list[str]]:
    module, _, problem = function_module(item, snapshot.document, bodies=False)
    if problem is not None or run(snapshot.settings.pipeline, module, snapshot.document.context).failed:
        return {}
    start = snapshot.document.start_of(item)
    text, ranges = print_with_map(module)
    found: dict[tuple[int, int], list[str]] = {}
    for each, first, last in ranges:
        if each.span is None or each.regions:
            continue
        found.setdefault((each.span.start - start, each.span.end - start), []).append(text[first:last])
    return found
