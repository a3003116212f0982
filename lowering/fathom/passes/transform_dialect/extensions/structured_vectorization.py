"""Transforms that make vectors of structured operations.

Source of the rules: `LinalgTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Structured
from fathom.ops import transform as ops
from fathom.passes.structured.vectorization import Shape, vectorize
from fathom.passes.transform_dialect.models import transforms
from fathom.rewriting.observers import explaining

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.structured.vectorize")
def vectorize_targets(op: ops.StructuredVectorizeOp, run: Application) -> None:
    """Each becomes vectors of the sizes that are given, or as large as its operands."""
    targets = run.ops(op.target)
    if not targets:
        return
    (sizes,) = run.numbers(op.static_vector_sizes.values, op.vector_sizes)
    numbers = [size for size in sizes if isinstance(size, int)]
    scalable = [bool(each) for each in op.scalable_sizes.values]
    exact = "assume_dynamic_dims_match_vec_sizes" in op.properties
    shape = Shape(numbers, scalable or [False] * len(numbers), exact) if numbers else None
    for target in targets:
        if target.interface(Structured) is None:
            raise run.silenceable("Unsupported Op, cannot vectorize", at=target)
        results = vectorize(target, shape, run.rewriter)
        if isinstance(results, str):
            if (watch := explaining()) is not None:
                watch.left(target, "vectorize", results)
            raise run.silenceable("Attempted to vectorize, but failed", at=target)
        run.rewriter.replace(target, results)
