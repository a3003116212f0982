"""What `PredOpTrait` demands of an operation, as an expression over its operands and results:

    PredOpTrait<"input and output have same element type", Equal<ElementType<input>, ElementType<output>>>

A value goes by its name, or by its place: `Operand<0>`, `Result<0>`. What nobody knows is neither true nor false, and
an operation is wrong only where its predicate is false. Source of the names: `mlir/IR/OpBase.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import ShapedType, Type, UnknownType, element_type
from fathom.irdl.expressions import Call, DescriptionError, Expression, List, Number, Text

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.scope import Scope

Predicate: TypeAlias = "Callable[[Operation], bool | None]"
Quantity: TypeAlias = "Callable[[Operation], object]"
"""What two sides are compared by; None where nobody knows."""
Place: TypeAlias = "Callable[[Operation], Type | None]"


def op_predicate(call: Call, scope: Scope) -> Predicate:
    """The function that decides an expression. DescriptionError where it is none."""
    match call.name, call.arguments:
        case "TruePred", ():
            return lambda _: True
        case "And", (List(elements),):
            return _joined([op_predicate(_call(element), scope) for element in elements], decided_by=False)
        case "Or", (List(elements),):
            return _joined([op_predicate(_call(element), scope) for element in elements], decided_by=True)
        case "Neg", (Call() as inner,):
            return _denied(op_predicate(inner, scope))
        case "Equal", (left, right):
            return _equal(_quantity(left), _quantity(right))
        case "TypeIs", (place, Call() as demanded):
            return _type_is(_place(place), demanded, scope)
        case _:
            return lambda _: None


def unknown_in(call: Call) -> Iterator[str]:
    """What an expression says that nobody checks."""
    known = ("TruePred", "And", "Or", "Neg", "Equal", "TypeIs")
    if call.name not in known:
        yield str(call)
    for argument in call.arguments if call.name in ("And", "Or", "Neg") else ():
        for element in argument.elements if isinstance(argument, List) else (argument,):
            if isinstance(element, Call):
                yield from unknown_in(element)


def _call(expression: Expression) -> Call:
    if not isinstance(expression, Call):
        raise DescriptionError("expected a predicate", expression.column)
    return expression


# ---- what is true or false


def _joined(predicates: list[Predicate], *, decided_by: bool) -> Predicate:
    def decide(op: Operation) -> bool | None:
        answers = [predicate(op) for predicate in predicates]
        return decided_by if decided_by in answers else None if None in answers else not decided_by

    return decide


def _denied(predicate: Predicate) -> Predicate:
    def decide(op: Operation) -> bool | None:
        answer = predicate(op)
        return None if answer is None else not answer

    return decide


def _equal(left: Quantity, right: Quantity) -> Predicate:
    def decide(op: Operation) -> bool | None:
        first, second = left(op), right(op)
        return None if first is None or second is None else first == second

    return decide


def _type_is(place: Place, demanded: Call, scope: Scope) -> Predicate:
    term = scope.predicate(demanded)
    if any(term.unknown()):
        return lambda _: None
    test = term.compiled()

    def decide(op: Operation) -> bool | None:
        type = place(op)
        return None if type is None else test(type)

    return decide


# ---- what is spoken of


def _place(expression: Expression) -> Place:
    """The type of a value; None where there is none, or several."""
    match expression:
        case Call("Operand", (Number(index),)):
            return lambda op: op.operands[index].type if 0 <= index < len(op.operands) else None
        case Call("Result", (Number(index),)):
            return lambda op: op.results[index].type if 0 <= index < len(op.results) else None
        case Call(name, ()) | Text(name):
            return lambda op: _only(op, name)
        case _:
            raise DescriptionError("expected the name of a value, Operand<n> or Result<n>", expression.column)


def _only(op: Operation, name: str) -> Type | None:
    if op.definition is None:
        return None
    groups = {**op.definition.operand_groups(op), **op.definition.result_groups(op)}
    values = groups.get(name, ())
    return values[0].type if len(values) == 1 else None


def _quantity(expression: Expression) -> Quantity:
    match expression:
        case Number(value):
            return lambda _: value
        case Call(name, (place,)) if name in QUANTITIES:
            measure, find = QUANTITIES[name], _place(place)

            def quantity_of(op: Operation) -> object:
                type = find(op)
                return None if type is None else measure(type)

            return quantity_of
        case _:
            raise DescriptionError(f"expected a number or one of {', '.join(QUANTITIES)}", expression.column)


def _shape(type: Type) -> object:
    return type.shape if isinstance(type, ShapedType) else None


def _rank(type: Type) -> object:
    return len(type.shape) if isinstance(type, ShapedType) and type.shape is not None else None


def _count(type: Type) -> object:
    return prod(type.ranked_shape) if isinstance(type, ShapedType) and type.has_static_shape else None


def _element(type: Type) -> object:
    # A dialect's type may be shaped, and say of what in its own way.
    return None if isinstance(type, (UnknownType, DialectType)) else element_type(type)


QUANTITIES: Final[Mapping[str, Callable[[Type], object]]] = {
    "ElementCount": _count,
    "ElementType": _element,
    "Rank": _rank,
    "Shape": _shape,
    "TypeOf": lambda type: type,
}
"""What of the type of a value is compared; None where nobody knows it."""
