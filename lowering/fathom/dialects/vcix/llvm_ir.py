"""What operations of the vcix dialect are in LLVM IR.

Source of the rules: *'vcix' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.llvm.calling import Maker, calls
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import IntegerType, VectorType
from fathom.ops import vcix as ops

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.operation import Value


def _opcode(op: ops.VIvOp | ops.VSvOp) -> IntegerAttr:
    """Its type is that of the processor's registers."""
    opcode = op.opcode
    assert isinstance(opcode, IntegerAttr)
    return opcode


def _length(op: ops.VIvOp | ops.VSvOp, make: Maker) -> Value:
    """How many elements there are: all of a vector of fixed length."""
    register, vector = _opcode(op).type, op.result.type
    if op.vl is None:
        assert isinstance(vector, VectorType)
        return make.number(vector.ranked_shape[0], register)
    if op.vl.type == register:
        return op.vl
    return make.cast("zext" if register == IntegerType(64) else "trunc", op.vl, register)


@calls("vcix.v.iv")
def _immediate(op: ops.VIvOp, make: Maker) -> Called:
    opcode, immediate = _opcode(op), op.imm
    assert isinstance(immediate, IntegerAttr)
    numbers = [make.number(each, opcode.type) for each in (opcode.value, immediate.value)]
    return "llvm.riscv.sf.vc.v.iv.se", [numbers[0], op.vs2, numbers[1], _length(op, make)]


@calls("vcix.v.sv")
def _operand(op: ops.VSvOp, make: Maker) -> Called:
    match op.op.type:
        case VectorType():
            kind = "vv"
        case IntegerType():
            kind = "xv"
        case _:
            kind = "fv"
    opcode = _opcode(op)
    return f"llvm.riscv.sf.vc.v.{kind}.se", [make.number(opcode.value, opcode.type), op.vs2, op.op, _length(op, make)]
