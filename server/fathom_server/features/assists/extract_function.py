"""A function of the operations that are selected: their operands from outside become arguments, and what is used of
their results elsewhere is returned.

%0 = arith.muli %a, %b : i32         %1 = call @f_part(%a, %b) : (i32, i32) -> i32
%1 = arith.addi %0, %a : i32   ->    …
…                                    func.func private @f_part(%a: i32, %b: i32) -> i32 {
                                       %0 = arith.muli %a, %b : i32
                                       %1 = arith.addi %0, %a : i32
                                       return %1 : i32
                                     }
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type, whole_text_of
from fathom.irdl.interfaces import FunctionLike, StackAllocation, symbol_name
from fathom.irdl.traits import TERMINATOR
from fathom.records import record
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import error_after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.writing import aliases_at, unused
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.snapshot import Snapshot

DEFINED: Final = {"func": "func.func private", "llvm": "llvm.func internal"}
"""How a function is begun that only its part of the document sees, by the dialect of the function around."""

_BARE: Final = re.compile(r"[A-Za-z_][\w$.]*")


@record
class _Group:
    """Results with one name, `%x` or `%x:2`, that are used outside."""

    name: str
    values: Sequence[Value]

    @property
    def text(self) -> str:
        return self.name if len(self.values) == 1 else f"{self.name}:{len(self.values)}"


def offered(selection: Selection) -> Iterator[Offer]:
    """For operations that stand one after the other in a function, without the one that ends their block."""
    item, ops = selection.sound, selection.operations
    if item is None or selection.start == selection.end or not ops or any(op.has(TERMINATOR) for op in ops):
        return
    function = _function_around(ops[0])
    if function is not None and function.dialect in DEFINED:
        what = f"`{ops[0].name}`" if len(ops) == 1 else f"{len(ops)} operations"
        yield Offer(f"Make a function of {what}", (selection.start, selection.end))


def extracted(snapshot: Snapshot, start: int, end: int) -> Made:
    """A call in the place of the operations, and the function behind the one around."""
    selection = Selection(snapshot, start, end)
    item, ops = selection.sound, selection.operations
    function = _function_around(ops[0]) if item is not None and ops else None
    if item is None or function is None:
        return Refusal("there is a mistake in it")
    inside = {inner for op in ops for inner in op.walk()}
    inputs = list(dict.fromkeys(value for op in ops for value in _used_from_outside(op, inside)))
    groups = [group for op in ops for group in _used_outside(item, op, inside)]
    outputs = [value for group in groups for value in group.values]
    if function.dialect == "llvm" and len(outputs) > 1:
        return Refusal("a function of the LLVM dialect gives one result at most")
    if any(op.interface(StackAllocation) is not None for op in ops for value in op.results if value in outputs):
        return Refusal("what is allocated on the stack does not outlive the function")
    first, last = item.extent(ops[0]).start, item.extent(ops[-1]).end
    name = _free(snapshot, f"{symbol_name(function)}_part")
    taken = {hole.partition("#")[0] for piece in item.item.pieces for hole in piece.holes() if hole.startswith("%")}
    names = {value: _plain(item.name(value), taken) for value in inputs}
    aliases = aliases_at(item)

    def spelled(types: Sequence[Type]) -> str:
        return ", ".join(aliases.get(type_) or whole_text_of(type_) for type_ in types)

    returned = [output.type for output in outputs]
    results = f"({spelled(returned)})" if len(returned) != 1 else spelled(returned)
    dialect, short = function.dialect, item.item.pieces[item.item.piece_at(first)].frame.default_dialect
    call = "call" if short == dialect else f"{dialect}.call"
    given, types = ", ".join(map(item.name, inputs)), spelled([value.type for value in inputs])
    left = f"{', '.join(group.text for group in groups)} = " if groups else ""
    arguments = ", ".join(f"{names[value]}: {spelled([value.type])}" for value in inputs)
    extent, line_break = item.extent(function), item.line_break
    margin = item.indent(extent.start)
    body = _body(item, first, last, names, inside, f"{margin}  ")
    ending = f"{', '.join(map(item.name, outputs))} : {spelled(returned)}" if outputs else ""
    lines = [
        f"{DEFINED[dialect]} @{name}({arguments}){f' -> {results}' if outputs else ''} {{",
        body,
        f"{margin}  {'return' if dialect == 'func' else 'llvm.return'} {ending}".rstrip(),
        f"{margin}}}",
    ]
    edit = [
        item.replaced(first, last, f"{left}{call} @{name}({given}) : ({types}) -> {results}"),
        item.inserted(extent.end, f"{line_break * 2}{margin}{line_break.join(lines)}"),
    ]
    problem = error_after(snapshot, edit)
    return edit if problem is None else Refusal(f"they cannot stand in a function of their own: {problem}")


def _function_around(op: Operation) -> Operation | None:
    around = op.parent_op
    while around is not None and around.interface(FunctionLike) is None:
        around = around.parent_op
    return around


def _used_from_outside(op: Operation, inside: set[Operation]) -> Iterator[Value]:
    for inner in op.walk():
        for value in inner.operands:
            block = value.parent_block
            owner = value.defining_op
            around = block.parent.parent if owner is None and block is not None and block.parent is not None else owner
            if around not in inside:
                yield value


def _used_outside(item: ItemText, op: Operation, inside: set[Operation]) -> Iterator[_Group]:
    for token, values in item.result_groups(op):
        if any(user not in inside for value in values for user in value.uses):
            yield _Group(item.known.sites_of(op)[0].text(token), values)


def _free(snapshot: Snapshot, stem: str) -> str:
    """A name of a symbol that the document does not have."""
    stem = stem if _BARE.fullmatch(stem) else "part"
    number, name = 0, stem
    while snapshot.symbols.get(name, ()):
        name = f"{stem}_{number}"
        number += 1
    return name


def _plain(name: str, taken: set[str]) -> str:
    """What a value is called where it is alone: `%x_1` for `%x#1`."""
    return unused(name.replace("#", "_"), taken) if "#" in name else name


def _body(item: ItemText, first: int, last: int, names: dict[Value, str], inside: set[Operation], margin: str) -> str:
    """The text of the operations, so far in, with the names that arguments have."""
    edit: list[Replacement] = []
    for op in inside:
        for site in item.known.sites_of(op):
            for token, value in site.uses.items():
                span = site.span(token)
                if names.get(value, "") != item.name(value) and value in names and first <= span.start < last:
                    edit.append(Replacement(span.start, span.end, names[value]))
    text = item.text[:last]
    for change in sorted(set(edit), key=lambda replacement: replacement.start, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return indented(text[first:], item.indent(first), margin)


def indented(text: str, margin: str, wanted: str) -> str:
    """A text whose lines, but for the first, begin with a margin, with another one before all of them."""
    first, *rest = text.splitlines()
    lines = [first, *(line.removeprefix(margin) for line in rest)]
    line_break = "\r\n" if "\r\n" in text else "\n"
    return line_break.join(f"{wanted}{line}" if line.strip() else "" for line in lines)
