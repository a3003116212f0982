"""Constants as operations: which are made, in which order, and where.

A constant is an operation at the beginning of the function, or of the region of a global, and what it is made of stands
before it. Source of the rules: *'llvm' Dialect*, "Constants".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.importing.constant_attributes import (
    ScalableVectors,
    as_splat,
    attribute_of,
    is_number,
    operands_of,
)
from fathom.importing.state import UNKNOWN
from fathom.ir.attributes import DenseArrayAttr, SymbolRefAttr, i32_attr
from fathom.ir.types import I32, I64
from fathom.llvmir.module import Function, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from fathom.llvmir.values import (
    BlockAddress,
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantPtrAuth,
    ConstantTokenNone,
    DSOLocalEquivalent,
    NoCFIValue,
    PoisonValue,
    UndefValue,
)

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport
    from fathom.ir.operation import Value

_ZERO: Final = "llvm.mlir.zero"
_UNDEF: Final = "llvm.mlir.undef"


def ordered(constant: Constant, into: BodyImport) -> list[Constant]:
    """The constants to make for one, which is the last of them: what it is made of from the last to the first, each
    behind its own, and none that is there already."""
    parts = _dependencies(constant)
    if not parts:
        return [constant]
    known = into.values
    made: dict[Constant, None] = {}
    pending: dict[Constant, list[Constant]] = {constant: parts}
    while pending:
        current, rest = next(reversed(pending.items()))
        if not rest:
            made[current] = None
            del pending[current]
            continue
        dependency = rest.pop()
        if dependency not in known and dependency not in pending and dependency not in made:
            pending[dependency] = _dependencies(dependency)
    return [*made]


def _dependencies(of: Constant) -> list[Constant]:
    if isinstance(of, GlobalValue) or is_number(of):
        return []
    match of:
        case DSOLocalEquivalent(_, value) | NoCFIValue(_, value):
            return [value]
        case ConstantPtrAuth(_, operands):
            return list(operands)
        case _:
            # Of equal ones the last comes first, and the others are there then.
            return [*dict.fromkeys(reversed(operands_of(of)))][::-1]


def make_constant(of: Constant, into: BodyImport) -> Value:
    """The operations of one constant, of which the parts are there. Raises Failed."""
    if isinstance(of, GlobalVariable | Function | GlobalAlias | GlobalIFunc):
        return into.make_one("llvm.mlir.addressof", (), into.types(of.type), {"global_name": into.module.symbol(of)})
    type = into.types(of.type)
    try:
        attribute = attribute_of(of, into.types)
    except ScalableVectors:
        attribute = None
        for _ in range(2):
            into.module.error("scalable vectors not supported")
    if attribute is not None:
        return into.make_one("llvm.mlir.constant", (), type, {"value": attribute})
    match of:
        case ConstantPointerNull():
            return into.make_one(_ZERO, (), type)
        case ConstantTokenNone():
            return into.make_one("llvm.mlir.none", (), type)
        case PoisonValue():
            return into.make_one("llvm.mlir.poison", (), type)
        case UndefValue():
            return into.make_one(_UNDEF, (), type)
        case DSOLocalEquivalent(_, value):
            name = {"function_name": SymbolRefAttr(value.name)}
            return into.make_one("llvm.dso_local_equivalent", (), type, name)
        case ConstantExpr():
            return into.expression(of)
        case ConstantAggregateZero():
            return into.make_one(_ZERO, (), type)
        case ConstantInt() | ConstantFP() if (splat := as_splat(of)) is not None:
            return into.expression(splat)
        case ConstantAggregate() | ConstantDataSequential() | ConstantInt() | ConstantFP():
            return _aggregate(of, into)
        case BlockAddress(_, function, block):
            return into.make_one(
                "llvm.blockaddress", (), type, {"block_addr": into.module.addresses.address(function, block)}
            )
        case _:
            raise into.module.error(f"unhandled constant: {into.module.texts.constant(of)}{_reason(of)}", UNKNOWN)


def _reason(of: Constant) -> str:
    match of:
        case ConstantPtrAuth():
            return " since ptrauth(...) is unsupported"
        case NoCFIValue():
            return " since no_cfi is unsupported"
        case _:
            return ""


def _aggregate(of: Constant, into: BodyImport) -> Value:
    """What has no attribute is put together from its elements."""
    type = into.types(of.type)
    root = into.make_one(_UNDEF, (), type)
    is_vector = not isinstance(type, LLVMArrayType | LLVMStructType)
    for index, element in enumerate(operands_of(of)):
        value = into.values[element]
        if is_vector:
            position = into.make_one("llvm.mlir.constant", (), I32, {"value": i32_attr(index)})
            root = into.make_one("llvm.insertelement", (root, value, position), type)
        else:
            place = {"position": DenseArrayAttr(I64, (index,))}
            root = into.make_one("llvm.insertvalue", (root, value), type, place)
    return root
