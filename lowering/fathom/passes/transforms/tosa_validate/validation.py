"""All checks, operation by operation, inner ones first.

Source of the rules: *TOSA specification*; the texts are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects.tosa.control import variable_type
from fathom.ir.dialect_values import DialectType
from fathom.ir.property_values import text_property
from fathom.ir.types import FloatType, IntegerType, element_type
from fathom.irdl.cases import word
from fathom.ops import tosa as ops
from fathom.passes.transforms.tosa_validate.data_types import check_types
from fathom.passes.transforms.tosa_validate.errors import check_errors
from fathom.passes.transforms.tosa_validate.levels import check_level
from fathom.passes.transforms.tosa_validate.profiles import check_profiles
from fathom.passes.transforms.tosa_validate.target import check_target, target_of
from fathom.rewriting.folding import constant_value
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.passes.transforms.tosa_validate.target import Target


def validate(module: Operation, *, is_strict: bool, any_types: bool) -> list[Diagnostic]:
    """What is wrong with the operations of a module."""
    target = target_of(module)
    impossible = check_target(target)
    if impossible is not None:
        return [Diagnostic(impossible, module.span, code=REFUSED_BY_PASS, op=module)]
    variables: dict[str, Type | None] = {}
    diagnostics: list[Diagnostic] = []

    def messages(op: Operation) -> Iterator[str | None]:
        illegal = _illegal_element(op, unsigned=not is_strict and isinstance(op, ops.RescaleOp))
        if illegal is not None:
            yield illegal
            return
        refused = check_profiles(op, target) if is_strict else None
        if refused is None and not any_types:
            refused = check_types(op)
        if refused is not None:
            yield refused
            return
        yield _check_constants(op, target)
        yield check_level(op, target.level, target) if target.level is not None else None
        yield _check_rounding(op, target)
        yield _check_variable(op, variables)
        yield check_errors(op) if is_strict else None

    for op in module.walk_postorder():
        checkpoint()
        if op.dialect == "tosa":
            diagnostics += (
                Diagnostic(f"'{op.name}' op {message}", op.span, code=REFUSED_BY_PASS, op=op)
                for message in messages(op)
                if message is not None
            )
    return diagnostics


# ---- element types

_FLOATS: Final = frozenset("f32 f16 bf16 f8E4M3FN f8E5M2 f4E2M1FN f6E2M3FN f6E3M2FN f8E8M0FNU".split())


def _illegal_element(op: Operation, *, unsigned: bool) -> str | None:
    for value in (*op.operands, *op.results):
        element = element_type(value.type)
        if not _is_legal(element, unsigned=unsigned):
            return f"is not profile-aligned: element type '{element}' is not legal"
    return None


def _is_legal(element: Type, *, unsigned: bool) -> bool:
    match element:
        case FloatType(name):
            return name in _FLOATS
        case IntegerType(width, ""):
            return width in (1, 4, 8, 16, 32, 48, 64)
        case IntegerType(width, "u"):
            return unsigned and width in (8, 16, 32)
        case _:
            return isinstance(element, DialectType) and element.full_name in ("tosa.shape", "tosa.mxint8")


# ---- constants, rounding and variables

_CONSTANT_OPERANDS: Final = {
    "tosa.avg_pool2d": (1, 2),
    "tosa.conv2d": (3, 4),
    "tosa.conv3d": (3, 4),
    "tosa.depthwise_conv2d": (3, 4),
    "tosa.matmul": (2, 3),
    "tosa.mul": (2,),
    "tosa.negate": (1, 2),
    "tosa.pad": (2,),
    "tosa.rescale": (1, 2, 3, 4),
    "tosa.slice_shape": (1, 2),
    "tosa.table": (1,),
    "tosa.transpose_conv2d": (3, 4),
}
"""The operands that are constants where the extension `dynamic` is not there."""


def _check_constants(op: Operation, target: Target) -> str | None:
    if "dynamic" in target.modes:
        return None
    for index in _CONSTANT_OPERANDS.get(op.name, ()):
        if index < len(op.operands) and constant_value(op.operands[index]) is None:
            return f"expected compile time resolvable constant, but got variable value for operand #{index}"
    return None


def _check_rounding(op: Operation, target: Target) -> str | None:
    mode = word(op, "rounding_mode") if isinstance(op, ops.RescaleOp) else ""
    extension = {"DOUBLE_ROUND": "doubleround", "INEXACT_ROUND": "inexactround"}.get(mode)
    if extension is None or extension in target.modes:
        return None
    return f"failed attribute check: rounding_mode = {mode} requires extension [{extension}]"


def _check_variable(op: Operation, variables: dict[str, Type | None]) -> str | None:
    """Variables are declared once, before they are used, and have one type."""
    if isinstance(op, ops.VariableOp):
        name = op.sym_name.value
        if name in variables:
            return "name has already been declared"
        variables[name] = variable_type(op)
    if not isinstance(op, (ops.VariableReadOp, ops.VariableWriteOp)):
        return None
    name = text_property(op, "name") or ""
    if name not in variables:
        return "name has not been declared"
    for what, values in (("operand", op.operands), ("result", op.results)):
        if any(value.type != variables[name] for value in values):
            return f"{what} type does not equal variable type"
    return None
