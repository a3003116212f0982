"""The step of `lower-to-llvm` that keeps what `math` is defined to compute where `convert-math-to-llvm` does not.

- `exp(x) - 1` and `log(1 + x)` are nothing where `x` is small, which is what `expm1` and `log1p` are for: the C library
  computes them.
- For `isinf` and `isnormal` MLIR 22 has no rule; LLVM has an intrinsic.

Source of the rules: *'math' Dialect*; *LLVM Language Reference Manual*, "llvm.is.fpclass".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import i32_attr
from fathom.ir.operation import MODULE
from fathom.ir.types import FloatType, VectorType
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.passes.definition import Held
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure

_EXACT: Final = ("math.expm1", "math.log1p")
_CLASSES: Final = {"math.isinf": 0x204, "math.isnormal": 0x108}
"""The classes of floats that a test accepts, in the bits of the intrinsic."""
_IN_THE_LIBRARY: Final = frozenset({"f16", "bf16", "f32", "f64"})


@record
class MathAsDefined(Pass):
    """Calls of the C library for `expm1` and `log1p`, of which `convert-math-to-llvm` leaves nothing where the operand
    is small, and LLVM's intrinsic for `isinf` and `isnormal`."""

    name = "math-as-defined"
    summary = "keeps what operations of math compute where other passes do not"
    by_function = True
    anchor = MODULE
    handles = (*_EXACT, *_CLASSES)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return any(_is_taken(op) for name in cls.handles for op in held.get(name, ()))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_math_to_libm.calls import PATTERNS
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "builtin", "func", "vector", "llvm")
        target.dynamically_legal(lambda left: not _is_taken(left), *self.handles)
        calls = [pattern for pattern in PATTERNS if pattern.root in _EXACT]
        return apply_partial_conversion(op, target, [*calls, *(Pattern(name, _test) for name in _CLASSES)], context)


def _test(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`math.isinf %a : f32` becomes `"llvm.intr.is.fpclass"(%a) <{bit = 516 : i32}> : (f32) -> i1`."""
    properties = {"bit": i32_attr(_CLASSES[op.name])}
    rewriter.replace_with(op, "llvm.intr.is.fpclass", operands, [op.result.type], properties)
    return None


def _is_taken(op: Operation) -> bool:
    """Whether the C library, or LLVM, has what it takes."""
    type = op.operands[0].type
    element = type.element if isinstance(type, VectorType) else type
    if not isinstance(element, FloatType) or element.name not in _IN_THE_LIBRARY:
        return False
    is_tested = _CLASSES.get(op.name) is not None
    return not isinstance(type, VectorType) or (len(type.ranked_shape) == 1 if is_tested else not type.scalable)
