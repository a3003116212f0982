from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value

class ARMGraphConstantOp(Operation):
    graph_constant_id: Final[IntegerAttr]
    output: Final[OpResult]

class ARMGraphEntryPointOp(Operation):
    fn: Final[SymbolRefAttr]

class ARMGraphOp(Operation):
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    entry_point: Final[IntegerAttr | None]
    sym_name: Final[StringAttr]
    body: Final[Region]

class ARMGraphOutputsOp(Operation):
    value: Final[list[Value]]

class AccessChainOp(Operation):
    component_ptr: Final[OpResult]
    base_ptr: Final[Value]
    indices: Final[list[Value]]

class AtomicAndOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicCompareExchangeOp(Operation):
    memory_scope: Final[Attribute]
    equal_semantics: Final[Attribute]
    unequal_semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]
    comparator: Final[Value]

class AtomicCompareExchangeWeakOp(Operation):
    memory_scope: Final[Attribute]
    equal_semantics: Final[Attribute]
    unequal_semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]
    comparator: Final[Value]

class AtomicExchangeOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicIAddOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicIDecrementOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]

class AtomicIIncrementOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]

class AtomicISubOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicOrOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicSMaxOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicSMinOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicUMaxOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicUMinOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class AtomicXorOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class BitCountOp(Operation):
    operand: Final[Value]

class BitFieldInsertOp(Operation):
    base: Final[Value]
    insert: Final[Value]
    offset: Final[Value]
    count: Final[Value]

class BitFieldSExtractOp(Operation):
    base: Final[Value]
    offset: Final[Value]
    count: Final[Value]

class BitFieldUExtractOp(Operation):
    base: Final[Value]
    offset: Final[Value]
    count: Final[Value]

class BitReverseOp(Operation):
    operand: Final[Value]

class BitcastOp(Operation):
    operand: Final[Value]

class BitwiseAndOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class BitwiseOrOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class BitwiseXorOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class BranchConditionalOp(Operation):
    branch_weights: Final[ArrayAttr | None]
    trueTarget: Final[Block]
    falseTarget: Final[Block]
    condition: Final[Value]
    trueTargetOperands: Final[list[Value]]
    falseTargetOperands: Final[list[Value]]

class BranchOp(Operation):
    target: Final[Block]
    targetOperands: Final[list[Value]]

class CLAcosOp(Operation):
    operand: Final[Value]

class CLAcoshOp(Operation):
    operand: Final[Value]

class CLAsinOp(Operation):
    operand: Final[Value]

class CLAsinhOp(Operation):
    operand: Final[Value]

