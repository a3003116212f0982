"""What the spirv dialect asks of its attributes on other operations.

Source of the rules: *'spirv' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import UnknownAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import FloatType, IndexType, IntegerType, UnknownType
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_VARIABLE: Final = "interface_var_abi"
_STORAGE_CLASS: Final = re.compile(r"\)\s*,\s*\w+\s*>$")


def _is(value: Attribute, mnemonic: str) -> bool:
    """Whether an attribute is the one of this name."""
    return (
        isinstance(value, (DialectAttr, UnknownAttr)) and re.match(rf"#spirv[.<]{mnemonic}\b", str(value)) is not None
    )


def _bare(message: str) -> Problem:
    return Problem(message, bare=True)


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if op.dialect == "spirv":
        return None
    if name == "spirv.entry_point_abi":
        is_one = _is(value, "entry_point_abi")
        return None if is_one else _bare(f"'{name}' attribute must be an entry point ABI attribute")
    if name == "spirv.target_env":
        return None if _is(value, "target_env") else _bare(f"'{name}' must be a spirv::TargetEnvAttr")
    return _bare(f"found unsupported '{name}' attribute on operation")


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op
    if name == f"spirv.{_VARIABLE}":
        if not _is(value, _VARIABLE):
            return _bare(f"'{name}' must be a spirv::InterfaceVarABIAttr")
        is_scalar = isinstance(type, (IntegerType, IndexType, FloatType, UnknownType))
        if _STORAGE_CLASS.search(str(value)) is None or is_scalar:
            return None
        return _bare(f"'{name}' attribute cannot specify storage class when attaching to a non-scalar value")
    if name == "spirv.decoration":
        return None if _is(value, "decoration") else _bare(f"'{name}' must be a spirv::DecorationAttr")
    return _bare(f"found unsupported '{name}' attribute on region argument")


def _on_result(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op, type, name, value
    return _bare("cannot attach SPIR-V attributes to region result which is not part of a spirv::GraphARMOp type")


CHECKS: Final = AttributeChecks(_on_operation, _on_argument, _on_result)
