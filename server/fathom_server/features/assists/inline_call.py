"""The body of a function in the place of a call.

%0 = call @twice(%x) : (i32) -> i32   ->   %sum = arith.addi %x, %x : i32
return %0 : i32                            return %sum : i32
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Block, Operation, Value
from fathom.irdl.interfaces import Call, FunctionLike
from fathom.records import record
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.extract_function import indented
from fathom_server.features.assists.sameness import after, new_error
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.writing import unused
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.lookup import symbol
from fathom_server.model.snapshot import Snapshot


@record
class _Callee:
    """A function that is called, and its only block."""

    item: ItemText
    op: Operation
    body: Block


def offered(selection: Selection) -> Iterator[Offer]:
    """On a call of a function that is defined, of one block."""
    item, op = selection.sound, selection.operation
    name = _name(op)
    if item is None or name is None:
        return
    found = symbol(selection.snapshot, item.item, name)
    if found is not None and found.has_body:
        yield Offer(f"Put the body of `@{name}` in the place of the call", (selection.start,))


def inlined(snapshot: Snapshot, start: int) -> Made:
    """The body of the callee with the names of the arguments that are given, and its results where those of the call
    were used."""
    selection = Selection(snapshot, start, start)
    item, call = selection.sound, selection.operation
    name = _name(call)
    if item is None or call is None or name is None:
        return Refusal("there is a mistake in it")
    callee = _callee(snapshot, item, name)
    if isinstance(callee, Refusal):
        return callee
    if any(each is callee.op for each in _around(call)):
        return Refusal(f"@{name} calls itself")
    last = callee.body.last
    interface = call.interface(Call)
    if last is None or interface is None:
        return Refusal(f"@{name} has no body")
    given = interface.arguments(call)
    if len(given) != len(callee.body.arguments) or len(last.operands) != len(call.results):
        return Refusal(f"@{name} is not called with its own types")
    names = _names(item, callee, list(given))
    extent = item.extent(call)
    body = _body(item, call, callee, last, names)
    edit = [item.replaced(extent.start, extent.end, body) if body else item.removed(extent.start, extent.end)]
    for result, value in zip(call.results, last.operands, strict=True):
        for use in item.known.use_spans(result):
            edit.append(item.replaced(use.start, use.end, names.get(value) or callee.item.name(value)))
    edit.sort(key=lambda each: each.start)
    problem = new_error(snapshot, after(snapshot, edit))
    return edit if problem is None else Refusal(f"the body cannot stand there: {problem}")


def _name(op: Operation | None) -> str | None:
    """The name in its own table of what an operation calls."""
    interface = op.interface(Call) if op is not None else None
    callee = interface.callee(op) if interface is not None and op is not None else None
    return callee.root if isinstance(callee, SymbolRefAttr) and not callee.nested else None


def _callee(snapshot: Snapshot, item: ItemText, name: str) -> _Callee | Refusal:
    found = symbol(snapshot, item.item, name)
    if found is None or not found.has_body:
        return Refusal(f"there is no function @{name}")
    home = item if found.item is item.item else ItemText(snapshot, found.item, snapshot.start_of(found.item))
    if not home.is_sound:
        return Refusal(f"@{name} has an error")
    for root in home.known.operations:
        for op in root.walk():
            interface = op.interface(FunctionLike)
            if interface is not None and home.statement(op).start == found.start:
                region = interface.body(op)
                blocks = list(region.blocks) if region is not None else []
                if len(blocks) != 1:
                    return Refusal(f"@{name} has {len(blocks)} blocks, and only one block can stand there")
                return _Callee(home, op, blocks[0])
    return Refusal(f"there is no function @{name}")


def _around(op: Operation) -> Iterator[Operation]:
    each: Operation | None = op
    while each is not None:
        yield each
        each = each.parent_op


def _names(item: ItemText, callee: _Callee, given: list[Value]) -> dict[Value, str]:
    """What the values of the callee are called at the call: its arguments as what is given, others anew if their names
    are taken there. Of results with one name, each has it with its number."""
    taken = {hole.partition("#")[0] for piece in item.item.pieces for hole in piece.holes() if hole.startswith("%")}
    names: dict[Value, str] = {
        argument: item.name(value) for argument, value in zip(callee.body.arguments, given, strict=True)
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


def _body(item: ItemText, call: Operation, callee: _Callee, last: Operation, names: dict[Value, str]) -> str:
    """The text of the body before its last operation, for the place of the call."""
    home = callee.item
    start = home.statement(callee.op).end
    end = home.extent(last).start
    dialect = item.item.pieces[item.item.piece_at(item.extent(call).start)].frame.default_dialect
    edit: dict[int, Replacement] = {}
    for piece, site in home.known.sites.items():
        if not start <= site.span(0).start < end and not start <= site.span(1 << 30).start < end:
            continue
        for token, values in site.definitions.items():
            if values[0] in names:
                span = site.span(token)
                edit[span.start] = Replacement(span.start, span.end, names[values[0]].partition("#")[0])
        for token, value in site.uses.items():
            if value in names:
                span = site.span(token)
                edit[span.start] = Replacement(span.start, span.end, names[value])
        for token, op in site.operations.items() if piece.frame.default_dialect != dialect else ():
            text = site.text(token)
            if "." not in text and not text.startswith('"') and op.dialect:
                span = site.span(token)
                edit[span.start] = Replacement(span.start, span.end, op.name)
    text = home.text[:end]
    for each in sorted(edit.values(), key=lambda each: each.start, reverse=True):
        if start <= each.start and each.end <= end:
            text = text[: each.start] + each.text + text[each.end :]
    body = text[start:].strip("\r\n").rstrip()
    if not body.strip():
        return ""
    old = body[: len(body) - len(body.lstrip())]
    return indented(body.lstrip(), old, item.indent(item.extent(call).start)).lstrip()
