"""The ptr dialect, described in `mlir-22/ptr.toml`: the types that follow from others, and its checks.

Source of the rules: *'ptr' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import DESCRIBED
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import MemRefType, ShapedType, TensorType, Type, VectorType
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import Problem, TypeRule
from fathom.irdl.description import read_description

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation


def _is_pointer(type: Type) -> bool:
    return isinstance(type, DialectType) and type.full_name == "ptr.ptr"


def _sum_type(base: list[Type], offset: list[Type]) -> list[Type] | None:
    """The type of a pointer that an offset is added to, element by element."""
    (pointer,), (number,) = base, offset
    if isinstance(pointer, ShapedType) or not isinstance(number, ShapedType):
        return [pointer]
    if isinstance(number, VectorType):
        return [VectorType(number.shape, pointer, number.scalable)]
    return [TensorType(number.shape, pointer, number.encoding)] if isinstance(number, TensorType) else [pointer]


def _metadata_of(types: list[Type]) -> list[Type] | None:
    made = DESCRIPTION.types["PtrMetadataType"].make(type=types[0])
    return [made] if isinstance(made, Type) else None


def _bare(message: str) -> list[Problem]:
    return [Problem(message, bare=True)]


def _space(type: Type) -> Attribute | None:
    if isinstance(type, MemRefType):
        return type.space
    space = type.parameters[0] if isinstance(type, DialectType) and _is_pointer(type) else None
    return space if not isinstance(space, (Type, int, str, tuple)) else None


def _verify_from(op: Operation) -> list[Problem]:
    if _is_pointer(op.result.type):
        return _bare("the result type cannot be `!ptr.ptr`")
    return _space_problem(op.result.type, op.operands[0].type)


def _verify_to(op: Operation) -> list[Problem]:
    if _is_pointer(op.operands[0].type):
        return _bare("the input value cannot be of type `!ptr.ptr`")
    return _space_problem(op.operands[0].type, op.result.type)


def _space_problem(type: Type, pointer: Type) -> list[Problem]:
    if isinstance(type, MemRefType) and _is_pointer(pointer) and _space(type) != _space(pointer):
        return _bare("expected the input and output to have the same memory space")
    return []


def _verify_difference(op: Operation) -> list[Problem]:
    left, result = op.operands[0].type, op.result.type
    if isinstance(left, ShapedType) and type(left) is not type(result):
        return _bare("expected the result to have the same container type as the operands when operands are shaped")
    return []


_BITS: Final = 8


def _spec_problem(parameters: Mapping[str, Parameter]) -> str | None:
    for name in ("size", "abi", "preferred", "index"):
        value = parameters[name]
        if isinstance(value, int) and value % _BITS:
            return f"{name} entry must be divisible by 8"
    abi, preferred = parameters["abi"], parameters["preferred"]
    if isinstance(abi, int) and isinstance(preferred, int) and abi > preferred:
        return "preferred alignment is expected to be at least as large as ABI alignment"
    return None


CODE: Final = DialectCode(
    operations={
        "from_ptr": OpCode(verify=_verify_from),
        "get_metadata": OpCode(rules=(TypeRule("result", ("ptr",), _metadata_of, ""),)),
        "ptr_add": OpCode(rules=(TypeRule("result", ("base", "offset"), _sum_type, ""),)),
        "ptr_diff": OpCode(verify=_verify_difference),
        "to_ptr": OpCode(verify=_verify_to),
    },
    parameters={"SpecAttr": _spec_problem},
)
DESCRIPTION: Final = read_description(DESCRIBED / "ptr.toml", CODE)
DIALECT: Final = DESCRIPTION.dialect()
