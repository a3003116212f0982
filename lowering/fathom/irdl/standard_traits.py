"""ODS's traits by name: what stands in the list `traits` of an operation, as traits, type rules and terminators.

A name that is not known here is kept as a trait that checks nothing: an interface, most often. Source of the names and
messages: `mlir/IR/OpBase.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import ShapedType, Type, UnknownType, element_type
from fathom.irdl import traits as known
from fathom.irdl.declared import Trait, TypeRule
from fathom.irdl.destinations import destination_style
from fathom.irdl.expressions import Call, DescriptionError, Number
from fathom.irdl.infer import same_types
from fathom.irdl.op_predicates import op_predicate, unknown_in
from fathom.irdl.scope import Arguments
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@record
class Meaning:
    """What one entry of the list stands for."""

    traits: tuple[Trait, ...] = ()
    rules: tuple[TypeRule, ...] = ()
    implicit_terminator: str = ""
    unknown: tuple[str, ...] = ()
    """What it demands and nobody checks."""


def _types_of(op: Operation, names: Sequence[str]) -> list[Type] | None:
    """The types of these groups and attributes, one after the other; None where one of them is empty."""
    assert op.definition is not None, "a trait is checked for operations with a definition"
    groups = {**op.definition.operand_groups(op), **op.definition.result_groups(op)}
    types_by_name = {name: [value.type for value in values] for name, values in groups.items()}
    for name in names:
        if name not in types_by_name:
            type = getattr(op.properties.get(name), "type", None)
            types_by_name[name] = [type] if isinstance(type, Type) else []
    if any(not types_by_name[name] for name in names):
        return None
    return [type for name in names for type in types_by_name[name]]


def _is_known(type: Type) -> bool:
    """Whether nothing of a type is hidden in a dialect."""
    return not isinstance(type, (UnknownType, DialectType))


def _matching(what: str, of: Callable[[Type], object]) -> Callable[[Arguments], Meaning]:
    """`AllShapesMatch<[a, b]>` and the like."""

    def make(r: Arguments) -> Meaning:
        names = r.names(0)
        message = f"failed to verify that all of {{{', '.join(names)}}} have same {what}"

        def verify(op: Operation) -> str | None:
            types = _types_of(op, names)
            if not types or not all(map(_is_known, types)):
                return None  # A dialect's type may be shaped, and say of what in its own way.
            return message if any(of(type) != of(types[0]) for type in types) else None

        return Meaning((Trait(str(r.call), verify, predicate=True),))

    return make


def _shape(type: Type) -> object:
    return type.shape if isinstance(type, ShapedType) else ()


def _rank(type: Type) -> object:
    return len(type.shape) if isinstance(type, ShapedType) and type.shape is not None else 0


def _length(type: Type) -> object:
    from math import prod

    return prod(type.shape) if isinstance(type, ShapedType) and type.shape is not None else 1


def _all_types_match(r: Arguments) -> Meaning:
    return Meaning((Trait(str(r.call), predicate=True),), same_types(*r.names(0)))


def _types_match_with(r: Arguments) -> Meaning:
    """`TypesMatchWith<"summary", lhs, rhs, Function>`: the type of `rhs` is the function of that of `lhs`."""
    message, source, target, name = r.text(0), r.name(1), r.name(2), r.name(3)
    function = r.scope.type_function(name) or r.scope.match(message)
    if function is None:
        return Meaning((Trait(str(r.call)),), unknown=(name,))
    return Meaning((Trait(str(r.call), predicate=True),), (TypeRule(target, (source,), function, message),))


def _optional_types_match_with(r: Arguments) -> Meaning:
    """`OptionalTypesMatchWith<…>`: the same, where both are there."""
    meaning = _types_match_with(r)
    return Meaning(
        meaning.traits, tuple(replace(rule, optional=True) for rule in meaning.rules), unknown=meaning.unknown
    )


def _type_is(element: bool) -> Callable[[Arguments], Meaning]:
    """`TypeIs<"x", I32>`, `ElementTypeIs<"x", I32>`."""

    def make(r: Arguments) -> Meaning:
        name, constraint = r.name(0), r.type(1)
        message = f"failed to verify that '{name}' is {constraint.summary}"

        def verify(op: Operation) -> str | None:
            types = _types_of(op, (name,))
            if types is None:
                return None
            if element and not all(isinstance(type, ShapedType) for type in types):
                return message
            accepted = all(constraint.accepts(element_type(type) if element else type) for type in types)
            return None if accepted else message

        return Meaning((Trait(str(r.call), verify, predicate=True),), unknown=constraint.unknown)

    return make


def _predicate(r: Arguments) -> Meaning:
    """`PredOpTrait<"summary", predicate>`, as `op_predicates` has it; without a predicate, what only code says."""
    if len(r.call.arguments) < 2:
        return Meaning((Trait(str(r.call)),), unknown=(str(r.call),))
    demanded = r.call.arguments[1]
    if not isinstance(demanded, Call):
        raise DescriptionError("expected a predicate", demanded.column)
    message, decide = f"failed to verify that {r.text(0)}", op_predicate(demanded, r.scope)

    def verify(op: Operation) -> str | None:
        return message if decide(op) is False else None

    return Meaning((Trait(str(r.call), verify, predicate=True),), unknown=tuple(unknown_in(demanded)))


def _terminated(r: Arguments) -> Meaning:
    return Meaning((known.SINGLE_BLOCK, Trait("SingleBlockImplicitTerminator")), implicit_terminator=r.name(0))


def _parent(r: Arguments) -> Meaning:
    return Meaning((known.has_parent(r.name(0)),))


def _parents(r: Arguments) -> Meaning:
    return Meaning((known.has_parent(*r.names(0)),))


def _declared(r: Arguments) -> Meaning:
    """`DeclareOpInterfaceMethods<X, ["method"]>` is the interface X."""
    return Meaning((Trait(r.name(0)),))


def _architecture(r: Arguments) -> Meaning:
    """`NVVMRequiresSM<90>`, `NVVMRequiresSMa<100, 101>`."""
    from fathom.irdl.architectures import requires

    versions = tuple(argument.value for argument in r.call.arguments if isinstance(argument, Number))
    if not versions:
        return Meaning((Trait(str(r.call)),))
    return Meaning((requires(str(r.call), versions, accelerated=r.call.name.endswith("a")),))


def _destinations(r: Arguments) -> Meaning:
    """`DestinationStyleOpInterface<outputs>`, where that is the group of the operands that are written."""
    return Meaning((Trait("DestinationStyleOpInterface"), destination_style(r.name(0))))


_ELEMENTWISE: Final = tuple(Trait(name) for name in ("Scalarizable", "Vectorizable", "Tensorizable"))

NAMED: Final[Mapping[str, Meaning]] = {
    **{trait.name: Meaning((trait,)) for trait in vars(known).values() if isinstance(trait, Trait)},
    "HasOnlyGraphRegion": Meaning((known.GRAPH_REGION,)),
    # Code says which of the regions are graphs.
    "RegionKindInterface": Meaning((known.GRAPH_REGION, Trait("RegionKindInterface"))),
    "ElementwiseMappable": Meaning((known.ELEMENTWISE, *_ELEMENTWISE)),
}
"""The traits without arguments."""

CLASSES: Final[Mapping[str, Callable[[Arguments], Meaning]]] = {
    "AllElementCountsMatch": _matching("element count", _length),
    "AllElementTypesMatch": _matching("element type", element_type),
    "AllRanksMatch": _matching("rank", _rank),
    "AllShapesMatch": _matching("shape", _shape),
    "AllTypeIDsMatch": _matching("type IDs", lambda type: type.__class__),
    "AllTypesMatch": _all_types_match,
    "DeclareOpInterfaceMethods": _declared,
    "DestinationStyleOpInterface": _destinations,
    "ElementTypeIs": _type_is(element=True),
    "HasParent": _parent,
    "NVVMRequiresSM": _architecture,
    "NVVMRequiresSMa": _architecture,
    "ParentOneOf": _parents,
    "PredOpTrait": _predicate,
    "SingleBlockImplicitTerminator": _terminated,
    "TypeIs": _type_is(element=False),
    "TypesMatchWith": _types_match_with,
    "OptionalTypesMatchWith": _optional_types_match_with,
    "RangedTypesMatchWith": _types_match_with,
}
"""The traits that are made of arguments."""


def meaning_of(r: Arguments) -> Meaning:
    """What a trait's name and arguments stand for."""
    call = r.call
    if not call.arguments:
        return NAMED.get(call.name) or Meaning((Trait(call.name),))
    made = CLASSES.get(call.name)
    return made(r) if made is not None else Meaning((Trait(str(call)),))
