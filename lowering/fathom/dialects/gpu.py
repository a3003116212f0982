"""The gpu dialect: kernels and how they are launched, of which only the attributes of functions are checked here.

Source of the rules: *'gpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.ir.attributes import DenseArrayAttr, UnitAttr
from fathom.ir.types import I32
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_SIZES: Final = frozenset(("gpu.known_block_size", "gpu.known_grid_size", "gpu.known_cluster_size"))
_CONTAINER: Final = "gpu.container_module"


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if name in _SIZES:
        if not isinstance(value, DenseArrayAttr) or value.element != I32:
            return Problem(f"{name} must be a dense i32 array")
        return None if len(value.values) == 3 else Problem(f"{name} must contain exactly 3 elements")
    if name == _CONTAINER and isinstance(value, UnitAttr) and op.name != "builtin.module":
        return Problem(f"expected '{name}' attribute to be attached to 'builtin.module'", bare=True)
    return None


def _nothing(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op, type, name, value
    return None


CODE: Final = DialectCode(attribute_checks=AttributeChecks(_on_operation, _nothing, _nothing))
DIALECT: Final = load_described("gpu", CODE)
