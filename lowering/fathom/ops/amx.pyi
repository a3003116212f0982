from typing import Final

from fathom.ir.attributes import UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class TileLoadOp(Operation):
    res: Final[OpResult]
    base: Final[Value]
    indices: Final[list[Value]]
    stride: Final[Value | None]

class TileMulfOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value]

class TileMuliOp(Operation):
    isZextLhs: Final[UnitAttr | None]
    isZextRhs: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value]

class TileStoreOp(Operation):
    base: Final[Value]
    indices: Final[list[Value]]
    val: Final[Value]
    stride: Final[Value | None]

class TileZeroOp(Operation):
    res: Final[OpResult]
