"""What MLIR's verifiers say of the operations of ml_program: of what functions return, and of globals.

Source of the rules: *'ml_program' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType
from fathom.irdl.checking import bare
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Check, Checks, Complaint, SymbolCheck, SymbolChecks, verifies
from fathom.ops import ml_program as ops

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
            function_has = f"enclosing function (@{name}) {verb} {len(type.results)}"
            return f"has {len(op.operands)} operands, but {function_has}"
        for index, (operand, result) in enumerate(zip(op.operands, type.results, strict=True)):
            if operand.type != result:
                what = f"type of {noun} operand {index} ('{operand.type}')"
                return bare(f"{what} doesn't match function result type ('{result}') in function @{name}")
        return None

    return verify


# ---- globals


@verifies("ml_program.global")
def _global(op: ops.GlobalOp) -> Complaint:
    has_value = op.is_mutable is not None or op.value is not None
    return None if has_value else "immutable global must have an initial value"


Load: TypeAlias = "ops.GlobalLoadConstOp | ops.GlobalLoadGraphOp | ops.GlobalLoadOp"
Store: TypeAlias = "ops.GlobalStoreGraphOp | ops.GlobalStoreOp"


def _of_global(*, constant: bool = False, further_out: bool = False) -> SymbolCheck:
    """A use of a global, which has the type of what is loaded or stored; with `constant`, one that never changes. It is
    in the symbol table around the operation, or `further_out`."""

    def verify_symbols(op: Load | Store, lookup: Lookup) -> Complaint:
        symbol = op.global_
        around = lookup.outwards(symbol) if further_out else (lookup(symbol),)
        global_ = next((outer for outer in around if isinstance(outer, ops.GlobalOp)), None)
        if global_ is None:
            return f"undefined global: {symbol}"
        stores = isinstance(op, (ops.GlobalStoreGraphOp, ops.GlobalStoreOp))
        if constant and global_.is_mutable is not None:
            return f"cannot load as const from mutable global {symbol}"
        if stores and global_.is_mutable is None:
            return f"cannot store to an immutable global {symbol}"
        type, value = global_.type.type, (op.value if stores else op.results[0]).type
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
