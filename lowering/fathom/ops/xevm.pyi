from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value

class Blockload2dOp(Operation):
    elem_size_in_bits: Final[IntegerAttr]
    tile_width: Final[IntegerAttr]
    tile_height: Final[IntegerAttr]
    v_blocks: Final[IntegerAttr]
    transpose: Final[IntegerAttr]
    pack_register: Final[IntegerAttr]
    cache_control: Final[Attribute | None]
    res: Final[OpResult]
    ptr: Final[Value]
    base_width: Final[Value]
    base_height: Final[Value]
    base_pitch: Final[Value]
    x: Final[Value]
    y: Final[Value]

class BlockloadOp(Operation):
    cache_control: Final[Attribute | None]
    res: Final[OpResult]
    ptr: Final[Value]

class Blockprefetch2dOp(Operation):
    elem_size_in_bits: Final[IntegerAttr]
    tile_width: Final[IntegerAttr]
    tile_height: Final[IntegerAttr]
    v_blocks: Final[IntegerAttr]
    cache_control: Final[Attribute | None]
    ptr: Final[Value]
    base_width: Final[Value]
    base_height: Final[Value]
    base_pitch: Final[Value]
    x: Final[Value]
    y: Final[Value]

class Blockstore2dOp(Operation):
    elem_size_in_bits: Final[IntegerAttr]
    tile_width: Final[IntegerAttr]
    tile_height: Final[IntegerAttr]
    cache_control: Final[Attribute | None]
    ptr: Final[Value]
    base_width: Final[Value]
    base_height: Final[Value]
    base_pitch: Final[Value]
    x: Final[Value]
    y: Final[Value]
    stored_val: Final[Value]

class BlockstoreOp(Operation):
    cache_control: Final[Attribute | None]
    ptr: Final[Value]
    val: Final[Value]

class GroupCountXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GroupCountYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GroupCountZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GroupIdXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GroupIdYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class GroupIdZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LaneIdOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalIdXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalIdYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalIdZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalSizeXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalSizeYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class LocalSizeZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class MemfenceOp(Operation):
    scope: Final[Attribute]
    addrspace: Final[Attribute]

class MmaOp(Operation):
    shape: Final[Attribute]
    types: Final[Attribute]
    d: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value | None]

class PrefetchOp(Operation):
    cache_control: Final[Attribute | None]
    ptr: Final[Value]

class SubgroupIdOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class SubgroupSizeOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]
