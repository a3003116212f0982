"""ODS's standard predicates on types, by name, as terms, and those that only descriptions have.

Source of names and meanings: `mlir/IR/CommonTypeConstraints.td` and `mlir/IR/CommonAttrConstraints.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.irdl.kinds import Implements, Kind, Named
from fathom.irdl.measures import Among, Shape, Within
from fathom.irdl.parts import Each, Part
from fathom.irdl.scope import Arguments
from fathom.irdl.terms import AllOf, AnyOf, Anything, Term, Unknown

PredicateClass: TypeAlias = Callable[[Arguments], Term]

VECTOR: Final = Kind("vector")
FIXED: Final = Kind("fixed vector")
SCALABLE: Final = Kind("scalable vector")
NON_ZERO_RANK: Final = Within("rank", 1)
MEMREF: Final = Kind("memref")
STRIDED: Final = Kind("strided")
STATIC: Final = Kind("static shape")
ALL_SCALABLE: Final = Kind("vector of all scalable dimensions")
RANKED_TENSOR: Final = Kind("ranked tensor")

PREDICATES: Final[Mapping[str, Term]] = {
    "TruePred": Anything(),
    "HasRankPred": Kind("ranked"),
    "HasStaticShapePred": STATIC,
    "HasStridesPred": STRIDED,
    "HasValueSemanticsPred": Kind("value semantics"),
    "IsBaseMemRefTypePred": Kind("unranked or ranked memref"),
    "IsDenseArrayAttrPred": Kind("dense array attribute"),
    "IsDenseFPElementsAttrPred": Kind("dense float elements attribute"),
    "IsFixedVectorOfAnyRankTypePred": FIXED,
    "IsFixedVectorOfNonZeroRankTypePred": AllOf((FIXED, NON_ZERO_RANK)),
    "IsFloatAttrPred": Kind("float attribute"),
    "IsIntOrFloatPred": AnyOf((Kind("integer"), Kind("float"))),
    "IsIntOrIndexOrFloatPred": AnyOf((Kind("integer"), Kind("index"), Kind("float"))),
    "IsIntOrIndexPred": AnyOf((Kind("integer"), Kind("index"))),
    "IsMemRefTypePred": MEMREF,
    "IsRankedTensorTypePred": RANKED_TENSOR,
    "IsShapedTypePred": Kind("shaped"),
    "IsSignlessIntOrFloatPred": AnyOf((Kind("signless integer"), Kind("float"))),
    "IsSignlessIntOrIndexOrFloatPred": AnyOf((Kind("signless integer"), Kind("index"), Kind("float"))),
    "IsTensorOrMemRefTypePred": AnyOf((Kind("tensor"), MEMREF)),
    "IsTensorTypePred": Kind("tensor"),
    "IsTupleTypePred": Kind("tuple"),
    "IsUnrankedMemRefTypePred": Kind("unranked memref"),
    "IsUnrankedTensorTypePred": Kind("unranked tensor"),
    "IsVectorOfAnyRankTypePred": VECTOR,
    "IsVectorOfNonZeroRankTypePred": AllOf((VECTOR, NON_ZERO_RANK)),
    "IsVectorTypeWithAllDimsScalablePred": ALL_SCALABLE,
    "IsVectorTypeWithAnyDimScalablePred": SCALABLE,
    "IsVectorTypeWithOnlyTrailingDimScalablePred": Kind("trailing scalable vector"),
}

PREDICATE_CLASSES: Final[Mapping[str, PredicateClass]] = {
    "Among": lambda r: Among(r.text(0), r.integers(1), r.integer(2) if r.has(2) else None),
    "AtLeast": lambda r: Within(r.text(0), r.integer(1), None, r.integer(2) if r.has(2) else None),
    "AtMost": lambda r: Within(r.text(0), None, r.integer(1), r.integer(2) if r.has(2) else None),
    "Within": lambda r: Within(r.text(0), r.integer(1), r.integer(2), r.integer(3) if r.has(3) else None),
    "CPred": lambda r: Unknown(r.text(0)),
    "HasAnyRankOfPred": lambda r: Among("rank", r.integers(0)),
    "HasRankGreaterOrEqualPred": lambda r: Within("rank", r.integer(0)),
    "IsVectorOfRankPred": lambda r: AllOf((VECTOR, NON_ZERO_RANK, Among("rank", r.integers(0)))),
    "IsVectorOfLengthPred": lambda r: AllOf((VECTOR, Among("number of elements", r.integers(0)))),
    "IsVectorOfMinLengthPred": lambda r: AllOf((VECTOR, Within("number of elements", r.integer(0)))),
    "IsVectorOfMaxLengthPred": lambda r: AllOf((VECTOR, Within("number of elements", None, r.integer(0)))),
    "IsVectorOfShape": lambda r: Shape(r.integers(0)),
    "IsNthDimSizeIsOneOfPred": lambda r: Among("extent", r.integers(1), r.integer(0)),
    "Element": lambda r: Part("Element", r.predicate(0)),
    "ElementOrSelf": lambda r: Part("ElementOrSelf", r.predicate(0)),
    "TypeOf": lambda r: Part("TypeOf", r.predicate(0)),
    "Each": lambda r: Each(r.predicate(0)),
    "Implements": lambda r: Implements(r.text(0)),
    "Named": lambda r: Named(r.text(0)),
}