class CLAtan2Op(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLAtanOp(Operation):
    operand: Final[Value]

class CLAtanhOp(Operation):
    operand: Final[Value]

class CLCeilOp(Operation):
    operand: Final[Value]

class CLCosOp(Operation):
    operand: Final[Value]

class CLCoshOp(Operation):
    operand: Final[Value]

class CLErfOp(Operation):
    operand: Final[Value]

class CLExpOp(Operation):
    operand: Final[Value]

class CLFabsOp(Operation):
    operand: Final[Value]

class CLFloorOp(Operation):
    operand: Final[Value]

class CLFmaOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class CLFmaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLFminOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLLogOp(Operation):
    operand: Final[Value]

class CLMixOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class CLPowOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLPrintfOp(Operation):
    format: Final[Value]
    arguments: Final[list[Value]]

class CLRintOp(Operation):
    operand: Final[Value]

class CLRoundOp(Operation):
    operand: Final[Value]

class CLRsqrtOp(Operation):
    operand: Final[Value]

class CLSAbsOp(Operation):
    operand: Final[Value]

class CLSMaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLSMinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLSinOp(Operation):
    operand: Final[Value]

class CLSinhOp(Operation):
    operand: Final[Value]

class CLSqrtOp(Operation):
    operand: Final[Value]

class CLTanOp(Operation):
    operand: Final[Value]

class CLTanhOp(Operation):
    operand: Final[Value]

class CLUMaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CLUMinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class CompositeConstructOp(Operation):
    constituents: Final[list[Value]]

class CompositeExtractOp(Operation):
    indices: Final[ArrayAttr]
    component: Final[OpResult]
    composite: Final[Value]

class CompositeInsertOp(Operation):
    indices: Final[ArrayAttr]
    object: Final[Value]
    composite: Final[Value]

class ConstantOp(Operation):
    value: Final[Attribute]
    constant: Final[OpResult]

class ControlBarrierOp(Operation):
    execution_scope: Final[Attribute]
    memory_scope: Final[Attribute]
    memory_semantics: Final[Attribute]

class ConvertFToSOp(Operation):
    operand: Final[Value]

class ConvertFToUOp(Operation):
    operand: Final[Value]

class ConvertPtrToUOp(Operation):
    pointer: Final[Value]

class ConvertSToFOp(Operation):
    operand: Final[Value]

class ConvertUToFOp(Operation):
    operand: Final[Value]

class ConvertUToPtrOp(Operation):
    operand: Final[Value]

class CopyMemoryOp(Operation):
    memory_access: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    source_memory_access: Final[Attribute | None]
    source_alignment: Final[IntegerAttr | None]
    target: Final[Value]
    source: Final[Value]

class DotOp(Operation):
    vector1: Final[Value]
    vector2: Final[Value]

class EXTAtomicFAddOp(Operation):
    memory_scope: Final[Attribute]
    semantics: Final[Attribute]
    pointer: Final[Value]
    value: Final[Value]

class EXTConstantCompositeReplicateOp(Operation):
    value: Final[Attribute]
    replicated_constant: Final[OpResult]

class EXTEmitMeshTasksOp(Operation):
    group_count_x: Final[Value]
    group_count_y: Final[Value]
    group_count_z: Final[Value]
    payload: Final[Value | None]

class EXTSetMeshOutputsOp(Operation):
    vertex_count: Final[Value]
    primitive_count: Final[Value]

class EXTSpecConstantCompositeReplicateOp(Operation):
    type: Final[TypeAttr]
    sym_name: Final[StringAttr]
    constituent: Final[SymbolRefAttr]

class EmitVertexOp(Operation): ...
class EndPrimitiveOp(Operation): ...

class EntryPointOp(Operation):
    execution_model: Final[Attribute]
    fn: Final[SymbolRefAttr]

class ExecutionModeOp(Operation):
    fn: Final[SymbolRefAttr]
    execution_mode: Final[Attribute]
    values: Final[ArrayAttr]

class FAddOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FConvertOp(Operation):
    operand: Final[Value]

class FDivOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FModOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FMulOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FNegateOp(Operation):
    operand: Final[Value]

class FOrdEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FOrdGreaterThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FOrdGreaterThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FOrdLessThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FOrdLessThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FOrdNotEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FRemOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FSubOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordGreaterThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordGreaterThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordLessThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordLessThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FUnordNotEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class FuncOp(Operation):
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    sym_name: Final[StringAttr]
    function_control: Final[Attribute]
    linkage_attributes: Final[Attribute | None]
    body: Final[Region]

class FunctionCallOp(Operation):
    callee: Final[SymbolRefAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    return_value: Final[OpResult | None]
    arguments: Final[list[Value]]

class GLAcosOp(Operation):
    operand: Final[Value]

class GLAcoshOp(Operation):
    operand: Final[Value]

class GLAsinOp(Operation):
    operand: Final[Value]

class GLAsinhOp(Operation):
    operand: Final[Value]

class GLAtanOp(Operation):
    operand: Final[Value]

class GLAtanhOp(Operation):
    operand: Final[Value]

class GLCeilOp(Operation):
    operand: Final[Value]

class GLCosOp(Operation):
    operand: Final[Value]

class GLCoshOp(Operation):
    operand: Final[Value]

class GLCrossOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLDistanceOp(Operation):
    p0: Final[Value]
    p1: Final[Value]

class GLExp2Op(Operation):
    operand: Final[Value]

class GLExpOp(Operation):
    operand: Final[Value]

class GLFAbsOp(Operation):
    operand: Final[Value]

class GLFClampOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class GLFMaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLFMinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLFMixOp(Operation):
    x: Final[Value]
    y: Final[Value]
    a: Final[Value]

class GLFSignOp(Operation):
    operand: Final[Value]

class GLFindILsbOp(Operation):
    operand: Final[Value]

class GLFindSMsbOp(Operation):
    operand: Final[Value]

class GLFindUMsbOp(Operation):
    operand: Final[Value]

class GLFloorOp(Operation):
    operand: Final[Value]

class GLFmaOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class GLFractOp(Operation):
    operand: Final[Value]

class GLFrexpStructOp(Operation):
    operand: Final[Value]

class GLInverseSqrtOp(Operation):
    operand: Final[Value]

class GLLdexpOp(Operation):
    y: Final[OpResult]
    x: Final[Value]
    exp: Final[Value]

class GLLengthOp(Operation):
    operand: Final[Value]

class GLLog2Op(Operation):
    operand: Final[Value]

class GLLogOp(Operation):
    operand: Final[Value]

class GLNormalizeOp(Operation):
    operand: Final[Value]

class GLPackHalf2x16Op(Operation):
    operand: Final[Value]

class GLPackSnorm4x8Op(Operation):
    operand: Final[Value]

class GLPowOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLReflectOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLRoundEvenOp(Operation):
    operand: Final[Value]

class GLRoundOp(Operation):
    operand: Final[Value]

class GLSAbsOp(Operation):
    operand: Final[Value]

class GLSClampOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class GLSMaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLSMinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLSSignOp(Operation):
    operand: Final[Value]

class GLSinOp(Operation):
    operand: Final[Value]

class GLSinhOp(Operation):
    operand: Final[Value]

class GLSqrtOp(Operation):
    operand: Final[Value]

class GLTanOp(Operation):
    operand: Final[Value]

class GLTanhOp(Operation):
    operand: Final[Value]

class GLUClampOp(Operation):
    x: Final[Value]
    y: Final[Value]
    z: Final[Value]

class GLUMaxOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLUMinOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class GLUnpackHalf2x16Op(Operation):
    operand: Final[Value]

class GLUnpackSnorm4x8Op(Operation):
    operand: Final[Value]

class GenericCastToPtrExplicitOp(Operation):
    pointer: Final[Value]

class GenericCastToPtrOp(Operation):
    pointer: Final[Value]

class GlobalVariableOp(Operation):
    type: Final[TypeAttr]
    sym_name: Final[StringAttr]
    initializer: Final[SymbolRefAttr | None]
    binding: Final[IntegerAttr | None]
    descriptor_set: Final[IntegerAttr | None]
    built_in: Final[StringAttr | None]
    linkage_attributes: Final[Attribute | None]

class GroupBroadcastOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    localid: Final[Value]

class GroupFAddOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupFMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupFMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupIAddOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupNonUniformAllEqualOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]

class GroupNonUniformAllOp(Operation):
    execution_scope: Final[Attribute]
    predicate: Final[Value]

class GroupNonUniformAnyOp(Operation):
    execution_scope: Final[Attribute]
    predicate: Final[Value]

class GroupNonUniformBallotBitCountOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]

class GroupNonUniformBallotFindLSBOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]

class GroupNonUniformBallotFindMSBOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]

class GroupNonUniformBallotOp(Operation):
    execution_scope: Final[Attribute]
    predicate: Final[Value]

class GroupNonUniformBitwiseAndOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformBitwiseOrOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformBitwiseXorOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformBroadcastOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    id: Final[Value]

class GroupNonUniformElectOp(Operation):
    execution_scope: Final[Attribute]

class GroupNonUniformFAddOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformFMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformFMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformFMulOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformIAddOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformIMulOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformLogicalAndOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformLogicalOrOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformLogicalXorOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformQuadSwapOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    direction: Final[Value]

class GroupNonUniformRotateKHROp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    delta: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformSMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformSMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformShuffleDownOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    delta: Final[Value]

class GroupNonUniformShuffleOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    id: Final[Value]

class GroupNonUniformShuffleUpOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    delta: Final[Value]

class GroupNonUniformShuffleXorOp(Operation):
    execution_scope: Final[Attribute]
    value: Final[Value]
    mask: Final[Value]

class GroupNonUniformUMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupNonUniformUMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    value: Final[Value]
    cluster_size: Final[Value | None]

class GroupSMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupSMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupUMaxOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class GroupUMinOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class IAddCarryOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class IAddOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class IEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class IMulOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class INTELControlBarrierArriveOp(Operation):
    execution_scope: Final[Attribute]
    memory_scope: Final[Attribute]
    memory_semantics: Final[Attribute]

