"""ODS's constraints on regions and successors, by name.

Source of the names: `mlir/IR/OpBase.td` of MLIR 22.
"""

from __future__ import annotations

from fathom.irdl.declared import RegionDefinition, SuccessorDefinition
from fathom.irdl.expressions import Call, DescriptionError, Number
from fathom.irdl.groups import Arity


def region_of(name: str, call: Call, arity: Arity = Arity.ONE) -> RegionDefinition:
    """The region that `SizedRegion<1>`, `VariadicRegion<AnyRegion>` and the like stand for."""
    match call.name:
        case "AnyRegion":
            return RegionDefinition(name, arity)
        case "VariadicRegion":
            return region_of(name, _inner(call), Arity.VARIADIC)
        case "SizedRegion":
            size = _size(call)
            return RegionDefinition(name, arity, single_block=size == 1, least=size, most=size)
        case "MinSizedRegion":
            return RegionDefinition(name, arity, least=_size(call))
        case "MaxSizedRegion":
            return RegionDefinition(name, arity, most=_size(call))
        case _:
            raise DescriptionError(f"unknown region constraint '{call.name}'", call.column)


def successor_of(name: str, call: Call) -> SuccessorDefinition:
    """The successor that `AnySuccessor` or `VariadicSuccessor<AnySuccessor>` stand for."""
    match call.name:
        case "AnySuccessor":
            return SuccessorDefinition(name)
        case "VariadicSuccessor":
            return SuccessorDefinition(name, Arity.VARIADIC)
        case _:
            raise DescriptionError(f"unknown successor constraint '{call.name}'", call.column)


def _inner(call: Call) -> Call:
    if not call.arguments or not isinstance(call.arguments[0], Call):
        raise DescriptionError(f"'{call.name}' takes a region constraint", call.column)
    return call.arguments[0]


def _size(call: Call) -> int:
    if not call.arguments or not isinstance(call.arguments[0], Number):
        raise DescriptionError(f"'{call.name}' takes a number of blocks", call.column)
    return call.arguments[0].value
