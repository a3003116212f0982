"""Transforms that apply others: sequences, loops over what handles stand for, alternatives, matchers with actions.

Source of the rules: *Transform Dialect*, and `TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.transform.handles import implements, included
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.ir.traversal import is_inside
from fathom.irdl.cases import word
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.symbols import symbol_in
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.outcomes import DefiniteFailure, SilenceableFailure, said
from fathom.passes.transform_dialect.texts import shown

if TYPE_CHECKING:
    from fathom.ir.operation import Block
    from fathom.passes.transform_dialect.application import Application
    from fathom.passes.transform_dialect.state import Payload


def _apply_block(block: Block, run: Application, *, propagates: bool) -> list[list[Payload]]:
    """Applies what stands in a block, and gives what its terminator's operands stand for. A failure that does not
    propagate is forgotten."""
    for op in block:
        if op is block.last:
            break
        try:
            run.state.apply(op)
        except SilenceableFailure:
            if propagates:
                raise
    return [run.payload(value) for value in block.end.operands]


def _give(run: Application, objects: Sequence[Sequence[Payload]]) -> None:
    for result, given in zip(run.op.results, objects, strict=False):
        run.set(result, given)


def _map_entry(block: Block, run: Application) -> None:
    """What the arguments of an entry stand for: the operands, or what the interpreter was given."""
    state = run.state
    if run.op.operands:
        given = [run.payload(operand) for operand in run.op.operands]
    elif len(state.extra) != len(block.arguments) - 1:
        expected = f"operation expects {len(block.arguments) - 1} extra value bindings"
        raise run.definite(f"{expected}, but {len(state.extra)} were provided to the interpreter")
    else:
        given = [[state.top_level], *state.extra]
    for argument, objects in zip(block.arguments, given, strict=True):
        state.associate(argument, objects)


@transforms("transform.named_sequence")
def named_sequence(op: ops.NamedSequenceOp, run: Application) -> None:
    if op.body.is_empty:
        raise run.definite("unresolved external named sequence")
    with run.state.scope(op.body):
        _map_entry(op.body.entry, run)
        _apply_block(op.body.entry, run, propagates=True)


@transforms("transform.sequence")
def sequence(op: ops.SequenceOp, run: Application) -> None:
    with run.state.scope(op.body):
        _map_entry(op.body.entry, run)
        propagates = word(op, "failure_propagation_mode") == "propagate"
        _give(run, _apply_block(op.body.entry, run, propagates=propagates))


@transforms("transform.include")
def include(op: ops.IncludeOp, run: Application) -> None:
    callee = included(op)
    if not isinstance(callee, ops.NamedSequenceOp) or callee.body.is_empty:
        raise run.definite("unresolved external named sequence")
    given = [run.payload(operand) for operand in op.operands]
    with run.state.scope(callee.body):
        for argument, objects in zip(callee.body.entry.arguments, given, strict=True):
            run.state.associate(argument, objects)
        propagates = word(op, "failure_propagation_mode") == "propagate"
        _give(run, _apply_block(callee.body.entry, run, propagates=propagates))


@transforms("transform.yield")
def yielded(op: ops.YieldOp, run: Application) -> None:
    """Forwards what its operands stand for, which whoever is around it sees to."""


@transforms("transform.alternatives")
def alternatives(op: ops.AlternativesOp, run: Application) -> None:
    """The first region that does not fail, on a copy of its scope."""
    originals = run.ops(op.scope) if op.scope is not None else [run.state.top_level]
    for original in originals:
        if is_inside(op, original):
            raise run.definite("scope must not contain the transforms being applied", ("scope", original))
        if not original.has(ISOLATED_FROM_ABOVE):
            raise run.definite("only isolated-from-above ops can be alternative scopes", ("scope", original))
    for region in op.alternatives:
        with run.state.scope(region):
            clones = [clone(original) for original in originals]
            run.state.roots.update(clones)
            try:
                run.state.associate(region.entry.arguments[0], clones)
                given = _apply_block(region.entry, run, propagates=True)
            except SilenceableFailure:
                continue
            finally:
                run.state.roots.difference_update(clones)
            for original, copy in zip(originals, clones, strict=True):
                run.rewriter.set_insertion_before(original)
                run.rewriter.insert(copy)
                run.rewriter.replace(original, list(copy.results))
            _give(run, given)
            return
    raise run.silenceable("all alternatives failed")


@transforms("transform.foreach")
def foreach(op: ops.ForeachOp, run: Application) -> None:
    """The body for each of what the handles stand for, taken together."""
    given = [run.payload(operand) for operand in op.operands]
    count = len(given[0]) if given else 0
    if "with_zip_shortest" in op.properties:
        count = min(map(len, given))
    else:
        for target, objects in zip(op.operands, given, strict=True):
            if len(objects) != count:
                sizes = f"prior targets' payload size ({count}) differs from payload size ({len(objects)})"
                raise run.silenceable(f"{sizes} of target {shown(target)}")
    columns: list[list[Payload]] = [[] for _ in op.results]
    for place in range(count):
        with run.state.scope(op.body):
            for argument, objects in zip(op.body.entry.arguments, given, strict=True):
                run.state.associate(argument, [objects[place]])
            for column, results_of_turn in zip(columns, _apply_block(op.body.entry, run, propagates=True), strict=True):
                column += results_of_turn
    _give(run, columns)


# ---- matchers


def _named(op: Operation, symbol: SymbolRefAttr) -> ops.NamedSequenceOp | None:
    """The sequence of a name in the tables around an operation."""
    around = op.parent_op
    while around is not None:
        if around.interface(SymbolTable) is not None:
            operation = symbol_in(around, symbol.root, *symbol.nested)
            if operation is not None:
                return operation if isinstance(operation, ops.NamedSequenceOp) else None
        around = around.parent_op
    return None


def _sequence(run: Application, symbol: SymbolRefAttr) -> ops.NamedSequenceOp:
    named = _named(run.op, symbol)
    if named is None or named.body.is_empty:
        raise run.definite(f"unresolved external symbol {symbol}")
    return named


def _match(block: Block, given: Sequence[Sequence[Payload]], run: Application) -> list[list[Payload]] | None:
    """What a matcher yields of an operation; None where it does not match."""
    state = run.state
    region = block.parent
    assert region is not None, "the block of a sequence stands in it"
    with state.scope(region):
        for argument, objects in zip(block.arguments, given, strict=True):
            state.associate(argument, objects)
        for op in block:
            if op is block.last:
                break
            if not implements(op, "MatchOpInterface"):
                message = "expected operations in the match part to implement MatchOpInterface"
                raise DefiniteFailure(said(message, op))
            try:
                state.apply(op)
            except SilenceableFailure:
                return None
        return [run.payload(value) for value in block.end.operands]


@transforms("transform.collect_matching")
def collect_matching(op: ops.CollectMatchingOp, run: Application) -> None:
    matcher = _sequence(run, op.matcher)
    columns: list[list[Payload]] = [[] for _ in op.results]
    for root in run.ops(op.root):
        for inner in list(root.walk_postorder()):
            matched = _match(matcher.body.entry, [[inner]], run)
            for number, objects in enumerate(matched or ()):
                if len(objects) != 1:
                    of = f"associated with {len(objects)} payload objects, expected 1"
                    raise run.silenceable(f"result #{number}, {of}")
                columns[number] += objects
    _give(run, columns)


@transforms("transform.foreach_match")
def foreach_match(op: ops.ForeachMatchOp, run: Application) -> None:
    """The action of the first matcher that matches, for each operation."""
    symbols = [
        [element for element in array.elements if isinstance(element, SymbolRefAttr)]
        for array in (op.matchers, op.actions)
    ]
    pairs = [(_sequence(run, matcher), _sequence(run, action)) for matcher, action in zip(*symbols, strict=True)]
    forwarded = [run.payload(operand) for operand in op.forwarded_inputs]
    columns: list[list[Payload]] = [[] for _ in op.forwarded_outputs]
    roots = run.ops(op.root)
    failures: list[tuple[str, Operation | None]] = []
    for root in roots:
        for inner in list(root.walk_postorder()):
            if inner is root and "restrict_root" not in op.properties:
                continue
            if inner is not root and inner.parent is None:
                continue
            for matcher, action in pairs:
                matched = _match(matcher.body.entry, [[inner], *forwarded], run)
                if matched is None:
                    continue
                _act(action, matched, inner, run, columns, failures)
                break
    run.set(op.updated, roots)
    for result, objects in zip(op.forwarded_outputs, columns, strict=True):
        run.set(result, objects)
    if failures:
        raise run.silenceable("actions failed", *failures)


def _act(
    action: ops.NamedSequenceOp,
    matched: Sequence[Sequence[Payload]],
    target: Operation,
    run: Application,
    columns: list[list[Payload]],
    failures: list[tuple[str, Operation | None]],
) -> None:
    block, state = action.body.entry, run.state
    with state.scope(action.body):
        for argument, objects in zip(block.arguments, matched, strict=True):
            state.associate(argument, objects)
        for op in block:
            if op is block.last:
                break
            try:
                state.apply(op)
            except SilenceableFailure as failure:
                failures.append((f"failed action: {failure.message}", action))
                failures.append(("when applied to this matching payload", target))
        for column, value in zip(columns, block.end.operands, strict=True):
            objects = run.payload(value)
            if len(objects) != 1 and "flatten_results" not in run.op.properties:
                message = f"action @{action.sym_name.value} has results associated with multiple payload entities"
                raise run.definite(f"{message}, but flattening was not requested")
            column += objects
