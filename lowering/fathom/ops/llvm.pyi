from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, FloatAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value

class AddOp(Operation):
    overflowFlags: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class AddrspacecastOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class AllocaOp(Operation):
    alignment: Final[IntegerAttr | None]
    elem_type: Final[TypeAttr]
    inalloca: Final[UnitAttr | None]
    res: Final[OpResult]
    arraySize: Final[Value]

class AndOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class AshrOp(Operation):
    isExact: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class AtomicrmwOp(Operation):
    bin_op: Final[IntegerAttr]
    ordering: Final[IntegerAttr]
    syncscope: Final[StringAttr | None]
    alignment: Final[IntegerAttr | None]
    volatile_: Final[UnitAttr | None]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]
    val: Final[Value]

class BitcastOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class BlockaddressOp(Operation):
    block_addr: Final[Attribute]
    res: Final[OpResult]

class BlocktagOp(Operation):
    tag: Final[Attribute]

class BrOp(Operation):
    loop_annotation: Final[Attribute | None]
    dest: Final[Block]
    destOperands: Final[list[Value]]

class CallIntrinsicOp(Operation):
    intrin: Final[StringAttr]
    fastmathFlags: Final[Attribute]
    op_bundle_sizes: Final[DenseArrayAttr]
    op_bundle_tags: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    args: Final[list[Value]]
    op_bundle_operands: Final[list[Value]]

class CallOp(Operation):
    var_callee_type: Final[TypeAttr | None]
    callee: Final[SymbolRefAttr | None]
    fastmathFlags: Final[Attribute]
    CConv: Final[Attribute]
    TailCallKind: Final[Attribute]
    memory_effects: Final[Attribute | None]
    convergent: Final[UnitAttr | None]
    no_unwind: Final[UnitAttr | None]
    will_return: Final[UnitAttr | None]
    no_inline: Final[UnitAttr | None]
    always_inline: Final[UnitAttr | None]
    inline_hint: Final[UnitAttr | None]
    op_bundle_sizes: Final[DenseArrayAttr]
    op_bundle_tags: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    callee_operands: Final[list[Value]]
    op_bundle_operands: Final[list[Value]]

class CmpxchgOp(Operation):
    success_ordering: Final[IntegerAttr]
    failure_ordering: Final[IntegerAttr]
    syncscope: Final[StringAttr | None]
    alignment: Final[IntegerAttr | None]
    weak: Final[UnitAttr | None]
    volatile_: Final[UnitAttr | None]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]
    cmp: Final[Value]
    val: Final[Value]

class ComdatOp(Operation):
    sym_name: Final[StringAttr]
    body: Final[Region]

class ComdatSelectorOp(Operation):
    sym_name: Final[StringAttr]
    comdat: Final[IntegerAttr]

class CondBrOp(Operation):
    branch_weights: Final[DenseArrayAttr | None]
    loop_annotation: Final[Attribute | None]
    trueDest: Final[Block]
    falseDest: Final[Block]
    condition: Final[Value]
    trueDestOperands: Final[list[Value]]
    falseDestOperands: Final[list[Value]]

class DsoLocalEquivalentOp(Operation):
    function_name: Final[SymbolRefAttr]
    res: Final[OpResult]

class ExtractelementOp(Operation):
    res: Final[OpResult]
    vector: Final[Value]
    position: Final[Value]

class ExtractvalueOp(Operation):
    position: Final[DenseArrayAttr]
    res: Final[OpResult]
    container: Final[Value]

class FaddOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FcmpOp(Operation):
    predicate: Final[IntegerAttr]
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FdivOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FenceOp(Operation):
    ordering: Final[IntegerAttr]
    syncscope: Final[StringAttr | None]

class FmulOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FnegOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    operand: Final[Value]

class FpextOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class FptosiOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class FptouiOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class FptruncOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class FreezeOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class FremOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FsubOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    sym_visibility: Final[StringAttr | None]
    function_type: Final[TypeAttr]
    linkage: Final[Attribute]
    CConv: Final[Attribute]
    comdat: Final[SymbolRefAttr | None]
    personality: Final[SymbolRefAttr | None]
    passthrough: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    function_entry_count: Final[IntegerAttr | None]
    memory_effects: Final[Attribute | None]
    visibility_: Final[IntegerAttr]
    unnamed_addr: Final[IntegerAttr | None]
    alignment: Final[IntegerAttr | None]
    vscale_range: Final[Attribute | None]
    frame_pointer: Final[Attribute | None]
    target_features: Final[Attribute | None]
    no_infs_fp_math: Final[IntegerAttr | None]
    no_nans_fp_math: Final[IntegerAttr | None]
    no_signed_zeros_fp_math: Final[IntegerAttr | None]
    garbageCollector: Final[StringAttr | None]
    section: Final[StringAttr | None]
    target_cpu: Final[StringAttr | None]
    tune_cpu: Final[StringAttr | None]
    reciprocal_estimates: Final[StringAttr | None]
    prefer_vector_width: Final[StringAttr | None]
    denormal_fp_math: Final[StringAttr | None]
    denormal_fp_math_f32: Final[StringAttr | None]
    fp_contract: Final[StringAttr | None]
    instrument_function_entry: Final[StringAttr | None]
    instrument_function_exit: Final[StringAttr | None]
    dso_local: Final[UnitAttr | None]
    convergent: Final[UnitAttr | None]
    arm_streaming: Final[UnitAttr | None]
    arm_locally_streaming: Final[UnitAttr | None]
    arm_streaming_compatible: Final[UnitAttr | None]
    arm_new_za: Final[UnitAttr | None]
    arm_in_za: Final[UnitAttr | None]
    arm_out_za: Final[UnitAttr | None]
    arm_inout_za: Final[UnitAttr | None]
    arm_preserves_za: Final[UnitAttr | None]
    no_inline: Final[UnitAttr | None]
    always_inline: Final[UnitAttr | None]
    inline_hint: Final[UnitAttr | None]
    no_unwind: Final[UnitAttr | None]
    will_return: Final[UnitAttr | None]
    optimize_none: Final[UnitAttr | None]
    vec_type_hint: Final[Attribute | None]
    work_group_size_hint: Final[DenseArrayAttr | None]
    reqd_work_group_size: Final[DenseArrayAttr | None]
    intel_reqd_sub_group_size: Final[IntegerAttr | None]
    uwtable_kind: Final[Attribute | None]
    body: Final[Region]

class GetelementptrOp(Operation):
    rawConstantIndices: Final[DenseArrayAttr]
    elem_type: Final[TypeAttr]
    noWrapFlags: Final[IntegerAttr]
    res: Final[OpResult]
    base: Final[Value]
    dynamicIndices: Final[list[Value]]

class IcmpOp(Operation):
    predicate: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IndirectbrOp(Operation):
    indbr_operand_segments: Final[DenseArrayAttr]
    addr: Final[Value]
    succOperands: Final[list[Value]]

class InlineAsmOp(Operation):
    asm_string: Final[StringAttr]
    constraints: Final[StringAttr]
    has_side_effects: Final[UnitAttr | None]
    is_align_stack: Final[UnitAttr | None]
    tail_call_kind: Final[Attribute]
    asm_dialect: Final[IntegerAttr | None]
    operand_attrs: Final[ArrayAttr | None]
    res: Final[OpResult | None]

class InsertelementOp(Operation):
    res: Final[OpResult]
    vector: Final[Value]
    value: Final[Value]
    position: Final[Value]

class InsertvalueOp(Operation):
    position: Final[DenseArrayAttr]
    res: Final[OpResult]
    container: Final[Value]
    value: Final[Value]

class IntrAbsOp(Operation):
    is_int_min_poison: Final[IntegerAttr]
    res: Final[OpResult]
    in_: Final[Value]

class IntrAcosOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrAnnotationOp(Operation):
    res: Final[OpResult]
    integer: Final[Value]
    annotation: Final[Value]
    fileName: Final[Value]
    line: Final[Value]

class IntrAsinOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrAssumeOp(Operation):
    op_bundle_sizes: Final[DenseArrayAttr]
    op_bundle_tags: Final[ArrayAttr | None]
    cond: Final[Value]
    op_bundle_operands: Final[list[Value]]

class IntrAtan2Op(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrAtanOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrBitreverseOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrBswapOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrCeilOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrCopysignOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrCoroAlignOp(Operation):
    res: Final[OpResult]

class IntrCoroBeginOp(Operation):
    res: Final[OpResult]
    token: Final[Value]
    mem: Final[Value]

class IntrCoroEndOp(Operation):
    res: Final[OpResult]
    handle: Final[Value]
    unwind: Final[Value]
    retvals: Final[Value]

class IntrCoroFreeOp(Operation):
    res: Final[OpResult]
    id: Final[Value]
    handle: Final[Value]

class IntrCoroIdOp(Operation):
    res: Final[OpResult]
    align: Final[Value]
    promise: Final[Value]
    coroaddr: Final[Value]
    fnaddrs: Final[Value]

class IntrCoroPromiseOp(Operation):
    res: Final[OpResult]
    handle: Final[Value]
    align: Final[Value]
    from_: Final[Value]

class IntrCoroResumeOp(Operation):
    handle: Final[Value]

class IntrCoroSaveOp(Operation):
    res: Final[OpResult]
    handle: Final[Value]

class IntrCoroSizeOp(Operation):
    res: Final[OpResult]

class IntrCoroSuspendOp(Operation):
    res: Final[OpResult]
    save: Final[Value]
    final: Final[Value]

class IntrCosOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrCoshOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrCtlzOp(Operation):
    is_zero_poison: Final[IntegerAttr]
    res: Final[OpResult]
    in_: Final[Value]

class IntrCtpopOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrCttzOp(Operation):
    is_zero_poison: Final[IntegerAttr]
    res: Final[OpResult]
    in_: Final[Value]

class IntrDbgDeclareOp(Operation):
    varInfo: Final[Attribute]
    locationExpr: Final[Attribute]
    addr: Final[Value]

class IntrDbgLabelOp(Operation):
    label: Final[Attribute]

class IntrDbgValueOp(Operation):
    varInfo: Final[Attribute]
    locationExpr: Final[Attribute]
    value: Final[Value]

class IntrDebugtrapOp(Operation): ...

class IntrEhTypeidForOp(Operation):
    res: Final[OpResult]
    type_info: Final[Value]

class IntrExp10Op(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrExp2Op(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrExpOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrExpectOp(Operation):
    res: Final[OpResult]
    val: Final[Value]
    expected: Final[Value]

class IntrExpectWithProbabilityOp(Operation):
    prob: Final[FloatAttr]
    res: Final[OpResult]
    val: Final[Value]
    expected: Final[Value]

class IntrExperimentalConstrainedFpextOp(Operation):
    fpExceptionBehavior: Final[IntegerAttr]
    res: Final[OpResult]
    arg_0: Final[Value]

class IntrExperimentalConstrainedFptruncOp(Operation):
    roundingmode: Final[IntegerAttr]
    fpExceptionBehavior: Final[IntegerAttr]
    res: Final[OpResult]
    arg_0: Final[Value]

class IntrExperimentalConstrainedSitofpOp(Operation):
    roundingmode: Final[IntegerAttr]
    fpExceptionBehavior: Final[IntegerAttr]
    res: Final[OpResult]
    arg_0: Final[Value]

class IntrExperimentalConstrainedUitofpOp(Operation):
    roundingmode: Final[IntegerAttr]
    fpExceptionBehavior: Final[IntegerAttr]
    res: Final[OpResult]
    arg_0: Final[Value]

class IntrExperimentalNoaliasScopeDeclOp(Operation):
    scope: Final[Attribute]

class IntrExperimentalVpStridedLoadOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]
    stride: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrExperimentalVpStridedStoreOp(Operation):
    val: Final[Value]
    ptr: Final[Value]
    stride: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrFabsOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrFloorOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrFmaOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class IntrFmuladdOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class IntrFrexpOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    val: Final[Value]

class IntrFshlOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class IntrFshrOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class IntrGetActiveLaneMaskOp(Operation):
    res: Final[OpResult]
    base: Final[Value]
    n: Final[Value]

class IntrInvariantEndOp(Operation):
    size: Final[IntegerAttr]
    start: Final[Value]
    ptr: Final[Value]

class IntrInvariantStartOp(Operation):
    size: Final[IntegerAttr]
    res: Final[OpResult]
    ptr: Final[Value]

class IntrIsConstantOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class IntrIsFpclassOp(Operation):
    bit: Final[IntegerAttr]
    res: Final[OpResult]
    in_: Final[Value]

class IntrLaunderInvariantGroupOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]

class IntrLdexpOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    val: Final[Value]
    power: Final[Value]

class IntrLifetimeEndOp(Operation):
    ptr: Final[Value]

class IntrLifetimeStartOp(Operation):
    ptr: Final[Value]

class IntrLlrintOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class IntrLlroundOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class IntrLog10Op(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrLog2Op(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrLogOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrLrintOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class IntrLroundOp(Operation):
    res: Final[OpResult]
    val: Final[Value]

class IntrMaskedCompressstoreOp(Operation):
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    value: Final[Value]
    ptr: Final[Value]
    mask: Final[Value]

class IntrMaskedExpandloadOp(Operation):
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    res: Final[OpResult]
    ptr: Final[Value]
    mask: Final[Value]
    passthru: Final[Value]

class IntrMaskedGatherOp(Operation):
    alignment: Final[IntegerAttr]
    res: Final[OpResult]
    ptrs: Final[Value]
    mask: Final[Value]
    pass_thru: Final[list[Value]]

class IntrMaskedLoadOp(Operation):
    alignment: Final[IntegerAttr]
    nontemporal: Final[UnitAttr | None]
    res: Final[OpResult]
    data: Final[Value]
    mask: Final[Value]
    pass_thru: Final[list[Value]]

class IntrMaskedScatterOp(Operation):
    alignment: Final[IntegerAttr]
    value: Final[Value]
    ptrs: Final[Value]
    mask: Final[Value]

class IntrMaskedStoreOp(Operation):
    alignment: Final[IntegerAttr]
    value: Final[Value]
    data: Final[Value]
    mask: Final[Value]

class IntrMatrixColumnMajorLoadOp(Operation):
    isVolatile: Final[IntegerAttr]
    rows: Final[IntegerAttr]
    columns: Final[IntegerAttr]
    res: Final[OpResult]
    data: Final[Value]
    stride: Final[Value]

class IntrMatrixColumnMajorStoreOp(Operation):
    isVolatile: Final[IntegerAttr]
    rows: Final[IntegerAttr]
    columns: Final[IntegerAttr]
    matrix: Final[Value]
    data: Final[Value]
    stride: Final[Value]

class IntrMatrixMultiplyOp(Operation):
    lhs_rows: Final[IntegerAttr]
    lhs_columns: Final[IntegerAttr]
    rhs_columns: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrMatrixTransposeOp(Operation):
    rows: Final[IntegerAttr]
    columns: Final[IntegerAttr]
    res: Final[OpResult]
    matrix: Final[Value]

class IntrMaximumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrMaxnumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrMemcpyInlineOp(Operation):
    len: Final[IntegerAttr]
    isVolatile: Final[IntegerAttr]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    dst: Final[Value]
    src: Final[Value]

class IntrMemcpyOp(Operation):
    isVolatile: Final[IntegerAttr]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    dst: Final[Value]
    src: Final[Value]
    len: Final[Value]

class IntrMemmoveOp(Operation):
    isVolatile: Final[IntegerAttr]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    dst: Final[Value]
    src: Final[Value]
    len: Final[Value]

class IntrMemsetInlineOp(Operation):
    len: Final[IntegerAttr]
    isVolatile: Final[IntegerAttr]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    dst: Final[Value]
    val: Final[Value]

class IntrMemsetOp(Operation):
    isVolatile: Final[IntegerAttr]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    dst: Final[Value]
    val: Final[Value]
    len: Final[Value]

class IntrMinimumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrMinnumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrNearbyintOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrPowOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrPowiOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    val: Final[Value]
    power: Final[Value]

class IntrPrefetchOp(Operation):
    rw: Final[IntegerAttr]
    hint: Final[IntegerAttr]
    cache: Final[IntegerAttr]
    addr: Final[Value]

class IntrPtrAnnotationOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]
    annotation: Final[Value]
    fileName: Final[Value]
    line: Final[Value]
    attr: Final[Value]

class IntrPtrmaskOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]
    mask: Final[Value]

class IntrRintOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrRoundOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrRoundevenOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrSaddSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSaddWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrScmpOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSinOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrSincosOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    val: Final[Value]

class IntrSinhOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrSmaxOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSminOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSmulWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrSqrtOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrSsaCopyOp(Operation):
    res: Final[OpResult]
    operand: Final[Value]

class IntrSshlSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSsubSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrSsubWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrStackrestoreOp(Operation):
    ptr: Final[Value]

class IntrStacksaveOp(Operation):
    res: Final[OpResult]

class IntrStepvectorOp(Operation):
    res: Final[OpResult]

class IntrStripInvariantGroupOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]

class IntrTanOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrTanhOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrThreadlocalAddressOp(Operation):
    res: Final[OpResult]
    global_: Final[Value]

class IntrTrapOp(Operation): ...

class IntrTruncOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrUaddSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUaddWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrUbsantrapOp(Operation):
    failureKind: Final[IntegerAttr]

class IntrUcmpOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUmaxOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUminOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUmulWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrUshlSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUsubSatOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class IntrUsubWithOverflowOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class IntrVacopyOp(Operation):
    dest_list: Final[Value]
    src_list: Final[Value]

class IntrVaendOp(Operation):
    arg_list: Final[Value]

class IntrVarAnnotationOp(Operation):
    val: Final[Value]
    annotation: Final[Value]
    fileName: Final[Value]
    line: Final[Value]
    attr: Final[Value]

class IntrVastartOp(Operation):
    arg_list: Final[Value]

class IntrVectorDeinterleave2Op(Operation):
    res: Final[OpResult]
    vec: Final[Value]

class IntrVectorExtractOp(Operation):
    pos: Final[IntegerAttr]
    res: Final[OpResult]
    srcvec: Final[Value]

class IntrVectorInsertOp(Operation):
    pos: Final[IntegerAttr]
    res: Final[OpResult]
    dstvec: Final[Value]
    srcvec: Final[Value]

