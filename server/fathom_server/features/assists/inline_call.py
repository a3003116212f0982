"""The body of a function in the place of a call.

%0 = call @twice(%x) : (i32) -> i32   ->   %sum = arith.addi %x, %x : i32
return %0 : i32                            return %sum : i32

A body of several blocks divides the block of the call: what followed the call is a block of its own, to which those
that returned branch, with what they returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import Type, whole_text_of
from fathom.irdl.interfaces import Call, FunctionLike
from fathom.records import record
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.extract_function import indented
from fathom_server.features.assists.sameness import error_after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.writing import label_of, unused
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.elaboration import operation_of
from fathom_server.model.scoping import Symbol, scope_at, symbol
from fathom_server.model.snapshot import Snapshot

_BRANCHES: Final = {"func.return": "cf.br", "llvm.return": "llvm.br"}
"""What takes the place of a return: a branch to what followed the call."""


@record
class _Callee:
    """A function that is called, and its blocks."""

    item: ItemText
    op: Operation
    blocks: list[Block]


def offered(selection: Selection) -> Iterator[Offer]:
    """On a call of a function that is defined."""
    item, op = selection.sound, selection.operation
    name = _name(op)
    if item is None or name is None:
        return
    callee = _called(selection, item, name)
    if callee is not None and callee.has_body:
        yield Offer(f"Put the body of `@{name}` in the place of the call", (selection.start,))


def inlined(snapshot: Snapshot, start: int) -> Made:
    """The body of the callee with the names of the arguments that are given, and its results where those of the call
    were used."""
    selection = Selection(snapshot, start, start)
    item, call = selection.sound, selection.operation
    name = _name(call)
    if item is None or call is None or name is None:
        return Refusal("there is a mistake in it")
    callee = _callee(selection, item, name)
    if isinstance(callee, Refusal):
        return callee
    if any(op is callee.op for op in _around(call)):
        return Refusal(f"@{name} calls itself")
    interface = call.interface(Call)
    last = callee.blocks[-1].last if callee.blocks else None
    if last is None or interface is None:
        return Refusal(f"@{name} has no body")
    entry = callee.blocks[0]
    given = interface.arguments(call)
    if len(given) != len(entry.arguments) or any(len(op.operands) != len(call.results) for op in _returns(callee)):
        return Refusal(f"@{name} is not called with its own types")
    names = _names(item, callee, list(given))
    edit = _one_block(item, call, callee, last, names) if last.parent is entry else _blocks(item, call, callee, names)
    edit.sort(key=lambda replacement: replacement.start)
    problem = error_after(snapshot, edit)
    return edit if problem is None else Refusal(f"the body cannot stand there: {problem}")


def _name(op: Operation | None) -> str | None:
    """The name in its own table of what an operation calls."""
    interface = op.interface(Call) if op is not None else None
    callee = interface.callee(op) if interface is not None and op is not None else None
    return callee.root if isinstance(callee, SymbolRefAttr) and not callee.nested else None


def _called(selection: Selection, item: ItemText, name: str) -> Symbol | None:
    """What a name means where the selection is."""
    return symbol(selection.snapshot, scope_at(selection.snapshot, item.item, selection.start - item.base), name)


def _callee(selection: Selection, item: ItemText, name: str) -> _Callee | Refusal:
    snapshot, callee = selection.snapshot, _called(selection, item, name)
    if callee is None or not callee.has_body:
        return Refusal(f"there is no function @{name}")
    home = item if callee.item is item.item else ItemText(snapshot, callee.item, snapshot.start_of(callee.item))
    if not home.is_sound:
        return Refusal(f"@{name} has an error")
    op = operation_of(home.known, callee)
    interface = op.interface(FunctionLike) if op is not None else None
    if op is None or interface is None:
        return Refusal(f"there is no function @{name}")
    region = interface.body(op)
    return _Callee(home, op, list(region.blocks) if region is not None else [])


def _around(op: Operation) -> Iterator[Operation]:
    around: Operation | None = op
    while around is not None:
        yield around
        around = around.parent_op


def _names(item: ItemText, callee: _Callee, given: list[Value]) -> dict[Value, str]:
    """What the values of the callee are called at the call: its arguments as what is given, others anew if their names
    are taken there. Of results with one name, each has it with its number."""
    taken = {hole.partition("#")[0] for piece in item.item.pieces for hole in piece.holes() if hole.startswith("%")}
    names: dict[Value, str] = {
        argument: item.name(value) for argument, value in zip(callee.blocks[0].arguments, given, strict=True)
    }
    inside = {op for op in callee.op.walk() if op is not callee.op}
    for site in callee.item.known.sites.values():
        for token, values in site.definitions.items():
            block = values[0].parent_block if values else None
            owner = block.parent.parent if block is not None and block.parent is not None else None
            if not values or values[0] in names or (owner not in inside and owner is not callee.op):
                continue
            fresh = unused(site.text(token), taken)
            for number, value in enumerate(values):
                names[value] = fresh if len(values) == 1 else f"{fresh}#{number}"
    return names


def _returns(callee: _Callee) -> list[Operation]:
    """The ends of the callee's blocks that return; of one block, its end in any case."""
    ends = [block.last for block in callee.blocks if block.last is not None]
    return ends if len(callee.blocks) == 1 else [op for op in ends if _BRANCHES.get(op.name) is not None]


