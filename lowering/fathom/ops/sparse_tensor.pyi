from typing import Final

from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, IntegerAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AssembleOp(Operation):
    levels: Final[list[Value]]
    values: Final[Value]

class BinaryOp(Operation):
    left_identity: Final[UnitAttr | None]
    right_identity: Final[UnitAttr | None]
    overlapRegion: Final[Region]
    leftRegion: Final[Region]
    rightRegion: Final[Region]
    output: Final[OpResult]
    x: Final[Value]
    y: Final[Value]

class CoiterateOp(Operation):
    crdUsedLvls: Final[IntegerAttr]
    cases: Final[ArrayAttr]
    caseRegions: Final[list[Region]]
    iterSpaces: Final[list[Value]]
    initArgs: Final[list[Value]]

class CompressOp(Operation):
    values: Final[Value]
    filled: Final[Value]
    added: Final[Value]
    count: Final[Value]
    tensor: Final[Value]
    lvlCoords: Final[list[Value]]

class ConcatenateOp(Operation):
    dimension: Final[IntegerAttr]
    inputs: Final[list[Value]]

class ConvertOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class CoordinatesBufferOp(Operation):
    tensor: Final[Value]

class CoordinatesOp(Operation):
    level: Final[IntegerAttr]
    tensor: Final[Value]

class CrdTranslateOp(Operation):
    direction: Final[Attribute]
    encoder: Final[Attribute]
    out_crds: Final[list[OpResult]]
    in_crds: Final[list[Value]]

class DisassembleOp(Operation):
    ret_levels: Final[list[OpResult]]
    ret_values: Final[OpResult]
    lvl_lens: Final[list[OpResult]]
    val_len: Final[OpResult]
    tensor: Final[Value]
    out_levels: Final[list[Value]]
    out_values: Final[Value]

class ExpandOp(Operation):
    values: Final[OpResult]
    filled: Final[OpResult]
    added: Final[OpResult]
    count: Final[OpResult]
    tensor: Final[Value]

class ExtractIterationSpaceOp(Operation):
    loLvl: Final[IntegerAttr]
    hiLvl: Final[IntegerAttr]
    extractedSpace: Final[OpResult]
    tensor: Final[Value]
    parentIter: Final[Value | None]

class ExtractValueOp(Operation):
    tensor: Final[Value]
    iterator: Final[Value]

class ForeachOp(Operation):
    order: Final[AffineMapAttr | None]
    region: Final[Region]
    tensor: Final[Value]
    initArgs: Final[list[Value]]

class HasRuntimeLibraryOp(Operation): ...

class IterateOp(Operation):
    crdUsedLvls: Final[IntegerAttr]
    region: Final[Region]
    iterSpace: Final[Value]
    initArgs: Final[list[Value]]

class LoadOp(Operation):
    hasInserts: Final[UnitAttr | None]
    tensor: Final[Value]

class LvlOp(Operation):
    source: Final[Value]
    index: Final[Value]

class NewOp(Operation):
    source: Final[Value]

class NumberOfEntriesOp(Operation):
    tensor: Final[Value]

class OutOp(Operation):
    tensor: Final[Value]
    dest: Final[Value]

class PositionsOp(Operation):
    level: Final[IntegerAttr]
    tensor: Final[Value]

class PrintOp(Operation):
    tensor: Final[Value]

class PushBackOp(Operation):
    inbounds: Final[UnitAttr | None]
    outBuffer: Final[OpResult]
    newSize: Final[OpResult]
    curSize: Final[Value]
    inBuffer: Final[Value]
    value: Final[Value]
    n: Final[Value | None]

class ReduceOp(Operation):
    region: Final[Region]
    output: Final[OpResult]
    x: Final[Value]
    y: Final[Value]
    identity: Final[Value]

class ReinterpretMapOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class ReorderCooOp(Operation):
    algorithm: Final[Attribute]
    result_coo: Final[OpResult]
    input_coo: Final[Value]

class SelectOp(Operation):
    region: Final[Region]
    output: Final[OpResult]
    x: Final[Value]

class SliceOffsetOp(Operation):
    dim: Final[IntegerAttr]
    offset: Final[OpResult]
    slice: Final[Value]

class SliceStrideOp(Operation):
    dim: Final[IntegerAttr]
    stride: Final[OpResult]
    slice: Final[Value]

class SortOp(Operation):
    perm_map: Final[AffineMapAttr]
    ny: Final[IntegerAttr | None]
    algorithm: Final[Attribute]
    n: Final[Value]
    xy: Final[Value]
    ys: Final[list[Value]]

class StorageSpecifierGetOp(Operation):
    specifierKind: Final[Attribute]
    level: Final[IntegerAttr | None]
    specifier: Final[Value]

class StorageSpecifierInitOp(Operation):
    source: Final[Value | None]

class StorageSpecifierSetOp(Operation):
    specifierKind: Final[Attribute]
    level: Final[IntegerAttr | None]
    specifier: Final[Value]
    value: Final[Value]

class UnaryOp(Operation):
    presentRegion: Final[Region]
    absentRegion: Final[Region]
    output: Final[OpResult]
    x: Final[Value]

class ValuesOp(Operation):
    tensor: Final[Value]

class YieldOp(Operation): ...
