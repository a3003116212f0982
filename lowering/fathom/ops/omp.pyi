from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AllocateDirOp(Operation):
    align: Final[IntegerAttr | None]
    varList: Final[list[Value]]
    allocator: Final[Value | None]

class AtomicCaptureOp(Operation):
    hint: Final[IntegerAttr]
    memory_order: Final[Attribute | None]
    region: Final[Region]

class AtomicReadOp(Operation):
    element_type: Final[TypeAttr]
    hint: Final[IntegerAttr]
    memory_order: Final[Attribute | None]
    x: Final[Value]
    v: Final[Value]

class AtomicUpdateOp(Operation):
    atomic_control: Final[Attribute | None]
    hint: Final[IntegerAttr]
    memory_order: Final[Attribute | None]
    region: Final[Region]
    x: Final[Value]

class AtomicWriteOp(Operation):
    hint: Final[IntegerAttr]
    memory_order: Final[Attribute | None]
    x: Final[Value]
    expr: Final[Value]

class BarrierOp(Operation): ...

class CancelOp(Operation):
    cancel_directive: Final[Attribute]
    if_expr: Final[Value | None]

class CancellationPointOp(Operation):
    cancel_directive: Final[Attribute]

class CanonicalLoopOp(Operation):
    region: Final[Region]
    tripCount: Final[Value]
    cli: Final[Value | None]

class CriticalDeclareOp(Operation):
    sym_name: Final[StringAttr]
    hint: Final[IntegerAttr]

class CriticalOp(Operation):
    region: Final[Region]

class DeclareMapperInfoOp(Operation):
    map_vars: Final[list[Value]]

class DeclareMapperOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    body: Final[Region]

class DeclareReductionOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    byref_element_type: Final[TypeAttr | None]
    allocRegion: Final[Region]
    initializerRegion: Final[Region]
    reductionRegion: Final[Region]
    atomicReductionRegion: Final[Region]
    cleanupRegion: Final[Region]
    dataPtrPtrRegion: Final[Region]

