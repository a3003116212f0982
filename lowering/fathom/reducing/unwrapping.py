"""An operation with regions that goes, while what is in one of them stays: once, with what it would begin with.

%r = scf.for %i = %lo to %hi step %s iter_args(%x = %a) -> (i32) {
  %y = arith.addi %x, %b : i32
  scf.yield %y : i32                                       ->   %y = arith.addi %a, %b : i32
}                                                               return %y : i32
return %r : i32
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value, is_module
from fathom.irdl.interfaces import RegionBranch, Symbol
from fathom.reducing.edits import Edit, Replacement, applied, indentation, moved_out, removal
from fathom.reducing.values import constants_for, others_for

if TYPE_CHECKING:
    from fathom.reducing.outline import Node, Outline


def unwrapped(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which an operation goes and what is in one of its regions stays."""
    op = node.op
    if not is_module(op) and op.interface(Symbol) is not None:
        return
    for region in op.regions:
        block = region.first
        if block is not None and block.next is None and (edit := _of_block(outline, node, region, block)) is not None:
            yield edit


def _of_block(outline: Outline, node: Node, region: Region, block: Block) -> Edit | None:
    """What is in a block in the place of the operation around it; None where that cannot be said."""
    inside = list(outline.nodes_in(block))
    if not inside:
        return None
    made: list[str] = []
    changes: list[Replacement] = []
    for argument, given in zip(block.arguments, _given(node.op, region, block), strict=True):
        name = _name_for(outline, node.op, argument, given, made)
        if name is None:
            return None
        changes += [Replacement(*place, name) for place in outline.uses_of(argument)]
    ends = list(inside[-1].op.operands) if inside[-1].is_terminator else []
    for number, result in enumerate(node.op.results):
        if not result.uses:
            continue
        end = ends[number] if number < len(ends) and ends[number].type == result.type else None
        if isinstance(end, BlockArgument) and end in block.arguments:
            end = _given(node.op, region, block)[end.index]
        name = _name_for(outline, node.op, result, end, made)
        if name is None:
            return None
        changes += [Replacement(*place, name) for place in outline.uses_of(result)]
    return _moved(outline, node, inside, made, changes)


def _given(op: Operation, region: Region, block: Block) -> list[Value | None]:
    """What the arguments of a region begin with, where that is known."""
    given: list[Value | None] = [None] * len(block.arguments)
    branch = op.interface(RegionBranch)
    for edge in branch.enter(op, [None] * len(op.operands)) if branch is not None else ():
        if edge.target is region:
            for number, value in enumerate(edge.passed, edge.first):
                if number < len(given):
                    given[number] = value
    return given


def _name_for(outline: Outline, op: Operation, value: Value, given: Value | None, made: list[str]) -> str | None:
    """The name of what takes the place of a value: what is given, another of its type, or a constant that is made."""
    if given is not None and given.type == value.type and given in outline.names:
        return outline.names[given]
    if not value.uses:
        return ""
    other = next((other for other in others_for(outline, op, value) if other is not value), None)
    if other is not None:
        return outline.names[other]
    constant = next(constants_for(value.type, in_llvm=outline.is_in_llvm(op)), None)
    if constant is None:
        return None
    name = outline.fresh(outline.names.get(value, "%v").lstrip("%").replace("#", "_"))
    made.append(f"{name} = {constant}")
    return name


def _moved(
    outline: Outline, node: Node, inside: list[Node], made: list[str], changes: list[Replacement]
) -> Edit | None:
    """The edit that puts operations in the place of the one around them."""
    text, words = outline.text, outline.words
    start = words[outline.word_at(inside[0].start) - 1].end
    end = inside[-1].start if inside[-1].is_terminator else inside[-1].end
    own = [change for change in changes if start <= change.start < end]
    body = applied(text[start:end], [_shifted(change, start) for change in own])
    old, new = indentation(text, inside[0].start), indentation(text, node.start)
    lines = [*made, *([moved_out(body.strip(), old, new)] if body.strip() else [])]
    rest = [change for change in changes if not node.start <= change.start < node.end]
    if not lines:
        return [*rest, removal(text, node.start, node.end)]
    return [*rest, Replacement(node.start, node.end, f"\n{new}".join(lines))]


def _shifted(change: Replacement, start: int) -> Replacement:
    return Replacement(change.start - start, change.end - start, change.text)
