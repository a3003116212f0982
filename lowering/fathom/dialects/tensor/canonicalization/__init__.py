"""The canonicalisation of tensors, a module for each kind of operation.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.tensor.canonicalization import casts, elements, pads, reshapes, slices
from fathom.irdl.destinations import DESTINATION_STYLE
from fathom.ops.tensor import BitcastOp
from fathom.rewriting.pattern import of_another, replacing
from fathom.rewriting.reshapes import collapsed_expansion, expanded_collapse, two_steps

CANONICALIZATION: Final = (
    replacing("", casts.cast_into_consumer, name="FoldTensorCastProducerOp", trait=DESTINATION_STYLE),
    replacing("tensor.bitcast", of_another(BitcastOp, "tensor.bitcast"), name="ChainedTensorBitcast"),
    replacing("tensor.cast", casts.cast_of_cast, name="ChainedTensorCast"),
    replacing("tensor.cast", casts.cast_of_slice, name="TensorCastExtractSlice"),
    replacing("tensor.collapse_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    replacing("tensor.collapse_shape", collapsed_expansion, name="ComposeCollapseOfExpandOp"),
    replacing("tensor.collapse_shape", reshapes.reshaped_constant, name="FoldReshapeWithConstant"),
    replacing("tensor.collapse_shape", reshapes.reshaped_splat, name="FoldReshapeWithSplat"),
    replacing("tensor.collapse_shape", reshapes.reshaped_elements, name="FoldReshapeWithFromElements"),
    replacing("tensor.collapse_shape", reshapes.collapsed_cast, name="FoldCollapseOfCastOp"),
    replacing("tensor.expand_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    replacing("tensor.expand_shape", expanded_collapse, name="ComposeExpandOfCollapseOp"),
    replacing("tensor.expand_shape", reshapes.known_expansion, name="ConvertToStaticExpandShape"),
    replacing("tensor.expand_shape", reshapes.reshaped_constant, name="FoldReshapeWithConstant"),
    replacing("tensor.expand_shape", reshapes.reshaped_splat, name="FoldReshapeWithSplat"),
    replacing("tensor.expand_shape", reshapes.reshaped_elements, name="FoldReshapeWithFromElements"),
    replacing("tensor.concat", casts.concat_of_one, name="SingleInputConcatOp"),
    replacing("tensor.concat", casts.concat_operands, name="InferConcatOperandTypes"),
    replacing("tensor.concat", casts.concat_result, name="InferConcatResultType"),
    replacing("tensor.dim", elements.size_of_cast, name="DimOfCastOp"),
    replacing("tensor.dim", elements.size_of_destination, name="DimOfDestStyleOp"),
    replacing("tensor.dim", elements.size_of_reshape, name="DimOfReshapeOp"),
    replacing("tensor.dim", elements.size_of_empty, name="FoldEmptyTensorWithDimOp"),
    replacing("tensor.cast", casts.cast_of_empty, name="FoldEmptyTensorWithCastOp"),
    replacing("tensor.empty", casts.known_empty, name="ReplaceEmptyTensorStaticShapeDims"),
    replacing("tensor.extract", elements.element_of_cast, name="ExtractFromTensorCast"),
    replacing("tensor.extract", elements.element_of_index_cast, name="ExtractElementFromIndexCast"),
    replacing("tensor.extract", elements.element_of_generated, name="ExtractFromTensorGenerate"),
    replacing("tensor.generate", elements.known_generate, name="StaticTensorGenerate"),
    replacing(
        "tensor.extract_slice", slices.known_extraction, name="OpWithOffsetSizesAndStridesConstantArgumentFolder"
    ),
    replacing("tensor.extract_slice", slices.extraction_of_cast, name="ExtractSliceOpCastFolder"),
    replacing("tensor.insert_slice", slices.known_insertion, name="InsertSliceOpConstantArgumentFolder"),
    replacing("tensor.insert_slice", slices.insertion_of_cast, name="InsertSliceOpCastFolder"),
    replacing("tensor.insert_slice", slices.known_source, name="InsertSliceOpSourceCastInserter"),
    replacing("tensor.parallel_insert_slice", slices.known_insertion, name="InsertSliceOpConstantArgumentFolder"),
    replacing("tensor.parallel_insert_slice", slices.insertion_of_cast, name="InsertSliceOpCastFolder"),
    replacing("tensor.parallel_insert_slice", slices.known_source, name="InsertSliceOpSourceCastInserter"),
    replacing("tensor.pad", pads.no_padding, name="FoldStaticZeroPadding"),
    replacing("tensor.pad", pads.padded_cast, name="FoldSourceTensorCast"),
    replacing("tensor.pad", pads.cast_padding, name="FoldTargetTensorCast"),
    replacing("tensor.pad", pads.orthogonal_paddings, name="FoldOrthogonalPaddings"),
    replacing("tensor.pad", pads.known_padding, name="FoldStaticPadding"),
    replacing("tensor.pad", pads.padded_twice, name="FoldConsecutiveConstantPadding"),
)
