from typing import Final

from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, UnitAttr
from fathom.ir.operation import Operation, Region, Value

class ConditionOp(Operation):
    condition: Final[Value]
    args: Final[list[Value]]

class ExecuteRegionOp(Operation):
    no_inline: Final[UnitAttr | None]
    region: Final[Region]

class ForOp(Operation):
    unsignedCmp: Final[UnitAttr | None]
    region: Final[Region]
    lowerBound: Final[Value]
    upperBound: Final[Value]
    step: Final[Value]
    initArgs: Final[list[Value]]

class ForallInParallelOp(Operation):
    region: Final[Region]

class ForallOp(Operation):
    staticLowerBound: Final[DenseArrayAttr]
    staticUpperBound: Final[DenseArrayAttr]
    staticStep: Final[DenseArrayAttr]
    mapping: Final[ArrayAttr | None]
    region: Final[Region]
    dynamicLowerBound: Final[list[Value]]
    dynamicUpperBound: Final[list[Value]]
    dynamicStep: Final[list[Value]]
    outputs: Final[list[Value]]

class IfOp(Operation):
    thenRegion: Final[Region]
    elseRegion: Final[Region]
    condition: Final[Value]

class IndexSwitchOp(Operation):
    cases: Final[DenseArrayAttr]
    defaultRegion: Final[Region]
    caseRegions: Final[list[Region]]
    arg: Final[Value]

class ParallelOp(Operation):
    region: Final[Region]
    lowerBound: Final[list[Value]]
    upperBound: Final[list[Value]]
    step: Final[list[Value]]
    initVals: Final[list[Value]]

class ReduceOp(Operation):
    reductions: Final[list[Region]]

class ReduceReturnOp(Operation): ...

class WhileOp(Operation):
    before: Final[Region]
    after: Final[Region]
    inits: Final[list[Value]]

class YieldOp(Operation): ...
