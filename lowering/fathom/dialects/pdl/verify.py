"""What MLIR's verifiers say of the operations of pdl.

What a pattern matches must be bound: used by what matches further, or by the rewrite. What a rewrite creates must be
known: what is created has types that follow from its operation, from what it replaces, or from what was matched.

Source of the rules: *'pdl' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import find_dialect
from fathom.ir.dialect_values import DialectType
from fathom.ir.traversal import closest
from fathom.irdl.definition import Arity, Problem
from fathom.irdl.infer import infers
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import pdl as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.checking import Check
    from fathom.irdl.definition import OpDefinition


def element_or_self(type: Type) -> Type:
    """The element type of a range; another type itself."""
    from fathom.ir.types import Type as AnyType

    if not isinstance(type, DialectType) or type.full_name != "pdl.range":
        return type
    element = type.parameters[0]
    return element if isinstance(element, AnyType) else type


# ---- what is bound


def _users(op: Operation) -> list[Operation]:
    return [user for result in op.results for user in result.uses]


def _is_bound(op: Operation) -> bool:
    """Whether something uses an operation; a result that is taken of it only counts if something uses that."""
    return any(not isinstance(user, (ops.ResultOp, ops.ResultsOp)) or _is_bound(user) for user in _users(op))


@verifies("pdl.operand", "pdl.operands")
def bound(op: Operation) -> Complaint:
    """What a pattern matches has a user."""
    if not isinstance(op.parent_op, ops.PatternOp) or _is_bound(op):
        return None
    return "expected a bindable user when defined in the matcher body of a `pdl.pattern`"


def _bound_unless(constant: str) -> Check:
    return lambda op: None if constant in op.properties else bound(op)


@verifies("pdl.attribute")
def _attribute(op: ops.AttributeOp) -> Complaint:
    if op.value is not None:
        return "expected only one of [`type`, `value`] to be set" if op.operands else None
    if isinstance(op.parent_op, ops.RewriteOp):
        return "expected constant value when specified within a `pdl.rewrite`"
    return bound(op)


# ---- what is created


@verifies("pdl.operation")
def _operation(op: ops.OperationOp) -> Complaint:
    is_created = isinstance(op.parent_op, ops.RewriteOp)
    name = op.opName
    if is_created and name is None:
        return "must have an operation name when nested within a `pdl.rewrite`"
    count, values = len(op.attributeValueNames.elements), len(op.attributeValues)
    if count != values:
        counts = f"got {count} names and {values} values"
        return f"expected the same number of attribute values and attribute names, {counts}"
    if is_created and name is not None and (problems := _types_known(op, name.value)):
        return problems
    return bound(op)


_UNKNOWN_TYPES: Final = "must have inferable or constrained result types when nested within `pdl.rewrite`"


def _types_known(op: ops.OperationOp, name: str) -> Complaint:
    """The types of what is created follow from something. Of operations that nobody knows they may."""
    created = _created(op, name)
    if created is None or infers(created) or any(_tells_types(op, user) for user in op.result.uses):
        return None
    types = op.typeValues
    note = f"operation is created in a non-inferrable context, but '{name}' does not implement InferTypeOpInterface"
    if types:
        unknown = next((index for index, type in enumerate(types) if not _is_constrained(op, type)), None)
        note = f"result type #{unknown} was not constrained" if unknown is not None else ""
    elif not created.results or any(result.arity is not Arity.ONE for result in created.results):
        return None
    return Problem(_UNKNOWN_TYPES, notes=((note, op),)) if note else None


def _created(op: Operation, name: str) -> OpDefinition | None:
    """The definition of what is created, if its dialect is one that MLIR has at hand: `builtin`, or one of which there
    is an operation beside the pattern."""
    prefix = name.partition(".")[0]
    pattern = closest(op, ops.PatternOp)
    beside = pattern.parent if pattern is not None and pattern.parent is not None else ()
    if prefix != "builtin" and not any(sibling.dialect == prefix for sibling in beside):
        return None
    dialect = find_dialect(prefix)
    return dialect.by_name.get(name) if dialect is not None else None


def _tells_types(op: ops.OperationOp, user: Operation) -> bool:
    """Whether the types are those of what an operation takes the place of, which is defined before it."""
    if not isinstance(user, ops.ReplaceOp) or op.result not in user.operands[1:]:
        return False
    replaced = user.opValue.defining_op
    return replaced is not None and (replaced.parent is not op.parent or replaced.is_before_in_block(op))


_CONSTANTS: Final = {"pdl.type": "constantType", "pdl.types": "constantTypes"}


def _is_constrained(op: ops.OperationOp, type: Value) -> bool:
    """Whether a type is constant, comes from a native rewrite, or is one of what was matched."""
    source = type.defining_op
    if source is None or isinstance(source, ops.ApplyNativeRewriteOp):
        return True
    if source.name not in _CONSTANTS:
        return False
    matching = ("pdl.operand", "pdl.operands", "pdl.operation")
    was_matched = any(user.parent is not op.parent and user.name in matching for user in _users(source))
    return was_matched or _CONSTANTS[source.name] in source.properties


# ---- patterns


@verifies("pdl.pattern", regions=True)
def _pattern(op: ops.PatternOp) -> Complaint:
    body = op.bodyRegion.first
    last = body.last if body is not None else None
    if body is None or last is None:
        return None
    if not isinstance(last, ops.RewriteOp):
        message = "expected body to terminate with `pdl.rewrite`"
        return Problem(message, notes=(("see terminator defined here", last),))
    for inner in op.bodyRegion.walk():
        if not inner.name.startswith("pdl."):
            message = "expected only `pdl` operations within the pattern body"
            return Problem(message, notes=(("see non-`pdl` operation defined here", inner),))
    if not any(isinstance(inner, ops.OperationOp) for inner in body):
        return "the pattern must contain at least one `pdl.operation`"
    return _connected([inner for inner in body if inner.name in _CONNECTED and _is_rewritten(inner)])


_CONNECTED: Final = frozenset(f"pdl.{name}" for name in ("operand", "operands", "operation", "result", "results"))


def _is_rewritten(op: Operation) -> bool:
    """Whether the rewrite uses something."""
    return any(isinstance(user, ops.RewriteOp) or isinstance(user.parent_op, ops.RewriteOp) for user in _users(op))


def _connected(matched: Sequence[Operation]) -> Complaint:
    """All that the rewrite uses hangs together."""
    seen: set[Operation] = set()
    waiting = list(matched[:1])
    while waiting:
        op = waiting.pop()
        if op in seen or isinstance(op, ops.RewriteOp) or not isinstance(op.parent_op, ops.PatternOp):
            continue
        seen.add(op)
        sources = op.operandValues if isinstance(op, ops.OperationOp) else ()
        sources = op.operands if isinstance(op, (ops.ResultOp, ops.ResultsOp)) else sources
        waiting += [source.defining_op for source in sources if source.defining_op is not None]
        waiting += _users(op)
    apart = next((op for op in matched if op not in seen), None)
    if apart is None:
        return None
    note = ("see a disconnected value / operation here", apart)
    return Problem("the operations must form a connected component", notes=(note,))


# ---- the other operations


@verifies("pdl.apply_native_constraint")
def _constraint(op: ops.ApplyNativeConstraintOp) -> Complaint:
    if not op.operands:
        return "expected at least one argument"
    if any(isinstance(result.type, DialectType) and result.type.name == "operation" for result in op.results):
        return "returning an operation from a constraint is not supported"
    return None


@verifies("pdl.apply_native_rewrite")
def _native_rewrite(op: ops.ApplyNativeRewriteOp) -> Complaint:
    return None if op.operands or op.results else "expected at least one argument or result"


@verifies("pdl.range")
def range_elements(op: Operation) -> Complaint:
    """All that a range is made of has its element type."""
    expected = element_or_self(op.result.type)
    for value in op.operands:
        type_ = element_or_self(value.type)
        if type_ != expected:
            return f"expected operand to have element type '{expected}', but got '{type_}'"
    return None


@verifies("pdl.replace")
def _replacement(op: ops.ReplaceOp) -> Complaint:
    if op.replOperation is not None and op.replValues:
        return "expected no replacement values to be provided when the replacement operation is present"
    return None


@verifies("pdl.results")
def _results(op: ops.ResultsOp) -> Complaint:
    type = op.result.type
    if op.index is not None or not isinstance(type, DialectType) or type.name != "value":
        return None
    wanted = "expected `pdl.range<value>` result type when no index is specified"
    return f"{wanted}, but got: '{type}'"


@verifies("pdl.rewrite", regions=True)
def _rewrite(op: ops.RewriteOp) -> Complaint:
    is_empty = op.bodyRegion.is_empty
    if "name" in op.properties:
        return None if is_empty else "expected rewrite region to be empty when rewrite is external"
    if is_empty:
        return "expected rewrite region to be non-empty if external name is not specified"
    if op.externalArgs:
        return "expected no external arguments when the rewrite is specified inline"
    return None


VERIFY: Final[Checks] = {
    "pdl.type": _bound_unless("constantType"),
    "pdl.types": _bound_unless("constantTypes"),
}
