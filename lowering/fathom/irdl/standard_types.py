"""ODS's standard constraints on types, by name, as terms.

The summaries are what messages print: "operand #0 must be {summary}". Source of names, summaries and meanings:
`mlir/IR/CommonTypeConstraints.td` and `mlir/IR/OpBase.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.ir import types as t
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Among, Shape, Within
from fathom.irdl.parts import Each, Part
from fathom.irdl.scope import Arguments, Names
from fathom.irdl.standard_predicates import (
    FIXED,
    MEMREF,
    NON_ZERO_RANK,
    PREDICATE_CLASSES,
    PREDICATES,
    RANKED_TENSOR,
    SCALABLE,
    STATIC,
    STRIDED,
    VECTOR,
)
from fathom.irdl.terms import AllOf, AnyOf, Native, Term
from fathom.irdl.type_constraints import (
    ANY,
    COMPLEX,
    FLOAT,
    FLOAT_LIKE,
    INDEX,
    INTEGER,
    NONE_TYPE,
    SIGNLESS,
    SIGNLESS_LIKE,
    SIGNLESS_OR_INDEX,
    SIGNLESS_OR_INDEX_LIKE,
    all_of,
    any_integer,
    any_of,
    confined,
    container,
    exactly,
    float_of,
    integer,
    kind,
    like,
)
from fathom.irdl.type_functions import TYPE_FUNCTIONS
from fathom.records import replace

TypeClass: TypeAlias = Callable[[Arguments], TypeConstraint]
"""Makes a constraint of the arguments that follow its name."""

_ANY_MEMREF: Final = container(MEMREF, [ANY], "memref")
_NON_0_MEMREF: Final = confined(_ANY_MEMREF, [NON_ZERO_RANK], f"non-0-ranked.{_ANY_MEMREF.summary}")
_UNRANKED_MEMREF: Final = container(Kind("unranked memref"), [ANY], "unranked.memref")
_NON_0_TENSOR: Final = container(AllOf((Kind("tensor"), NON_ZERO_RANK)), [ANY], "non-0-ranked.tensor")
_UNRANKED_TENSOR: Final = container(Kind("unranked tensor"), [ANY], "unranked tensor")
_STRIDED_MEMREF: Final = confined(_ANY_MEMREF, [STRIDED], f"strided {_ANY_MEMREF.summary}")


def _slashed(numbers: Sequence[int]) -> str:
    return "/".join(map(str, numbers))


def _ranks(ranks: Sequence[int]) -> str:
    return "/".join(f"{rank}D" for rank in ranks)


def _of(shaped: Term, what: str) -> TypeClass:
    """`VectorOfAnyRankOf<[F32]>` and the like."""
    return lambda r: container(shaped, r.types(0), what)


def _of_confined(shaped: Term, what: str) -> TypeClass:
    """`RankedTensorOf<[F32], [HasStaticShapePred], "static tensor">`."""
    return lambda r: container(AllOf((shaped, *r.predicates(1))), r.types(0), r.text(2, what))


def _widths(make: Callable[[int], TypeConstraint], word: str) -> TypeClass:
    """`AnyIntOfWidths<[8, 16]>` and the like."""
    return lambda r: any_of([make(width) for width in r.integers(0)], f"{_slashed(r.integers(0))}-bit {word}")


def _ranked(shaped: Term, what: str) -> TypeClass:
    """`VectorOfRankAndType<[1, 2], [F32]>` and the like."""

    def make(r: Arguments) -> TypeConstraint:
        base = container(shaped, r.types(1), what)
        return confined(base, [Among("rank", r.integers(0))], f"{base.summary} of ranks {_slashed(r.integers(0))}")

    return make


def _long(shaped: Term, what: str) -> TypeClass:
    """`VectorOfLengthAndType<[4, 8], [F32]>` and the like."""

    def make(r: Arguments) -> TypeConstraint:
        base = container(shaped, r.types(1), what)
        lengths = Among("number of elements", r.integers(0))
        return confined(base, [lengths], f"{base.summary} of length {_slashed(r.integers(0))}")

    return make


def _rank_and_length(r: Arguments) -> TypeConstraint:
    base = container(SCALABLE, r.types(2), "scalable vector")
    ranks, lengths = r.integers(0), r.integers(1)
    return confined(
        base,
        [Among("rank", ranks), Among("number of elements", lengths)],
        f" of ranks {_slashed(ranks)}{base.summary} of length {_slashed(lengths)}",
    )


def _between_lengths(r: Arguments) -> TypeConstraint:
    low, high = r.integer(0), r.integer(1)
    base = container(AllOf((VECTOR, NON_ZERO_RANK)), r.types(2), "vector")
    summary = f"{base.summary} of at least length {low} of at most length {high}"
    return confined(base, [Within("number of elements", low, high)], summary)


def _with_dim(r: Arguments) -> TypeConstraint:
    """`ShapedTypeWithNthDimOfSize<-1, [4]>`."""
    sizes = ", ".join(map(str, r.integers(1)))
    test = Among("extent", r.integers(1), r.integer(0))
    return TypeConstraint(f" with dim {r.integer(0)} having a size of {{{sizes}}}", test)


def _fixed_shape(r: Arguments) -> TypeConstraint:
    """`FixedVectorOfShapeAndType<[2, 2], F16>`."""
    shape, element = r.integers(0), r.type(1)
    what = f"vector<{'x'.join(map(str, shape))}x{element.name or element.summary}>"
    made = container(AllOf((FIXED, Shape(shape))), [element], what)
    type = t.VectorType(shape, element.type) if element.type is not None else None
    return TypeConstraint(made.summary, made.test, type)


def _trailing_of_size(r: Arguments) -> TypeConstraint:
    base = container(Kind("trailing scalable vector"), r.types(1), "trailing scalable vector")
    sizes = ", ".join(map(str, r.integers(0)))
    test = Among("extent", r.integers(0), -1)
    return confined(base, [test], f"{base.summary} with dim -1 having a size of {{{sizes}}}")


def _memref_of(before: str, predicates: Sequence[Term]) -> TypeClass:
    """`StridedMemRefOf<[F32]>` and the like."""

    def make(r: Arguments) -> TypeConstraint:
        base = container(MEMREF, r.types(0), "memref")
        return confined(base, predicates, before + base.summary)

    return make


def _memref_rank_of(r: Arguments) -> TypeConstraint:
    base = container(MEMREF, r.types(0), "memref")
    return confined(base, [Among("rank", r.integers(1))], f"{_ranks(r.integers(1))} {base.summary}")


def _strided_of_rank(r: Arguments) -> TypeConstraint:
    rank = r.integer(0)
    return confined(_STRIDED_MEMREF, [Among("rank", (rank,))], f"{_STRIDED_MEMREF.summary} of rank {rank}")


def _tensor_rank_of(ranks: Callable[[Arguments], tuple[int, ...]]) -> TypeClass:
    return lambda r: container(
        AllOf((RANKED_TENSOR, Among("rank", ranks(r)))), r.types(0), f"{_ranks(ranks(r))} tensor"
    )


def _tuple_of(what: str, *, nested: bool) -> TypeClass:
    def make(r: Arguments) -> TypeConstraint:
        elements = any_of(r.types(0))
        summary = f"{what} with any combination of {elements.summary} values"
        return TypeConstraint(summary, AllOf((Kind("tuple"), Each(elements.term, nested))))

    return make


def _complex_of(r: Arguments) -> TypeConstraint:
    element = r.type(0)
    return TypeConstraint(
        f"complex type with {element.summary} elements",
        AllOf((Kind("complex"), Part("Element", element.term))),
        t.ComplexType(element.type) if element.type is not None else None,
    )


def _opaque(r: Arguments) -> TypeConstraint:
    """`OpaqueType<"dialect", "name", "summary">`, which is known by its name."""
    name = f"{r.text(0)}.{r.text(1)}"
    return TypeConstraint(
        r.text(2), Native(f"OpaqueType<!{name}>", lambda v: isinstance(v, t.Type) and v.full_name == name)
    )


def _with_predicates(r: Arguments) -> TypeConstraint:
    base = r.type(0)
    made = confined(base, r.predicates(1), r.text(2, ""))
    return replace(made, definition=base.definition)


def _type(r: Arguments) -> TypeConstraint:
    """`Type<predicate, "summary">`. What nobody has understood, the dialect's code may know by the summary. What is
    another name of a constraint that one type satisfies is satisfied by that."""
    summary, term = r.text(1, ""), r.predicate(0)
    if any(term.unknown()):
        return TypeConstraint(summary, r.scope.decided(summary) or term)
    only = r.type(0).type if r.scope.knows_type(str(r.call.arguments[0])) else None
    return TypeConstraint(summary, term, only)


def _alias(r: Arguments) -> TypeConstraint:
    """`TypeAlias<I32, "summary">`."""
    base = r.type(0)
    return TypeConstraint(r.text(1, base.summary), base.test, base.type)


def _container_type(r: Arguments) -> TypeConstraint:
    """`ShapedContainerType<[F32], predicate, "summary">`."""
    return container(r.predicate(1), r.types(0), r.text(2))


_SMALL_FLOATS: Final = (
    "F8E4M3FN F8E5M2 F8E4M3 F8E4M3FNUZ F8E4M3B11FNUZ F8E5M2FNUZ F8E3M4 F4E2M1FN F6E2M3FN F6E3M2FN F8E8M0FNU".split()
)


def _named() -> dict[str, TypeConstraint]:
    constraints = {
        "AnyType": ANY,
        "NoneType": NONE_TYPE,
        "AnyInteger": INTEGER,
        "AnySignlessInteger": SIGNLESS,
        "AnySignedInteger": kind("signed integer", "signed integer"),
        "AnyUnsignedInteger": kind("unsigned integer", "unsigned integer"),
        "Index": INDEX,
        "AnySignlessIntegerOrIndex": SIGNLESS_OR_INDEX,
        "AnyFloat": FLOAT,
        "BF16": exactly(t.BF16, "bfloat16 type"),
        "TF32": exactly(t.FloatType("tf32"), "tf32 type"),
        "AnyComplex": COMPLEX,
        "FunctionType": kind("function", "function type"),
        "AnyVectorOfNonZeroRank": container(AllOf((VECTOR, NON_ZERO_RANK)), [ANY], "vector"),
        "AnyFixedVectorOfNonZeroRank": container(AllOf((FIXED, NON_ZERO_RANK)), [ANY], "fixed-length vector"),
        "AnyVectorOfAnyRank": container(VECTOR, [ANY], "vector"),
        "AnyFixedVectorOfAnyRank": container(FIXED, [ANY], "fixed-length vector"),
        "AnyScalableVectorOfAnyRank": container(SCALABLE, [ANY], "scalable vector"),
        "AnyShaped": container(Kind("shaped"), [ANY], "shaped"),
        "AnyTensor": container(Kind("tensor"), [ANY], "tensor"),
        "AnyRankedTensor": container(RANKED_TENSOR, [ANY], "ranked tensor"),
        "AnyNon0RankedTensor": _NON_0_TENSOR,
        "AnyUnrankedTensor": _UNRANKED_TENSOR,
        "AnyNon0RankedOrUnrankedTensor": any_of([_UNRANKED_TENSOR, _NON_0_TENSOR], "non-0-ranked or unranked tensor"),
        "AnyStaticShapeTensor": container(AllOf((RANKED_TENSOR, STATIC)), [ANY], "statically shaped tensor"),
        "AnyUnrankedMemRef": _UNRANKED_MEMREF,
        "AnyMemRef": _ANY_MEMREF,
        "AnyNon0RankedMemRef": _NON_0_MEMREF,
        "AnyRankedOrUnrankedMemRef": container(Kind("unranked or ranked memref"), [ANY], "ranked or unranked memref"),
        "AnyNon0RankedOrUnrankedMemRef": any_of([_UNRANKED_MEMREF, _NON_0_MEMREF]),
        "AnyStaticShapeMemRef": confined(_ANY_MEMREF, [STATIC], f"statically shaped {_ANY_MEMREF.summary}"),
        "AnyStridedMemRef": _STRIDED_MEMREF,
        "AnyTuple": kind("tuple", "tuple"),
        "BoolLike": like(integer(1), "bool-like"),
        "SignlessIntegerLike": SIGNLESS_LIKE,
        "SignlessIntegerOrIndexLike": SIGNLESS_OR_INDEX_LIKE,
        "FloatLike": FLOAT_LIKE,
        "SignlessIntegerOrFloatLike": any_of(
            [SIGNLESS_LIKE, FLOAT_LIKE], "signless-integer-like or floating-point-like"
        ),
        "SignlessIntegerOrIndexOrFloatLike": any_of(
            [SIGNLESS_OR_INDEX_LIKE, FLOAT_LIKE], "signless-integer-or-index-like or floating-point-like"
        ),
    }
    for width in (1, 8, 16, 32, 64):
        constraints[f"AnyI{width}"] = any_integer(width)
        constraints[f"SI{width}"] = integer(width, "s")
        constraints[f"UI{width}"] = integer(width, "u")
    for width in (1, 8, 16, 32, 64, 128):
        constraints[f"I{width}"] = integer(width)
    for width in (16, 32, 64, 80, 128):
        constraints[f"F{width}"] = float_of(width)
    for name in _SMALL_FLOATS:
        constraints[name] = exactly(t.FloatType(f"f{name[1:]}"), f"f{name[1:]} type")
    for name in ("I1", "I8", "I16", "I32", "I64", "BF16", "F16", "F32", "F64"):
        constraints[f"{name}Tensor"] = container(Kind("tensor"), [constraints[name]], "tensor")
        constraints[f"{name}MemRef"] = container(MEMREF, [constraints[name]], "memref")
    constraints["IndexTensor"] = container(Kind("tensor"), [INDEX], "tensor")
    return {name: TypeConstraint(c.summary, c.test, c.type, name) for name, c in constraints.items()}


TYPES: Final[Mapping[str, TypeConstraint]] = _named()
"""The constraints that ODS defines without arguments."""

CLASSES: Final[Mapping[str, TypeClass]] = {
    "Type": _type,
    "TypeAlias": _alias,
    "AnyTypeOf": lambda r: any_of(r.types(0), r.text(1, "")),
    "AllOfType": lambda r: all_of(r.types(0), r.text(1, "")),
    "ConfinedType": _with_predicates,
    "AnyI": lambda r: any_integer(r.integer(0)),
    "I": lambda r: integer(r.integer(0)),
    "SI": lambda r: integer(r.integer(0), "s"),
    "UI": lambda r: integer(r.integer(0), "u"),
    "F": lambda r: float_of(r.integer(0)),
    "AnyIntOfWidths": _widths(any_integer, "integer"),
    "SignlessIntOfWidths": _widths(integer, "signless integer"),
    "SignedIntOfWidths": _widths(lambda width: integer(width, "s"), "signed integer"),
    "UnsignedIntOfWidths": _widths(lambda width: integer(width, "u"), "unsigned integer"),
    "FloatOfWidths": _widths(float_of, "float"),
    "Complex": _complex_of,
    "OpaqueType": _opaque,
    "ShapedContainerType": _container_type,
    "ValueSemanticsContainerOf": _of(Kind("value semantics"), "container with value semantics"),
    "VectorOfNonZeroRankOf": _of(AllOf((VECTOR, NON_ZERO_RANK)), "vector"),
    "FixedVectorOfNonZeroRankOf": _of(AllOf((FIXED, NON_ZERO_RANK)), "fixed-length vector"),
    "VectorOfAnyRankOf": _of(VECTOR, "vector"),
    "FixedVectorOfAnyRank": _of(FIXED, "fixed-length vector"),
    "ScalableVectorOfAnyRank": _of(SCALABLE, "scalable vector"),
    "VectorWithTrailingDimScalableOf": _of(Kind("trailing scalable vector"), "trailing scalable vector"),
    "VectorOfRank": lambda r: TypeConstraint(
        f" of ranks {_slashed(r.integers(0))}", AllOf((VECTOR, NON_ZERO_RANK, Among("rank", r.integers(0))))
    ),
    "VectorOfRankAndType": _ranked(AllOf((VECTOR, NON_ZERO_RANK)), "vector"),
    "FixedVectorOfRankAndType": _ranked(FIXED, "fixed-length vector"),
    "VectorOfLength": lambda r: TypeConstraint(
        f" of length {_slashed(r.integers(0))}", AllOf((VECTOR, Among("number of elements", r.integers(0))))
    ),
    "VectorOfLengthAndType": _long(AllOf((VECTOR, NON_ZERO_RANK)), "vector"),
    "VectorOfMinMaxLengthAndType": _between_lengths,
    "FixedVectorOfLengthAndType": _long(FIXED, "fixed-length vector"),
    "ScalableVectorOfLengthAndType": _long(SCALABLE, "scalable vector"),
    "ScalableVectorOfRankAndLengthAndType": _rank_and_length,
    "FixedVectorOfShapeAndType": _fixed_shape,
    "ShapedTypeWithNthDimOfSize": _with_dim,
    "VectorWithTrailingDimScalableOfSizeAndType": _trailing_of_size,
    "UnrankedTensorOf": _of_confined(Kind("unranked tensor"), "unranked tensor"),
    "RankedTensorOf": _of_confined(RANKED_TENSOR, "ranked tensor"),
    "TensorOf": _of_confined(Kind("tensor"), "tensor"),
    "Non0RankedTensorOf": _of(AllOf((Kind("tensor"), NON_ZERO_RANK)), "non-0-ranked.tensor"),
    "TensorRankOf": _tensor_rank_of(lambda r: r.integers(1)),
    "0DTensorOf": _tensor_rank_of(lambda _: (0,)),
    "1DTensorOf": _tensor_rank_of(lambda _: (1,)),
    "2DTensorOf": _tensor_rank_of(lambda _: (2,)),
    "3DTensorOf": _tensor_rank_of(lambda _: (3,)),
    "4DTensorOf": _tensor_rank_of(lambda _: (4,)),
    "StaticShapeTensorOf": _of(AllOf((RANKED_TENSOR, STATIC)), "statically shaped tensor"),
    "UnrankedMemRefOf": _of(Kind("unranked memref"), "unranked.memref"),
    "MemRefOf": _of(MEMREF, "memref"),
    "Non0RankedMemRefOf": _memref_of("non-0-ranked.", [NON_ZERO_RANK]),
    "RankedOrUnrankedMemRefOf": _of_confined(Kind("unranked or ranked memref"), "ranked or unranked memref"),
    "MemRefRankOf": _memref_rank_of,
    "StridedMemRefRankOf": _memref_rank_of,
    "StaticShapeMemRefOf": _memref_of("statically shaped ", [STATIC]),
    "StridedMemRefOf": _memref_of("strided ", [STRIDED]),
    "AnyStridedMemRefOfRank": _strided_of_rank,
    "TupleOf": _tuple_of("tuple", nested=False),
    "NestedTupleOf": _tuple_of("nested tuple", nested=True),
    "TensorOrMemRef": _of(AnyOf((Kind("tensor"), MEMREF)), "Tensor or MemRef"),
    "TypeOrValueSemanticsContainer": lambda r: like(r.type(0), r.text(1)),
}
"""The constraints that ODS makes of arguments."""

STANDARD_TYPES: Final = Names(
    types=TYPES,
    type_classes=CLASSES,
    predicates=PREDICATES,
    predicate_classes=PREDICATE_CLASSES,
    type_functions=TYPE_FUNCTIONS,
)