class INTELControlBarrierWaitOp(Operation):
    execution_scope: Final[Attribute]
    memory_scope: Final[Attribute]
    memory_semantics: Final[Attribute]

class INTELConvertBF16ToFOp(Operation):
    operand: Final[Value]

class INTELConvertFToBF16Op(Operation):
    operand: Final[Value]

class INTELRoundFToTF32Op(Operation):
    operand: Final[Value]

class INTELSubgroupBlockReadOp(Operation):
    value: Final[OpResult]
    ptr: Final[Value]

class INTELSubgroupBlockWriteOp(Operation):
    ptr: Final[Value]
    value: Final[Value]

class INotEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ISubBorrowOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ISubOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ImageDrefGatherOp(Operation):
    image_operands: Final[Attribute | None]
    sampled_image: Final[Value]
    coordinate: Final[Value]
    dref: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageFetchOp(Operation):
    image_operands: Final[Attribute | None]
    image: Final[Value]
    coordinate: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageOp(Operation):
    sampled_image: Final[Value]

class ImageQuerySizeOp(Operation):
    image: Final[Value]

class ImageReadOp(Operation):
    image_operands: Final[Attribute | None]
    image: Final[Value]
    coordinate: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageSampleExplicitLodOp(Operation):
    image_operands: Final[Attribute]
    sampled_image: Final[Value]
    coordinate: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageSampleImplicitLodOp(Operation):
    image_operands: Final[Attribute | None]
    sampled_image: Final[Value]
    coordinate: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageSampleProjDrefImplicitLodOp(Operation):
    image_operands: Final[Attribute | None]
    sampled_image: Final[Value]
    coordinate: Final[Value]
    dref: Final[Value]
    operand_arguments: Final[list[Value]]

class ImageWriteOp(Operation):
    image_operands: Final[Attribute | None]
    image: Final[Value]
    coordinate: Final[Value]
    texel: Final[Value]
    operand_arguments: Final[list[Value]]

class InBoundsPtrAccessChainOp(Operation):
    base_ptr: Final[Value]
    element: Final[Value]
    indices: Final[list[Value]]

class IsFiniteOp(Operation):
    operand: Final[Value]

class IsInfOp(Operation):
    operand: Final[Value]

class IsNanOp(Operation):
    operand: Final[Value]

class KHRAssumeTrueOp(Operation):
    condition: Final[Value]

class KHRCooperativeMatrixLengthOp(Operation):
    cooperative_matrix_type: Final[TypeAttr]

class KHRCooperativeMatrixLoadOp(Operation):
    matrix_layout: Final[Attribute]
    memory_operand: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    pointer: Final[Value]
    stride: Final[Value]

class KHRCooperativeMatrixMulAddOp(Operation):
    matrix_operands: Final[Attribute | None]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class KHRCooperativeMatrixStoreOp(Operation):
    matrix_layout: Final[Attribute]
    memory_operand: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    pointer: Final[Value]
    object: Final[Value]
    stride: Final[Value]

class KHRGroupFMulOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class KHRGroupIMulOp(Operation):
    execution_scope: Final[Attribute]
    group_operation: Final[Attribute]
    x: Final[Value]

class KHRSubgroupBallotOp(Operation):
    predicate: Final[Value]

class KillOp(Operation): ...

class LoadOp(Operation):
    memory_access: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    value: Final[OpResult]
    ptr: Final[Value]

class LogicalAndOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class LogicalEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class LogicalNotEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class LogicalNotOp(Operation):
    operand: Final[Value]

class LogicalOrOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class MatrixTimesMatrixOp(Operation):
    leftmatrix: Final[Value]
    rightmatrix: Final[Value]

class MatrixTimesScalarOp(Operation):
    matrix: Final[Value]
    scalar: Final[Value]

