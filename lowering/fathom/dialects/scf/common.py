"""What structured control flow shares: the checks that values fit where control goes next, and pieces of syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq
from typing import TYPE_CHECKING

from fathom.ir.operation import BlockArgument, Operation, Region, Value, types_of
from fathom.ir.types import Type
from fathom.irdl.clauses import two_way
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.verifying import Complaint
from fathom.ops.scf import YieldOp

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def terminator_of(region: Region) -> Operation | None:
    """The last operation of a region of one block."""
    return region.last.last if region.last is not None else None


def check_terminator(region: Region, name: str, message: str) -> Complaint:
    """A region of one block ends with an operation of this name; `message` says so."""
    last = terminator_of(region)
    if last is not None and last.name == name:
        return None
    return Problem(message, notes=(("terminator here", last),) if last is not None else ())


def check_edge(
    source: str,
    target: str,
    given: Sequence[Type],
    expected: Sequence[Type],
    branch: Operation | None = None,
    is_alike: Callable[[Type, Type], bool] = eq,
) -> Complaint:
    """The values that go along an edge of control flow are those that its end needs.

    `source` and `target` are worded as MLIR does: "Operation scf.yield", "parent", "Region #0". `branch` is the
    terminator that the edge leaves from, if it is no operation's beginning. `is_alike` tells whether a value of one
    type may become one of another.
    """
    if given == expected and is_alike is eq:
        return None
    notes = (("region branch point", branch),) if branch is not None else ()
    edge = f"along control flow edge from {source} to {target}: "
    if len(given) != len(expected):
        counts = f"region branch point has {len(given)} operands, but region successor needs {len(expected)} inputs"
        return Problem(edge + counts, notes=notes)
    for index, (left, right) in enumerate(zip(given, expected, strict=True)):
        if not is_alike(left, right):
            types = f"'{left}' should match successor input type #{index} '{right}'"
            return Problem(f"{edge}successor operand type #{index} {types}", notes=notes)
    return None


def check_yield(region: Region, target: str, expected: Sequence[Type]) -> Complaint:
    """What the `scf.yield` at the end of a region gives is what is expected; another terminator is not looked at."""
    last = terminator_of(region)
    if not isinstance(last, YieldOp):
        return None
    return check_edge("Operation scf.yield", target, types_of(last.operands), expected, last)


def check_carried(
    initial: Sequence[Value], carried: Sequence[Value], yielded: Sequence[Value], results: Sequence[Value] | None
) -> Complaint:
    """What `LoopLikeOpInterface` asks: a value that is carried from iteration to iteration has one type everywhere.

    `results` are those of the loop, or None where its interface does not give them.
    """
    given = carried if results is None else results
    handed_on = yielded or carried
    for counted, some, others in (
        ("inits and region iter_args", initial, carried),
        ("region iter_args and yielded values", carried, handed_on),
        ("loop results and region iter_args", given, carried),
    ):
        if len(some) != len(others):
            return f"different number of {counted}: {len(some)} != {len(others)}"
    rows = [types_of(values) for values in (initial, carried, handed_on, given)]
    for index, (first, inside, last, _) in enumerate(zip(*rows, strict=True)):
        if first != inside:
            return f"{index}-th init and {index}-th region iter_arg have different type: '{first}' != '{inside}'"
        if inside != last:
            differ = f"'{inside}' != '{last}'"
            return f"{index}-th region iter_arg and {index}-th yielded value have different type: {differ}"
    for inside, result in zip(rows[1], rows[3], strict=True):
        if inside != result:
            # MLIR does not count these.
            return f"0-th region iter_arg and 0-th loop result have different type: '{inside}' != '{result}'"
    return None


def inline_only_block(
    rewriter: Rewriter, op: Operation, region: Region, arguments: Sequence[Value] = ()
) -> Operation | None:
    """Puts the only block of a region of `op` in its place: its arguments are these values, and the results are what
    it ends with. Gives `op`, with which nothing is left to do; None where the block gives no results, since control
    does not come to its end."""
    end = region.entry.end
    if len(end.operands) != len(op.results):
        return None
    if op.parent is not None:
        rewriter.inline_block_before(region.entry, op.parent, op, arguments)
        rewriter.replace(op, end.operands)
        rewriter.erase(end)
    return op


def entry_arguments(op: Operation) -> list[BlockArgument]:
    """The arguments of an operation's first region."""
    entry = op.regions[0].first
    return [*entry.arguments] if entry is not None else []


def while_loop(
    operands: str, results: str, before: str, after: str, *, operands_first: bool = False, completes: bool = True
) -> CustomSyntax[None]:
    """`(%a = %x) : (f32) -> f32 {…} do {…} attributes {…}`, by the names of the groups of operands and results and of
    the regions."""
    form = (
        f"custom<Initial>(${operands}, type(${results}), ref(${before})) custom<Unlabelled>(${before}) `do` "
        f"custom<Labelled>(${after}) attr-dict-with-keyword"
    )
    return two_way(form, operands_first=operands_first, completes=completes)