class IntrVectorInterleave2Op(Operation):
    res: Final[OpResult]
    vec1: Final[Value]
    vec2: Final[Value]

class IntrVectorReduceAddOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceAndOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceFaddOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    start_value: Final[Value]
    input: Final[Value]

class IntrVectorReduceFmaxOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceFmaximumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceFminOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceFminimumOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceFmulOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    start_value: Final[Value]
    input: Final[Value]

class IntrVectorReduceMulOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceOrOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceSmaxOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceSminOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceUmaxOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceUminOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVectorReduceXorOp(Operation):
    res: Final[OpResult]
    in_: Final[Value]

class IntrVpAddOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpAndOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpAshrOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFaddOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFdivOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFmaOp(Operation):
    res: Final[OpResult]
    op1: Final[Value]
    op2: Final[Value]
    op3: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFmulOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFmuladdOp(Operation):
    res: Final[OpResult]
    op1: Final[Value]
    op2: Final[Value]
    op3: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFnegOp(Operation):
    res: Final[OpResult]
    op: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFpextOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFptosiOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFptouiOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFptruncOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFremOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpFsubOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpInttoptrOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpLoadOp(Operation):
    res: Final[OpResult]
    ptr: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpLshrOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpMergeOp(Operation):
    res: Final[OpResult]
    cond: Final[Value]
    true_val: Final[Value]
    false_val: Final[Value]
    evl: Final[Value]

class IntrVpMulOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpOrOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpPtrtointOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceAddOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceAndOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceFaddOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceFmaxOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceFminOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceFmulOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceMulOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceOrOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceSmaxOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceSminOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceUmaxOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceUminOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpReduceXorOp(Operation):
    res: Final[OpResult]
    satrt_value: Final[Value]
    val: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSdivOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSelectOp(Operation):
    res: Final[OpResult]
    cond: Final[Value]
    true_val: Final[Value]
    false_val: Final[Value]
    evl: Final[Value]

class IntrVpSextOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpShlOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSitofpOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSmaxOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSminOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSremOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpStoreOp(Operation):
    val: Final[Value]
    ptr: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpSubOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpTruncOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpUdivOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpUitofpOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpUmaxOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpUminOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpUremOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpXorOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVpZextOp(Operation):
    res: Final[OpResult]
    src: Final[Value]
    mask: Final[Value]
    evl: Final[Value]

class IntrVscaleOp(Operation):
    res: Final[OpResult]

class InttoptrOp(Operation):
    dereferenceable: Final[Attribute | None]
    res: Final[OpResult]
    arg: Final[Value]

class InvokeOp(Operation):
    var_callee_type: Final[TypeAttr | None]
    callee: Final[SymbolRefAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    branch_weights: Final[DenseArrayAttr | None]
    CConv: Final[Attribute]
    op_bundle_sizes: Final[DenseArrayAttr]
    op_bundle_tags: Final[ArrayAttr | None]
    normalDest: Final[Block]
    unwindDest: Final[Block]
    callee_operands: Final[list[Value]]
    normalDestOperands: Final[list[Value]]
    unwindDestOperands: Final[list[Value]]
    op_bundle_operands: Final[list[Value]]

class LandingpadOp(Operation):
    cleanup: Final[UnitAttr | None]
    res: Final[OpResult]
    clauses: Final[list[Value]]

class LinkerOptionsOp(Operation):
    options: Final[ArrayAttr]

class LoadOp(Operation):
    alignment: Final[IntegerAttr | None]
    volatile_: Final[UnitAttr | None]
    nontemporal: Final[UnitAttr | None]
    invariant: Final[UnitAttr | None]
    invariantGroup: Final[UnitAttr | None]
    ordering: Final[IntegerAttr]
    syncscope: Final[StringAttr | None]
    dereferenceable: Final[Attribute | None]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    res: Final[OpResult]
    addr: Final[Value]

class LshrOp(Operation):
    isExact: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class MlirAddressofOp(Operation):
    global_name: Final[SymbolRefAttr]
    res: Final[OpResult]

class MlirAliasOp(Operation):
    alias_type: Final[TypeAttr]
    sym_name: Final[StringAttr]
    linkage: Final[Attribute]
    dso_local: Final[UnitAttr | None]
    thread_local_: Final[UnitAttr | None]
    unnamed_addr: Final[IntegerAttr | None]
    visibility_: Final[IntegerAttr]
    initializer: Final[Region]

class MlirConstantOp(Operation):
    value: Final[Attribute]
    res: Final[OpResult]

class MlirGlobalCtorsOp(Operation):
    ctors: Final[ArrayAttr]
    priorities: Final[ArrayAttr]
    data: Final[ArrayAttr]

class MlirGlobalDtorsOp(Operation):
    dtors: Final[ArrayAttr]
    priorities: Final[ArrayAttr]
    data: Final[ArrayAttr]

class MlirGlobalOp(Operation):
    global_type: Final[TypeAttr]
    constant: Final[UnitAttr | None]
    sym_name: Final[StringAttr]
    linkage: Final[Attribute]
    dso_local: Final[UnitAttr | None]
    thread_local_: Final[UnitAttr | None]
    externally_initialized: Final[UnitAttr | None]
    value: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    addr_space: Final[IntegerAttr]
    unnamed_addr: Final[IntegerAttr | None]
    section: Final[StringAttr | None]
    comdat: Final[SymbolRefAttr | None]
    dbg_exprs: Final[ArrayAttr | None]
    visibility_: Final[IntegerAttr]
    target_specific_attrs: Final[ArrayAttr | None]
    initializer: Final[Region]

class MlirIfuncOp(Operation):
    sym_name: Final[StringAttr]
    i_func_type: Final[TypeAttr]
    resolver: Final[SymbolRefAttr]
    resolver_type: Final[TypeAttr]
    linkage: Final[Attribute]
    dso_local: Final[UnitAttr | None]
    address_space: Final[IntegerAttr]
    unnamed_addr: Final[IntegerAttr]
    visibility_: Final[IntegerAttr]

class MlirNoneOp(Operation):
    res: Final[OpResult]

class MlirPoisonOp(Operation):
    res: Final[OpResult]

class MlirUndefOp(Operation):
    res: Final[OpResult]

class MlirZeroOp(Operation):
    res: Final[OpResult]

class ModuleFlagsOp(Operation):
    flags: Final[ArrayAttr]

class MulOp(Operation):
    overflowFlags: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class OrOp(Operation):
    isDisjoint: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class PtrtointOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class ResumeOp(Operation):
    value: Final[Value]

class ReturnOp(Operation):
    arg: Final[Value | None]

class SdivOp(Operation):
    isExact: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class SelectOp(Operation):
    fastmathFlags: Final[Attribute]
    res: Final[OpResult]
    condition: Final[Value]
    trueValue: Final[Value]
    falseValue: Final[Value]

class SextOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class ShlOp(Operation):
    overflowFlags: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class ShufflevectorOp(Operation):
    mask: Final[DenseArrayAttr]
    res: Final[OpResult]
    v1: Final[Value]
    v2: Final[Value]

class SitofpOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class SremOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class StoreOp(Operation):
    alignment: Final[IntegerAttr | None]
    volatile_: Final[UnitAttr | None]
    nontemporal: Final[UnitAttr | None]
    invariantGroup: Final[UnitAttr | None]
    ordering: Final[IntegerAttr]
    syncscope: Final[StringAttr | None]
    access_groups: Final[ArrayAttr | None]
    alias_scopes: Final[ArrayAttr | None]
    noalias_scopes: Final[ArrayAttr | None]
    tbaa: Final[ArrayAttr | None]
    value: Final[Value]
    addr: Final[Value]

class SubOp(Operation):
    overflowFlags: Final[IntegerAttr]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class SwitchOp(Operation):
    case_values: Final[Attribute | None]
    case_operand_segments: Final[DenseArrayAttr | None]
    branch_weights: Final[DenseArrayAttr | None]
    defaultDestination: Final[Block]
    caseDestinations: Final[list[Block]]
    value: Final[Value]
    defaultOperands: Final[list[Value]]
    caseOperands: Final[list[Value]]

class TruncOp(Operation):
    overflowFlags: Final[IntegerAttr]
    res: Final[OpResult]
    arg: Final[Value]

class UdivOp(Operation):
    isExact: Final[UnitAttr | None]
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class UitofpOp(Operation):
    nonNeg: Final[UnitAttr | None]
    res: Final[OpResult]
    arg: Final[Value]

class UnreachableOp(Operation): ...

class UremOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class VaArgOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class XorOp(Operation):
    res: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class ZextOp(Operation):
    nonNeg: Final[UnitAttr | None]
    res: Final[OpResult]
    arg: Final[Value]
