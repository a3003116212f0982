from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class ApplyNativeConstraintOp(Operation):
    isNegated: Final[IntegerAttr]
    args: Final[list[Value]]

class ApplyNativeRewriteOp(Operation):
    args: Final[list[Value]]

class AttributeOp(Operation):
    value: Final[Attribute | None]
    attr: Final[OpResult]
    valueType: Final[Value | None]

class EraseOp(Operation):
    opValue: Final[Value]

class OperandOp(Operation):
    value: Final[OpResult]
    valueType: Final[Value | None]

class OperandsOp(Operation):
    value: Final[OpResult]
    valueType: Final[Value | None]

class OperationOp(Operation):
    opName: Final[StringAttr | None]
    attributeValueNames: Final[ArrayAttr]
    op: Final[OpResult]
    operandValues: Final[list[Value]]
    attributeValues: Final[list[Value]]
    typeValues: Final[list[Value]]

class PatternOp(Operation):
    benefit: Final[IntegerAttr]
    sym_name: Final[StringAttr | None]
    bodyRegion: Final[Region]

class RangeOp(Operation):
    arguments: Final[list[Value]]

class ReplaceOp(Operation):
    opValue: Final[Value]
    replOperation: Final[Value | None]
    replValues: Final[list[Value]]

class ResultOp(Operation):
    index: Final[IntegerAttr]
    val: Final[OpResult]

class ResultsOp(Operation):
    index: Final[IntegerAttr | None]
    val: Final[OpResult]

class RewriteOp(Operation):
    bodyRegion: Final[Region]
    root: Final[Value | None]
    externalArgs: Final[list[Value]]

class TypeOp(Operation):
    constantType: Final[TypeAttr | None]

class TypesOp(Operation):
    constantTypes: Final[ArrayAttr | None]
