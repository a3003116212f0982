"""The canonicalisation of tensors, a module for each kind of operation.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.tensor.canonicalization import casts, elements, pads, reshapes, slices
from fathom.irdl.destinations import DESTINATION_STYLE
from fathom.rewriting.pattern import Pattern
from fathom.rewriting.reshapes import collapsed_expansion, expanded_collapse, two_steps

CANONICALIZATION: Final = (
    Pattern("", casts.cast_into_consumer, name="FoldTensorCastProducerOp", trait=DESTINATION_STYLE),
    Pattern("tensor.bitcast", casts.bitcast_of_bitcast, name="ChainedTensorBitcast"),
    Pattern("tensor.cast", casts.cast_of_cast, name="ChainedTensorCast"),
    Pattern("tensor.cast", casts.cast_of_slice, name="TensorCastExtractSlice"),
    Pattern("tensor.collapse_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern("tensor.collapse_shape", collapsed_expansion, name="ComposeCollapseOfExpandOp"),
    Pattern("tensor.collapse_shape", reshapes.reshaped_constant, name="FoldReshapeWithConstant"),
    Pattern("tensor.collapse_shape", reshapes.reshaped_splat, name="FoldReshapeWithSplat"),
    Pattern("tensor.collapse_shape", reshapes.reshaped_elements, name="FoldReshapeWithFromElements"),
    Pattern("tensor.collapse_shape", reshapes.collapsed_cast, name="FoldCollapseOfCastOp"),
    Pattern("tensor.expand_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern("tensor.expand_shape", expanded_collapse, name="ComposeExpandOfCollapseOp"),
    Pattern("tensor.expand_shape", reshapes.known_expansion, name="ConvertToStaticExpandShape"),
    Pattern("tensor.expand_shape", reshapes.reshaped_constant, name="FoldReshapeWithConstant"),
    Pattern("tensor.expand_shape", reshapes.reshaped_splat, name="FoldReshapeWithSplat"),
    Pattern("tensor.expand_shape", reshapes.reshaped_elements, name="FoldReshapeWithFromElements"),
    Pattern("tensor.concat", casts.concat_of_one, name="SingleInputConcatOp"),
    Pattern("tensor.concat", casts.concat_operands, name="InferConcatOperandTypes"),
    Pattern("tensor.concat", casts.concat_result, name="InferConcatResultType"),
    Pattern("tensor.dim", elements.size_of_cast, name="DimOfCastOp"),
    Pattern("tensor.dim", elements.size_of_destination, name="DimOfDestStyleOp"),
    Pattern("tensor.dim", elements.size_of_reshape, name="DimOfReshapeOp"),
    Pattern("tensor.dim", elements.size_of_empty, name="FoldEmptyTensorWithDimOp"),
    Pattern("tensor.cast", casts.cast_of_empty, name="FoldEmptyTensorWithCastOp"),
    Pattern("tensor.empty", casts.known_empty, name="ReplaceEmptyTensorStaticShapeDims"),
    Pattern("tensor.extract", elements.element_of_cast, name="ExtractFromTensorCast"),
    Pattern("tensor.extract", elements.element_of_index_cast, name="ExtractElementFromIndexCast"),
    Pattern("tensor.extract", elements.element_of_generated, name="ExtractFromTensorGenerate"),
    Pattern("tensor.generate", elements.known_generate, name="StaticTensorGenerate"),
    Pattern("tensor.extract_slice", slices.known_extraction, name="OpWithOffsetSizesAndStridesConstantArgumentFolder"),
    Pattern("tensor.extract_slice", slices.extraction_of_cast, name="ExtractSliceOpCastFolder"),
    Pattern("tensor.insert_slice", slices.known_insertion, name="InsertSliceOpConstantArgumentFolder"),
    Pattern("tensor.insert_slice", slices.insertion_of_cast, name="InsertSliceOpCastFolder"),
    Pattern("tensor.insert_slice", slices.known_source, name="InsertSliceOpSourceCastInserter"),
    Pattern("tensor.parallel_insert_slice", slices.known_insertion, name="InsertSliceOpConstantArgumentFolder"),
    Pattern("tensor.parallel_insert_slice", slices.insertion_of_cast, name="InsertSliceOpCastFolder"),
    Pattern("tensor.parallel_insert_slice", slices.known_source, name="InsertSliceOpSourceCastInserter"),
    Pattern("tensor.pad", pads.no_padding, name="FoldStaticZeroPadding"),
    Pattern("tensor.pad", pads.padded_cast, name="FoldSourceTensorCast"),
    Pattern("tensor.pad", pads.cast_padding, name="FoldTargetTensorCast"),
    Pattern("tensor.pad", pads.orthogonal_paddings, name="FoldOrthogonalPaddings"),
    Pattern("tensor.pad", pads.known_padding, name="FoldStaticPadding"),
    Pattern("tensor.pad", pads.padded_twice, name="FoldConsecutiveConstantPadding"),
)
