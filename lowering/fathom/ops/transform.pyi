from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, DictAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AffineSimplifyBoundedAffineOpsOp(Operation):
    lower_bounds: Final[DenseArrayAttr]
    upper_bounds: Final[DenseArrayAttr]
    target: Final[Value]
    bounded_values: Final[list[Value]]

class AffineSimplifyMinMaxAffineOpsOp(Operation):
    target: Final[Value]

class AlternativesOp(Operation):
    alternatives: Final[list[Region]]
    scope: Final[Value | None]

class AnnotateOp(Operation):
    target: Final[Value]
    param: Final[Value | None]

class ApplyConversionPatternsDialectToLlvmOp(Operation):
    dialect_name: Final[StringAttr]

class ApplyConversionPatternsFuncFuncToLlvmOp(Operation): ...
class ApplyConversionPatternsGpuGpuSubgroupReduceToNvvmOp(Operation): ...

class ApplyConversionPatternsGpuGpuToNvvmOp(Operation):
    benefit: Final[IntegerAttr]

class ApplyConversionPatternsGpuGpuToRocdlOp(Operation):
    chipset: Final[StringAttr]

class ApplyConversionPatternsGpuGpuWmmaToNvvmOp(Operation): ...

class ApplyConversionPatternsMemrefMemrefToLlvmTypeConverterOp(Operation):
    use_aligned_alloc: Final[IntegerAttr]
    index_bitwidth: Final[IntegerAttr]
    use_generic_functions: Final[IntegerAttr]
    use_bare_ptr_call_conv: Final[IntegerAttr]
    data_layout: Final[StringAttr | None]

class ApplyConversionPatternsNvgpuNvgpuToNvvmOp(Operation): ...

class ApplyConversionPatternsOp(Operation):
    legal_ops: Final[ArrayAttr | None]
    illegal_ops: Final[ArrayAttr | None]
    legal_dialects: Final[ArrayAttr | None]
    illegal_dialects: Final[ArrayAttr | None]
    partial_conversion: Final[UnitAttr | None]
    preserve_handles: Final[UnitAttr | None]
    patterns: Final[Region]
    default_type_converter_region: Final[list[Region]]
    target: Final[Value]

class ApplyConversionPatternsScfScfToControlFlowOp(Operation): ...
class ApplyConversionPatternsScfStructuralConversionsOp(Operation): ...

class ApplyConversionPatternsVectorVectorToLlvmOp(Operation):
    reassociate_fp_reductions: Final[IntegerAttr]
    force_32bit_vector_indices: Final[IntegerAttr]
    use_vector_alignment: Final[IntegerAttr]

class ApplyCseOp(Operation):
    target: Final[Value]

class ApplyDceOp(Operation):
    target: Final[Value]

class ApplyLicmOp(Operation):
    target: Final[Value]

class ApplyPatternsArmNeonVectorContractToBfmmlaOp(Operation): ...
class ApplyPatternsArmNeonVectorContractToI8mmOp(Operation): ...
class ApplyPatternsArmSveVectorContractToBfmmlaOp(Operation): ...
class ApplyPatternsArmSveVectorContractToI8mmOp(Operation): ...
class ApplyPatternsCanonicalizationOp(Operation): ...
class ApplyPatternsGpuEliminateBarriersOp(Operation): ...
class ApplyPatternsGpuGpuRewritePatternsOp(Operation): ...

class ApplyPatternsGpuGpuShuffleToAmdgpuOp(Operation):
    chipset: Final[StringAttr | None]

class ApplyPatternsGpuUnrollVectorsSubgroupMmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]

class ApplyPatternsLinalgDecomposePackUnpackOp(Operation): ...
class ApplyPatternsLinalgDecomposePadOp(Operation): ...
class ApplyPatternsLinalgEraseUnnecessaryInputsOp(Operation): ...
class ApplyPatternsLinalgFoldAddIntoDestOp(Operation): ...

class ApplyPatternsLinalgFoldPackUnpackIntoEmptyOp(Operation):
    fold_single_use_only: Final[IntegerAttr]

class ApplyPatternsLinalgFoldUnitExtentDimsViaReshapesOp(Operation): ...
class ApplyPatternsLinalgFoldUnitExtentDimsViaSlicesOp(Operation): ...
class ApplyPatternsLinalgPadVectorizationOp(Operation): ...
class ApplyPatternsLinalgTilingCanonicalizationOp(Operation): ...

