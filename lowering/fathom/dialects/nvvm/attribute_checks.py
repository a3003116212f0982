"""What the nvvm dialect asks of its attributes on functions, of those on their arguments, and of targets.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, DictAttr, IntegerAttr, StringAttr, UnitAttr
from fathom.ir.types import I32
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import AttributeChecks
from fathom.ops.llvm import FuncOp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_EXTENTS: Final = frozenset(("nvvm.maxntid", "nvvm.reqntid", "nvvm.cluster_dim"))
_NUMBERS: Final = frozenset(("nvvm.minctasm", "nvvm.maxnreg", "nvvm.cluster_max_blocks"))
_GRID_CONSTANT: Final = "nvvm.grid_constant"


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if name == "nvvm.kernel" and not isinstance(op, FuncOp):
        return bare(f"'{name}' attribute attached to unexpected op")
    if name in _EXTENTS:
        sizes = value.values if isinstance(value, DenseArrayAttr) and value.element == I32 else ()
        if not 1 <= len(sizes) <= 3:
            return bare(f"'\"{name}\"' attribute must be integer array with maximum 3 index")
    if name in _NUMBERS and not isinstance(value, IntegerAttr):
        return bare(f"'\"{name}\"' attribute must be integer constant")
    if name == "nvvm.blocksareclusters" and not {"nvvm.reqntid", "nvvm.cluster_dim"} <= op.attributes.keys():
        return bare(f"'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'")
    return None


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del type
    if name != _GRID_CONSTANT:
        return None
    if "nvvm.kernel" not in op.attributes:
        return bare(f"'\"{name}\"' attribute must be present only on kernel arguments")
    if not isinstance(value, UnitAttr):
        return bare(f"'\"{name}\"' must be a unit attribute")
    array = op.properties.get("arg_attrs")
    for element in array.elements if isinstance(array, ArrayAttr) else ():
        names = {key for key, _ in element.entries} if isinstance(element, DictAttr) else set[str]()
        if name in names and "llvm.byval" not in names:
            return bare(f"'\"{name}\"' attribute requires the argument to also have attribute 'llvm.byval'")
    return None


_MOST: Final = 3
"""The highest level of optimisation."""


def target_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with a target: its level, its triple, its chip, or the files that it links."""
    level, files = parameters["O"], parameters["link"]
    if isinstance(level, int) and not 0 <= level <= _MOST:
        return f"The optimization level must be a number between 0 and {_MOST}."
    empty = next((name for name in ("triple", "chip") if parameters[name] == ""), None)
    if empty is not None:
        return f"The target {empty} cannot be empty."
    strings = not isinstance(files, ArrayAttr) or all(isinstance(element, StringAttr) for element in files.elements)
    return None if strings else "All the elements in the `link` array must be strings."


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation, _on_argument)
