"""The kinds of properties that are no attributes at heart, as constraints on the attributes in which they are kept:
`I64Prop` in an `I64Attr`, `ArrayProp<…>` in an array, `OptionalProp<…>` in an array of at most one.

Source of the names and rules: `mlir/IR/Properties.td` and `mlir/IR/EnumAttr.td` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir import types as t
from fathom.ir.attributes import FALSE, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.constraints import enum_attribute
from fathom.irdl.expressions import Call, DescriptionError
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Within
from fathom.irdl.parts import Each
from fathom.irdl.scope import Arguments
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.irdl.stored_kinds import stored_kind
from fathom.irdl.terms import AllOf, AnyOf, Unknown
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.description_scope import DescriptionScope

_SCALARS: Final = {
    "BoolProp": ("BoolAttr", "boolean"),
    "I32Prop": ("I32Attr", "int32_t"),
    "I64Prop": ("I64Attr", "int64_t"),
    "StringProp": ("StrAttr", "string"),
}
"""The attributes that properties are kept in, and how messages call these properties."""
_UNIT: Final = AttributeConstraint(
    "unit property", AnyOf((Kind("unit attribute"), Kind("bool attribute"))), AttributeForm.UNIT
)


def property_constraint(call: Call, scope: DescriptionScope) -> AttributeConstraint | None:
    """The constraint of a kind; None for the name of a constraint on attributes, and for what only C++ keeps."""
    name, arguments = call.name.replace("Property", "Prop"), Arguments(scope, call)
    if name in _SCALARS and not call.arguments:
        stored, summary = _SCALARS[name]
        return replace(ATTRIBUTES[stored], summary=summary)
    match name:
        case "UnitProp":
            return _UNIT
        case "EnumProp" | "NamedEnumProp":
            return _enumeration(arguments, scope, arguments.text(1) if name == "NamedEnumProp" else "")
        case "IntArrayProp":
            return _numbers(_inner(arguments, scope))
        case "ArrayProp":
            inner = _inner(arguments, scope)
            summary = arguments.text(1, f"array of {inner.summary}")
            return _composed(summary, AllOf((Kind("array attribute"), Each(inner.term))))
        case "OptionalProp":
            inner = _inner(arguments, scope)
            if isinstance(inner.term, Unknown):
                return None
            at_most_one = AllOf((Kind("array attribute"), Within("count", None, 1), Each(inner.term)))
            form = AttributeForm.OPTIONAL if inner.form is AttributeForm.TYPED_LITERAL else AttributeForm.ENTRY
            return AttributeConstraint(f"optional {inner.summary}", at_most_one, form, inner.type)
        case "ConfinedProp":
            inner = _inner(arguments, scope)
            summary = arguments.text(2, inner.summary)
            return replace(inner, summary=summary, test=AllOf((inner.term, arguments.predicate(1))), name="")
        case _:
            return None


def property_default(call: Call) -> Attribute | None:
    """What a property of a kind is that nobody gave and whose definition states no default."""
    return {"UnitProp": FALSE, "OptionalProp": ArrayAttr(())}.get(call.name.replace("Property", "Prop"))


def property_unset(constraint: AttributeConstraint) -> Attribute | None:
    """What C++ keeps a property as that has no default and that nobody gave: 0, or nothing."""
    match constraint.form, constraint.type:
        case AttributeForm.CASES, _:
            return enum_attribute(constraint, 0)
        case AttributeForm.TYPED_LITERAL, t.NONE:
            return StringAttr("")
        case AttributeForm.TYPED_LITERAL, t.IntegerType() as type:
            return IntegerAttr(0, type)
        case AttributeForm.ARRAY, t.IntegerType() as type:
            return DenseArrayAttr(type, ())
        case _:
            return ArrayAttr(()) if stored_kind(constraint.term) == Kind("array attribute") else None


def _inner(arguments: Arguments, scope: DescriptionScope) -> AttributeConstraint:
    first = arguments.call.arguments[0] if arguments.call.arguments else None
    if not isinstance(first, Call):
        raise DescriptionError(f"'{arguments.call.name}' takes a kind of property", arguments.call.column)
    return property_constraint(first, scope) or scope.attribute(first)


def _composed(summary: str, term: AllOf) -> AttributeConstraint:
    return AttributeConstraint(summary, term, AttributeForm.ENTRY)


def _numbers(element: AttributeConstraint) -> AttributeConstraint:
    """Numbers that are kept in a dense array."""
    if not isinstance(element.type, t.IntegerType) or f"DenseI{element.type.width}ArrayAttr" not in ATTRIBUTES:
        return _composed(f"array of {element.summary}", AllOf((Kind("dense array attribute"),)))
    constraint = ATTRIBUTES[f"DenseI{element.type.width}ArrayAttr"]
    return replace(constraint, summary=f"array of {element.summary}")


def _enumeration(arguments: Arguments, scope: DescriptionScope, keyword: str) -> AttributeConstraint:
    name = arguments.name(0)
    enumeration = scope.enumeration(name)
    if enumeration is None:
        raise DescriptionError(f"unknown enumeration '{name}'", arguments.call.column)
    constraint = scope.attribute(Call(name))
    return replace(
        constraint,
        summary=enumeration.summary or name,
        form=AttributeForm.CASES,
        class_name=keyword,
        type=constraint.type if constraint.type is not None else t.IntegerType(enumeration.width),
        name="",
    )
