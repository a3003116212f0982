from typing import Final

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class ModuleOp(Operation):
    sym_name: Final[StringAttr | None]
    sym_visibility: Final[StringAttr | None]
    bodyRegion: Final[Region]

class UnrealizedConversionCastOp(Operation):
    outputs: Final[list[OpResult]]
    inputs: Final[list[Value]]
