"""Puts the body of a function in the place of a call.

    %0 = call @double(%a) : (i32) -> i32      ->      %0 = arith.addi %a, %a : i32

What may be inlined its dialect says: that of the call, of the operation that the body comes into, and of each operation
in it. Source of the rules: *Defining Dialects*; *Interfaces*, "Dialect Interfaces"; and mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DictAttr
from fathom.ir.clone import clone_region
from fathom.ir.locations import CallSiteLoc, LocationAttr, UnknownLoc
from fathom.ir.operation import Block, Operation, Region, Value, types_of
from fathom.ir.property_values import elements_property, type_property
from fathom.irdl.interfaces import Call, symbol_name
from fathom.irdl.traits import RETURN_LIKE
from fathom.rewriting.inlining_rules import INLINING
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.type_converter import is_cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.inlining_rules import InliningRules

OPERATIONS: Final = frozenset(
    "amdgpu arith bufferization cf complex func gpu index linalg math memref ml_program nvvm quant rocdl scf "
    "shape shard tensor tosa ub vector".split()
)
"""The dialects all of whose operations may be inlined anywhere."""

REGIONS: Final = frozenset("func linalg llvm memref scf shape shard tensor".split())
"""The dialects into the regions of whose operations anything may be inlined."""


def inline_call(call: Operation, function: Operation, context: Definitions, *, keep: bool) -> list[Operation] | None:
    """Inlines a function into the block of a call, which is then without users; `keep` copies the body. The operations
    that came directly into the region of the call; None where the call cannot be inlined, and nothing has changed."""
    block, body = call.parent, function.regions[0]
    interface, rules = call.interface(Call), context.aspect(INLINING, call.dialect)
    if block is None or block.parent is None or body.first is None or interface is None or rules is None:
        return None
    arguments = interface.arguments(call)
    if not _fits(call, arguments, function, body) or not rules.may_inline(call, function):
        return None
    if not _is_legal(body, block.parent, dict(zip(body.first.arguments, arguments, strict=True)), context):
        return None
    rewriter, behind = Rewriter(context), call.next
    arguments = _arguments(call, function, arguments, rules, rewriter)
    if keep:
        body = clone_region(body)
    _stack_locations(body, call)
    inlined = [op for block in body.blocks for op in block]
    _splice(call, behind, body, arguments, rules, rewriter)
    return [op for op in inlined if op.parent is not None]


def why_not_inlined(call: Operation, function: Operation, context: Definitions) -> str:
    """Why a call cannot be inlined, which `inline_call` says no to."""
    block, body = call.parent, function.regions[0]
    interface, rules = call.interface(Call), context.aspect(INLINING, call.dialect)
    if block is None or block.parent is None or body.first is None or interface is None:
        return "what is called has no body"
    if rules is None:
        return f"the dialect {call.dialect} says nothing of inlining its calls"
    arguments = interface.arguments(call)
    if not _fits(call, arguments, function, body):
        return "its types are not those of what it calls"
    if not rules.may_inline(call, function):
        marked = next((op for op in (call, function) if op.attribute("no_inline") is not None), None)
        if marked is not None:
            return "it is marked no_inline" if marked is call else f"@{symbol_name(function)} is marked no_inline"
        return f"the dialect {call.dialect} does not let this call of a '{function.name}' be inlined"
    around = block.parent.parent
    given: dict[Value, Value] = dict(zip(body.first.arguments, arguments, strict=True))
    if around is None or not _may_come_into(block.parent, around, body, given, context):
        return f"nothing may be inlined into '{around.name if around is not None else 'this'}'"
    foreign = next((op for op in body.walk() if not _may_stand_in(op, block.parent, context)), None)
    if foreign is None:
        return "it may not be inlined"
    return f"the '{foreign.name}' in @{symbol_name(function)} may not: its dialect does not say that it may be inlined"


def _arguments(
    call: Operation, function: Operation, values: Sequence[Value], rules: InliningRules, rewriter: Rewriter
) -> list[Value]:
    """What stands for the arguments, made right behind the call."""
    if call.parent is None:
        return list(values)
    attributes = elements_property(function, "arg_attrs")
    rewriter.stand_in(call)
    rewriter.set_insertion_behind(call)
    arguments: list[Value] = []
    for index, value in enumerate(values):
        own = attributes[index] if index < len(attributes) else None
        entries = dict(own.entries) if isinstance(own, DictAttr) else {}
        arguments.append(rules.argument(call, function, value, entries, rewriter))
    return arguments


def _stack_locations(body: Region, call: Operation) -> None:
    """What is inlined comes from where it stood, called from where the call stood; if both are known."""
    caller = call.location
    if not isinstance(caller, LocationAttr) or isinstance(caller, UnknownLoc):
        return
    known: dict[LocationAttr, LocationAttr] = {}

    def stacked(location: Attribute | None) -> Attribute | None:
        if not isinstance(location, LocationAttr):
            return location
        if location not in known:
            callees, end = list[LocationAttr](), location
            while isinstance(end, CallSiteLoc):
                callees.append(end.callee)
                end = end.caller
            stack = CallSiteLoc(end, caller)
            for callee in reversed(callees):
                stack = CallSiteLoc(callee, stack)
            known[location] = stack
        return known[location]

    for block in body.blocks:
        for argument in block.arguments:
            argument.location = stacked(argument.location)
    for op in body.walk():
        op.location = stacked(op.location)
        for argument in (argument for region in op.regions for block in region.blocks for argument in block.arguments):
            argument.location = stacked(argument.location)


def _fits(call: Operation, arguments: Sequence[Value], function: Operation, body: Region) -> bool:
    """Whether what the call gives and takes is what the function takes and gives."""
    signature = type_property(function, "function_type")
    if body.first is None or signature is None:
        return False
    results: Sequence[Type] | None = getattr(signature, "results", None)
    fits = types_of(arguments) == types_of(body.first.arguments)
    return fits and results is not None and types_of(call.results) == list(results)


def _is_legal(body: Region, target: Region, given: Mapping[Value, Value], context: Definitions) -> bool:
    around = target.parent
    if around is None or not _may_come_into(target, around, body, given, context):
        return False
    return all(_may_stand_in(op, target, context) for op in body.walk())


def _may_stand_in(op: Operation, target: Region, context: Definitions) -> bool:
    """Whether an operation of what is inlined may stand in a region."""
    if is_cast(op) or op.dialect in OPERATIONS:
        return True
    rules = context.aspect(INLINING, op.dialect)
    return rules is not None and rules.holds(op, target)


def _may_come_into(
    target: Region, around: Operation, body: Region, given: Mapping[Value, Value], context: Definitions
) -> bool:
    if around.dialect in REGIONS:
        return True
    rules = context.aspect(INLINING, around.dialect)
    return rules is not None and rules.takes(target, body, given)


def _splice(
    call: Operation,
    behind: Operation | None,
    body: Region,
    arguments: Sequence[Value],
    rules: InliningRules,
    rewriter: Rewriter,
) -> None:
    """Puts the blocks of the body between what stands before the call, with the call itself, and what follows it."""
    first, last, block = body.first, body.last, call.parent
    if first is None or last is None or block is None or block.parent is None:
        return
    for argument, value in zip(list(first.arguments), arguments, strict=True):
        argument.replace_all_uses_with(value)
        if value.name_hint is None:
            value.name_hint = argument.name_hint
    first.erase_arguments(range(len(first.arguments)))
    blocks = list(body.blocks)
    following = block.split_before(behind)
    block.parent.take_blocks(body, following)
    rules.finish(call, blocks, rewriter)
    if first is last and rules.joins(first):
        end = first.last
        if end is not None and _branch_for(end, rewriter) is not None:
            call.replace_all_uses_with(end.operands)
        if end is not None:
            end.erase()
        _move(following, first)
    else:
        for result in call.results:
            argument = following.add_argument(result.type, call.span)
            argument.location = call.location
            result.replace_all_uses_with(argument)
        current: Block | None = first
        while current is not None and current is not following:
            _go_on(current, following, rewriter)
            current = current.next
    _move(first, block)


def _branch_for(end: Operation, rewriter: Rewriter) -> str | None:
    """What becomes of an operation that ends a function, by its own dialect; None for any other operation."""
    rules = rewriter.context.aspect(INLINING, end.dialect)
    if rules is None or not (end.name == rules.returns if rules.returns else end.has(RETURN_LIKE)):
        return None
    return rules.branch or None


def _go_on(block: Block, following: Block, rewriter: Rewriter) -> None:
    """What returned goes on behind the call."""
    end = block.last
    branch = _branch_for(end, rewriter) if end is not None else None
    if end is not None and branch is not None:
        rewriter.stand_in(end)
        rewriter.set_insertion_before(end)
        rewriter.create(branch, end.operands, successors=[following])
        end.erase()


def _move(source: Block, target: Block) -> None:
    """Moves the operations of a block to the end of another, and takes it away."""
    for op in list(source):
        op.unlink()
        target.insert_before(op, None)
    if source.parent is not None:
        source.parent.remove(source)
