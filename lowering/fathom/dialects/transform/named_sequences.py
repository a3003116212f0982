"""What MLIR's verifiers say of transform's sequences that have names, of what uses these, and of the attributes that
say what becomes of their arguments.

Source of the rules: *Transform Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.transform import handles as h
from fathom.dialects.transform.sequences import YIELD, body_of, check_each, yielded
from fathom.ir.attributes import ArrayAttr, SymbolRefAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation, types_of
from fathom.ir.traversal import ancestors, closest_with
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import transform as ops

WITH_NAMED_SEQUENCE: Final = "transform.with_named_sequence"


@verifies("transform.named_sequence")
def named_sequence(op: ops.NamedSequenceOp) -> Complaint:
    if op.parent_op is not None and op.parent_op.definition is not None and op.parent_op.interface(SymbolTable) is None:
        return "symbol's parent must have the SymbolTable trait"
    table = closest_with(op, SymbolTable)
    if table is not None and table.attribute(WITH_NAMED_SEQUENCE) is None:
        message = f"expects the parent symbol table to have the '{WITH_NAMED_SEQUENCE}' attribute"
        return Problem(message, bare=True, notes=(("symbol table operation", table),))
    around = next(
        (ancestor for ancestor in ancestors(op) if ancestor.definition is not None and h.is_transform(ancestor)), None
    )
    if around is not None:
        note = ("ancestor transform op", around)
        return Problem("cannot be defined inside another transform op", bare=True, notes=(note,))
    body = body_of(op)
    if body is None:
        return argument_problems(op)
    last = body.last
    if last is None:
        return bare("expected a non-empty body block")
    if is_kept_text(last):
        return None  # Where an operation ends whose syntax nobody knows, nobody can tell.
    if not isinstance(last, ops.YieldOp):
        return Problem(f"expected '{YIELD}' as terminator", bare=True, notes=(("terminator", last),))
    return yielded(last, function_type(op).results) or argument_problems(op)


def argument_problems(op: Operation, *, is_called: bool = False, at: Operation | None = None) -> Complaint:
    """The arguments of a sequence say truly what becomes of them; those of one that is called, or only declared, do
    say it."""
    body = body_of(op)
    taken = h.consumed_arguments(body) if body is not None else frozenset[int]()
    for index in range(len(function_type(op).inputs)):
        is_consumed = h.has_argument_attribute(op, index, "transform.consumed")
        is_read = h.has_argument_attribute(op, index, "transform.readonly")
        if is_consumed and is_read:
            return bare(f"argument #{index} cannot be both readonly and consumed", at)
        if (body is None or is_called) and not is_consumed and not is_read:
            return bare("must provide consumed/readonly status for arguments of external or called ops", at)
        if index in taken and is_read:
            return bare(f"argument #{index} is consumed in the body but is not marked as such", at)
    return None


@verifies("transform.include", symbols=True)
def include(op: ops.IncludeOp, lookup: Lookup) -> Complaint:
    sequence = lookup(op.target)
    if not isinstance(sequence, ops.NamedSequenceOp):
        return "does not reference a named transform sequence"
    type, operands, results = function_type(sequence), types_of(op.operands), types_of(op.results)

    def other_operand(index: int) -> Complaint:
        types = f"expected operand type '{type.inputs[index]}', but provided '{operands[index]}'"
        return f"operand type mismatch: {types} for operand number {index}"

    def other_result(index: int) -> Complaint:
        of = "must implement the same transform dialect interface as the corresponding callee result"
        return f"type of result #{index} {of}"

    return (
        check_each(operands, type.inputs, bare("incorrect number of operands for callee"), other_operand)
        or check_each(
            results, type.results, bare("incorrect number of results for callee"), other_result, h.are_of_one_kind
        )
        or argument_problems(sequence, is_called=True, at=sequence)
    )


@verifies("transform.include")
def include_effects(op: ops.IncludeOp) -> Complaint:
    """A sequence that is included says what becomes of each operand."""
    callee = h.included(op)
    if callee is None:
        return None
    for index in range(len(op.operands)):
        if not any(h.has_argument_attribute(callee, index, f"transform.{word}") for word in ("consumed", "readonly")):
            note = (f"no effects specified for operand #{index}", op)
            message = "TransformOpInterface requires memory effects on operands to be specified"
            return Problem(message, bare=True, notes=(note,))
    return None


@verifies("transform.foreach_match")
def foreach_match(op: ops.ForeachMatchOp) -> Complaint:
    if len(op.matchers.elements) != len(op.actions.elements):
        return "expected the same number of matchers and actions"
    return None if op.matchers.elements else "expected at least one match/action pair"


def _symbols(names: ArrayAttr) -> list[SymbolRefAttr]:
    return [element for element in names.elements if isinstance(element, SymbolRefAttr)]


def _sequence(symbol: SymbolRefAttr, lookup: Lookup) -> Operation | None:
    sequence = lookup(symbol)
    return sequence if isinstance(sequence, ops.NamedSequenceOp) else None


@verifies("transform.foreach_match", symbols=True)
def foreach_match_symbols(op: ops.ForeachMatchOp, lookup: Lookup) -> Complaint:
    for matcher, action in zip(_symbols(op.matchers), _symbols(op.actions), strict=True):
        matching, acting = _sequence(matcher, lookup), _sequence(action, lookup)
        if matching is None:
            return bare(f"unresolved matcher symbol {matcher}")
        if acting is None:
            return bare(f"unresolved action symbol {action}")
        problems = (
            argument_problems(matching, is_called=True, at=matching)
            or argument_problems(acting, is_called=True, at=acting)
            or _into_matcher(op, matching, matcher)
            or _into_action(matching, acting, matcher, action)
            or _out_of_action(op, acting, action)
        )
        if problems:
            return problems
    return None


def _declared(message: str, symbol: Operation, *, is_bare: bool = True) -> Complaint:
    return Problem(message, bare=is_bare, notes=(("symbol declaration", symbol),))


def _into_matcher(op: ops.ForeachMatchOp, matching: Operation, matcher: SymbolRefAttr) -> Complaint:
    inputs, operands = function_type(matching).inputs, types_of(op.operands)
    if len(inputs) != len(operands):
        counts = f"({len(operands)}) doesn't match the number of matcher arguments ({len(inputs)})"
        return _declared(f"the number of operands {counts} for {matcher}", matching)
    for index, (operand, input) in enumerate(zip(operands, inputs, strict=True)):
        if h.has_argument_attribute(matching, index, "transform.consumed"):
            message = f"does not expect matcher symbol to consume its operand #{index}"
            return _declared(message, matching, is_bare=False)
        if not h.are_of_one_kind(operand, input):
            of = f"operand and matcher argument #{index} of matcher {matcher}"
            return _declared(f"mismatching type interfaces for {of}", matching)
    return None


def _into_action(matching: Operation, acting: Operation, matcher: SymbolRefAttr, action: SymbolRefAttr) -> Complaint:
    results, inputs = function_type(matching).results, function_type(acting).inputs
    of = f"between {matcher} ({len(results)}) and {action} ({len(inputs)})"
    counts = bare(f"mismatching number of matcher results and action arguments {of}")

    def mismatch(index: int) -> Complaint:
        of = f"matcher result and action argument #{index}of matcher {matcher} and action {action}"
        return bare(f"mismatching type interfaces for {of}")

    return check_each(results, inputs, counts, mismatch, h.are_of_one_kind)


def _out_of_action(op: ops.ForeachMatchOp, acting: Operation, action: SymbolRefAttr) -> Complaint:
    given, results = function_type(acting).results, types_of(op.results[1:])
    counts = f"({len(given)}) for {action} doesn't match the number of extra op results ({len(results)})"

    def mismatch(index: int) -> Complaint:
        of = f"action result #{index} of action {action} and op result"
        return _declared(f"mismatching type interfaces for {of}", acting)

    message = _declared(f"the number of action results {counts}", acting)
    return check_each(given, results, message, mismatch, h.are_of_one_kind)


@verifies("transform.collect_matching", symbols=True)
def collect_matching(op: ops.CollectMatchingOp, lookup: Lookup) -> Complaint:
    matcher = _sequence(op.matcher, lookup)
    if matcher is None:
        return bare(f"unresolved matcher symbol {op.matcher}")
    inputs, results = function_type(matcher).inputs, function_type(matcher).results
    if len(inputs) != 1 or not h.IS_OPERATION(inputs[0]):
        return bare("expected the matcher to take one operation handle argument")
    if not h.has_argument_attribute(matcher, 0, "transform.readonly"):
        return bare("expected the matcher argument to be marked readonly")
    counts = f"expected the matcher to yield as many values as op has results ({len(op.results)}), got {len(results)}"
    mismatch = "mismatching type interfaces for matcher result and op result"
    return check_each(
        results, types_of(op.results), bare(counts), lambda i: bare(f"{mismatch} #{i}"), h.are_of_one_kind
    )