def _one_block(
    item: ItemText, call: Operation, callee: _Callee, last: Operation, names: dict[Value, str]
) -> list[Replacement]:
    """The body before its last operation in the place of the call, and what is returned where results were used."""
    home = callee.item
    extent = item.extent(call)
    text = _written(callee, home.extent(last).start, _renamed(item, call, callee, names))
    body = text.strip("\r\n").rstrip()
    edit = [item.removed(extent.start, extent.end)]
    if body.strip():
        old = body[: len(body) - len(body.lstrip())]
        edit = [
            item.replaced(extent.start, extent.end, indented(body.lstrip(), old, item.indent(extent.start)).lstrip())
        ]
    for result, value in zip(call.results, last.operands, strict=True):
        for use in item.known.use_spans(result):
            edit.append(item.replaced(use.start, use.end, names.get(value) or home.name(value)))
    return edit


def _blocks(item: ItemText, call: Operation, callee: _Callee, names: dict[Value, str]) -> list[Replacement]:
    """The blocks of the callee in the place of the call, and behind them the block of what followed it, whose arguments
    are those results that are used."""
    home, around = callee.item, call.parent
    own = around.parent.blocks if around is not None and around.parent is not None else ()
    taken = {label_of(item, block) for block in own}
    labels = {block: unused(label_of(home, block), taken) for block in callee.blocks[1:]}
    behind = unused("^exit", taken)
    used = [number for number, result in enumerate(call.results) if result.uses]
    edit, arguments = _arguments(item, call, used)
    changes = _renamed(item, call, callee, names)
    for block, label in labels.items():
        changes += [Replacement(span.start, span.end, label) for span in home.known.label_spans(block)]
    for op in _returns(callee):
        values = [op.operands[number] for number in used]
        told = [names.get(value) or home.name(value) for value in values]
        extent = home.extent(op)
        branch = f"{_BRANCHES[op.name]} {behind}{_listed(told, [value.type for value in values])}"
        changes = [change for change in changes if not extent.start <= change.start < extent.end]
        changes.append(Replacement(extent.start, extent.end, branch))
    last = callee.blocks[-1].last
    end = home.extent(last).end if last is not None else 0
    body = _written(callee, end, changes).strip("\r\n").rstrip()
    extent = item.extent(call)
    indent = item.indent(extent.start)
    lines = [line for line in body.splitlines() if line.strip()]
    margins = [line[: len(line) - len(line.lstrip())] for line in lines]
    margin = min(margins, key=len)
    outer = indent.removesuffix(margins[0].removeprefix(margin))
    text = indented(body.lstrip(), margin, outer).lstrip()
    label = f"{behind}({', '.join(arguments)}):" if arguments else f"{behind}:"
    return [*edit, item.replaced(extent.start, extent.end, f"{text}{item.line_break}{outer}{label}")]


def _arguments(item: ItemText, call: Operation, used: list[int]) -> tuple[list[Replacement], list[str]]:
    """The arguments of the block that follows, for the results of these numbers: with the name of the result, where it
    has one of its own, else with another, which takes its place."""
    edit: list[Replacement] = []
    arguments: list[str] = []
    for number in used:
        result = call.results[number]
        name = item.name(result)
        if "#" in name:
            name = item.fresh(name.replace("#", "_"))
            edit += [item.replaced(use.start, use.end, name) for use in item.known.use_spans(result)]
        arguments.append(f"{name}: {whole_text_of(result.type)}")
    return edit, arguments


def _listed(names: Iterable[str], types: Iterable[Type]) -> str:
    """Operands of a branch with their types."""
    values = ", ".join(names)
    return f"({values} : {', '.join(map(whole_text_of, types))})" if values else ""


def _renamed(item: ItemText, call: Operation, callee: _Callee, names: dict[Value, str]) -> list[Replacement]:
    """The changes of the callee's text that give its values other names, and its operations their whole ones where that
    is needed at the call."""
    home = callee.item
    dialect = item.item.pieces[item.item.piece_at(item.extent(call).start)].frame.default_dialect
    changes: dict[int, Replacement] = {}
    for piece, site in home.known.sites.items():
        for token, values in site.definitions.items():
            if values[0] in names:
                span = site.span(token)
                changes[span.start] = Replacement(span.start, span.end, names[values[0]].partition("#")[0])
        for token, value in site.uses.items():
            if value in names:
                span = site.span(token)
                changes[span.start] = Replacement(span.start, span.end, names[value])
        for token, op in site.operations.items() if piece.frame.default_dialect != dialect else ():
            text = site.text(token)
            if "." not in text and not text.startswith('"') and op.dialect:
                span = site.span(token)
                changes[span.start] = Replacement(span.start, span.end, op.name)
    return list(changes.values())


def _written(callee: _Callee, end: int, changes: Iterable[Replacement]) -> str:
    """The text of the body up to a place, with changes."""
    start = callee.item.statement(callee.op).end
    text = callee.item.text[:end]
    for change in sorted(changes, key=lambda edit: edit.start, reverse=True):
        if start <= change.start and change.end <= end:
            text = text[: change.start] + change.text + text[change.end :]
    return text[start:]
