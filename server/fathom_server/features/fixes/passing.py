"""Values that are passed to somewhere that takes others: what a function returns, what a region yields, what a block or
a function is given.

return %a : i32   ->   %a_i64 = arith.extsi %a : i32 to i64
                       return %a_i64 : i64
cf.br ^bb1        ->   cf.br ^bb1(%a : i64)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.elaborate.sites import Site
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FunctionType, Type
from fathom.irdl.interfaces import Branch, Call, FunctionLike, RegionBranch
from fathom.irdl.traits import ISOLATED_FROM_ABOVE, TERMINATOR
from fathom.records import record
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes.casts import fitting
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending
from fathom_server.features.written_types import types_in
from fathom_server.model.scoping import declared_at


@record
class Passed:
    """Operands of an operation, from the one numbered `start` on, and the types that are wanted in their place; with
    the number of the successor that is given them, if one is."""

    op: Operation
    start: int
    given: Sequence[Value]
    wanted: Sequence[Type]
    successor: int | None = None
    verb: str = "Pass"


def passed(mistake: Mistake) -> Iterator[Fix]:
    """Values that are of the wanted types: casts of those that are there, others where some are missing, fewer where
    there are too many."""
    op = mistake.op()
    if op is not None:
        ways = [fixes for way in passages(mistake, op) if (fixes := list(_changes(mistake, way)))]
        yield from mending(mistake, (*(fix for fixes in ways for fix in fixes), *_together(ways)))


def _together(ways: Sequence[Sequence[Fix]]) -> Iterator[Fix]:
    """What is done alike at all places, such as at the ends of both regions of an `scf.if`."""
    for fix in ways[0] if len(ways) > 1 else ():
        alike = [next((other for other in fixes if other.title == fix.title), None) for fixes in ways]
        edit = sorted(
            {replacement for other in alike if other is not None for replacement in other.edit},
            key=lambda replacement: replacement.start,
        )
        if None not in alike and all(one.end <= other.start for one, other in pairwise(edit)):
            yield Fix(fix.title, tuple(edit))


def _changes(mistake: Mistake, passage: Passed) -> Iterator[Fix]:
    given, wanted = [value.type for value in passage.given], list(passage.wanted)
    if given == wanted:
        return
    if len(given) == len(wanted):
        yield from _cast(mistake, passage)
    elif len(given) > len(wanted) and given[: len(wanted)] == wanted:
        kept = [mistake.name(value) for value in passage.given[: len(wanted)]]
        left = ", ".join(f"`{mistake.name(value)}`" for value in passage.given[len(wanted) :])
        yield from _written(mistake, passage, kept, f"Leave out {left}")
    elif given == wanted[: len(given)]:
        missing = _at_hand(mistake, passage, wanted[len(given) :])
        if missing is not None:
            names = [mistake.name(value) for value in passage.given]
            shown = ", ".join(f"`{name}`" for name in missing)
            yield from _written(
                mistake, passage, [*names, *missing], f"{passage.verb} {shown}{' too' if names else ''}"
            )


def passages(mistake: Mistake, op: Operation) -> Iterator[Passed]:
    """What an operation passes, or what the ends of its regions pass to it."""
    around = op.parent_op
    if op.has(TERMINATOR) and around is not None:
        yield from _at_end(around, op)
        if len(mistake.diagnostic.types) == 2:
            given, wanted = mistake.diagnostic.types
            types = [wanted if operand.type == given else operand.type for operand in op.operands]
            yield Passed(op, 0, op.operands, types, verb="Yield")
    for region in op.regions:
        for block in region.blocks:
            if block.last is not None and block.last.has(TERMINATOR):
                yield from _at_end(op, block.last)
    if (branch := op.interface(Branch)) is not None:
        for index, edge in enumerate(branch.edges(op)):
            made = edge.made if len(edge.where) else 0
            if edge.where.start <= len(op.operands):
                taken = [argument.type for argument in edge.target.arguments[made:]]
                yield Passed(op, edge.where.start, edge.passed, taken, index)
    if (call := op.interface(Call)) is not None and (type := callee_type(mistake, op)) is not None:
        arguments = list(call.arguments(op))
        yield Passed(op, len(op.operands) - len(arguments), arguments, type.inputs)


def _at_end(around: Operation, end: Operation) -> Iterator[Passed]:
    function, control = around.interface(FunctionLike), around.interface(RegionBranch)
    if function is not None:
        type = function.type(around)
        if isinstance(type, (FunctionType, LLVMFunctionType)) and not end.successors:
            yield Passed(end, 0, end.operands, type.results, verb="Return")
    elif control is not None:
        for edge in control.leave(around, end, [None] * len(end.operands)):
            targets = edge.target.first.arguments if edge.target and edge.target.first else around.results
            types = [target.type for target in targets[edge.first :]]
            yield Passed(end, edge.start, edge.passed, types, verb="Yield")


def callee_type(mistake: Mistake, op: Operation) -> FunctionType | LLVMFunctionType | None:
    """The type of the function of the document that an operation calls."""
    callee = op.properties.get("callee")
    if not isinstance(callee, SymbolRefAttr) or callee.nested:
        return None
    function = declared_at(mistake.snapshot, mistake.item, mistake.span.start, callee.root)
    interface = function.interface(FunctionLike) if function is not None else None
    type = interface.type(function) if interface is not None and function is not None else None
    return type if isinstance(type, (FunctionType, LLVMFunctionType)) else None


def _cast(mistake: Mistake, passage: Passed) -> Iterator[Fix]:
    """Casts of the values that are of other types, in all ways that there are."""
    wrong = [
        (number, value, type)
        for number, (value, type) in enumerate(zip(passage.given, passage.wanted, strict=True))
        if value.type != type
    ]
    ways = [fitting(value.type, type, passage.op.dialect) for _, value, type in wrong]
    sites = mistake.known.sites_of(passage.op)
    if not wrong or len(sites) != 1 or not all(mistake.name(value) for _, value, _ in wrong):
        return
    for casts in product(*ways):
        lines: list[str] = []
        names = [mistake.name(value) for value in passage.given]
        for cast, (number, value, type) in zip(casts, wrong, strict=True):
            fresh = mistake.fresh(f"{names[number]}_{type}" if len(str(type)) <= 8 else f"{names[number]}_cast")
            line = f"{fresh} = {cast} {names[number]} : {value.type} to {type}"
            names[number] = fresh
            if line not in lines:
                lines.append(line)
        shown = " and ".join(f"`{cast}`" for cast in dict.fromkeys(casts))
        types = ", ".join(f"`{type}`" for type in dict.fromkeys(str(type) for _, _, type in wrong))
        for fix in _written(mistake, passage, names, f"Insert {shown} to {types}"):
            before = [mistake.before(passage.op, line) for line in lines]
            joined = Replacement(before[0].start, before[0].end, "".join(replacement.text for replacement in before))
            yield Fix(fix.title, (joined, *fix.edit))


def _written(mistake: Mistake, passage: Passed, names: Sequence[str], title: str) -> Iterator[Fix]:
    """The names and the wanted types, in the place of the names and the types that are passed, wherever the latter may
    stand; in brackets of their own, or behind the name of the operation, where there are none yet."""
    sites = mistake.known.sites_of(passage.op)
    if len(sites) != 1:
        return
    site = sites[0]
    if not passage.given:
        yield from _begun(mistake, passage, site, names, title)
        return
    first = _tokens_of(site, passage)
    if first is None:
        return
    start, end = site.span(first[0]).start, site.span(first[1]).end
    shown, types = ", ".join(names), ", ".join(map(str, passage.wanted))
    base, written = mistake.item.start(mistake.item.piece_at(start)), types_in(site.piece)
    count = len(passage.given)
    for index in range(len(written) - count, -1, -1):
        stretch = written[index : index + count]
        if any(argument.text != str(value.type) for argument, value in zip(stretch, passage.given, strict=True)):
            continue
        type_start, type_end = base + stretch[0].start, base + stretch[-1].end
        if type_start < end:
            continue
        # Without values there are no types, nor what stands between the two.
        if not names and mistake.text[end:type_start].strip() == ":":
            before, behind = mistake.text[:start].rstrip(), mistake.text[type_end:]
            brackets = before.endswith("(") and behind.lstrip().startswith(")")
            last = len(mistake.text) - len(behind.lstrip()) + 1 if brackets else type_end
            yield Fix(title, (mistake.replaced(len(before) - brackets, last, ""),))
        yield Fix(title, (mistake.replaced(start, end, shown), mistake.replaced(type_start, type_end, types)))


def _begun(mistake: Mistake, passage: Passed, site: Site, names: Sequence[str], title: str) -> Iterator[Fix]:
    types, shown = ", ".join(map(str, passage.wanted)), ", ".join(names)
    if passage.successor is not None:
        for token, block in site.blocks.items():
            if block is passage.op.successors[passage.successor]:
                yield Fix(title, (mistake.inserted(site.span(token).end, f"({shown} : {types})"),))
    elif passage.op.has(TERMINATOR) and passage.op.span is not None:
        yield Fix(title, (mistake.inserted(passage.op.span.end, f" {shown} : {types}"),))


def _tokens_of(site: Site, passage: Passed) -> tuple[int, int] | None:
    """The first and the last token of what is passed, where they stand side by side in their order."""
    uses = sorted(site.uses.items())
    values = [value for _, value in uses]
    count = len(passage.given)
    for index in range(len(uses) - count + 1):
        if values[index : index + count] == list(passage.given) and index >= passage.start:
            return uses[index][0], uses[index + count - 1][0]
    return None


def _at_hand(mistake: Mistake, passage: Passed, wanted: Sequence[Type]) -> list[str] | None:
    """For each type the last value before an operation that has it; None where there is none."""
    names: list[str] = []
    for type in wanted:
        name = next((n for value in values_before(passage.op) if value.type == type and (n := mistake.name(value))), "")
        if not name:
            return None
        names.append(name)
    return names


def values_before(op: Operation) -> Iterator[Value]:
    """The values that can be used by an operation, the nearest first: of its block, and of those around it up to what
    sees nothing from outside."""
    inside = op
    while (block := inside.parent) is not None:
        before = inside.previous
        while before is not None:
            yield from before.results
            before = before.previous
        yield from block.arguments
        entry = block.parent.first if block.parent is not None else None
        if entry is not None and entry is not block:
            yield from entry.arguments
        around = inside.parent_op
        if around is None or around.has(ISOLATED_FROM_ABOVE):
            return
        inside = around