class ApplyPatternsMemrefAllocToAllocaOp(Operation):
    size_limit: Final[IntegerAttr | None]

class ApplyPatternsMemrefExpandOpsOp(Operation): ...
class ApplyPatternsMemrefExpandStridedMetadataOp(Operation): ...
class ApplyPatternsMemrefExtractAddressComputationsOp(Operation): ...
class ApplyPatternsMemrefFoldMemrefAliasOpsOp(Operation): ...
class ApplyPatternsMemrefResolveRankedShapedTypeResultDimsOp(Operation): ...

class ApplyPatternsOp(Operation):
    apply_cse: Final[UnitAttr | None]
    max_iterations: Final[IntegerAttr]
    max_num_rewrites: Final[IntegerAttr]
    patterns: Final[Region]
    target: Final[Value]

class ApplyPatternsScfForLoopCanonicalizationOp(Operation): ...
class ApplyPatternsTensorBubbleUpExtractSliceOp(Operation): ...
class ApplyPatternsTensorDecomposeConcatOp(Operation): ...
class ApplyPatternsTensorDropRedundantInsertSliceRankExpansionOp(Operation): ...
class ApplyPatternsTensorFoldIntoPackAndUnpackOp(Operation): ...

class ApplyPatternsTensorFoldTensorEmptyOp(Operation):
    fold_single_use_only: Final[IntegerAttr]

class ApplyPatternsTensorFoldTensorSubsetOpsIntoVectorTransfersOp(Operation): ...
class ApplyPatternsTensorFoldTensorSubsetOpsOp(Operation): ...
class ApplyPatternsTensorMergeConsecutiveInsertExtractSliceOp(Operation): ...
class ApplyPatternsTensorReassociativeReshapeFoldingOp(Operation): ...

class ApplyPatternsTensorRewriteAsConstantOp(Operation):
    aggressive: Final[UnitAttr | None]

class ApplyPatternsVectorCastAwayVectorLeadingOneDimOp(Operation): ...
class ApplyPatternsVectorDropInnerMostUnitDimsFromXferOpsOp(Operation): ...
class ApplyPatternsVectorDropUnitDimsWithShapeCastOp(Operation): ...
class ApplyPatternsVectorElementwiseToVectorOp(Operation): ...
class ApplyPatternsVectorFoldArithExtensionOp(Operation): ...
class ApplyPatternsVectorInterleaveToShuffleOp(Operation): ...
class ApplyPatternsVectorLowerBitcastOp(Operation): ...
class ApplyPatternsVectorLowerBroadcastOp(Operation): ...

class ApplyPatternsVectorLowerContractionOp(Operation):
    lowering_strategy: Final[IntegerAttr]

class ApplyPatternsVectorLowerCreateMaskOp(Operation): ...
class ApplyPatternsVectorLowerGatherOp(Operation): ...
class ApplyPatternsVectorLowerInterleaveOp(Operation): ...
class ApplyPatternsVectorLowerMaskedTransfersOp(Operation): ...
class ApplyPatternsVectorLowerMasksOp(Operation): ...

class ApplyPatternsVectorLowerMultiReductionOp(Operation):
    lowering_strategy: Final[IntegerAttr]

class ApplyPatternsVectorLowerOuterproductOp(Operation): ...
class ApplyPatternsVectorLowerScanOp(Operation): ...
class ApplyPatternsVectorLowerShapeCastOp(Operation): ...

class ApplyPatternsVectorLowerTransferOp(Operation):
    max_transfer_rank: Final[IntegerAttr]

class ApplyPatternsVectorLowerTransposeOp(Operation):
    lowering_strategy: Final[IntegerAttr]
    avx2_lowering_strategy: Final[IntegerAttr]

class ApplyPatternsVectorMaterializeMasksOp(Operation): ...
class ApplyPatternsVectorRankReducingSubviewPatternsOp(Operation): ...
class ApplyPatternsVectorReductionToContractOp(Operation): ...
class ApplyPatternsVectorRewriteNarrowTypesOp(Operation): ...
class ApplyPatternsVectorSinkMemOpsOp(Operation): ...
class ApplyPatternsVectorSinkOpsOp(Operation): ...

class ApplyPatternsVectorSplitTransferFullPartialOp(Operation):
    split_transfer_strategy: Final[IntegerAttr]

class ApplyPatternsVectorTransferPermutationPatternsOp(Operation): ...

