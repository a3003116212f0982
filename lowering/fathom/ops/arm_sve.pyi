from typing import Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class ConvertFromSvboolOp(Operation):
    source: Final[Value]

class ConvertToSvboolOp(Operation):
    source: Final[Value]

class DupqLaneOp(Operation):
    lane: Final[IntegerAttr]
    dst: Final[OpResult]
    src: Final[Value]

class IntrAddOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrBfmmlaOp(Operation):
    res: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class IntrConvertFromSvboolOp(Operation):
    res: Final[OpResult]
    svbool: Final[Value]

class IntrConvertToSvboolOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]

class IntrDupqLaneOp(Operation):
    lane: Final[IntegerAttr]
    res: Final[OpResult]
    v: Final[Value]

class IntrFaddOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrFdivOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrFmulOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrFsubOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrMulOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrPselOp(Operation):
    res: Final[OpResult]
    p1: Final[Value]
    p2: Final[Value]
    index: Final[Value]

class IntrSdivOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrSdotOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrSmmlaOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrSubOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrUdivOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrUdotOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrUmmlaOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrUsmmlaOp(Operation):
    res: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]
    _operand2: Final[Value]

class IntrWhileltOp(Operation):
    res: Final[OpResult]
    base: Final[Value]
    n: Final[Value]

class IntrZipX2Op(Operation):
    res: Final[OpResult]
    v1: Final[Value]
    v2: Final[Value]

class IntrZipX4Op(Operation):
    res: Final[OpResult]
    v1: Final[Value]
    v2: Final[Value]
    v3: Final[Value]
    v4: Final[Value]

class MaskedAddfOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedAddiOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedDivfOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedDiviSignedOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedDiviUnsignedOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedMulfOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedMuliOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedSubfOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class MaskedSubiOp(Operation):
    res: Final[OpResult]
    mask: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class PselOp(Operation):
    p1: Final[Value]
    p2: Final[Value]
    index: Final[Value]

class SdotOp(Operation):
    dst: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class SmmlaOp(Operation):
    dst: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class UdotOp(Operation):
    dst: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class UmmlaOp(Operation):
    dst: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class UsmmlaOp(Operation):
    dst: Final[OpResult]
    acc: Final[Value]
    src1: Final[Value]
    src2: Final[Value]

class ZipX2Op(Operation):
    resultV1: Final[OpResult]
    resultV2: Final[OpResult]
    sourceV1: Final[Value]
    sourceV2: Final[Value]

class ZipX4Op(Operation):
    resultV1: Final[OpResult]
    resultV2: Final[OpResult]
    resultV3: Final[OpResult]
    resultV4: Final[OpResult]
    sourceV1: Final[Value]
    sourceV2: Final[Value]
    sourceV3: Final[Value]
    sourceV4: Final[Value]
