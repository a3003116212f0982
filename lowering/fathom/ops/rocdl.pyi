from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class BallotOp(Operation):
    res: Final[OpResult]
    pred: Final[Value]

class BarrierOp(Operation): ...

class ClusterIdXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ClusterIdYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ClusterIdZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ClusterLoadAsyncToLdsB128Op(Operation):
    offset: Final[IntegerAttr]
    cpol: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]
    mask: Final[Value]

class ClusterLoadAsyncToLdsB32Op(Operation):
    offset: Final[IntegerAttr]
    cpol: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]
    mask: Final[Value]

class ClusterLoadAsyncToLdsB64Op(Operation):
    offset: Final[IntegerAttr]
    cpol: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]
    mask: Final[Value]

class ClusterLoadAsyncToLdsB8Op(Operation):
    offset: Final[IntegerAttr]
    cpol: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]
    mask: Final[Value]

class CosOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class CvtF32Bf8Op(Operation):
    byteSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]

class CvtF32Fp8Op(Operation):
    byteSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]

class CvtPkBf8F32Op(Operation):
    wordSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]
    srcB: Final[Value]
    old: Final[Value]

class CvtPkF32Bf8Op(Operation):
    wordSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]

class CvtPkF32Fp8Op(Operation):
    wordSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]

class CvtPkFp8F32Op(Operation):
    wordSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]
    srcB: Final[Value]
    old: Final[Value]

class CvtPkrtzOp(Operation):
    res: Final[OpResult]
    srcA: Final[Value]
    srcB: Final[Value]

class CvtScalePk16Bf16Bf6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk16Bf16Fp6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk16F16Bf6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk16F16Fp6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk16F32Bf6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk16F32Fp6Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8Bf16Bf8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8Bf16Fp4Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8Bf16Fp8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F16Bf8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F16Fp4Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F16Fp8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F32Bf8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F32Fp4Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalePk8F32Fp8Op(Operation):
    scaleSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef322xpk16Bf6F32Op(Operation):
    res: Final[OpResult]
    src0: Final[Value]
    src1: Final[Value]
    scale: Final[Value]

class CvtScalef322xpk16Fp6F32Op(Operation):
    res: Final[OpResult]
    src0: Final[Value]
    src1: Final[Value]
    scale: Final[Value]

class CvtScalef32F16Bf8Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32F16Fp8Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32F32Bf8Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32F32Fp8Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Bf6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Bf6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Bf6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Fp6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Fp6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk16Fp6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Bf16Bf6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Bf16Fp6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Bf6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Bf6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32F16Bf6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32F16Fp6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32F32Bf6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32F32Fp6Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Fp6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk32Fp6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Bf8Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Bf8F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Bf8F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp4Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp4F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp4F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp8Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp8F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32Pk8Fp8F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf16Bf8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf16Fp4Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf16Fp8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf8Bf16Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf8F16Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    scale: Final[Value]

class CvtScalef32PkBf8F32Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    src1: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF16Bf8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF16Fp4Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF16Fp8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF32Bf8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF32Fp4Op(Operation):
    srcSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkF32Fp8Op(Operation):
    srcLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp4Bf16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp4F16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp4F32Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    src1: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp8Bf16Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp8F16Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    scale: Final[Value]

class CvtScalef32PkFp8F32Op(Operation):
    dstLoHiSel: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    src1: Final[Value]
    scale: Final[Value]

class CvtScalef32SrBf8Bf16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrBf8F16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrBf8F32Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrFp8Bf16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrFp8F16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrFp8F32Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src0: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Bf6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Bf6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Bf6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Fp6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Fp6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk16Fp6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Bf6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Bf6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Bf6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Fp6Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Fp6F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk32Fp6F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Bf8Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Bf8F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Bf8F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp4Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp4F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp4F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp8Bf16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp8F16Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPk8Fp8F32Op(Operation):
    res: Final[OpResult]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPkFp4Bf16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPkFp4F16Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtScalef32SrPkFp4F32Op(Operation):
    dstSelIndex: Final[IntegerAttr]
    res: Final[OpResult]
    oldVdst: Final[Value]
    src: Final[Value]
    seed: Final[Value]
    scale: Final[Value]

class CvtSrBf8F32Op(Operation):
    byteSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]
    srcB: Final[Value]
    old: Final[Value]

class CvtSrFp8F32Op(Operation):
    byteSel: Final[IntegerAttr]
    res: Final[OpResult]
    srcA: Final[Value]
    srcB: Final[Value]
    old: Final[Value]

class DsAtomicAsyncBarrierArriveB64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    barrierPtr: Final[Value]

class DsAtomicBarrierArriveRtnB64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    barrierPtr: Final[Value]
    val: Final[Value]

class DsBpermuteOp(Operation):
    res: Final[OpResult]
    index: Final[Value]
    src: Final[Value]

class DsLoadTr16B128Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsLoadTr4B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsLoadTr6B96Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsLoadTr8B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsReadTr16B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsReadTr4B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsReadTr6B96Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsReadTr8B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class DsSwizzleOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    offset: Final[Value]