class DistributeOp(Operation):
    dist_schedule_static: Final[UnitAttr | None]
    order: Final[Attribute | None]
    order_mod: Final[Attribute | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    dist_schedule_chunk_size: Final[Value | None]
    private_vars: Final[list[Value]]

class FlushOp(Operation):
    varList: Final[list[Value]]

class LoopNestOp(Operation):
    collapse_num_loops: Final[IntegerAttr]
    loop_inclusive: Final[UnitAttr | None]
    tile_sizes: Final[DenseArrayAttr | None]
    region: Final[Region]
    loop_lower_bounds: Final[list[Value]]
    loop_upper_bounds: Final[list[Value]]
    loop_steps: Final[list[Value]]

class LoopOp(Operation):
    bind_kind: Final[Attribute | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    order: Final[Attribute | None]
    order_mod: Final[Attribute | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    region: Final[Region]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]

class MapBoundsOp(Operation):
    stride_in_bytes: Final[IntegerAttr]
    lower_bound: Final[Value | None]
    upper_bound: Final[Value | None]
    extent: Final[Value | None]
    stride: Final[Value | None]
    start_idx: Final[Value | None]

class MapInfoOp(Operation):
    var_type: Final[TypeAttr]
    map_type: Final[Attribute]
    map_capture_type: Final[Attribute]
    members_index: Final[ArrayAttr | None]
    mapper_id: Final[SymbolRefAttr | None]
    partial_map: Final[IntegerAttr]
    omp_ptr: Final[OpResult]
    var_ptr: Final[Value]
    var_ptr_ptr: Final[Value | None]
    members: Final[list[Value]]
    bounds: Final[list[Value]]

class MaskedOp(Operation):
    region: Final[Region]
    filtered_thread_id: Final[Value | None]

class MasterOp(Operation):
    region: Final[Region]

class NewCliOp(Operation): ...

class OrderedOp(Operation):
    doacross_depend_type: Final[Attribute | None]
    doacross_num_loops: Final[IntegerAttr | None]
    doacross_depend_vars: Final[list[Value]]

class OrderedRegionOp(Operation):
    par_level_simd: Final[UnitAttr | None]
    region: Final[Region]

class ParallelOp(Operation):
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    proc_bind_kind: Final[Attribute | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    if_expr: Final[Value | None]
    num_threads: Final[Value | None]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]

class PrivateOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    data_sharing_type: Final[Attribute]
    init_region: Final[Region]
    copy_region: Final[Region]
    dealloc_region: Final[Region]

class ScanOp(Operation):
    inclusive_vars: Final[list[Value]]
    exclusive_vars: Final[list[Value]]

class SectionOp(Operation):
    region: Final[Region]

class SectionsOp(Operation):
    nowait: Final[UnitAttr | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]

class SimdOp(Operation):
    alignments: Final[ArrayAttr | None]
    linear_var_types: Final[ArrayAttr | None]
    order: Final[Attribute | None]
    order_mod: Final[Attribute | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    safelen: Final[IntegerAttr | None]
    simdlen: Final[IntegerAttr | None]
    region: Final[Region]
    aligned_vars: Final[list[Value]]
    if_expr: Final[Value | None]
    linear_vars: Final[list[Value]]
    linear_step_vars: Final[list[Value]]
    nontemporal_vars: Final[list[Value]]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]

class SingleOp(Operation):
    copyprivate_syms: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    copyprivate_vars: Final[list[Value]]
    private_vars: Final[list[Value]]

class TargetAllocmemOp(Operation):
    in_type: Final[TypeAttr]
    uniq_name: Final[StringAttr | None]
    bindc_name: Final[StringAttr | None]
    _result0: Final[OpResult]
    device: Final[Value]
    typeparams: Final[list[Value]]
    shape: Final[list[Value]]

class TargetDataOp(Operation):
    region: Final[Region]
    device: Final[Value | None]
    if_expr: Final[Value | None]
    map_vars: Final[list[Value]]
    use_device_addr_vars: Final[list[Value]]
    use_device_ptr_vars: Final[list[Value]]

class TargetEnterDataOp(Operation):
    depend_kinds: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    depend_vars: Final[list[Value]]
    device: Final[Value | None]
    if_expr: Final[Value | None]
    map_vars: Final[list[Value]]

class TargetExitDataOp(Operation):
    depend_kinds: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    depend_vars: Final[list[Value]]
    device: Final[Value | None]
    if_expr: Final[Value | None]
    map_vars: Final[list[Value]]

class TargetFreememOp(Operation):
    device: Final[Value]
    heapref: Final[Value]

class TargetOp(Operation):
    bare: Final[UnitAttr | None]
    depend_kinds: Final[ArrayAttr | None]
    in_reduction_byref: Final[DenseArrayAttr | None]
    in_reduction_syms: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    private_maps: Final[DenseArrayAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    depend_vars: Final[list[Value]]
    device: Final[Value | None]
    has_device_addr_vars: Final[list[Value]]
    host_eval_vars: Final[list[Value]]
    if_expr: Final[Value | None]
    in_reduction_vars: Final[list[Value]]
    is_device_ptr_vars: Final[list[Value]]
    map_vars: Final[list[Value]]
    private_vars: Final[list[Value]]
    thread_limit: Final[Value | None]

class TargetUpdateOp(Operation):
    depend_kinds: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    depend_vars: Final[list[Value]]
    device: Final[Value | None]
    if_expr: Final[Value | None]
    map_vars: Final[list[Value]]

class TaskOp(Operation):
    depend_kinds: Final[ArrayAttr | None]
    in_reduction_byref: Final[DenseArrayAttr | None]
    in_reduction_syms: Final[ArrayAttr | None]
    mergeable: Final[UnitAttr | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    untied: Final[UnitAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    depend_vars: Final[list[Value]]
    final: Final[Value | None]
    if_expr: Final[Value | None]
    in_reduction_vars: Final[list[Value]]
    priority: Final[Value | None]
    private_vars: Final[list[Value]]
    event_handle: Final[Value | None]

class TaskgroupOp(Operation):
    task_reduction_byref: Final[DenseArrayAttr | None]
    task_reduction_syms: Final[ArrayAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    task_reduction_vars: Final[list[Value]]

class TaskloopOp(Operation):
    grainsize_mod: Final[Attribute | None]
    in_reduction_byref: Final[DenseArrayAttr | None]
    in_reduction_syms: Final[ArrayAttr | None]
    mergeable: Final[UnitAttr | None]
    nogroup: Final[UnitAttr | None]
    num_tasks_mod: Final[Attribute | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    untied: Final[UnitAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    final: Final[Value | None]
    grainsize: Final[Value | None]
    if_expr: Final[Value | None]
    in_reduction_vars: Final[list[Value]]
    num_tasks: Final[Value | None]
    priority: Final[Value | None]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]

class TaskwaitOp(Operation):
    depend_kinds: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    depend_vars: Final[list[Value]]

class TaskyieldOp(Operation): ...

class TeamsOp(Operation):
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    if_expr: Final[Value | None]
    num_teams_lower: Final[Value | None]
    num_teams_upper: Final[Value | None]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]
    thread_limit: Final[Value | None]

class TerminatorOp(Operation): ...

class ThreadprivateOp(Operation):
    tls_addr: Final[OpResult]
    sym_addr: Final[Value]

class TileOp(Operation):
    generatees: Final[list[Value]]
    applyees: Final[list[Value]]
    sizes: Final[list[Value]]

class UnrollHeuristicOp(Operation):
    applyee: Final[Value]

class WorkdistributeOp(Operation):
    region: Final[Region]

class WorkshareLoopWrapperOp(Operation):
    region: Final[Region]

class WorkshareOp(Operation):
    nowait: Final[UnitAttr | None]
    region: Final[Region]

class WsloopOp(Operation):
    linear_var_types: Final[ArrayAttr | None]
    nowait: Final[UnitAttr | None]
    order: Final[Attribute | None]
    order_mod: Final[Attribute | None]
    ordered: Final[IntegerAttr | None]
    private_syms: Final[ArrayAttr | None]
    private_needs_barrier: Final[UnitAttr | None]
    reduction_mod: Final[Attribute | None]
    reduction_byref: Final[DenseArrayAttr | None]
    reduction_syms: Final[ArrayAttr | None]
    schedule_kind: Final[Attribute | None]
    schedule_mod: Final[Attribute | None]
    schedule_simd: Final[UnitAttr | None]
    region: Final[Region]
    allocate_vars: Final[list[Value]]
    allocator_vars: Final[list[Value]]
    linear_vars: Final[list[Value]]
    linear_step_vars: Final[list[Value]]
    private_vars: Final[list[Value]]
    reduction_vars: Final[list[Value]]
    schedule_chunk: Final[Value | None]

class YieldOp(Operation): ...
