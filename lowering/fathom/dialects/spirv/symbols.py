"""Variables and constants of a module by their names: what refers to them, and of which type it then is.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.spirv.types import CooperativeMatrixType, count_of, is_composite, may_be_same, part_of
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.property_values import type_property
from fathom.ir.types import Type
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.symbols import Lookup

Check: TypeAlias = "Callable[[Operation, Lookup], Iterator[str]]"

_CONSTANTS: Final = ("spirv.SpecConstant", "spirv.SpecConstantComposite")


def _named(op: Operation, name: str, lookup: Lookup) -> Operation | None:
    """The operation that a property refers to."""
    symbol = op.properties.get(name)
    return lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None


def _constant_type(op: Operation | None) -> Type | None:
    """The type of a constant that is known when a module is specialised; None for what is none."""
    if op is None or op.name not in _CONSTANTS:
        return None
    if isinstance(op, ops.SpecConstantCompositeOp):
        return type_property(op)
    found = getattr(op.properties.get("default_value"), "type", None)
    return found if isinstance(found, Type) else None


@verifies("spirv.mlir.addressof", symbols=True)
def _address(op: ops.MlirAddressofOp, lookup: Lookup) -> Complaint:
    variable = _named(op, "variable", lookup)
    if not isinstance(variable, ops.GlobalVariableOp):
        return "expected spirv.GlobalVariable symbol"
    elif type_property(variable) != op.result.type:
        return "result type mismatch with the referenced global variable's type"
    return None


@verifies("spirv.mlir.referenceof", symbols=True)
def _reference(op: ops.MlirReferenceofOp, lookup: Lookup) -> Complaint:
    constant = _named(op, "spec_const", lookup)
    if constant is None or constant.name not in _CONSTANTS:
        return "expected spirv.SpecConstant or spirv.SpecConstantComposite symbol"
    elif _constant_type(constant) != op.result.type:
        return "result type mismatch with the referenced specialization constant's type"
    return None


@verifies("spirv.GlobalVariable", symbols=True)
def _initializer(op: ops.GlobalVariableOp, lookup: Lookup) -> Complaint:
    if op.initializer is None:
        return None
    found = _named(op, "initializer", lookup)
    if found is None or found.name not in _CONSTANTS:
        return "initializer must be result of a spirv.SpecConstant or spirv.SpecConstantCompositeOp op"
    return None


@verifies("spirv.SpecConstantComposite", symbols=True, bare=True)
def _composite(op: ops.SpecConstantCompositeOp, lookup: Lookup) -> Complaint:
    type, parts = op.type.type, op.constituents.elements
    if not is_composite(type):
        return f"result type must be a composite type, but provided '{type}'"
    if isinstance(type, CooperativeMatrixType):
        return f"unsupported composite type  '{type}'"
    count = count_of(type)
    if count is None:
        return None
    if len(parts) != count:
        return f"has incorrect number of operands: expected {count}, but provided {len(parts)}"
    for index, each in enumerate(parts):
        given = _constant_type(lookup(each)) if isinstance(each, SymbolRefAttr) else None
        wanted = part_of(type, index)
        if given is not None and wanted is not None and not may_be_same(given, wanted):
            return f"has incorrect types of operands: expected '{wanted}', but provided '{given}'"
    return None


@verifies("spirv.EXT.SpecConstantCompositeReplicate", symbols=True, bare=True)
def _replicate(op: ops.EXTSpecConstantCompositeReplicateOp, lookup: Lookup) -> Complaint:
    type, constituent = type_property(op), _named(op, "constituent", lookup)
    if type is None:
        return None
    if not is_composite(type):
        return f"result type must be a composite type, but provided '{type}'"
    if constituent is None:
        return "splat spec constant reference defining constituent not found"
    elif not isinstance(constituent, ops.SpecConstantOp):
        return "constituent is not a spec constant"
    given, wanted = _constant_type(constituent), part_of(type)
    if given is not None and wanted is not None and not may_be_same(given, wanted):
        return f"constituent has incorrect type: expected '{wanted}', but provided '{given}'"
    return None
