from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value

class AbsOp(Operation):
    src: Final[Value]

class AddOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class AndOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class BlockOp(Operation):
    target: Final[Block]
    body: Final[Region]
    inputs: Final[list[Value]]

class BlockReturnOp(Operation):
    inputs: Final[list[Value]]

class BranchIfOp(Operation):
    exitLevel: Final[IntegerAttr]
    elseSuccessor: Final[Block]
    condition: Final[Value]
    inputs: Final[list[Value]]

class CallOp(Operation):
    callee: Final[SymbolRefAttr]

class CeilOp(Operation):
    src: Final[Value]

class ClzOp(Operation):
    src: Final[Value]

class ConstOp(Operation):
    value: Final[Attribute]

class ConvertSOp(Operation):
    input: Final[Value]

class ConvertUOp(Operation):
    input: Final[Value]

class CopysignOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CtzOp(Operation):
    src: Final[Value]

class DemoteOp(Operation):
    input: Final[Value]

class DivOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class DivSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class DivUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class EqOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class EqzOp(Operation):
    input: Final[Value]

class ExtendI32SOp(Operation):
    input: Final[Value]

class ExtendI32UOp(Operation):
    input: Final[Value]

class ExtendOp(Operation):
    bitsToTake: Final[IntegerAttr]
    input: Final[Value]

class FloorOp(Operation):
    src: Final[Value]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    functionType: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    exported: Final[UnitAttr | None]
    body: Final[Region]

class GeOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GeSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GeUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GlobalGetOp(Operation):
    global_: Final[SymbolRefAttr]
    global_val: Final[OpResult]

class GlobalOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    isMutable: Final[UnitAttr | None]
    exported: Final[UnitAttr | None]
    initializer: Final[Region]

class GtOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GtSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GtUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class IfOp(Operation):
    target: Final[Block]
    if_: Final[Region]
    else_: Final[Region]
    condition: Final[Value]
    inputs: Final[list[Value]]

class ImportFuncOp(Operation):
    sym_name: Final[StringAttr]
    moduleName: Final[StringAttr]
    importName: Final[StringAttr]
    type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]

class ImportGlobalOp(Operation):
    sym_name: Final[StringAttr]
    moduleName: Final[StringAttr]
    importName: Final[StringAttr]
    type: Final[TypeAttr]
    isMutable: Final[UnitAttr | None]

class ImportMemOp(Operation):
    sym_name: Final[StringAttr]
    moduleName: Final[StringAttr]
    importName: Final[StringAttr]
    limits: Final[TypeAttr]

class ImportTableOp(Operation):
    sym_name: Final[StringAttr]
    moduleName: Final[StringAttr]
    importName: Final[StringAttr]
    type: Final[TypeAttr]

class LeOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LeSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LeUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LocalGetOp(Operation):
    localVar: Final[Value]

class LocalOp(Operation):
    type: Final[TypeAttr]

class LocalSetOp(Operation):
    localVar: Final[Value]
    value: Final[Value]

class LocalTeeOp(Operation):
    localVar: Final[Value]
    value: Final[Value]

class LoopOp(Operation):
    target: Final[Block]
    body: Final[Region]
    inputs: Final[list[Value]]

class LtOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LtSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LtUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MemoryOp(Operation):
    sym_name: Final[StringAttr]
    limits: Final[TypeAttr]
    exported: Final[UnitAttr | None]

class MinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class MulOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class NeOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class NegOp(Operation):
    src: Final[Value]

class OrOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class PopcntOp(Operation):
    src: Final[Value]

class PromoteOp(Operation):
    input: Final[Value]

class ReinterpretOp(Operation):
    input: Final[Value]

class RemSiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class RemUiOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class ReturnOp(Operation): ...

class RotlOp(Operation):
    val: Final[Value]
    bits: Final[Value]

class RotrOp(Operation):
    val: Final[Value]
    bits: Final[Value]

class ShlOp(Operation):
    val: Final[Value]
    bits: Final[Value]

class ShrSOp(Operation):
    val: Final[Value]
    bits: Final[Value]

class ShrUOp(Operation):
    val: Final[Value]
    bits: Final[Value]

class SqrtOp(Operation):
    src: Final[Value]

class SubOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class TableOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    exported: Final[UnitAttr | None]

class TruncOp(Operation):
    src: Final[Value]

class WrapOp(Operation):
    input: Final[Value]

class XorOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
