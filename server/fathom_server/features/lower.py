"""The code action *Lower `@f` to the LLVM dialect*: the function's own text is replaced by what it becomes.

A call and the function that it calls must be of one dialect. So what calls the function is lowered with it, and what it
calls, and so on; an edit after which the document would not verify any more is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fathom.diagnostics import INTERNAL, Diagnostic
from fathom.ir.dismantle import dismantling
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import PrintingFlags
from fathom.irdl.interfaces import symbol_name
from fathom.syntax.tree import Item
from fathom.text.beginnings import MOST_IN_EDITOR, TextTooLong
from fathom.verify.printing import flags_for
from fathom_server.features.edits import Refusal, Replacement, edited
from fathom_server.model.ages import modernised_first
from fathom_server.model.document import Document
from fathom_server.model.lowered import LONG, LoweredModule, lowered_together, quickly_stalled, takes_long
from fathom_server.model.mistakes import diagnostics, first_error
from fathom_server.model.modules import in_one_line, moved, placed
from fathom_server.model.scoping import (
    Role,
    Symbol,
    find,
    is_function,
    mentions_in,
    mentions_of,
    name_of,
    role,
    scope_of_symbol,
    symbol,
    symbols_of,
    unit_of,
)
from fathom_server.model.snapshot import Snapshot

_FLAGS: Final = PrintingFlags(local_scope=True, most=MOST_IN_EDITOR)


def lowerable_at(snapshot: Snapshot, start: int, end: int) -> list[Symbol]:
    """The functions with a body that a range touches and that are not in the LLVM dialect already."""
    tree = snapshot.tree
    functions: list[Symbol] = []
    if not tree.items:
        return functions
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        base = tree.start(index)
        functions += [
            symbol
            for symbol in symbols_of(tree.items[index])
            if _is_function(symbol, snapshot) and base + symbol.start <= end and start <= base + symbol.full_end
        ]
    return functions


def _is_function(symbol: Symbol, snapshot: Snapshot) -> bool:
    return symbol.has_body and is_function(snapshot, symbol) and _is_to_be_lowered(symbol, snapshot)


def items_beside(snapshot: Snapshot, name: str) -> tuple[Item, ...] | None:
    """The items that lowering `@name` is about if it takes longer than a key may; None if it does not."""
    start = find(snapshot, name)
    items = (
        tuple(dict.fromkeys(function.item for function in lowered_with(snapshot, start))) if start is not None else ()
    )
    is_long = sum(item.line_count for item in items) > LONG or any(takes_long(snapshot, item) for item in items)
    return items if is_long else None


def _is_to_be_lowered(symbol: Symbol, snapshot: Snapshot) -> bool:
    is_known = role(snapshot, symbol) in (Role.FUNCTION, Role.DATA)
    return is_known and symbol.op_name.partition(".")[0] != "llvm"


def lowered_with(snapshot: Snapshot, function: Symbol) -> list[Symbol]:
    """What must be lowered with a function, itself among it, in the order of the text: whatever refers to it or it
    refers to, directly or not."""
    tree = snapshot.tree
    scope = scope_of_symbol(snapshot, function)
    users: dict[str, list[Symbol]] = {}
    for near in _beside(snapshot, function):
        for name in mentions_of(near):
            users.setdefault(name, []).append(near)
    together = {function: None}
    pending = [function]
    while pending:
        current = pending.pop()
        uses = (symbol(snapshot, scope, name) for name in sorted(mentions_of(current)))
        for other in (*users.get(current.name, ()), *uses):
            if other is None or other in together or not _is_to_be_lowered(other, snapshot):
                continue
            if scope_of_symbol(snapshot, other) == scope:
                together[other] = None
                pending.append(other)
    return sorted(together, key=lambda entry: (tree.index_of(entry.item), entry.start))


def _beside(snapshot: Snapshot, function: Symbol) -> Iterator[Symbol]:
    """The symbols that may be in the scope of a function: those that are as far in."""
    tree, item = snapshot.tree, function.item
    around = tree.split_around(tree.index_of(item))
    for neighbour in (item,) if function.is_enclosed else tree.items[around.start : around.stop]:
        if function.depth in (neighbour.frame.containers, neighbour.frame_out.containers) or neighbour is item:
            yield from (beside for beside in symbols_of(neighbour) if beside.depth == function.depth)


def hindrance(snapshot: Snapshot, function: Symbol) -> Refusal | None:
    """Why a function cannot be lowered, as far as that is known of it and of what must be lowered with it. What takes
    long is not found out."""
    together = lowered_with(snapshot, function)
    who = _named(name_of(snapshot, function), together)
    for item in dict.fromkeys(other.item for other in together):
        base = snapshot.start_of(item)
        if diagnostics.is_known(snapshot, item) and (error := first_error(snapshot, item)) is not None:
            return Refusal(f"{who} has an error: {in_one_line(moved(error, base), snapshot)}")
        for stall in quickly_stalled(snapshot, item):
            if is_left_in(stall, (other for other in together if other.item is item)):
                return Refusal(f"{who} does not lower: {in_one_line(moved(stall, base), snapshot)}")
    return None


def is_left_in(diagnostic: Diagnostic, functions: Iterable[Symbol]) -> bool:
    """Whether what was found by lowering an item keeps one of its functions from being lowered."""
    place = diagnostic.span.start if diagnostic.span is not None else -1
    return diagnostic.code != INTERNAL and any(function.start <= place < function.full_end for function in functions)


def _named(name: str, together: Sequence[Symbol]) -> str:
    return f"@{name}" if len(together) == 1 else f"@{name}, or what must be lowered with it,"


def lower_function(snapshot: Snapshot, name: str) -> list[Replacement] | Refusal:
    """The edit that lowers `@name`, and what must be lowered with it. Whatever stands outside of these functions,
    comments too, stays as it is.

    Declarations that the lowered functions need and the document lacks come before the first of them.
    """
    function = find(snapshot, name)
    if function is None or not function.has_body:
        return Refusal(f"there is no function @{name}")
    if not _is_function(function, snapshot):
        return Refusal(f"@{name} is in the LLVM dialect already")
    together = lowered_with(snapshot, function)
    units = list(dict.fromkeys(unit_of(other) for other in (function, *together)))
    made = lowered_together(snapshot, units)
    with dismantling(made.module.op):
        return _lowered(snapshot, name, function, together, made)


def _lowered(
    snapshot: Snapshot, name: str, function: Symbol, together: list[Symbol], made: LoweredModule
) -> list[Replacement] | Refusal:
    """The edit that puts a lowering in the place of the functions that belong together."""
    who = _named(name, together)
    if made.module.problem is not None:
        problem = placed(made.module.problem, made.module.layout, snapshot)
        return Refusal(f"{who} has an error: {in_one_line(problem, snapshot)}")
    for stall in made.lowering.verdict().findings:
        where = in_one_line(placed(stall, made.module.layout, snapshot), snapshot)
        return Refusal(f"{who} does not lower: {where}")
    try:
        texts = {symbol_name(op): print_op(op, flags_for(op, _FLAGS)) for op in _operations(made.module.inner)}
    except TextTooLong as problem:
        return Refusal(str(problem))
    scope = scope_of_symbol(snapshot, function)
    needed = [text for its_name, text in texts.items() if symbol(snapshot, scope, its_name) is None]
    edit: list[Replacement] = []
    for other in together:
        if other.name in texts:
            edit.append(_replaced(snapshot, other, [*needed, texts[other.name]]))
            needed = []
    broken = _broken_by(snapshot, edit, {other.name for other in together})
    if broken is None:
        return edit
    return Refusal(f"@{name} cannot be lowered without harm to others: {broken}{modernised_first(snapshot)}")


def _replaced(snapshot: Snapshot, symbol: Symbol, texts: Iterable[str]) -> Replacement:
    """The edit that puts operations in the place of that of a symbol, as far in as that is."""
    start = snapshot.start_of(symbol.item)
    _, line_start, text = snapshot.tree.line_at(start + symbol.start)
    margin = text[: start + symbol.start - line_start]
    indent = margin if not margin.strip() else ""
    ending = "\r\n" if text.endswith("\r\n") else "\n"
    lowered = "\n".join(texts).replace("\n", ending + indent)
    return Replacement(start + symbol.start, start + symbol.full_end, lowered)


def _broken_by(snapshot: Snapshot, edit: list[Replacement], names: set[str]) -> str | None:
    """What an edit that changes the symbols of these names would break: the first error that was none before."""
    after = Document(
        snapshot.uri, snapshot.version, edited(snapshot.tree.text, edit), snapshot.context, snapshot.settings
    ).snapshot()
    had_errors = {item.text for item in snapshot.tree.items if _mentions(item, names) and first_error(snapshot, item)}
    for item in after.tree.items:
        if _mentions(item, names) and item.text not in had_errors and (error := first_error(after, item)) is not None:
            return in_one_line(moved(error, after.start_of(item)), after)
    return None


def _mentions(item: Item, names: set[str]) -> bool:
    return not names.isdisjoint(mentions_in(item))


def _operations(module: Operation) -> list[Operation]:
    return [op for region in module.regions for block in region.blocks for op in block]
