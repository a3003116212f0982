"""`convert-math-to-funcs`: powers, and the count of leading zeros, as calls of functions that compute them.

    %0 = math.ipowi %a, %b : i64
->
    %0 = call @__mlir_math_ipowi_i64(%a, %b) : (i64, i64) -> i64
    …
    func.func private @__mlir_math_ipowi_i64(%a: i64, %b: i64) -> i64 attributes {…} { … }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.ir.types import I32
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class ConvertMathToFuncs(Pass):
    """The functions stand at the end of the module, one for each operation and type of elements. Vectors are computed
    element by element."""

    name = "convert-math-to-funcs"
    summary = "lowers math to calls of functions that it adds to the module"
    anchor = MODULE
    handles = ("math.ipowi", "math.fpowi")

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Of powers of floats only for those of which LLVM has no intrinsic: by other exponents than `i32`."""
        return "math.ipowi" in held or any(op.operands[1].type != I32 for op in held.get("math.fpowi", ()))

    convert_ctlz: bool = option(
        False,
        "also convert math.ctlz, for targets without such an instruction",
        BOOL,
    )
    min_width_of_fpowi_exponent: int = option(
        1,
        "convert math.fpowi where its exponent has at least so many bits",
        UINT,
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_math_to_funcs.calls import outline
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        outlined = outline(op, context, self.min_width_of_fpowi_exponent, with_ctlz=self.convert_ctlz)
        target = ConversionTarget().legal("arith", "cf", "func", "scf", "vector")
        target.dynamically_legal(lambda other: not outlined.is_wanted(other), *outlined.names)
        return apply_partial_conversion(op, target, outlined.patterns(), context)
