"""What MLIR's verifiers say of the operations of ml_program: of what functions return, and of globals.

Source of the rules: *'ml_program' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.property_values import type_property
from fathom.ir.types import FunctionType
from fathom.irdl.checking import bare
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.irdl.verifying import Check, Checks, Complaint, SymbolCheck, SymbolChecks, verifies
from fathom.ops import ml_program as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.symbols import Lookup


# ---- what functions return


def _leaves(noun: str, verb: str) -> Check:
    """A terminator that gives what the function around it promises."""

    def verify(op: Operation) -> Complaint:
        function = op.parent_op
        interface = function.interface(FunctionLike) if function is not None else None
        type = interface.type(function) if interface is not None and function is not None else None
        if function is None or not isinstance(type, FunctionType):
            return None
        name = symbol_name(function)
        if len(op.operands) != len(type.results):
            what = f"{len(op.operands)} operands, but enclosing function (@{name}) {verb} {len(type.results)}"
            return f"has {what}"
        for index, (operand, result) in enumerate(zip(op.operands, type.results, strict=True)):
            if operand.type != result:
                found = f"type of {noun} operand {index} ('{operand.type}')"
                return bare(f"{found} doesn't match function result type ('{result}') in function @{name}")
        return None

    return verify


# ---- globals


@verifies("ml_program.global")
def _global(op: ops.GlobalOp) -> Complaint:
    if "is_mutable" in op.properties or "value" in op.properties:
        return None
    return "immutable global must have an initial value"


def _found(symbol: SymbolRefAttr, lookup: Lookup, *, further_out: bool) -> Operation | None:
    """The global that is named: in the symbol table around the operation, or `further_out`."""
    found = lookup.outwards(symbol) if further_out else (lookup(symbol),)
    return next((each for each in found if isinstance(each, ops.GlobalOp)), None)


def _of_global(*, constant: bool = False, further_out: bool = False) -> SymbolCheck:
    """A use of a global, which has the type of what is loaded or stored; with `constant`, one that never changes."""

    def verify_symbols(op: Operation, lookup: Lookup) -> Complaint:
        symbol = op.properties.get("global")
        if not isinstance(symbol, SymbolRefAttr):
            return None
        found = _found(symbol, lookup, further_out=further_out)
        if found is None:
            return f"undefined global: {symbol}"
        is_mutable, stores = "is_mutable" in found.properties, "store" in op.name
        if constant and is_mutable:
            return f"cannot load as const from mutable global {symbol}"
        if stores and not is_mutable:
            return f"cannot store to an immutable global {symbol}"
        type, value = type_property(found), (op.all_of("value") if stores else op.results)[0].type
        if type == value:
            return None
        store = f"cannot store to a global typed '{type}' from '{value}'"
        return store if stores else f"cannot load from global typed '{type}' as '{value}'"

    return verify_symbols


VERIFY: Final[Checks] = {
    "ml_program.output": _leaves("output", "outputs"),
    "ml_program.return": _leaves("return", "returns"),
}
VERIFY_SYMBOLS: Final[SymbolChecks] = {
    **dict.fromkeys(("ml_program.global_load", "ml_program.global_store"), _of_global(further_out=True)),
    **dict.fromkeys(("ml_program.global_load_graph", "ml_program.global_store_graph"), _of_global()),
    "ml_program.global_load_const": _of_global(constant=True),
}
