from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value

class ApplyConstraintOp(Operation):
    isNegated: Final[IntegerAttr]
    trueDest: Final[Block]
    falseDest: Final[Block]
    args: Final[list[Value]]

class ApplyRewriteOp(Operation):
    args: Final[list[Value]]

class AreEqualOp(Operation):
    trueDest: Final[Block]
    falseDest: Final[Block]
    lhs: Final[Value]
    rhs: Final[Value]

class BranchOp(Operation):
    dest: Final[Block]

class CheckAttributeOp(Operation):
    constantValue: Final[Attribute]
    trueDest: Final[Block]
    falseDest: Final[Block]

class CheckOperandCountOp(Operation):
    count: Final[IntegerAttr]
    compareAtLeast: Final[UnitAttr | None]
    trueDest: Final[Block]
    falseDest: Final[Block]
    inputOp: Final[Value]

class CheckOperationNameOp(Operation):
    trueDest: Final[Block]
    falseDest: Final[Block]
    inputOp: Final[Value]

class CheckResultCountOp(Operation):
    count: Final[IntegerAttr]
    compareAtLeast: Final[UnitAttr | None]
    trueDest: Final[Block]
    falseDest: Final[Block]
    inputOp: Final[Value]

class CheckTypeOp(Operation):
    type: Final[TypeAttr]
    trueDest: Final[Block]
    falseDest: Final[Block]
    value: Final[Value]

class CheckTypesOp(Operation):
    types: Final[ArrayAttr]
    trueDest: Final[Block]
    falseDest: Final[Block]
    value: Final[Value]

class ContinueOp(Operation): ...

class CreateAttributeOp(Operation):
    value: Final[Attribute]

class CreateOperationOp(Operation):
    inputAttributeNames: Final[ArrayAttr]
    inferredResultTypes: Final[UnitAttr | None]
    resultOp: Final[OpResult]
    inputOperands: Final[list[Value]]
    inputAttributes: Final[list[Value]]
    inputResultTypes: Final[list[Value]]

class CreateRangeOp(Operation):
    arguments: Final[list[Value]]

class CreateTypeOp(Operation):
    value: Final[TypeAttr]

class CreateTypesOp(Operation):
    value: Final[ArrayAttr]

class EraseOp(Operation):
    inputOp: Final[Value]

class ExtractOp(Operation):
    index: Final[IntegerAttr]
    range: Final[Value]

class FinalizeOp(Operation): ...

class ForeachOp(Operation):
    successor: Final[Block]
    region: Final[Region]
    values: Final[Value]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    body: Final[Region]

class GetAttributeOp(Operation):
    inputOp: Final[Value]

class GetAttributeTypeOp(Operation):
    value: Final[Value]

class GetDefiningOpOp(Operation):
    inputOp: Final[OpResult]
    value: Final[Value]

class GetOperandOp(Operation):
    index: Final[IntegerAttr]
    value: Final[OpResult]
    inputOp: Final[Value]

class GetOperandsOp(Operation):
    index: Final[IntegerAttr | None]
    value: Final[OpResult]
    inputOp: Final[Value]

class GetResultOp(Operation):
    index: Final[IntegerAttr]
    value: Final[OpResult]
    inputOp: Final[Value]

class GetResultsOp(Operation):
    index: Final[IntegerAttr | None]
    value: Final[OpResult]
    inputOp: Final[Value]

class GetUsersOp(Operation):
    operations: Final[OpResult]
    value: Final[Value]

class GetValueTypeOp(Operation):
    value: Final[Value]

class IsNotNullOp(Operation):
    trueDest: Final[Block]
    falseDest: Final[Block]
    value: Final[Value]

class RecordMatchOp(Operation):
    rewriter: Final[SymbolRefAttr]
    rootKind: Final[StringAttr | None]
    generatedOps: Final[ArrayAttr | None]
    benefit: Final[IntegerAttr]
    dest: Final[Block]
    inputs: Final[list[Value]]
    matchedOps: Final[list[Value]]

class ReplaceOp(Operation):
    inputOp: Final[Value]
    replValues: Final[list[Value]]

class SwitchAttributeOp(Operation):
    caseValues: Final[ArrayAttr]
    defaultDest: Final[Block]
    cases: Final[list[Block]]

class SwitchOperandCountOp(Operation):
    caseValues: Final[Attribute]
    defaultDest: Final[Block]
    cases: Final[list[Block]]
    inputOp: Final[Value]

class SwitchOperationNameOp(Operation):
    caseValues: Final[ArrayAttr]
    defaultDest: Final[Block]
    cases: Final[list[Block]]
    inputOp: Final[Value]

class SwitchResultCountOp(Operation):
    caseValues: Final[Attribute]
    defaultDest: Final[Block]
    cases: Final[list[Block]]
    inputOp: Final[Value]

class SwitchTypeOp(Operation):
    caseValues: Final[ArrayAttr]
    defaultDest: Final[Block]
    cases: Final[list[Block]]
    value: Final[Value]

class SwitchTypesOp(Operation):
    caseValues: Final[ArrayAttr]
    defaultDest: Final[Block]
    cases: Final[list[Block]]
    value: Final[Value]
