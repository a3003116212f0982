"""Variables and constants of a module by their names: what refers to them, and of which type it then is.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.spirv.types import CooperativeMatrixType, count_of, is_composite, may_be_same, part_of
from fathom.ir.attributes import ArrayAttr, SymbolRefAttr
from fathom.ir.property_values import type_property
from fathom.ir.types import Type
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import SymbolChecks

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.symbols import Lookup

Check: TypeAlias = "Callable[[Operation, Lookup], Iterator[str]]"

_CONSTANTS: Final = ("spirv.SpecConstant", "spirv.SpecConstantComposite")


def _first(check: Check, *, bare: bool = False) -> Callable[[Operation, Lookup], list[Problem]]:
    """The first thing that a check says."""
    return lambda op, lookup: [Problem(found, bare=bare) for found in islice(check(op, lookup), 1)]


def _named(op: Operation, name: str, lookup: Lookup) -> Operation | None:
    """The operation that a property refers to."""
    symbol = op.properties.get(name)
    return lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None


def _constant_type(op: Operation | None) -> Type | None:
    """The type of a constant that is known when a module is specialised; None for what is none."""
    if op is None or op.name not in _CONSTANTS:
        return None
    if op.name == "spirv.SpecConstantComposite":
        return type_property(op)
    found = getattr(op.properties.get("default_value"), "type", None)
    return found if isinstance(found, Type) else None


def _address(op: Operation, lookup: Lookup) -> Iterator[str]:
    variable = _named(op, "variable", lookup)
    if variable is None or variable.name != "spirv.GlobalVariable":
        yield "expected spirv.GlobalVariable symbol"
    elif type_property(variable) != op.result.type:
        yield "result type mismatch with the referenced global variable's type"


def _reference(op: Operation, lookup: Lookup) -> Iterator[str]:
    constant = _named(op, "spec_const", lookup)
    if constant is None or constant.name not in _CONSTANTS:
        yield "expected spirv.SpecConstant or spirv.SpecConstantComposite symbol"
    elif _constant_type(constant) != op.result.type:
        yield "result type mismatch with the referenced specialization constant's type"


def _initializer(op: Operation, lookup: Lookup) -> Iterator[str]:
    if "initializer" not in op.properties:
        return
    found = _named(op, "initializer", lookup)
    if found is None or found.name not in _CONSTANTS:
        yield "initializer must be result of a spirv.SpecConstant or spirv.SpecConstantCompositeOp op"


def _composite(op: Operation, lookup: Lookup) -> Iterator[str]:
    type, constituents = type_property(op), op.properties.get("constituents")
    parts = constituents.elements if isinstance(constituents, ArrayAttr) else ()
    if type is None:
        return
    if not is_composite(type):
        yield f"result type must be a composite type, but provided '{type}'"
        return
    if isinstance(type, CooperativeMatrixType):
        yield f"unsupported composite type  '{type}'"
    count = count_of(type)
    if count is None:
        return
    if len(parts) != count:
        yield f"has incorrect number of operands: expected {count}, but provided {len(parts)}"
    for index, each in enumerate(parts):
        given = _constant_type(lookup(each)) if isinstance(each, SymbolRefAttr) else None
        wanted = part_of(type, index)
        if given is not None and wanted is not None and not may_be_same(given, wanted):
            yield f"has incorrect types of operands: expected '{wanted}', but provided '{given}'"


def _replicate(op: Operation, lookup: Lookup) -> Iterator[str]:
    type, constituent = type_property(op), _named(op, "constituent", lookup)
    if type is None:
        return
    if not is_composite(type):
        yield f"result type must be a composite type, but provided '{type}'"
    if constituent is None:
        yield "splat spec constant reference defining constituent not found"
    elif constituent.name != "spirv.SpecConstant":
        yield "constituent is not a spec constant"
    given, wanted = _constant_type(constituent), part_of(type)
    if given is not None and wanted is not None and not may_be_same(given, wanted):
        yield f"constituent has incorrect type: expected '{wanted}', but provided '{given}'"


global_initializer: Final = _first(_initializer)
composite_parts: Final = _first(_composite, bare=True)
replicated_part: Final = _first(_replicate, bare=True)


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "spirv.mlir.addressof": _first(_address),
    "spirv.mlir.referenceof": _first(_reference),
}
