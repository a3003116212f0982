from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation, OpResult, Value

class Avx512CvtPackedF32ToBf16Op(Operation):
    dst: Final[OpResult]
    a: Final[Value]

class Avx512DotOp(Operation):
    dst: Final[OpResult]
    src: Final[Value]
    a: Final[Value]
    b: Final[Value]

class Avx512MaskCompressOp(Operation):
    constant_src: Final[Attribute | None]
    dst: Final[OpResult]
    k: Final[Value]
    a: Final[Value]
    src: Final[Value | None]

class Avx512MaskRndscaleOp(Operation):
    dst: Final[OpResult]
    src: Final[Value]
    k: Final[Value]
    a: Final[Value]
    imm: Final[Value]
    rounding: Final[Value]

class Avx512MaskScalefOp(Operation):
    dst: Final[OpResult]
    src: Final[Value]
    a: Final[Value]
    b: Final[Value]
    k: Final[Value]
    rounding: Final[Value]

class Avx512Vp2intersectOp(Operation):
    k1: Final[OpResult]
    k2: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class AvxBcstToF32PackedOp(Operation):
    dst: Final[OpResult]
    a: Final[Value]

class AvxCvtPackedEvenIndexedToF32Op(Operation):
    dst: Final[OpResult]
    a: Final[Value]

class AvxCvtPackedOddIndexedToF32Op(Operation):
    dst: Final[OpResult]
    a: Final[Value]

class AvxDotI8Op(Operation):
    dst: Final[OpResult]
    w: Final[Value]
    a: Final[Value]
    b: Final[Value]

class AvxIntrDotOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class AvxRsqrtOp(Operation):
    b: Final[OpResult]
    a: Final[Value]
