"""Hovers of values: what a value is, where it comes from, and what its type becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fathom.ir.attributes import Attribute, FloatAttr, IntegerAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import POISON, TensorType
from fathom.irdl.interfaces import Branch, LoopLike, RegionBranch, RegionEdge
from fathom.rewriting.folding import constant_value
from fathom_server.features.hover.in_memory import Tensors
from fathom_server.features.hover.numbers import number_line
from fathom_server.features.hover.texts import MOST_ELEMENTS, Said, brief, code, counted_on, name_of, shown_name
from fathom_server.features.hover.types import about_type
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.subjects import Values

MOST_ORIGINS: Final = 8
"""So many of the values are named that one comes from."""


def values_text(snapshot: Snapshot, subject: Values) -> Said:
    """A value, or the results that share a name, where that is written for all of them."""
    values = subject.values
    if len(values) == 1:
        is_tensor = isinstance(values[0].type, TensorType)
        return _value_text(values[0], Tensors(snapshot, subject.item).of_value(values[0]) if is_tensor else ())
    names = [f"{name_of(value)} : {brief(value.type)}" for value in values[:MOST_ELEMENTS]]
    lines = [*names, *(["…"] if len(values) > MOST_ELEMENTS else [])]
    op = values[0].defining_op
    return Said((code("\n".join(lines)), f"results of `{op.name}`" if op is not None else ""))


def _value_text(value: Value, in_memory: Iterable[str]) -> Said:
    """A value: its type, where it comes from, what it is in memory, and what the type becomes."""
    name = name_of(value) or "%?"
    if value.type == POISON:
        return Said((code(name), _why_unknown(value)))
    constant = counted_on(lambda: constant_value(value))
    type = brief(value.type)
    equals = f" = {brief(constant).removesuffix(f' : {type}')}" if constant is not None else ""
    short = [code(f"{name} : {type}{equals}"), *_constant_lines(constant), _origin(value)]
    sources = source_line(value)
    short.append(f"comes from {sources}" if sources else "")
    if told := list(in_memory):
        # Of a tensor that gets memory, its type says nothing more.
        return Said((*short, *told))
    return about_type(value.type).after(*short)


def _why_unknown(value: Value) -> str:
    """Why the type of a value is not known."""
    region = value.block.parent if isinstance(value, BlockArgument) else None
    op = value.defining_op or (region.parent if region is not None else None)
    if op is not None and is_kept_text(op):
        return f"Its type is not known, since `{op.name}` is not known to Fathom."
    return "Its type is not known, since its definition is incomplete."


def _constant_lines(constant: Attribute | None) -> Iterator[str]:
    if isinstance(constant, (IntegerAttr, FloatAttr)):
        yield number_line(constant)


def _origin(value: Value) -> str:
    match value:
        case OpResult():
            count = len(value.op.results)
            which = f"result #{value.index} of" if count > 1 else "result of"
            return f"{which} `{value.op.name}`"
        case BlockArgument():
            return _of_argument(value)
        case _:
            return ""


def _of_argument(argument: BlockArgument) -> str:
    if not argument.block.is_entry:
        return f"argument #{argument.index} of its block"
    region = argument.block.parent
    op = region.parent if region is not None else None
    if op is None:
        return f"argument #{argument.index}"
    if op.interface(LoopLike) is not None and region is not None:
        entered = next((edge for edge in _entering(op, region)), None)
        if entered is not None and argument.index < entered.first:
            return f"induction variable of `{op.name}`"
    return f"argument #{argument.index} of `{op.name}`"


# ---- what is passed on


def source_line(value: Value) -> str:
    """What is passed on to a block argument, or to a result of structured control flow; empty for other values."""
    return ", then ".join(filter(None, map(_listed, _sources(value))))


def _sources(value: Value) -> Iterator[list[Value]]:
    """The values that a block argument, or a result of structured control flow, is: those at first, and those that it
    is later. Of all other values there are none."""
    match value:
        case BlockArgument(block=block) if not block.is_entry:
            yield list(_branching(block, value.index))
        case BlockArgument(block=block) if block.parent is not None and block.parent.parent is not None:
            op, region = block.parent.parent, block.parent
            yield list(_at(_entering(op, region), value.index))
            yield list(_at(_leaving(op, region), value.index))
        case OpResult() if value.op.regions:
            yield list(_at(_entering(value.op, None), value.index))
            yield list(_at(_leaving(value.op, None), value.index))
        case _:
            return


def _entering(op: Operation, target: Region | None) -> list[RegionEdge]:
    """The ways from an operation into a region of it, or past all of them."""
    branch = op.interface(RegionBranch)
    if branch is None:
        return []
    edges: Sequence[RegionEdge] = counted_on(lambda: branch.enter(op, [None] * len(op.operands))) or ()
    return [edge for edge in edges if edge.target is target]


def _leaving(op: Operation, target: Region | None) -> list[RegionEdge]:
    """The ways from the ends of the regions of an operation into one of them, or out."""
    branch, ways = op.interface(RegionBranch), list[RegionEdge]()
    if branch is None:
        return ways
    for region in op.regions:
        end = region.first.last if region.first is not None and region.has_one_block else None
        if end is None:
            continue
        edges: Sequence[RegionEdge] = (
            counted_on(lambda end=end: branch.leave(op, end, [None] * len(end.operands))) or ()
        )
        ways += [edge for edge in edges if edge.target is target]
    return ways


def _at(edges: Sequence[RegionEdge], index: int) -> Iterator[Value]:
    """What is passed on as the argument or result of this number."""
    for edge in edges:
        number = index - edge.first
        if 0 <= number < len(edge.passed):
            yield edge.passed[number]


def _branching(block: Block, index: int) -> Iterator[Value]:
    """What the predecessors of a block pass on as an argument of it."""
    for before in block.predecessors():
        end = before.last
        branch = end.interface(Branch) if end is not None else None
        if end is None or branch is None:
            continue
        edges = counted_on(lambda end=end, branch=branch: branch.edges(end))
        passed = [edge.passed for edge in edges or () if edge.target is block]
        yield from (values[index] for values in passed if index < len(values))


def _listed(values: list[Value]) -> str:
    """Their names, each once."""
    names = list(dict.fromkeys(map(shown_name, values)))
    if len(names) > MOST_ORIGINS:
        names = [*names[:MOST_ORIGINS], "…"]
    return " or ".join(names)
