"""The code action *Lower `@f` to the LLVM dialect*: the function's own text is replaced by what it becomes."""

from __future__ import annotations

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.pipeline import run
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.session.analysis import function_module, in_one_line, stalled
from fathom_server.session.snapshot import Snapshot
from fathom_server.session.symbols import Symbol, symbols_of


def lowerable_at(snapshot: Snapshot, start: int, end: int) -> list[Symbol]:
    """The functions with a body that a range touches and that are not in the LLVM dialect already."""
    tree = snapshot.tree
    found: list[Symbol] = []
    if not tree.items:
        return found
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        base = tree.start_offsets[index]
        found += [
            symbol
            for symbol in symbols_of(tree.items[index])
            if _is_lowerable(symbol) and base + symbol.start <= end and start <= base + symbol.full_end
        ]
    return found


def _is_lowerable(symbol: Symbol) -> bool:
    return symbol.has_body and not symbol.op_name.startswith("llvm.") and not symbol.op_name.endswith("module")


def lower_function(snapshot: Snapshot, name: str) -> Replacement | Refusal:
    """The edit that lowers `@name`. Whatever stands outside of the function, comments too, stays as it is.

    Declarations that the lowered function needs and the document lacks come before it.
    """
    symbol = next((s for s in snapshot.document.definitions(name) if s.has_body), None)
    if symbol is None:
        return Refusal(f"there is no function @{name}")
    if not _is_lowerable(symbol):
        return Refusal(f"@{name} is in the LLVM dialect already")
    module, _, problem = function_module(symbol.item, snapshot.document, bodies=False)
    if problem is not None:
        return Refusal(f"@{name} has an error: {problem}")
    stalls = stalled(run(snapshot.settings.pipeline, module, snapshot.document.context), module)
    if stalls:
        return Refusal(f"@{name} does not lower: {in_one_line(stalls[0], snapshot.document)}")
    base = snapshot.document.start_of(symbol.item)
    texts: list[str] = []
    for op in _operations(module):
        its_name = op.properties.get("sym_name")
        known = isinstance(its_name, StringAttr) and its_name.value in snapshot.document.symbols
        if known and its_name != StringAttr(name):
            continue
        texts.append(print_op(op))
    line, line_start = snapshot.tree.line_of(base + symbol.start)
    text = snapshot.tree.line(line)
    margin = text[: base + symbol.start - line_start]
    indent = margin if not margin.strip() else ""
    ending = "\r\n" if text.endswith("\r\n") else "\n"
    lowered = "\n".join(texts).replace("\n", ending + indent)
    return Replacement(base + symbol.start, base + symbol.full_end, lowered)


def _operations(module: Operation) -> list[Operation]:
    return [op for region in module.regions for block in region.blocks for op in block]
