"""What operations with regions hand from one to the next and out: values that are always the same, or never used.

    %r:2 = scf.for … iter_args(%a = %x, %b = %y) {        %r = scf.for … iter_args(%a = %x) {
      scf.yield %n, %b                              ->      scf.yield %n
    }                                                     }
    use(%r#0, %r#1)                                       use(%r, %y)

Source of the rules: *Interfaces*, "RegionBranchOpInterface", and mlir-opt 22. An *input* is an argument of a region or
a result; the *sources* of an input are the operands that are passed to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.operation import BlockArgument, OpResult, Value
from fathom.irdl.interfaces import RegionBranch
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation
    from fathom.irdl.interfaces import RegionEdge
    from fathom.rewriting.rewriter import Rewriter

Source: TypeAlias = "tuple[Operation, int]"
"""An operand: whose it is, and its number."""

REGION_TERMINATORS: Final = frozenset(("RegionBranchTerminatorOpInterface", "ReturnLike"))

NOTHING = Failure("nothing is handed on that need not be")


def is_region_terminator(op: Operation) -> bool:
    """Whether an operation hands on values at the end of a region (`RegionBranchTerminatorOpInterface`)."""
    return op.definition is not None and not REGION_TERMINATORS.isdisjoint(op.definition.trait_names)


def patterns(root: str) -> list[Pattern]:
    """The patterns for operations of this name, which have a `RegionBranch`."""
    return [Pattern(root, rewrite) for rewrite in (replace_by_only_source, join_equal_inputs, drop_unused_inputs)]


def inputs_by_source(op: Operation) -> dict[Source, list[Value]]:
    """What each operand that is passed on is passed to."""
    branch = op.interface(RegionBranch)
    by_source: dict[Source, list[Value]] = {}
    if branch is None:
        return by_source

    def note(origin: Operation, edges: Sequence[RegionEdge]) -> None:
        for edge in edges:
            entry = edge.target.first if edge.target is not None else None
            inputs: Sequence[Value] = (
                op.results if edge.target is None else entry.arguments if entry is not None else ()
            )
            for index, (_, value) in enumerate(zip(edge.passed, inputs[edge.first :], strict=False)):
                by_source.setdefault((origin, edge.start + index), []).append(value)

    note(op, branch.enter(op, [None] * len(op.operands)))
    for region in op.regions:
        for block in region.blocks:
            end = block.last
            if end is not None and end.has(TERMINATOR) and not end.successors:
                note(end, branch.leave(op, end, [None] * len(end.operands)))
    return by_source


def sources_by_input(by_source: Mapping[Source, Sequence[Value]]) -> dict[Value, list[Source]]:
    """The same the other way round."""
    sources: dict[Value, list[Source]] = {}
    for source, inputs in by_source.items():
        for value in inputs:
            sources.setdefault(value, []).append(source)
    return sources


# ---- an input that is always the same value


@named("MakeRegionBranchOpSuccessorInputsDead")
def replace_by_only_source(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Uses of an input that can only be one value, directly or by way of other inputs, become uses of that."""
    sources = sources_by_input(inputs_by_source(op))
    changed = False
    for value in sources:
        if not value.uses:
            continue
        reached = _reached(value, sources)
        if len(reached) == 1 and _is_seen(op, reached[0], value):
            rewriter.replace_all_uses(value, reached[0])
            changed = True
    return None if changed else NOTHING


def _reached(value: Value, sources: Mapping[Value, Sequence[Source]]) -> list[Value]:
    """The values, none of them an input, that an input can be."""
    reached: dict[Value, None] = {}
    seen: set[Value] = set()
    pending = [value]
    while pending:
        reached_value = pending.pop()
        if reached_value not in sources:
            reached[reached_value] = None
            continue
        for origin, index in sources[reached_value]:
            operand = origin.operands[index]
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return list(reached)


def _is_seen(op: Operation, value: Value, where: Value) -> bool:
    """Whether a value that reaches an input of `op` is there where the input is."""
    block = value.parent_block
    if block is None or block.parent is None or block.parent.parent is not op:
        return True
    return isinstance(value, BlockArgument) and isinstance(where, BlockArgument) and where.block is value.block


# ---- inputs that are equal to each other


@named("RemoveDuplicateSuccessorInputUses")
def join_equal_inputs(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Of two inputs of one block, or two results, that get the same from everywhere, the first is used."""
    sources = sources_by_input(inputs_by_source(op))
    changed = False
    for first, second in combinations(sorted(sources, key=_number), 2):
        if second.uses and _owner(first) is _owner(second) and _given(sources[first]) == _given(sources[second]):
            rewriter.replace_all_uses(second, first)
            changed = True
    return None if changed else NOTHING


def _given(sources: Sequence[Source]) -> dict[Operation, Value]:
    return {origin: origin.operands[index] for origin, index in sources}


def _number(value: Value) -> int:
    return value.index if isinstance(value, (BlockArgument, OpResult)) else 0


def _owner(value: Value) -> Operation | Block | None:
    return value.block if isinstance(value, BlockArgument) else value.defining_op


# ---- inputs that nobody uses


@named("RemoveDeadRegionBranchOpSuccessorInputs")
def drop_unused_inputs(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Inputs that nobody uses go, with what is passed to them; those that one operand is passed to go together."""
    by_source = inputs_by_source(op)
    unused = [value for tied in _tied(by_source) for value in tied if not any(one.uses for one in tied)]
    if not unused:
        return NOTHING
    sources = sources_by_input(by_source)
    gone: dict[Operation, set[int]] = {}
    for value in unused:
        for origin, index in sources[value]:
            gone.setdefault(origin, set()).add(index)
    for origin, indices in gone.items():
        kept = [operand for index, operand in enumerate(origin.operands) if index not in indices]
        rewriter.modify(origin, lambda origin=origin, kept=kept: origin.set_operands(kept))
    arguments: dict[Block, list[int]] = {}
    for value in unused:
        if isinstance(value, BlockArgument):
            arguments.setdefault(value.block, []).append(value.index)
    for block, numbers in arguments.items():
        rewriter.modify(op, lambda block=block, numbers=numbers: block.erase_arguments(numbers))
    results = [value.index for value in unused if isinstance(value, OpResult)]
    if results:
        rewriter.erase_results(op, results)
    return None


def _tied(by_source: Mapping[Source, Sequence[Value]]) -> list[list[Value]]:
    """The inputs in sets: in one set are those that one operand is passed to."""
    sets: dict[Value, list[Value]] = {}
    for inputs in by_source.values():
        joined: dict[Value, None] = {}
        for value in inputs:
            joined.update(dict.fromkeys(sets.get(value, [value])))
        members = list(joined)
        sets.update(dict.fromkeys(members, members))
    return list({id(set_): set_ for set_ in sets.values()}.values())