class Exp2Op(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class ExpOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class FlatPrefetchOp(Operation):
    scope: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    ptr: Final[Value]

class Fmed3Op(Operation):
    res: Final[OpResult]
    src0: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class GlobalLoadAsyncToLdsB128Op(Operation):
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class GlobalLoadAsyncToLdsB32Op(Operation):
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class GlobalLoadAsyncToLdsB64Op(Operation):
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class GlobalLoadAsyncToLdsB8Op(Operation):
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class GlobalLoadLdsOp(Operation):
    size: Final[IntegerAttr]
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class GlobalLoadTr4B64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class GlobalLoadTr6B96Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class GlobalLoadTrB128Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class GlobalLoadTrB64Op(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]

class GlobalPrefetchOp(Operation):
    scope: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    ptr: Final[Value]

class GridDimXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GridDimYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GridDimZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class IglpOptOp(Operation):
    variant: Final[IntegerAttr]

class LoadToLdsOp(Operation):
    size: Final[IntegerAttr]
    offset: Final[IntegerAttr]
    aux: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    globalPtr: Final[Value]
    ldsPtr: Final[Value]

class LogOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class MakeBufferRsrcOp(Operation):
    res: Final[OpResult]
    base: Final[Value]
    stride: Final[Value]
    numRecords: Final[Value]
    flags: Final[Value]

class MbcntHiOp(Operation):
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    res: Final[OpResult]
    in0: Final[Value]
    in1: Final[Value]

class MbcntLoOp(Operation):
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    res: Final[OpResult]
    in0: Final[Value]
    in1: Final[Value]

class MfmaF3216x16x16bf161kOp(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x16f16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x1f32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x2bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x32Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x4bf161kOp(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x4f16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x4f32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x8Xf32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3216x16x8bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x16Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x1f32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x2bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x2f32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x4Xf32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x4bf161kOp(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x4bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x4f16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x8bf161kOp(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF3232x32x8f16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF324x4x1f32Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF324x4x2bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF324x4x4bf161kOp(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF324x4x4f16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF6416x16x4f64Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaF644x4x4f64Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3216x16x16i8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3216x16x32I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3216x16x4i8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3216x16x64I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3232x32x16I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3232x32x32I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3232x32x4i8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI3232x32x8i8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaI324x4x4i8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaScaleF3216x16x128F8f6f4Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class MfmaScaleF3232x32x64F8f6f4Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class Permlane16SwapOp(Operation):
    fi: Final[IntegerAttr]
    boundControl: Final[IntegerAttr]
    res: Final[OpResult]
    old: Final[Value]
    src: Final[Value]

class Permlane32SwapOp(Operation):
    fi: Final[IntegerAttr]
    boundControl: Final[IntegerAttr]
    res: Final[OpResult]
    old: Final[Value]
    src: Final[Value]

class Permlanex16Op(Operation):
    fi: Final[IntegerAttr]
    boundControl: Final[IntegerAttr]
    res: Final[OpResult]
    old: Final[Value]
    src0: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class RawBufferAtomicCmpswapOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    cmp: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferAtomicFaddOp(Operation):
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferAtomicFmaxOp(Operation):
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferAtomicSmaxOp(Operation):
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferAtomicUminOp(Operation):
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferLoadOp(Operation):
    res: Final[OpResult]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawBufferStoreOp(Operation):
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferAtomicCmpswapOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    src: Final[Value]
    cmp: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferAtomicFaddOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferAtomicFmaxOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferAtomicSmaxOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferAtomicUminOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferLoadLdsOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    rsrc: Final[Value]
    ldsPtr: Final[Value]
    size: Final[Value]
    voffset: Final[Value]
    soffset: Final[Value]
    offset: Final[Value]
    aux: Final[Value]

class RawPtrBufferLoadOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RawPtrBufferStoreOp(Operation):
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    vdata: Final[Value]
    rsrc: Final[Value]
    offset: Final[Value]
    soffset: Final[Value]
    aux: Final[Value]

class RcpOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class ReadfirstlaneOp(Operation):
    res: Final[OpResult]
    src: Final[Value]

class ReadlaneOp(Operation):
    res: Final[OpResult]
    src0: Final[Value]
    src1: Final[Value]

class SBarrierInitOp(Operation):
    memberCnt: Final[IntegerAttr]
    ptr: Final[Value]

class SBarrierJoinOp(Operation):
    ptr: Final[Value]

class SBarrierLeaveOp(Operation):
    id: Final[IntegerAttr]

class SBarrierOp(Operation): ...

class SBarrierSignalIsfirstOp(Operation):
    id: Final[IntegerAttr]
    res: Final[OpResult]

class SBarrierSignalOp(Operation):
    id: Final[IntegerAttr]

class SBarrierSignalVarOp(Operation):
    memberCnt: Final[IntegerAttr]
    ptr: Final[Value]

class SBarrierWaitOp(Operation):
    id: Final[IntegerAttr]

class SGetBarrierStateOp(Operation):
    id: Final[IntegerAttr]
    res: Final[OpResult]

class SGetNamedBarrierStateOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]

class SNopOp(Operation):
    count: Final[IntegerAttr]

class SSetprioOp(Operation):
    priority: Final[IntegerAttr]

class SSleepOp(Operation):
    count: Final[IntegerAttr]

class SWaitAsynccntOp(Operation):
    count: Final[IntegerAttr]

class SWaitDscntOp(Operation):
    count: Final[IntegerAttr]

class SWaitExpcntOp(Operation):
    count: Final[IntegerAttr]

class SWaitLoadcntOp(Operation):
    count: Final[IntegerAttr]

class SWaitStorecntOp(Operation):
    count: Final[IntegerAttr]

class SWaitTensorcntOp(Operation):
    count: Final[IntegerAttr]

class SWaitcntOp(Operation):
    bitfield: Final[IntegerAttr]

class SWakeupBarrierOp(Operation):
    ptr: Final[Value]

class SchedBarrierOp(Operation):
    mask: Final[IntegerAttr]

class SchedGroupBarrierOp(Operation):
    mask: Final[IntegerAttr]
    size: Final[IntegerAttr]
    groupId: Final[IntegerAttr]

class SinOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class SmfmacF3216x16x128Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x128Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x128Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x128Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x32Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x32F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3216x16x64Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x16Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x16F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32Bf16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32F16Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x32Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x64Bf8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x64Bf8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x64Fp8Bf8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacF3232x32x64Fp8Fp8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacI3216x16x128I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacI3216x16x64I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacI3232x32x32I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SmfmacI3232x32x64I8Op(Operation):
    res: Final[OpResult]
    args: Final[list[Value]]

class SqrtOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class TanhOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class TensorLoadToLdsD2Op(Operation):
    cachePolicy: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    dgroup0: Final[Value]
    dgroup1: Final[Value]

class TensorLoadToLdsOp(Operation):
    cachePolicy: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    dgroup0: Final[Value]
    dgroup1: Final[Value]
    dgroup2: Final[Value]
    dgroup3: Final[Value]

class TensorStoreFromLdsD2Op(Operation):
    cachePolicy: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    dgroup0: Final[Value]
    dgroup1: Final[Value]

class TensorStoreFromLdsOp(Operation):
    cachePolicy: Final[IntegerAttr]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    dgroup0: Final[Value]
    dgroup1: Final[Value]
    dgroup2: Final[Value]
    dgroup3: Final[Value]

class UpdateDppOp(Operation):
    dppCtrl: Final[IntegerAttr]
    rowMask: Final[IntegerAttr]
    bankMask: Final[IntegerAttr]
    boundCtrl: Final[IntegerAttr]
    res: Final[OpResult]
    old: Final[Value]
    src: Final[Value]

class WavefrontsizeOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WmmaBf1616x16x16Bf16Op(Operation):
    opsel: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaBf1616x16x32Bf16Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaBf16f3216x16x32Bf16Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x128Bf8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x128Bf8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x128Fp8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x128Fp8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x16F16Op(Operation):
    opsel: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x32F16Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x64Bf8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x64Bf8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x64Fp8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF1616x16x64Fp8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x128Bf8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x128Bf8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x128Fp8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x128Fp8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16Bf16Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16Bf8Bf8Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16Bf8Fp8Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16F16Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16Fp8Bf8Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x16Fp8Fp8Op(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x32Bf16Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x32F16Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x4F32Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x64Bf8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x64Bf8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x64Fp8Bf8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaF3216x16x64Fp8Fp8Op(Operation):
    modC: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaI3216x16x16Iu4Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    clamp: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaI3216x16x16Iu8Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    clamp: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaI3216x16x32Iu4Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    clamp: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaI3216x16x64Iu8Op(Operation):
    signA: Final[IntegerAttr]
    signB: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    clamp: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class WmmaScale16F3216x16x128F8f6f4Op(Operation):
    fmtA: Final[IntegerAttr]
    fmtB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    scaleAType: Final[IntegerAttr]
    fmtScaleA: Final[IntegerAttr]
    scaleBType: Final[IntegerAttr]
    fmtScaleB: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class WmmaScale16F3232x16x128F4Op(Operation):
    modC: Final[IntegerAttr]
    scaleAType: Final[IntegerAttr]
    fmtScaleA: Final[IntegerAttr]
    scaleBType: Final[IntegerAttr]
    fmtScaleB: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class WmmaScaleF3216x16x128F8f6f4Op(Operation):
    fmtA: Final[IntegerAttr]
    fmtB: Final[IntegerAttr]
    modC: Final[IntegerAttr]
    scaleAType: Final[IntegerAttr]
    fmtScaleA: Final[IntegerAttr]
    scaleBType: Final[IntegerAttr]
    fmtScaleB: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class WmmaScaleF3232x16x128F4Op(Operation):
    modC: Final[IntegerAttr]
    scaleAType: Final[IntegerAttr]
    fmtScaleA: Final[IntegerAttr]
    scaleBType: Final[IntegerAttr]
    fmtScaleB: Final[IntegerAttr]
    reuseA: Final[IntegerAttr]
    reuseB: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class WorkgroupDimXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkgroupDimYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkgroupDimZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkgroupIdXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkgroupIdYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkgroupIdZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkitemIdXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkitemIdYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class WorkitemIdZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]
