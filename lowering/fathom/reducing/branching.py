"""Blocks that become fewer: a branch with one way to go, a return in its place, two blocks in one.

cf.cond_br %c, ^a(%x : i32), ^b   ->   cf.br ^a(%x : i32)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Operation, Region
from fathom.ir.types import whole_text_of
from fathom.irdl.interfaces import Branch, BranchEdge
from fathom.reducing.edits import Edit, Replacement, applied, indentation, removal
from fathom.reducing.values import constants_for, others_for

if TYPE_CHECKING:
    from fathom.reducing.outline import Node, Outline


def simpler_ends(outline: Outline, node: Node) -> Iterator[Edit]:
    """The edits by which the end of a block goes fewer ways."""
    op, branch = node.op, node.op.interface(Branch)
    if branch is None or op.parent is None or op.parent.parent is None:
        return
    edges = branch.edges(op)
    yield from _returned(outline, node, op.parent.parent)
    if len(edges) == 1:
        yield from _merged(outline, node, edges[0])
    for edge in edges if len(edges) > 1 else ():
        if not edge.made and (text := _jump(outline, op, edge)) is not None:
            end = Replacement(node.start, node.end, text)
            yield [end, *_unreached(outline, op.parent.parent, {op: [edge.target]})]


def _jump(outline: Outline, op: Operation, edge: BranchEdge) -> str | None:
    """A branch to one block."""
    label = outline.label_of(edge.target)
    if not label or any(value not in outline.names for value in edge.passed):
        return None
    name = "llvm.br" if outline.is_in_llvm(op) else "cf.br"
    values = ", ".join(outline.names[value] for value in edge.passed)
    types = ", ".join(whole_text_of(value.type) for value in edge.passed)
    return f"{name} {label}({values} : {types})" if values else f"{name} {label}"


def _returned(outline: Outline, node: Node, region: Region) -> Iterator[Edit]:
    """The end that another block of the region has, with values that are there or are made."""
    other = next((end for block in region.blocks if (end := block.last) is not None and not end.successors), None)
    model = outline.by_op.get(other) if other is not None else None
    if other is None or model is None or other.regions:
        return
    made: list[str] = []
    names: list[str] = []
    for operand in other.operands:
        value = next(others_for(outline, node.op, operand), None)
        if value is not None:
            names.append(outline.names[value])
            continue
        constant = next(constants_for(operand.type, in_llvm=outline.is_in_llvm(node.op)), None)
        if constant is None:
            return
        names.append(outline.fresh("v"))
        made.append(f"{names[-1]} = {constant}")
    word = outline.words[outline.word_at(model.name)].text
    types = ", ".join(whole_text_of(operand.type) for operand in other.operands)
    text = f"{word} {', '.join(names)} : {types}" if names else word
    margin = indentation(outline.text, node.start)
    end = Replacement(node.start, node.end, f"\n{margin}".join([*made, text]))
    yield [end, *_unreached(outline, region, {node.op: []})]


def _unreached(outline: Outline, region: Region, ways: Mapping[Operation, list[Block]]) -> Iterator[Replacement]:
    """The removal of the blocks that nothing leads to, where some ends lead elsewhere."""
    pending = [region.first] if region.first is not None else []
    reached = set(pending)
    while pending:
        last = pending.pop().last
        for block in ways.get(last, last.successors) if last is not None else ():
            if block not in reached:
                reached.add(block)
                pending.append(block)
    for block in region.blocks:
        place = _place(outline, block) if block not in reached else None
        if place is not None:
            yield removal(outline.text, *place)


def _place(outline: Outline, block: Block) -> tuple[int, int] | None:
    """Where a block with a label stands."""
    nodes = list(outline.nodes_in(block))
    return (block.label_span.start, nodes[-1].end) if block.label_span is not None and nodes else None


def _merged(outline: Outline, node: Node, edge: BranchEdge) -> Iterator[Edit]:
    """The block that is gone on to, in the place of the branch, where no other goes there."""
    target, text = edge.target, outline.text
    place = _place(outline, target)
    passed = dict(zip(target.arguments, edge.passed, strict=False))
    if edge.made or place is None or len(target.branches) != 1 or target is node.op.parent or target.is_entry:
        return
    if any(value not in outline.names for value in passed.values()):
        return
    changes = [
        Replacement(*use, outline.names[value])
        for argument, value in passed.items()
        for use in outline.uses_of(argument)
    ]
    # The label ends with the colon before the first operation.
    first = next(outline.nodes_in(target))
    start, end = outline.words[outline.word_at(first.start) - 1].end, place[1]
    own = [Replacement(s - start, e - start, new) for s, e, new in changes if start <= s < end]
    body = applied(text[start:end], own).strip()
    rest = [change for change in changes if not start <= change.start < end]
    yield [*rest, Replacement(node.start, node.end, body), removal(text, *place)]
