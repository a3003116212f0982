"""The patterns of `convert-spirv-to-llvm`: `DIRECT` has the operations that have one counterpart each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl.build import definition_of
from fathom.passes.conversions.convert_spirv_to_llvm import arithmetic, bits, builtin_calls, control, functions, memory
from fathom.passes.conversions.convert_spirv_to_llvm.common import typed
from fathom.passes.to_llvm.patterns import patterns as bound

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure, Pattern

_COUNTERPARTS: Final = """
IAdd=add IMul=mul ISub=sub FAdd=fadd FDiv=fdiv FMul=fmul FNegate=fneg FRem=frem FSub=fsub SDiv=sdiv SRem=srem UDiv=udiv
UMod=urem BitCount=intr.ctpop BitReverse=intr.bitreverse BitwiseAnd=and BitwiseOr=or BitwiseXor=xor LogicalAnd=and
LogicalOr=or ConvertFToS=fptosi ConvertFToU=fptoui ConvertSToF=sitofp ConvertUToF=uitofp GL.Ceil=intr.ceil
GL.Cos=intr.cos GL.Exp=intr.exp GL.FAbs=intr.fabs GL.Floor=intr.floor GL.FMax=intr.maxnum GL.FMin=intr.minnum
GL.Log=intr.log GL.Sin=intr.sin GL.SMax=intr.smax GL.SMin=intr.smin GL.Sqrt=intr.sqrt Select=select Undef=mlir.undef
"""

DIRECT: Final = {
    f"spirv.{name}": f"llvm.{target}" for name, _, target in (pair.partition("=") for pair in _COUNTERPARTS.split())
}
"""Operations of SPIR-V and their counterparts in the LLVM dialect."""


def patterns(types: LLVMTypeConverter, client: str) -> list[Pattern]:
    direct = {name: _direct(target) for name, target in DIRECT.items()}
    return bound({**direct, **_OTHERS, "spirv.GlobalVariable": memory.global_variable(client)}, types)


def _direct(target: str) -> Lower:
    """`%r = spirv.IAdd %a, %b : i32` becomes `%r = llvm.add %a, %b : i32`; attributes are carried over."""

    @typed("DirectConversionPattern")
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type) -> Failure | None:
        attributes = dict(op.attributes)
        # What is discardable here can be a flag there.
        flags = definition_of(rewriter.context, target).property_map.keys() & attributes.keys()
        properties = {name: attributes.pop(name) for name in sorted(flags)}
        rewriter.replace_with(op, target, operands, [result], properties, attributes)
        return None

    return lower


_OTHERS: Final[dict[str, Lower]] = {
    **arithmetic.LOWERINGS,
    **bits.LOWERINGS,
    **builtin_calls.LOWERINGS,
    **control.LOWERINGS,
    **functions.LOWERINGS,
    **memory.LOWERINGS,
}