class MatrixTimesVectorOp(Operation):
    matrix: Final[Value]
    vector: Final[Value]

class MemoryBarrierOp(Operation):
    memory_scope: Final[Attribute]
    memory_semantics: Final[Attribute]

class MlirAddressofOp(Operation):
    variable: Final[SymbolRefAttr]
    pointer: Final[OpResult]

class MlirLoopOp(Operation):
    loop_control: Final[Attribute]
    body: Final[Region]

class MlirMergeOp(Operation): ...

class MlirReferenceofOp(Operation):
    spec_const: Final[SymbolRefAttr]
    reference: Final[OpResult]

class MlirSelectionOp(Operation):
    selection_control: Final[Attribute]
    body: Final[Region]

class MlirYieldOp(Operation):
    operand: Final[Value]

class ModuleOp(Operation):
    addressing_model: Final[Attribute]
    memory_model: Final[Attribute]
    vce_triple: Final[Attribute | None]
    sym_name: Final[StringAttr | None]
    _region0: Final[Region]

class NotOp(Operation):
    operand: Final[Value]

class OrderedOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class PtrAccessChainOp(Operation):
    base_ptr: Final[Value]
    element: Final[Value]
    indices: Final[list[Value]]

class PtrCastToGenericOp(Operation):
    pointer: Final[Value]

class ReturnOp(Operation): ...

class ReturnValueOp(Operation):
    value: Final[Value]

class SConvertOp(Operation):
    operand: Final[Value]

class SDivOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SDotAccSatOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]
    accumulator: Final[Value]

class SDotOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]

class SGreaterThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SGreaterThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SLessThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SLessThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SModOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SMulExtendedOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SNegateOp(Operation):
    operand: Final[Value]

class SRemOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SUDotAccSatOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]
    accumulator: Final[Value]

class SUDotOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]

class SelectOp(Operation):
    condition: Final[Value]
    true_value: Final[Value]
    false_value: Final[Value]

class ShiftLeftLogicalOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ShiftRightArithmeticOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ShiftRightLogicalOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class SpecConstantCompositeOp(Operation):
    type: Final[TypeAttr]
    sym_name: Final[StringAttr]
    constituents: Final[ArrayAttr]

class SpecConstantOp(Operation):
    sym_name: Final[StringAttr]
    default_value: Final[Attribute]

class SpecConstantOperationOp(Operation):
    body: Final[Region]

class StoreOp(Operation):
    memory_access: Final[Attribute | None]
    alignment: Final[IntegerAttr | None]
    ptr: Final[Value]
    value: Final[Value]

class SwitchOp(Operation):
    literals: Final[Attribute | None]
    case_operand_segments: Final[DenseArrayAttr]
    defaultTarget: Final[Block]
    targets: Final[list[Block]]
    selector: Final[Value]
    defaultOperands: Final[list[Value]]
    targetOperands: Final[list[Value]]

class TransposeOp(Operation):
    matrix: Final[Value]

class UConvertOp(Operation):
    operand: Final[Value]

class UDivOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UDotAccSatOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]
    accumulator: Final[Value]

class UDotOp(Operation):
    format: Final[Attribute | None]
    vector1: Final[Value]
    vector2: Final[Value]

class UGreaterThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UGreaterThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ULessThanEqualOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class ULessThanOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UModOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UMulExtendedOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UndefOp(Operation): ...

class UnorderedOp(Operation):
    operand1: Final[Value]
    operand2: Final[Value]

class UnreachableOp(Operation): ...

class VariableOp(Operation):
    storage_class: Final[Attribute]
    pointer: Final[OpResult]
    initializer: Final[Value | None]

class VectorExtractDynamicOp(Operation):
    vector: Final[Value]
    index: Final[Value]

class VectorInsertDynamicOp(Operation):
    vector: Final[Value]
    component: Final[Value]
    index: Final[Value]

class VectorShuffleOp(Operation):
    components: Final[ArrayAttr]
    vector1: Final[Value]
    vector2: Final[Value]

class VectorTimesMatrixOp(Operation):
    vector: Final[Value]
    matrix: Final[Value]

class VectorTimesScalarOp(Operation):
    vector: Final[Value]
    scalar: Final[Value]
