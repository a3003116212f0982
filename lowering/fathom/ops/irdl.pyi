from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, SymbolRefAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AllOfOp(Operation):
    output: Final[OpResult]
    args: Final[list[Value]]

class AnyOfOp(Operation):
    output: Final[OpResult]
    args: Final[list[Value]]

class AnyOp(Operation):
    output: Final[OpResult]

class AttributeOp(Operation):
    sym_name: Final[StringAttr]
    body: Final[Region]

class AttributesOp(Operation):
    attributeValueNames: Final[ArrayAttr]
    attributeValues: Final[list[Value]]

class BaseOp(Operation):
    base_ref: Final[SymbolRefAttr | None]
    base_name: Final[StringAttr | None]
    output: Final[OpResult]

class CPredOp(Operation):
    pred: Final[StringAttr]
    output: Final[OpResult]

class DialectOp(Operation):
    sym_name: Final[StringAttr]
    body: Final[Region]

class IsOp(Operation):
    expected: Final[Attribute]
    output: Final[OpResult]

class OperandsOp(Operation):
    names: Final[ArrayAttr]
    variadicity: Final[Attribute]
    args: Final[list[Value]]

class OperationOp(Operation):
    sym_name: Final[StringAttr]
    body: Final[Region]

class ParametersOp(Operation):
    names: Final[ArrayAttr]
    args: Final[list[Value]]

class ParametricOp(Operation):
    base_type: Final[SymbolRefAttr]
    output: Final[OpResult]
    args: Final[list[Value]]

class RegionOp(Operation):
    numberOfBlocks: Final[IntegerAttr | None]
    constrainedArguments: Final[UnitAttr | None]
    output: Final[OpResult]
    entryBlockArgs: Final[list[Value]]

class RegionsOp(Operation):
    names: Final[ArrayAttr]
    args: Final[list[Value]]

class ResultsOp(Operation):
    names: Final[ArrayAttr]
    variadicity: Final[Attribute]
    args: Final[list[Value]]

class TypeOp(Operation):
    sym_name: Final[StringAttr]
    body: Final[Region]
