"""What the gpu dialect asks of its attributes on other operations.

Source of the rules: *'gpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, UnitAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import is_module
from fathom.ir.types import I32
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import AttributeChecks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation

_SIZES: Final = frozenset(("gpu.known_block_size", "gpu.known_grid_size", "gpu.known_cluster_size"))
_CONTAINER: Final = "gpu.container_module"


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if name in _SIZES:
        if not isinstance(value, DenseArrayAttr) or value.element != I32:
            return Problem(f"{name} must be a dense i32 array")
        return None if len(value.values) == 3 else Problem(f"{name} must contain exactly 3 elements")
    if name == _CONTAINER and isinstance(value, UnitAttr) and not is_module(op):
        return bare(f"expected '{name}' attribute to be attached to 'builtin.module'")
    return None


def _is_of_a_dialect(value: object) -> bool:
    """Whether an attribute is one that may have an interface that only C++ knows of: no builtin one."""
    return isinstance(value, Attribute) and bool(value.full_name)


def _translates(value: object) -> bool:
    if isinstance(value, DialectAttr) and value.dialect == "gpu":
        return "OffloadingTranslationAttrTrait" in value.definition.traits
    return _is_of_a_dialect(value)


PREDICATES: Final = {"GPUTargetAttr": _is_of_a_dialect, "HasOffloadingTranslationAttrTrait": _translates}
"""The constraints on attributes that have an interface, by their names in the description."""


def _kernels_problem(parameters: Mapping[str, Parameter]) -> str | None:
    kernels = parameters["kernel_table"]
    names = (
        [kernel.parameters[0] for kernel in kernels if isinstance(kernel, DialectAttr)]
        if isinstance(kernels, tuple)
        else []
    )
    return "expected all kernels to be uniquely named" if len(set(names)) < len(names) else None


def _selection_problem(parameters: Mapping[str, Parameter]) -> str | None:
    target = parameters["target"]
    if isinstance(target, IntegerAttr):
        return "the object index must be positive" if target.value < 0 else None
    if target is None or _is_of_a_dialect(target):
        return None
    return "the target attribute must be a GPU Target attribute"


def _object_problem(parameters: Mapping[str, Parameter]) -> str | None:
    if _is_of_a_dialect(parameters["target"]):
        return None
    return "the target attribute must implement or promise the `gpu::TargetAttrInterface`"


PARAMETERS: Final = {
    "KernelTableAttr": _kernels_problem,
    "ObjectAttr": _object_problem,
    "SelectObjectAttr": _selection_problem,
}
"""What is wrong with the parameters of attributes, by their classes."""


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
