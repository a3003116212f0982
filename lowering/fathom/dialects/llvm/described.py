"""What of the LLVM dialect is described in `llvm.toml`, and the code that its description refers to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.llvm import (
    attributes,
    calls,
    constants,
    constraints,
    control,
    functions,
    globals,
    intrinsics,
    memory,
    values,
)
from fathom.dialects.llvm.types import PTR
from fathom.ir.attributes import ArrayAttr, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.types import IntegerType, Speller
from fathom.irdl.code import DialectCode
from fathom.irdl.constraint import AttributeConstraint, TypeConstraint
from fathom.irdl.keywords import bracketed, comma_separated
from fathom.irdl.parameter_directives import CustomParameters
from fathom.irdl.parametric import CustomBody
from fathom.irdl.type_constraints import exactly

if TYPE_CHECKING:
    from fathom.irdl.readers import ParameterReader


def _read_members(reader: ParameterReader) -> list[Parameter]:
    """`{<#tbaa_root, 0>, <#tbaa_type_desc, 4>}`."""
    member = DESCRIPTION.attributes["TBAAMemberAttr"]
    return [tuple(bracketed(reader, "{}", lambda: member.read(reader) if reader.at("<") else reader.attribute()))]


def _spell_members(values: Sequence[Parameter], of: Speller) -> str:
    (members,) = values
    texts = [
        member.spell_elided(of)
        for member in (members if isinstance(members, tuple) else ())
        if isinstance(member, DialectAttr)
    ]
    return "{" + ", ".join(texts) + "}"


def _read_arguments(reader: ParameterReader) -> list[Parameter]:
    """The arguments of a step of an expression: numbers, or the encoding of a type."""
    return [tuple(comma_separated(reader, lambda: reader.optional_keyword() or reader.integer()))]


def _spell_arguments(values: Sequence[Parameter], of: Speller) -> str:
    del of
    (arguments,) = values
    return ", ".join(map(str, arguments if isinstance(arguments, tuple) else ()))


def _read_range(reader: ParameterReader) -> list[Parameter]:
    """`i32, 0, 42`."""
    type = reader.type()
    if not reader.is_gap(type) and not isinstance(type, IntegerType):
        reader.fail_before("invalid kind of type specified")
    reader.expect(",")
    lower = reader.integer()
    reader.expect(",")
    return [type, lower, reader.integer()]


def _wrapped(number: int, width: int) -> int:
    """A number as the signed one that its last bits are."""
    half = 1 << (width - 1) if width else 1
    return number if -half <= number < half else (number + half) % (2 * half) - half


def _spell_range(values: Sequence[Parameter], of: Speller) -> str:
    type, *numbers = values
    if not isinstance(type, IntegerType):
        return ""
    lower, upper = (_wrapped(number, type.width) if isinstance(number, int) else 0 for number in numbers)
    return f"i{type.width}, {lower}, {upper}"


DEFAULT_POINTER: Final = exactly(PTR, "LLVM pointer in address space 0")


def _features_problem(parameters: Mapping[str, Parameter]) -> str | None:
    features = parameters["features"]
    for feature in features if isinstance(features, tuple) else ():
        text = feature.value if isinstance(feature, StringAttr) else ""
        if not text:
            return "target features can not be null or empty"
        if text[0] not in "+-":
            return "target features must start with '+' or '-'"
        if "," in text:
            return "target features can not contain ','"
    return None


def _flag_problem(parameters: Mapping[str, Parameter]) -> str | None:
    key, value = parameters["key"], parameters["value"]
    name = key.value if isinstance(key, StringAttr) else ""
    if name == "CG Profile":
        entries = value.elements if isinstance(value, ArrayAttr) else (value,)
        if all(_is(entry, "cgprofile_entry") for entry in entries):
            return None
        return "'CG Profile' key expects an array of '#llvm.cgprofile_entry'"
    if name == "ProfileSummary":
        return (
            None
            if _is(value, "profile_summary")
            else "'ProfileSummary' key expects a '#llvm.profile_summary' attribute"
        )
    if isinstance(value, (IntegerAttr, StringAttr)):
        return None
    return f"only integer and string values are currently supported for unknown key '{key}'"


def _is(value: object, name: str) -> bool:
    return isinstance(value, DialectAttr) and value.dialect == "llvm" and value.name == name


_FAMILIES: Final = (calls, constants, control, functions, globals, intrinsics, memory, values)
_WITH_DIRECTIVES: Final = (attributes, calls, constants, control, functions, intrinsics, values)
CODE: Final = DialectCode(
    operations={name: code for family in _FAMILIES for name, code in family.CODE.items()},
    type_functions={"ExchangeResult": memory.compare_exchange_result},
    parameters={"TargetFeaturesAttr": _features_problem, "ModuleFlagAttr": _flag_problem},
    predicates=constraints.PREDICATES,
    type_constraints={"LLVM_DefaultPointer": DEFAULT_POINTER},
    attribute_constraints=attributes.CONSTRAINTS,
    directives={name: code for family in _WITH_DIRECTIVES for name, code in family.DIRECTIVES.items()},
    bodies={"ConstantRangeAttr": CustomBody(("type", "lower", "upper"), _read_range, _spell_range)},
    customs={
        "Members": CustomParameters(_read_members, _spell_members, "::llvm::ArrayRef<TBAAMemberAttr>"),
        "ExpressionArguments": CustomParameters(_read_arguments, _spell_arguments),
    },
)
DESCRIPTION: Final = description_of("llvm", CODE)


def type_named(name: str) -> TypeConstraint:
    """The constraint on types of this name."""
    type_constraint = DESCRIPTION.scope.own_type(name)
    if type_constraint is None:
        raise KeyError(name)
    return type_constraint


def attribute_named(name: str) -> AttributeConstraint:
    """The constraint that a described attribute of this name satisfies; it stands in a format as `<…>`."""
    attribute_constraint = DESCRIPTION.scope.own_attribute(name)
    if attribute_constraint is None:
        raise KeyError(name)
    return attribute_constraint
