"""Conversions of floats whose rounding and exceptions are said: `llvm.intr.experimental.constrained.…`.

    %1 = llvm.intr.experimental.constrained.fptrunc %0 upward ignore : f64 to f32

Source of the rules: *LLVM Language Reference Manual*, "Constrained Floating-Point Intrinsics".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import is_integer_of
from fathom.dialects.llvm.constraints import LLVM_TYPE, result
from fathom.ir.types import I64
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.definition import OpDefinition, Operand, Property
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.traits import PURE

ROUNDING_MODES: Final = {
    "towardzero": 0,
    "tonearest": 1,
    "upward": 2,
    "downward": 3,
    "tonearestaway": 4,
    "dynamic": 7,
}
EXCEPTION_BEHAVIORS: Final = {"ignore": 0, "maytrap": 1, "strict": 2}

ROUNDING: Final = Property(
    "roundingmode",
    AttributeConstraint(
        "LLVM Rounding Mode whose minimum value is 0",
        is_integer_of(I64),
        AttributeForm.KEYWORD,
        I64,
        Enumeration("", ROUNDING_MODES),
    ),
)
EXCEPTIONS: Final = Property(
    "fpExceptionBehavior",
    AttributeConstraint(
        "LLVM Exception Behavior", is_integer_of(I64), AttributeForm.KEYWORD, I64, Enumeration("", EXCEPTION_BEHAVIORS)
    ),
)


def _constrained(name: str, summary: str, *, rounds: bool) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.experimental.constrained.{name}",
        operands=(Operand("arg_0", LLVM_TYPE),),
        results=result(LLVM_TYPE),
        properties=(ROUNDING, EXCEPTIONS) if rounds else (EXCEPTIONS,),
        traits=(PURE,),
        assembly=f"$arg_0 {'$roundingmode ' * rounds}$fpExceptionBehavior attr-dict `:` type($arg_0) `to` type($res)",
        summary=summary,
    )


OPERATIONS: Final = (
    _constrained("fptrunc", "a narrower floating-point type, rounded as said", rounds=True),
    _constrained("fpext", "a wider floating-point type", rounds=False),
    _constrained("sitofp", "signed integer to floating-point, rounded as said", rounds=True),
    _constrained("uitofp", "unsigned integer to floating-point, rounded as said", rounds=True),
)
