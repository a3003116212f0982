"""The canonicalisation of structured operations, a module for each idea.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.canonicalization import fills, relayouts, structured
from fathom.rewriting.pattern import replacing

CANONICALIZATION: Final = (
    replacing("", structured.nothing_to_do, name="EraseDeadLinalgOp", trait=structured.STRUCTURED),
    replacing("tensor.cast", structured.cast_into_producer, name="FoldTensorCastConsumerOp"),
    replacing("linalg.pack", relayouts.cast_into_relayout, name="FoldTensorCastPackOp"),
    replacing("linalg.unpack", relayouts.cast_into_relayout, name="FoldTensorCastUnPackOp"),
    replacing("", structured.known_shapes, name="InferStaticShapeOfOperands", trait=structured.STRUCTURED),
    replacing("linalg.broadcast", structured.identity, name="EraseIdentityLinalgOp"),
    replacing("linalg.broadcast", structured.broadcast_twice, name="FoldBroadcasts"),
    replacing("linalg.copy", structured.self_copy, name="EraseSelfCopy"),
    replacing("tensor.concat", fills.concat_of_fills, name="FoldConcatsOfFill"),
    replacing("linalg.copy", fills.copy_of_fill, name="FoldFillWithCopy"),
    replacing("tensor.extract", fills.element_of_fill, name="FoldFillWithTensorExtract"),
    replacing("linalg.pack", fills.packed_fill, name="FoldFillWithPack"),
    replacing("tensor.pad", fills.padded_fill, name="FoldFillWithPad"),
    replacing("tensor.collapse_shape", fills.reshaped_fill, name="FoldFillWithTensorReshape"),
    replacing("tensor.expand_shape", fills.reshaped_fill, name="FoldFillWithTensorReshape"),
    replacing("tensor.insert_slice", fills.padding_over_fill, name="FoldInsertPadIntoFill"),
    replacing("linalg.transpose", fills.transposed_fill, name="FoldFillWithTranspose"),
    replacing("linalg.generic", structured.identity, name="EraseIdentityLinalgOp"),
    replacing("linalg.pack", relayouts.simpler_pack, name="canonicalize"),
    replacing("linalg.unpack", relayouts.simpler_unpack, name="canonicalize"),
    replacing("linalg.transpose", structured.transposed_twice, name="FoldTransposeWithTranspose"),
    replacing("linalg.transpose", structured.transposed_broadcast, name="SwapTransposeWithBroadcast"),
)
