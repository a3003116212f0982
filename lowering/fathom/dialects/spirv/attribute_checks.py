"""What the spirv dialect asks of its attributes on other operations.

Source of the rules: *'spirv' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.attributes import TargetAttr, VariableAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import FloatType, IndexType, IntegerType, UnknownType
from fathom.irdl.checking import bare
from fathom.irdl.verifying import AttributeChecks
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.definition import Problem


def _is(value: Attribute, mnemonic: str) -> bool:
    """Whether an attribute is the described one of this name."""
    return isinstance(value, DialectAttr) and value.full_name == f"spirv.{mnemonic}"


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if op.dialect == "spirv":
        return None
    if name == "spirv.entry_point_abi":
        is_one = _is(value, "entry_point_abi")
        return None if is_one else bare(f"'{name}' attribute must be an entry point ABI attribute")
    if name == "spirv.target_env":
        return None if isinstance(value, TargetAttr) else bare(f"'{name}' must be a spirv::TargetEnvAttr")
    return bare(f"found unsupported '{name}' attribute on operation")


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op
    if name == "spirv.interface_var_abi":
        if not isinstance(value, VariableAttr):
            return bare(f"'{name}' must be a spirv::InterfaceVarABIAttr")
        if not value.storage or isinstance(type, (IntegerType, IndexType, FloatType, UnknownType)):
            return None
        return bare(f"'{name}' attribute cannot specify storage class when attaching to a non-scalar value")
    if name == "spirv.decoration":
        return None if _is(value, "decoration") else bare(f"'{name}' must be a spirv::DecorationAttr")
    return bare(f"found unsupported '{name}' attribute on region argument")


def _on_result(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    if isinstance(op, ops.ARMGraphOp):
        return _on_argument(op, type, name, value)
    return bare("cannot attach SPIR-V attributes to region result which is not part of a spirv::GraphARMOp type")


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation, _on_argument, _on_result)
