from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class CopyTileOp(Operation):
    tile: Final[Value]

class ExtractTileSliceOp(Operation):
    layout: Final[Attribute]
    tile: Final[Value]
    tile_slice_index: Final[Value]

class Fmopa2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Fmops2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class GetTileOp(Operation):
    tile: Final[OpResult]

class InsertTileSliceOp(Operation):
    layout: Final[Attribute]
    vector: Final[Value]
    tile: Final[Value]
    tile_slice_index: Final[Value]

class IntrCntsdOp(Operation):
    res: Final[OpResult]

class IntrLd1bHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1bVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1dHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1dVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1hHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1hVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1qHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1qVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1wHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrLd1wVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    load_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrMopaOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrMopaWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrMopsOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrMopsWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrReadHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    res: Final[OpResult]
    vector: Final[Value]
    predicate: Final[Value]
    tile_slice_index: Final[Value]

class IntrReadVertOp(Operation):
    tile_id: Final[IntegerAttr]
    res: Final[OpResult]
    vector: Final[Value]
    predicate: Final[Value]
    tile_slice_index: Final[Value]

class IntrSmopaWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrSmopaZa32Op(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrSmopsWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrSmopsZa32Op(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrSt1bHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1bVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1dHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1dVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1hHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1hVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1qHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1qVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1wHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrSt1wVertOp(Operation):
    tile_id: Final[IntegerAttr]
    predicate: Final[Value]
    store_address: Final[Value]
    tile_slice_index: Final[Value]

class IntrStrOp(Operation):
    index: Final[Value]
    store_address: Final[Value]
    offset: Final[Value]

class IntrSumopaWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrSumopsWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUmopaWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUmopaZa32Op(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUmopsWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUmopsZa32Op(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUsmopaWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrUsmopsWideOp(Operation):
    tile_id: Final[IntegerAttr]
    lhs_predicate: Final[Value]
    rhs_predicate: Final[Value]
    lhs_vector: Final[Value]
    rhs_vector: Final[Value]

class IntrWriteHorizOp(Operation):
    tile_id: Final[IntegerAttr]
    tile_slice_index: Final[Value]
    predicate: Final[Value]
    vector: Final[Value]

class IntrWriteVertOp(Operation):
    tile_id: Final[IntegerAttr]
    tile_slice_index: Final[Value]
    predicate: Final[Value]
    vector: Final[Value]

class IntrZeroOp(Operation):
    tile_mask: Final[IntegerAttr]

class LoadTileSliceOp(Operation):
    layout: Final[Attribute]
    base: Final[Value]
    mask: Final[Value]
    tile: Final[Value]
    indices: Final[list[Value]]
    tile_slice_index: Final[Value]

class OuterproductOp(Operation):
    kind: Final[Attribute]
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Smopa2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Smopa4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Smops2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Smops4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class StoreTileSliceOp(Operation):
    layout: Final[Attribute]
    tile: Final[Value]
    tile_slice_index: Final[Value]
    mask: Final[Value]
    base: Final[Value]
    indices: Final[list[Value]]

class StreamingVlOp(Operation):
    type_size: Final[Attribute]
    _result0: Final[OpResult]

class Sumopa4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Sumops4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class TileLoadOp(Operation):
    layout: Final[Attribute]
    base: Final[Value]
    indices: Final[list[Value]]
    padding: Final[Value | None]
    mask: Final[Value | None]

class TileStoreOp(Operation):
    layout: Final[Attribute]
    valueToStore: Final[Value]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value | None]

class Umopa2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Umopa4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Umops2wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Umops4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Usmopa4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class Usmops4wayOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    lhsMask: Final[Value | None]
    rhsMask: Final[Value | None]
    acc: Final[Value | None]

class ZeroOp(Operation):
    res: Final[OpResult]
