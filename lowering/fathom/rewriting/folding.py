"""Folds an operation: to values or constants, or in place.

Source of the rules: *Operation Canonicalization*, "Canonicalizing with the `fold` method", and *Traits*, "Commutative";
what involutions, idempotent operations and casts fold to is observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr
from fathom.ir.operation import Value
from fathom.ir.types import WIDEST_COMPUTED, is_too_wide
from fathom.irdl.folding import MATERIALIZE_CONSTANT
from fathom.irdl.traits import CAST, COMMUTATIVE, CONSTANT_LIKE, IDEMPOTENT, INVOLUTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.definition import OpDefinition
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.rewriter import Rewriter


def constant_value(value: Value) -> Attribute | None:
    """The attribute of the constant that defines `value`, if one does; None also for an integer that is too wide to be
    computed with."""
    op = value.defining_op
    if op is None or op.definition is None or (constant := op.definition.constant) is None:
        return None
    return None if is_too_wide(value.type) else constant.value(op)


def integer_constant(value: Value) -> int | None:
    """The number that a value is known to be, as it is written in an attribute; None for a vector."""
    constant = constant_value(value)
    return constant.value if isinstance(constant, IntegerAttr) else None


def known_number(number: int | Value) -> int | None:
    """What stands as a number or as a value, if it is known."""
    return number if isinstance(number, int) else integer_constant(number)


def same_number(one: int | Value, other: int | Value) -> bool:
    """Whether two numbers or values are one, as far as is known."""
    known = known_number(one)
    return one is other or (known is not None and known == known_number(other))


def constant_attribute(op: Operation) -> Attribute | None:
    """The attribute of a constant-like operation; None for any other."""
    constant = op.definition.constant if op.definition is not None else None
    return constant.value(op) if constant is not None else None


def fold(op: Operation) -> Sequence[Value | Attribute] | None:
    """What each result folds to; an empty list if `op` changed in place; None if nothing folds. A constant does not
    fold."""
    definition = op.definition
    if definition is None or not definition.can_fold:
        return None
    constants = [constant_value(operand) for operand in op.operands]
    folded = definition.fold(op, constants) if definition.fold is not None else None
    if folded:
        folded = _of_bounded_width(folded)
    if folded or not definition.folding_traits:
        return folded
    if definition.has(COMMUTATIVE) and _move_constants_last(op):
        return []
    value = _fold_by_traits(op, definition) if folded is None else None
    return folded if value is None else [value]


def _of_bounded_width(folded: Sequence[Value | Attribute] | None) -> Sequence[Value | Attribute] | None:
    """What an operation folds to; None where that has a number of more bits than are computed."""
    return None if folded and any(map(_has_too_many_bits, folded)) else folded


def _has_too_many_bits(folded: Value | Attribute) -> bool:
    match folded:
        case IntegerAttr(value):
            return value.bit_length() > WIDEST_COMPUTED
        case DenseElementsAttr(values, type) if is_too_wide(type):
            return any(isinstance(value, int) and value.bit_length() > WIDEST_COMPUTED for value in values)
        case _:
            return False


def _fold_by_traits(op: Operation, definition: OpDefinition) -> Value | None:
    """What an operation with one result is where its traits say that it changes nothing."""
    if len(op.results) != 1 or not op.operands:
        return None
    first = op.operands[0]
    if definition.has(CAST) and len(op.operands) == 1 and first.type == op.results[0].type:
        return first
    inner = first.defining_op
    is_repeated = inner is not None and inner.name == op.name
    if definition.has(IDEMPOTENT) and (is_repeated if len(op.operands) == 1 else first is op.operands[1]):
        return first
    return inner.operands[0] if definition.has(INVOLUTION) and is_repeated and inner is not None else None


def fold_with(op: Operation, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
    """What the results would fold to if the operands were these constants; None if to nothing. The operation stays as
    it is."""
    definition = op.definition
    if definition is None or definition.fold is None or definition.has(CONSTANT_LIKE):
        return None
    operands, properties, attributes = list(op.operands), dict(op.properties), dict(op.attributes)
    constants = [
        None if is_too_wide(operand.type) else constant
        for operand, constant in zip(op.operands, constants, strict=True)
    ]
    folded = _of_bounded_width(definition.fold(op, constants))
    if op.operands != operands:
        op.set_operands(operands)
    op.properties, op.attributes = properties, attributes
    return folded or None


def _move_constants_last(op: Operation) -> bool:
    """Moves constant operands behind the others, keeping their order; says whether any moved."""
    ordered = sorted(op.operands, key=_is_constant)
    if all(before is after for before, after in zip(op.operands, ordered, strict=True)):
        return False
    op.set_operands(ordered)
    return True


def _is_constant(value: Value) -> bool:
    op = value.defining_op
    return op is not None and constant_attribute(op) is not None


def materialize(
    op: Operation, folded: Sequence[Value | Attribute], context: Definitions
) -> list[Value | Operation] | None:
    """The folded results as values and new constant operations (not yet inserted), or None if a constant cannot be
    made."""
    results: list[Value | Operation] = []
    make = context.aspect(MATERIALIZE_CONSTANT, op.dialect)
    for value, result in zip(folded, op.results, strict=True):
        if not isinstance(value, Attribute):
            results.append(value)
            continue
        constant = make(context, value, result.type, op.span) if make is not None else None
        if constant is None:
            return None
        constant.location = op.location
        results.append(constant)
    return results


def create_or_fold(
    rewriter: Rewriter,
    name: str,
    operands: Iterable[Value],
    type: Type,
    properties: Mapping[str, Attribute] | None = None,
) -> Value:
    """The result of an operation that is made at the insertion point, or what that folds to: a value, or a constant
    that takes its place."""
    return folded_result(rewriter, rewriter.create(name, operands, [type], properties))


def folded_result(rewriter: Rewriter, op: Operation) -> Value:
    """The result of an operation that was just made at the insertion point, or what takes its place, as above."""
    folded = fold(op)
    while folded is not None and not folded:
        folded = fold(op)
    results = materialize(op, folded, rewriter.context) if folded is not None else None
    if results is None:
        return op.result
    (result,) = results
    value = result if isinstance(result, Value) else rewriter.insert(result).result
    rewriter.erase(op)
    return value
