"""What MLIR's verifiers say of the operations of wasmssa.

Source of the rules: *'wasmssa' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.wasmssa import local_element
from fathom.ir.traversal import ancestors
from fathom.ir.types import FunctionType, element_width
from fathom.irdl.checking import bare
from fathom.irdl.shown import shown
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import wasmssa as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.symbols import Lookup

_CONSTANT: Final = "ConstantExprOpTrait"
_DEMANDS_CONSTANTS: Final = "ConstantExpressionInitializerOpTrait"


def _has(op: Operation, trait: str) -> bool:
    return op.definition is None or any(own_trait.name == trait for own_trait in op.definition.traits)


@verifies("wasmssa.extend")
def _extend(op: ops.ExtendOp) -> Complaint:
    bits, type = op.bitsToTake.value, op.input.type
    if bits not in (8, 16, 32):
        return bare(f"extend op can only take 8, 16 or 32 bits. Got {bits % 2**64}")
    if bits >= element_width(type):
        return bare(f"trying to extend the {bits} low bits from a '{type}' value is illegal")
    return None


@verifies("wasmssa.func")
def _func(op: ops.FuncOp) -> Complaint:
    """The arguments of the body are references to local variables, which hold those of the function."""
    type, entry = op.functionType.type, op.body.first
    if entry is None or not isinstance(type, FunctionType):
        return None
    inputs, arguments = type.inputs, [argument.type for argument in entry.arguments]
    if len(inputs) != len(arguments):
        counts = f"Function type has {len(inputs)}, entry block has {len(arguments)}"
        return bare(f"entry block should have same number of arguments as function type. {counts}")
    for index, (input, argument) in enumerate(zip(inputs, arguments, strict=True)):
        element = local_element(argument)
        if element is None:
            problem = f"LocalRefType, got '{argument}' for block argument {index}"
            return bare(f"entry block argument type should be {problem}")
        if element != input:
            problem = f"doesn't match entry block referenced type ('{element}')"
            return bare(f"func argument type #{index}('{input}') {problem}")
    return None


@verifies("wasmssa.global", regions=True)
def _global(op: ops.GlobalOp) -> Complaint:
    """All that a global is made of is constant."""
    for inner in op.initializer.walk():
        if not isinstance(inner, ops.ReturnOp) and not _has(inner, _CONSTANT):
            return bare(f"expected a constant initializer for this operator, got {shown(inner)}")
    return None


@verifies("wasmssa.global_get", symbols=True)
def global_get(op: ops.GlobalGetOp, lookup: Lookup) -> Complaint:
    """In what makes a global, only imported ones that never change are constant."""
    symbol = op.global_
    if not any(ancestor.definition is not None and _has(ancestor, _DEMANDS_CONSTANTS) for ancestor in ancestors(op)):
        return None
    global_ = lookup(symbol)
    if global_ is None:
        return bare(f"symbol @{symbol.root} is undefined")
    if isinstance(global_, ops.ImportGlobalOp) and global_.isMutable is None:
        return None
    of = "a import.global symbol marked non-mutable"
    return bare(f"global.get op is considered constant if it's referring to {of}")


@verifies("wasmssa.local_set")
def _set(op: ops.LocalSetOp) -> Complaint:
    if local_element(op.localVar.type) == op.value.type:
        return None
    return bare("input type and result type of local.set do not match")


@verifies("wasmssa.local_tee")
def _tee(op: ops.LocalTeeOp) -> Complaint:
    types = {local_element(op.localVar.type), op.value.type, op.result.type}
    return bare("input type and output type of local.tee do not match") if len(types) > 1 else None


@verifies("wasmssa.reinterpret")
def _reinterpret(op: ops.ReinterpretOp) -> Complaint:
    one, other = op.input.type, op.result.type
    if one == other:
        return bare("reinterpret input and output type should be distinct")
    if element_width(one) != element_width(other):
        return bare(f"input type ('{one}') and output type ('{other}') have incompatible bit widths")
    return None
