"""The canonicalisation of structured operations, a module for each idea.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.canonicalization import fills, relayouts, structured
from fathom.rewriting.pattern import Pattern

CANONICALIZATION: Final = (
    Pattern("", structured.nothing_to_do, name="EraseDeadLinalgOp", trait=structured.STRUCTURED),
    Pattern("tensor.cast", structured.cast_into_producer, name="FoldTensorCastConsumerOp"),
    Pattern("linalg.pack", relayouts.cast_into_relayout, name="FoldTensorCastPackOp"),
    Pattern("linalg.unpack", relayouts.cast_into_relayout, name="FoldTensorCastUnPackOp"),
    Pattern("", structured.known_shapes, name="InferStaticShapeOfOperands", trait=structured.STRUCTURED),
    Pattern("linalg.broadcast", structured.identity, name="EraseIdentityLinalgOp"),
    Pattern("linalg.broadcast", structured.broadcast_twice, name="FoldBroadcasts"),
    Pattern("linalg.copy", structured.self_copy, name="EraseSelfCopy"),
    Pattern("tensor.concat", fills.concat_of_fills, name="FoldConcatsOfFill"),
    Pattern("linalg.copy", fills.copy_of_fill, name="FoldFillWithCopy"),
    Pattern("tensor.extract", fills.element_of_fill, name="FoldFillWithTensorExtract"),
    Pattern("linalg.pack", fills.packed_fill, name="FoldFillWithPack"),
    Pattern("tensor.pad", fills.padded_fill, name="FoldFillWithPad"),
    Pattern("tensor.collapse_shape", fills.reshaped_fill, name="FoldFillWithTensorReshape"),
    Pattern("tensor.expand_shape", fills.reshaped_fill, name="FoldFillWithTensorReshape"),
    Pattern("tensor.insert_slice", fills.padding_over_fill, name="FoldInsertPadIntoFill"),
    Pattern("linalg.transpose", fills.transposed_fill, name="FoldFillWithTranspose"),
    Pattern("linalg.generic", structured.identity, name="EraseIdentityLinalgOp"),
    Pattern("linalg.pack", relayouts.simpler_pack, name="canonicalize"),
    Pattern("linalg.unpack", relayouts.simpler_unpack, name="canonicalize"),
    Pattern("linalg.transpose", structured.transposed_twice, name="FoldTransposeWithTranspose"),
    Pattern("linalg.transpose", structured.transposed_broadcast, name="SwapTransposeWithBroadcast"),
)