class ApplyPatternsVectorTransferToScfOp(Operation):
    max_transfer_rank: Final[IntegerAttr]
    full_unroll: Final[IntegerAttr]

class ApplyPatternsVectorUnrollFromElementsOp(Operation): ...
class ApplyPatternsVectorUnrollToElementsOp(Operation): ...
class ApplyPatternsX86vectorSinkVectorProducerOpsOp(Operation): ...
class ApplyPatternsX86vectorVectorContractBf16ToFmaOp(Operation): ...
class ApplyPatternsX86vectorVectorContractToFmaOp(Operation): ...
class ApplyPatternsX86vectorVectorContractToPackedTypeDotProductOp(Operation): ...

class ApplyRegisteredPassOp(Operation):
    pass_name: Final[StringAttr]
    options: Final[DictAttr]
    target: Final[Value]
    dynamic_options: Final[list[Value]]

class BufferizationBufferLoopHoistingOp(Operation):
    target: Final[Value]

class BufferizationEliminateEmptyTensorsOp(Operation):
    target: Final[Value]

class BufferizationEmptyTensorToAllocTensorOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class BufferizationOneShotBufferizeOp(Operation):
    function_boundary_type_conversion: Final[IntegerAttr | None]
    allow_return_allocs_from_loops: Final[IntegerAttr]
    allow_unknown_ops: Final[IntegerAttr]
    bufferize_function_boundaries: Final[IntegerAttr]
    dump_alias_sets: Final[IntegerAttr]
    test_analysis_only: Final[IntegerAttr]
    print_conflicts: Final[IntegerAttr]
    check_parallel_regions: Final[IntegerAttr]
    memcpy_op: Final[StringAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class CastOp(Operation):
    output: Final[OpResult]
    input: Final[Value]

class CollectMatchingOp(Operation):
    matcher: Final[SymbolRefAttr]
    root: Final[Value]

class DebugEmitParamAsRemarkOp(Operation):
    message: Final[StringAttr | None]
    param: Final[Value]
    anchor: Final[Value | None]

class DebugEmitRemarkAtOp(Operation):
    message: Final[StringAttr]
    at: Final[Value]

class DltiQueryOp(Operation):
    keys: Final[ArrayAttr]
    associated_attr: Final[OpResult]
    target: Final[Value]

class ForeachMatchOp(Operation):
    restrict_root: Final[UnitAttr | None]
    flatten_results: Final[UnitAttr | None]
    matchers: Final[ArrayAttr]
    actions: Final[ArrayAttr]
    updated: Final[OpResult]
    forwarded_outputs: Final[list[OpResult]]
    root: Final[Value]
    forwarded_inputs: Final[list[Value]]

class ForeachOp(Operation):
    with_zip_shortest: Final[UnitAttr | None]
    body: Final[Region]
    targets: Final[list[Value]]

class FuncCastAndCallOp(Operation):
    insert_after: Final[UnitAttr | None]
    function_name: Final[SymbolRefAttr | None]
    conversions: Final[Region]
    insertion_point: Final[Value]
    inputs: Final[Value | None]
    outputs: Final[Value | None]
    function: Final[Value | None]

class FuncDeduplicateFuncArgsOp(Operation):
    function_name: Final[SymbolRefAttr]
    transformed_module: Final[OpResult]
    transformed_function: Final[OpResult]
    module: Final[Value]

class FuncReplaceFuncSignatureOp(Operation):
    function_name: Final[SymbolRefAttr]
    args_interchange: Final[DenseArrayAttr]
    results_interchange: Final[DenseArrayAttr]
    adjust_func_calls: Final[UnitAttr | None]
    transformed_module: Final[OpResult]
    transformed_function: Final[OpResult]
    module: Final[Value]

class GetConsumersOfResultOp(Operation):
    result_number: Final[IntegerAttr]
    consumers: Final[OpResult]
    target: Final[Value]

class GetDefiningOpOp(Operation):
    target: Final[Value]

class GetOperandOp(Operation):
    raw_position_list: Final[DenseArrayAttr]
    is_inverted: Final[UnitAttr | None]
    is_all: Final[UnitAttr | None]
    target: Final[Value]

class GetParentOpOp(Operation):
    isolated_from_above: Final[UnitAttr | None]
    allow_empty_results: Final[UnitAttr | None]
    op_name: Final[StringAttr | None]
    deduplicate: Final[UnitAttr | None]
    nth_parent: Final[IntegerAttr]
    target: Final[Value]

class GetProducerOfOperandOp(Operation):
    operand_number: Final[IntegerAttr]
    producer: Final[OpResult]
    target: Final[Value]

class GetResultOp(Operation):
    raw_position_list: Final[DenseArrayAttr]
    is_inverted: Final[UnitAttr | None]
    is_all: Final[UnitAttr | None]
    target: Final[Value]

class GetTypeOp(Operation):
    elemental: Final[UnitAttr | None]
    type_param: Final[OpResult]
    value: Final[Value]

class GpuMapForallToBlocksOp(Operation):
    grid_dims: Final[DenseArrayAttr]
    generate_gpu_launch: Final[UnitAttr | None]
    target: Final[Value]

class GpuMapNestedForallToThreadsOp(Operation):
    block_dims: Final[DenseArrayAttr]
    sync_after_distribute: Final[IntegerAttr]
    warp_size: Final[IntegerAttr]
    target: Final[Value]

class IncludeOp(Operation):
    target: Final[SymbolRefAttr]
    failure_propagation_mode: Final[IntegerAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]

class IrdlCollectMatchingOp(Operation):
    body: Final[Region]
    matched: Final[OpResult]
    root: Final[Value]

class LoopCoalesceOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class LoopForallToForOp(Operation):
    transformed: Final[list[OpResult]]
    target: Final[Value]

class LoopForallToParallelOp(Operation):
    transformed: Final[list[OpResult]]
    target: Final[Value]

class LoopFuseSiblingOp(Operation):
    fused_loop: Final[OpResult]
    target: Final[Value]
    source: Final[Value]

class LoopHoistLoopInvariantSubsetsOp(Operation):
    target: Final[Value]

class LoopOutlineOp(Operation):
    func_name: Final[StringAttr]
    function: Final[OpResult]
    call: Final[OpResult]
    target: Final[Value]

class LoopParallelForToNestedForsOp(Operation):
    transformed: Final[list[OpResult]]
    target: Final[Value]

class LoopPeelOp(Operation):
    peel_front: Final[IntegerAttr]
    fail_if_already_divisible: Final[IntegerAttr]
    peeled_loop: Final[OpResult]
    remainder_loop: Final[OpResult]
    target: Final[Value]

class LoopPipelineOp(Operation):
    iteration_interval: Final[IntegerAttr]
    read_latency: Final[IntegerAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class LoopPromoteIfOneIterationOp(Operation):
    target: Final[Value]

class LoopUnrollAndJamOp(Operation):
    factor: Final[IntegerAttr]
    target: Final[Value]

class LoopUnrollOp(Operation):
    factor: Final[IntegerAttr]
    target: Final[Value]

class MatchOperationEmptyOp(Operation):
    operand_handle: Final[Value]

class MatchOperationNameOp(Operation):
    op_names: Final[ArrayAttr]
    operand_handle: Final[Value]

class MatchParamCmpiOp(Operation):
    predicate: Final[IntegerAttr]
    param: Final[Value]
    reference: Final[Value]

class MatchStructuredBodyOp(Operation):
    reduction_position: Final[IntegerAttr | None]
    passthrough: Final[UnitAttr | None]
    elementwise: Final[UnitAttr | None]
    contraction: Final[ArrayAttr | None]
    operand_handle: Final[Value]

class MatchStructuredClassifyContractionDimsOp(Operation):
    batch: Final[OpResult]
    m: Final[OpResult]
    n: Final[OpResult]
    k: Final[OpResult]
    operand_handle: Final[Value]

class MatchStructuredClassifyConvolutionDimsOp(Operation):
    batch: Final[OpResult]
    output_image: Final[OpResult]
    output_channel: Final[OpResult]
    filter_loop: Final[OpResult]
    input_channel: Final[OpResult]
    depth: Final[OpResult]
    strides: Final[OpResult]
    dilations: Final[OpResult]
    operand_handle: Final[Value]

class MatchStructuredDimOp(Operation):
    raw_dim_list: Final[DenseArrayAttr]
    is_inverted: Final[UnitAttr | None]
    is_all: Final[UnitAttr | None]
    parallel: Final[UnitAttr | None]
    reduction: Final[UnitAttr | None]
    operand_handle: Final[Value]

class MatchStructuredElementalBitwidthOp(Operation):
    operand_handle: Final[Value]

class MatchStructuredInitOp(Operation):
    raw_position_list: Final[DenseArrayAttr]
    is_inverted: Final[UnitAttr | None]
    is_all: Final[UnitAttr | None]
    permutation: Final[UnitAttr | None]
    projected_permutation: Final[UnitAttr | None]
    operand_handle: Final[Value]

class MatchStructuredInputOp(Operation):
    raw_position_list: Final[DenseArrayAttr]
    is_inverted: Final[UnitAttr | None]
    is_all: Final[UnitAttr | None]
    permutation: Final[UnitAttr | None]
    projected_permutation: Final[UnitAttr | None]
    operand_handle: Final[Value]

class MatchStructuredNumInitsOp(Operation):
    operand_handle: Final[Value]

class MatchStructuredNumInputsOp(Operation):
    operand_handle: Final[Value]

class MatchStructuredOp(Operation):
    failure_propagation_mode: Final[IntegerAttr | None]
    body_region: Final[Region]
    outputs: Final[list[OpResult]]
    current: Final[Value]

class MatchStructuredRankOp(Operation):
    rank: Final[OpResult]
    operand_handle: Final[Value]

class MatchStructuredResultOp(Operation):
    position: Final[IntegerAttr]
    any: Final[UnitAttr | None]
    single: Final[UnitAttr | None]
    operand_handle: Final[Value]

class MatchStructuredYieldOp(Operation):
    handles: Final[list[Value]]

class MemrefAllocaToGlobalOp(Operation):
    getGlobal: Final[OpResult]
    global_: Final[OpResult]
    alloca: Final[Value]

class MemrefEraseDeadAllocAndStoresOp(Operation):
    target: Final[Value]

class MemrefMakeLoopIndependentOp(Operation):
    num_loops: Final[IntegerAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class MemrefMultibufferOp(Operation):
    factor: Final[IntegerAttr]
    skip_analysis: Final[UnitAttr | None]
    transformed: Final[OpResult]
    target: Final[Value]

class MergeHandlesOp(Operation):
    deduplicate: Final[UnitAttr | None]
    handles: Final[list[Value]]

class NamedSequenceOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    sym_visibility: Final[StringAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    body: Final[Region]

class NumAssociationsOp(Operation):
    num: Final[OpResult]
    handle: Final[Value]

class NvgpuCreateAsyncGroupsOp(Operation):
    bypass_l1: Final[UnitAttr | None]
    target: Final[Value]

class NvgpuPipelineSharedMemoryCopiesOp(Operation):
    depth: Final[IntegerAttr]
    peel_epilogue: Final[UnitAttr | None]
    failure_propagation_mode: Final[IntegerAttr]
    for_op: Final[Value]

class NvgpuRewriteCopyAsTmaOp(Operation):
    target: Final[Value]

class NvgpuRewriteMatmulAsMmaSyncOp(Operation):
    target: Final[Value]

class ParamConstantOp(Operation):
    value: Final[Attribute]
    param: Final[OpResult]

class PdlMatchOp(Operation):
    pattern_name: Final[SymbolRefAttr]
    matched: Final[OpResult]
    root: Final[Value]

class PrintOp(Operation):
    assume_verified: Final[UnitAttr | None]
    use_local_scope: Final[UnitAttr | None]
    skip_regions: Final[UnitAttr | None]
    target: Final[Value | None]

class ReplicateOp(Operation):
    replicated: Final[list[OpResult]]
    pattern: Final[Value]
    handles: Final[list[Value]]

class ScfTakeAssumedBranchOp(Operation):
    take_else_branch: Final[UnitAttr | None]
    target: Final[Value]

class SelectOp(Operation):
    op_name: Final[StringAttr]
    target: Final[Value]

class SequenceOp(Operation):
    failure_propagation_mode: Final[IntegerAttr]
    body: Final[Region]
    root: Final[Value | None]
    extra_bindings: Final[list[Value]]

class SmtConstrainParamsOp(Operation):
    body: Final[Region]
    params: Final[list[Value]]

class SparseTensorMatchSparseInoutOp(Operation):
    target: Final[Value]

class SplitHandleOp(Operation):
    pass_through_empty_handle: Final[IntegerAttr]
    fail_on_payload_too_small: Final[IntegerAttr]
    overflow_result: Final[IntegerAttr | None]
    handle: Final[Value]

class StructuredBufferizeToAllocationOp(Operation):
    memory_space: Final[Attribute | None]
    memcpy_op: Final[StringAttr]
    alloc_op: Final[StringAttr]
    bufferize_destination_only: Final[UnitAttr | None]
    emit_dealloc: Final[UnitAttr | None]
    allocated_buffer: Final[OpResult]
    new_ops: Final[OpResult]
    target: Final[Value]

class StructuredContinuousTileSizesOp(Operation):
    dimension: Final[IntegerAttr]
    target_size: Final[IntegerAttr]
    tile_sizes: Final[OpResult]
    chunk_sizes: Final[OpResult]
    target: Final[Value]

class StructuredConvertConv2dToImg2colOp(Operation):
    img2col_tensor: Final[OpResult]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredConvertToLoopsOp(Operation):
    target: Final[Value]

class StructuredDecomposeInterfaceOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredDecomposeOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredDecomposeWinogradOpOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredEliminateEmptyTensorsOp(Operation):
    target: Final[Value]

class StructuredFlattenElementwiseOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredFuseIntoContainingOpOp(Operation):
    fused_op: Final[OpResult]
    new_containing_op: Final[OpResult]
    producer_op: Final[Value]
    containing_op: Final[Value]

class StructuredFuseOp(Operation):
    static_tile_sizes: Final[DenseArrayAttr]
    static_tile_interchange: Final[DenseArrayAttr]
    apply_cleanup: Final[UnitAttr | None]
    use_forall: Final[UnitAttr | None]
    transformed: Final[OpResult]
    loops: Final[list[OpResult]]
    target: Final[Value]
    tile_sizes: Final[list[Value]]
    tile_interchange: Final[list[Value]]

class StructuredGeneralizeOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredGpuMapCopyToThreadsOp(Operation):
    total_num_threads: Final[IntegerAttr]
    desired_bit_alignment: Final[IntegerAttr]
    forall_op: Final[OpResult]
    tiled_op: Final[OpResult]
    target: Final[Value]

class StructuredHoistPadBuildPackingLoopNestOp(Operation):
    transpose: Final[DenseArrayAttr]
    packing_loop: Final[OpResult]
    target: Final[Value]
    loop: Final[Value]

class StructuredHoistPadOp(Operation):
    num_loops: Final[IntegerAttr]
    transpose: Final[DenseArrayAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredHoistRedundantVectorBroadcastsOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredHoistRedundantVectorTransfersOp(Operation):
    verify_non_zero_trip: Final[UnitAttr | None]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredInsertSliceToCopyOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredInterchangeOp(Operation):
    iterator_interchange: Final[DenseArrayAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredLinalgCopyToMemrefOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredLowerPackOp(Operation):
    lowerPadLikeWithInsertSlice: Final[IntegerAttr]
    pad_op: Final[OpResult]
    expand_shape_op: Final[OpResult]
    transpose_op: Final[OpResult]
    target: Final[Value]

class StructuredLowerUnpackOp(Operation):
    lowerUnpadLikeWithExtractSlice: Final[IntegerAttr]
    empty_op: Final[OpResult]
    transpose_op: Final[OpResult]
    collapse_shape_op: Final[OpResult]
    extract_slice_op: Final[OpResult]
    target: Final[Value]

class StructuredMatchOp(Operation):
    ops: Final[ArrayAttr | None]
    op_attrs: Final[DictAttr | None]
    filter_result_type: Final[TypeAttr | None]
    filter_operand_types: Final[ArrayAttr | None]
    target: Final[Value]

class StructuredMultitileSizesOp(Operation):
    dimension: Final[IntegerAttr]
    target_size: Final[IntegerAttr]
    divisor: Final[IntegerAttr]
    low_size: Final[OpResult]
    high_size: Final[OpResult]
    split_point: Final[OpResult]
    target: Final[Value]

class StructuredPackGreedilyOp(Operation):
    static_matmul_packed_sizes: Final[DenseArrayAttr | None]
    matmul_padded_sizes_next_multiple_of: Final[DenseArrayAttr]
    matmul_inner_dims_order: Final[DenseArrayAttr | None]
    packed_op: Final[OpResult]
    target: Final[Value]
    matmul_packed_sizes: Final[list[Value]]

class StructuredPackOp(Operation):
    static_packed_sizes: Final[DenseArrayAttr]
    packed_op: Final[OpResult]
    target: Final[Value]
    packed_sizes: Final[list[Value]]

class StructuredPackTransposeOp(Operation):
    outer_perm: Final[DenseArrayAttr]
    inner_perm: Final[DenseArrayAttr]
    packed_op: Final[OpResult]
    pack_op: Final[OpResult]
    un_pack_op: Final[OpResult]
    target_pack_or_un_pack_op: Final[Value]
    target_linalg_op: Final[Value]

class StructuredPadOp(Operation):
    padding_values: Final[ArrayAttr]
    padding_dimensions: Final[ArrayAttr]
    static_pad_to_multiple_of: Final[DenseArrayAttr]
    nofold_flags: Final[ArrayAttr]
    transpose_paddings: Final[ArrayAttr]
    copy_back_op: Final[StringAttr]
    use_prescribed_tensor_shapes: Final[UnitAttr | None]
    padded: Final[OpResult]
    pad: Final[OpResult]
    copy: Final[OpResult]
    target: Final[Value]
    pad_to_multiple_of: Final[list[Value]]

class StructuredPadTilingInterfaceOp(Operation):
    padding_values: Final[ArrayAttr]
    static_padding_sizes: Final[DenseArrayAttr]
    pad_to_multiple_of: Final[UnitAttr | None]
    padded: Final[OpResult]
    pad: Final[OpResult]
    target: Final[Value]
    padding_sizes: Final[list[Value]]

class StructuredPromoteOp(Operation):
    operands_to_promote: Final[ArrayAttr]
    use_full_tile_buffers: Final[ArrayAttr]
    use_full_tiles_by_default: Final[UnitAttr | None]
    use_original_subview_size: Final[UnitAttr | None]
    use_alloca: Final[UnitAttr | None]
    memory_space: Final[Attribute | None]
    mapping: Final[ArrayAttr | None]
    alignment: Final[IntegerAttr | None]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredPromoteTensorOp(Operation):
    memory_space: Final[Attribute | None]
    promoted: Final[OpResult]
    tensor: Final[Value]

class StructuredReplaceOp(Operation):
    bodyRegion: Final[Region]
    replacement: Final[OpResult]
    target: Final[Value]

class StructuredRewriteInDestinationPassingStyleOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredScalarizeOp(Operation):
    target: Final[Value]

class StructuredSpecializeOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredSplitOp(Operation):
    dimension: Final[IntegerAttr]
    static_chunk_sizes: Final[IntegerAttr]
    multiway: Final[UnitAttr | None]
    split_list: Final[OpResult]
    target: Final[Value]
    dynamic_chunk_sizes: Final[Value | None]

class StructuredSplitReductionOp(Operation):
    split_factor: Final[IntegerAttr | None]
    insert_split_dimension: Final[IntegerAttr | None]
    inner_parallel: Final[UnitAttr | None]
    use_scaling_algorithm: Final[UnitAttr | None]
    use_alloc: Final[UnitAttr | None]
    init_or_alloc_op: Final[OpResult]
    fill_op: Final[OpResult]
    split_linalg_op: Final[OpResult]
    combining_linalg_op: Final[OpResult]
    target: Final[Value]

class StructuredTileReductionUsingForOp(Operation):
    reduction_dims: Final[ArrayAttr]
    tile_sizes: Final[ArrayAttr]
    fill_op: Final[list[OpResult]]
    split_op: Final[OpResult]
    combining_op: Final[OpResult]
    for_op: Final[OpResult]
    target: Final[Value]

class StructuredTileReductionUsingForallOp(Operation):
    reduction_dims: Final[ArrayAttr]
    num_threads: Final[DenseArrayAttr]
    tile_sizes: Final[DenseArrayAttr]
    mapping: Final[ArrayAttr | None]
    fill_op: Final[list[OpResult]]
    split_op: Final[OpResult]
    combining_op: Final[OpResult]
    forall_op: Final[OpResult]
    target: Final[Value]

class StructuredTileUsingForOp(Operation):
    static_sizes: Final[DenseArrayAttr]
    interchange: Final[DenseArrayAttr]
    scalable_sizes: Final[DenseArrayAttr]
    tiled_linalg_op: Final[OpResult]
    loops: Final[list[OpResult]]
    target: Final[Value]
    dynamic_sizes: Final[list[Value]]

class StructuredTileUsingForallOp(Operation):
    static_num_threads: Final[DenseArrayAttr]
    static_tile_sizes: Final[DenseArrayAttr]
    mapping: Final[ArrayAttr | None]
    tiled_op: Final[OpResult]
    forall_op: Final[OpResult]
    target: Final[Value]
    num_threads: Final[list[Value]]
    tile_sizes: Final[list[Value]]
    packed_num_threads: Final[Value | None]
    packed_tile_sizes: Final[Value | None]

class StructuredTransposeConv2dOp(Operation):
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredTransposeMatmulOp(Operation):
    inputToTranspose: Final[IntegerAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredVectorizeChildrenAndApplyPatternsOp(Operation):
    fold_type_extensions_into_contract: Final[UnitAttr | None]
    vectorize_padding: Final[UnitAttr | None]
    vectorize_nd_extract: Final[UnitAttr | None]
    flatten_1d_depthwise_conv: Final[UnitAttr | None]
    disable_multi_reduction_to_contract_patterns: Final[UnitAttr | None]
    disable_transfer_permutation_map_lowering_patterns: Final[UnitAttr | None]
    transformed: Final[OpResult]
    target: Final[Value]

class StructuredVectorizeOp(Operation):
    static_vector_sizes: Final[DenseArrayAttr]
    vectorize_nd_extract: Final[UnitAttr | None]
    assume_dynamic_dims_match_vec_sizes: Final[UnitAttr | None]
    create_named_contraction: Final[UnitAttr | None]
    scalable_sizes: Final[DenseArrayAttr]
    target: Final[Value]
    vector_sizes: Final[list[Value]]

class StructuredWinogradConv2dOp(Operation):
    fmr: Final[IntegerAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class TensorMakeLoopIndependentOp(Operation):
    num_loops: Final[IntegerAttr]
    transformed: Final[OpResult]
    target: Final[Value]

class TuneAlternativesOp(Operation):
    selected_region_attr: Final[IntegerAttr | None]
    alternatives: Final[list[Region]]
    selected_region_param: Final[Value | None]

class TuneKnobOp(Operation):
    options: Final[Attribute]
    selected: Final[Attribute | None]

class TypeConversionTensorCastShapeDynamicDimsOp(Operation):
    ignore_dynamic_info: Final[UnitAttr | None]

class VerifyOp(Operation):
    target: Final[Value]

class WithPdlPatternsOp(Operation):
    body: Final[Region]
    root: Final[Value | None]

class XegpuConvertLayoutOp(Operation):
    static_input_sg_layout: Final[DenseArrayAttr]
    static_input_sg_data: Final[DenseArrayAttr]
    static_input_inst_data: Final[DenseArrayAttr]
    static_target_sg_layout: Final[DenseArrayAttr]
    static_target_sg_data: Final[DenseArrayAttr]
    static_target_inst_data: Final[DenseArrayAttr]
    newConvertOp: Final[OpResult]
    target: Final[Value]
    input_sg_layout: Final[list[Value]]
    input_sg_data: Final[list[Value]]
    input_inst_data: Final[list[Value]]
    target_sg_layout: Final[list[Value]]
    target_sg_data: Final[list[Value]]
    target_inst_data: Final[list[Value]]

class XegpuGetDescOpOp(Operation):
    descHandle: Final[OpResult]
    target: Final[Value]

class XegpuInsertPrefetchOp(Operation):
    static_nb_prefetch: Final[IntegerAttr]
    desc_op: Final[OpResult]
    target: Final[Value]
    dynamic_nb_prefetch: Final[Value | None]

class XegpuSetDescLayoutOp(Operation):
    static_sg_layout: Final[DenseArrayAttr]
    static_sg_data: Final[DenseArrayAttr]
    static_inst_data: Final[DenseArrayAttr]
    slice_dims: Final[DenseArrayAttr]
    transformed: Final[OpResult]
    target: Final[Value]
    sg_layout: Final[list[Value]]
    sg_data: Final[list[Value]]
    inst_data: Final[list[Value]]

class XegpuSetGpuLaunchThreadsOp(Operation):
    static_threads: Final[DenseArrayAttr]
    target: Final[Value]
    threads: Final[list[Value]]

class XegpuSetOpLayoutAttrOp(Operation):
    index: Final[IntegerAttr]
    static_sg_layout: Final[DenseArrayAttr]
    static_sg_data: Final[DenseArrayAttr]
    static_inst_data: Final[DenseArrayAttr]
    slice_dims: Final[DenseArrayAttr]
    target: Final[Value]
    sg_layout: Final[list[Value]]
    sg_data: Final[list[Value]]
    inst_data: Final[list[Value]]

class YieldOp(Operation): ...
