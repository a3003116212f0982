"""The nvvm dialect: what LLVM has for GPUs of NVIDIA, of which only the attributes of functions are checked here.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, DictAttr, IntegerAttr, UnitAttr
from fathom.ir.types import I32
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_EXTENTS: Final = frozenset(("nvvm.maxntid", "nvvm.reqntid", "nvvm.cluster_dim"))
_NUMBERS: Final = frozenset(("nvvm.minctasm", "nvvm.maxnreg", "nvvm.cluster_max_blocks"))
_GRID_CONSTANT: Final = "nvvm.grid_constant"


def _bare(message: str) -> Problem:
    return Problem(message, bare=True)


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if name == "nvvm.kernel" and op.name != "llvm.func":
        return _bare(f"'{name}' attribute attached to unexpected op")
    if name in _EXTENTS:
        sizes = value.values if isinstance(value, DenseArrayAttr) and value.element == I32 else ()
        if not 1 <= len(sizes) <= 3:
            return _bare(f"'\"{name}\"' attribute must be integer array with maximum 3 index")
    if name in _NUMBERS and not isinstance(value, IntegerAttr):
        return _bare(f"'\"{name}\"' attribute must be integer constant")
    if name == "nvvm.blocksareclusters" and not {"nvvm.reqntid", "nvvm.cluster_dim"} <= op.attributes.keys():
        return _bare(f"'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'")
    return None


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del type
    if name != _GRID_CONSTANT:
        return None
    if "nvvm.kernel" not in op.attributes:
        return _bare(f"'\"{name}\"' attribute must be present only on kernel arguments")
    if not isinstance(value, UnitAttr):
        return _bare(f"'\"{name}\"' must be a unit attribute")
    array = op.properties.get("arg_attrs")
    for each in array.elements if isinstance(array, ArrayAttr) else ():
        names = {key for key, _ in each.entries} if isinstance(each, DictAttr) else set[str]()
        if name in names and "llvm.byval" not in names:
            return _bare(f"'\"{name}\"' attribute requires the argument to also have attribute 'llvm.byval'")
    return None


def _on_result(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op, type, name, value
    return None


CODE: Final = DialectCode(
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
    attribute_checks=AttributeChecks(_on_operation, _on_argument, _on_result),
)
DIALECT: Final = load_described("nvvm", CODE)
