"""What intrinsics of LLVM are in the LLVM dialect where no table says it.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.ir.attributes import UnitAttr, i32_attr, i64_attr

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.rewriting.llvm_imports import FromLLVMIR, IntrinsicCall

READ_BACK: Final = ("llvm.intr.*",)

# ---- accesses with masks


def _masked(name: str, operands: int, pointer: int) -> FromLLVMIR:
    """An access whose pointer says how it is aligned."""

    def convert(call: IntrinsicCall) -> Operation:
        values = [call.value(number) for number in range(operands)]
        properties: dict[str, Attribute] = {"alignment": i32_attr(call.alignment(pointer))}
        if name == "llvm.intr.masked.load" and call.is_marked("nontemporal"):
            properties["nontemporal"] = UnitAttr()
        return call.make(name, values, properties)

    return convert


# ---- matrices


def _matrix(name: str, operands: int, *numbers: str) -> FromLLVMIR:
    """Operands, and behind them numbers that are attributes."""

    def convert(call: IntrinsicCall) -> Operation:
        values = [call.value(number) for number in range(operands)]
        properties = {each: call.number(operands + index) for index, each in enumerate(numbers)}
        return call.make(name, values, properties)

    return convert


# ---- floats in an environment


def _constrained(name: str, *, is_rounded: bool) -> FromLLVMIR:
    """A conversion that is rounded as it says, and says what becomes of exceptions."""

    def convert(call: IntrinsicCall) -> Operation:
        value = call.value(0)
        behaviour = cases("FPExceptionBehavior").get(call.word(1 + is_rounded).removeprefix("fpexcept."))
        rounding = cases("RoundingMode").get(call.word(1).removeprefix("round.")) if is_rounded else 0
        if behaviour is None or rounding is None:
            raise call.refuse()
        properties: dict[str, Attribute] = {"fpExceptionBehavior": i64_attr(behaviour)}
        if is_rounded:
            properties["roundingmode"] = i64_attr(rounding)
        return call.make(name, [value], properties)

    return convert


def _scope_declaration(call: IntrinsicCall) -> Operation | None:
    """A scope that no access is in is not declared."""
    scopes = call.scopes(0)
    if scopes is None:
        return None
    if len(scopes) != 1:
        raise call.refuse()
    return call.make("llvm.intr.experimental.noalias.scope.decl", [], {"scope": scopes[0]})


_CONSTRAINED: Final = "experimental.constrained."
FROM_LLVM_IR: Final[dict[str, FromLLVMIR]] = {
    "llvm.experimental.noalias.scope.decl": _scope_declaration,
    "llvm.masked.load": _masked("llvm.intr.masked.load", 3, 0),
    "llvm.masked.store": _masked("llvm.intr.masked.store", 3, 1),
    "llvm.masked.gather": _masked("llvm.intr.masked.gather", 3, 0),
    "llvm.masked.scatter": _masked("llvm.intr.masked.scatter", 3, 1),
    "llvm.matrix.column.major.load": _matrix("llvm.intr.matrix.column.major.load", 2, "isVolatile", "rows", "columns"),
    "llvm.matrix.column.major.store": _matrix(
        "llvm.intr.matrix.column.major.store", 3, "isVolatile", "rows", "columns"
    ),
    "llvm.matrix.multiply": _matrix("llvm.intr.matrix.multiply", 2, "lhs_rows", "lhs_columns", "rhs_columns"),
    "llvm.matrix.transpose": _matrix("llvm.intr.matrix.transpose", 1, "rows", "columns"),
    **{
        f"llvm.{_CONSTRAINED}{kind}": _constrained(f"llvm.intr.{_CONSTRAINED}{kind}", is_rounded=kind != "fpext")
        for kind in ("fpext", "fptrunc", "sitofp", "uitofp")
    },
}
