"""The code action *Lower `@f` to the LLVM dialect*: the function's own text is replaced by what it becomes."""

from __future__ import annotations

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.syntax.tree import Item
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.lookup import header
from fathom_server.model.lowering import lowered_at_the_end, takes_long
from fathom_server.model.modules import in_one_line, placed
from fathom_server.model.paths import find
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, Symbol, role_of, symbols_of


def lowerable_at(snapshot: Snapshot, start: int, end: int) -> list[Symbol]:
    """The functions with a body that a range touches and that are not in the LLVM dialect already."""
    tree = snapshot.tree
    found: list[Symbol] = []
    if not tree.items:
        return found
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        base = tree.start(index)
        found += [
            symbol
            for symbol in symbols_of(tree.items[index])
            if _is_lowerable(symbol, snapshot) and base + symbol.start <= end and start <= base + symbol.full_end
        ]
    return found


def _is_lowerable(symbol: Symbol, snapshot: Snapshot) -> bool:
    is_function = symbol.has_body and role_of(symbol, snapshot.context) is Role.FUNCTION
    return is_function and symbol.op_name.partition(".")[0] != "llvm"


def items_beside(snapshot: Snapshot, name: str) -> tuple[Item, ...] | None:
    """The items that lowering `@name` is about if it takes longer than a key may; None if it does not."""
    found = find(snapshot, name)
    return (found.item,) if found is not None and takes_long(found.item) else None


def impossible(_name: str, reason: str) -> Refusal:
    """What is said when a fault of Fathom's own is in the way."""
    return Refusal(f"a fault in Fathom: {reason}")


def lower_function(snapshot: Snapshot, name: str) -> Replacement | Refusal:
    """The edit that lowers `@name`. Whatever stands outside of the function, comments too, stays as it is.

    Declarations that the lowered function needs and the document lacks come before it.
    """
    symbol = find(snapshot, name)
    if symbol is None or not symbol.has_body:
        return Refusal(f"there is no function @{name}")
    if not _is_lowerable(symbol, snapshot):
        return Refusal(f"@{name} is in the LLVM dialect already")
    made = lowered_at_the_end(snapshot, symbol.item, False)
    if made.module.problem is not None:
        problem = placed(made.module.problem, made.module.layout, snapshot)
        return Refusal(f"@{name} has an error: {in_one_line(problem, snapshot)}")
    for stall in made.stalls():
        return Refusal(f"@{name} does not lower: {in_one_line(placed(stall, made.module.layout, snapshot), snapshot)}")
    base = snapshot.start_of(symbol.item)
    texts: list[str] = []
    for op in _operations(made.module.op):
        its_name = op.properties.get("sym_name")
        is_known = isinstance(its_name, StringAttr) and header(snapshot, symbol.item, its_name.value) is not None
        if is_known and its_name != StringAttr(symbol.name):
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
