"""`resolve-shaped-type-result-dims`: sizes of results follow from the sizes of operands."""

from __future__ import annotations

from fathom.passes.transforms.resolve_ranked_shaped_type_result_dims import ResolveRankedShapeTypeResultDimsPass
from fathom.records import record


@record
class ResolveShapedTypeResultDimsPass(ResolveRankedShapeTypeResultDimsPass):
    """The same as `resolve-ranked-shaped-type-result-dims`: no operation says the shape of its result as a tensor."""

    name = "resolve-shaped-type-result-dims"
