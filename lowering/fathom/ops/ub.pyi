from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation

class PoisonOp(Operation):
    value: Final[Attribute]

class UnreachableOp(Operation): ...
