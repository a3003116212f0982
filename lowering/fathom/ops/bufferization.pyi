from typing import Final

from fathom.ir.attributes import Attribute, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class AllocTensorOp(Operation):
    memory_space: Final[Attribute | None]
    dynamic_sizes: Final[list[Value]]
    copy: Final[Value | None]
    size_hint: Final[Value | None]

class CloneOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class DeallocOp(Operation):
    updatedConditions: Final[list[OpResult]]
    memrefs: Final[list[Value]]
    conditions: Final[list[Value]]
    retained: Final[list[Value]]

class DeallocTensorOp(Operation):
    tensor: Final[Value]

class MaterializeInDestinationOp(Operation):
    restrict: Final[UnitAttr | None]
    writable: Final[UnitAttr | None]
    source: Final[Value]
    dest: Final[Value]

class ToBufferOp(Operation):
    read_only: Final[UnitAttr | None]
    buffer: Final[OpResult]
    tensor: Final[Value]

class ToTensorOp(Operation):
    restrict: Final[UnitAttr | None]
    writable: Final[UnitAttr | None]
    buffer: Final[Value]
