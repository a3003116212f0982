from typing import Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class AllocNbarrierOp(Operation):
    nbarrier_num: Final[IntegerAttr]

class AtomicRmwOp(Operation):
    kind: Final[IntegerAttr]
    layout: Final[Attribute | None]
    tensorDesc: Final[Value]
    mask: Final[Value]
    value: Final[Value]

class ConvertLayoutOp(Operation):
    input_layout: Final[Attribute]
    target_layout: Final[Attribute]
    source: Final[Value]

class CreateMemDescOp(Operation):
    mem_desc: Final[OpResult]
    source: Final[Value]

class CreateNdTdescOp(Operation):
    const_offsets: Final[DenseArrayAttr | None]
    const_shape: Final[DenseArrayAttr | None]
    const_strides: Final[DenseArrayAttr | None]
    TensorDesc: Final[OpResult]
    source: Final[Value]
    offsets: Final[list[Value]]
    shape: Final[list[Value]]
    strides: Final[list[Value]]

class CreateTdescOp(Operation):
    TensorDesc: Final[OpResult]
    source: Final[Value]
    offsets: Final[Value]

class DpasOp(Operation):
    layout_a: Final[Attribute | None]
    layout_b: Final[Attribute | None]
    layout_cd: Final[Attribute | None]
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value | None]

class FenceOp(Operation):
    memory_kind: Final[Attribute]
    fence_scope: Final[Attribute]

class InitNbarrierOp(Operation):
    nbarrier_id: Final[Value]
    participant_thread_num: Final[Value]

class LoadMatrixOp(Operation):
    const_offsets: Final[DenseArrayAttr]
    subgroup_block_io: Final[UnitAttr | None]
    layout: Final[Attribute | None]
    res: Final[OpResult]
    mem_desc: Final[Value]
    offsets: Final[list[Value]]

class LoadNdOp(Operation):
    const_offsets: Final[DenseArrayAttr | None]
    packed: Final[UnitAttr | None]
    transpose: Final[DenseArrayAttr | None]
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    layout: Final[Attribute | None]
    value: Final[OpResult]
    TensorDesc: Final[Value]
    offsets: Final[list[Value]]

class LoadOp(Operation):
    chunk_size: Final[IntegerAttr | None]
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    layout: Final[Attribute | None]
    value: Final[OpResult]
    source: Final[Value]
    offsets: Final[Value | None]
    mask: Final[Value]

class NbarrierArriveOp(Operation):
    nbarrier: Final[Value]

class NbarrierWaitOp(Operation):
    nbarrier: Final[Value]

class PrefetchNdOp(Operation):
    const_offsets: Final[DenseArrayAttr | None]
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    layout: Final[Attribute | None]
    TensorDesc: Final[Value]
    offsets: Final[list[Value]]

class PrefetchOp(Operation):
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    offset_align_byte: Final[IntegerAttr | None]
    layout: Final[Attribute | None]
    source: Final[Value]
    offsets: Final[Value | None]

class StoreMatrixOp(Operation):
    const_offsets: Final[DenseArrayAttr]
    subgroup_block_io: Final[UnitAttr | None]
    layout: Final[Attribute | None]
    data: Final[Value]
    mem_desc: Final[Value]
    offsets: Final[list[Value]]

class StoreNdOp(Operation):
    const_offsets: Final[DenseArrayAttr | None]
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    layout: Final[Attribute | None]
    value: Final[Value]
    TensorDesc: Final[Value]
    offsets: Final[list[Value]]

class StoreOp(Operation):
    chunk_size: Final[IntegerAttr | None]
    l1_hint: Final[Attribute | None]
    l2_hint: Final[Attribute | None]
    l3_hint: Final[Attribute | None]
    layout: Final[Attribute | None]
    value: Final[Value]
    dest: Final[Value]
    offsets: Final[Value | None]
    mask: Final[Value]

class UpdateNdOffsetOp(Operation):
    const_offsets: Final[DenseArrayAttr]
    TensorDesc: Final[Value]
    offsets: Final[list[Value]]

class UpdateOffsetOp(Operation):
    TensorDesc: Final[Value]
    offsets: Final[Value]
