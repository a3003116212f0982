"""Constraints on types, composed: what ODS's standard ones are made with, and those that others are made of.

Source of names, summaries and meanings: `mlir/IR/CommonTypeConstraints.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.ir import types as t
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Within
from fathom.irdl.parts import Part
from fathom.irdl.terms import AllOf, AnyOf, Anything, Exactly, Term


def exactly(type: t.Type, summary: str) -> TypeConstraint:
    """The constraint that only `type` satisfies."""
    return TypeConstraint(summary, Exactly(type), type)


def kind(name: str, summary: str) -> TypeConstraint:
    """Any type of a kind of `terms.KINDS`."""
    return TypeConstraint(summary, Kind(name))


def any_of(allowed: Sequence[TypeConstraint], summary: str = "") -> TypeConstraint:
    """One of several constraints; they are joined by "or" where no summary is given."""
    return TypeConstraint(summary or " or ".join(c.summary for c in allowed), AnyOf(tuple(c.term for c in allowed)))


def all_of(required: Sequence[TypeConstraint], summary: str = "") -> TypeConstraint:
    """Each of several constraints; they are joined by "and" where no summary is given."""
    return TypeConstraint(summary or " and ".join(c.summary for c in required), AllOf(tuple(c.term for c in required)))


def confined(base: TypeConstraint, predicates: Sequence[Term], summary: str) -> TypeConstraint:
    """A constraint with further demands."""
    return TypeConstraint(summary, AllOf((base.term, *predicates)))


def container(container: Term, allowed: Sequence[TypeConstraint], what: str) -> TypeConstraint:
    """A shaped type of a kind, whose element type satisfies one of the constraints: "{what} of {allowed} values"."""
    elements = any_of(allowed)
    return TypeConstraint(f"{what} of {elements.summary} values", AllOf((container, Part("Element", elements.term))))


def like(element: TypeConstraint, summary: str) -> TypeConstraint:
    """A type, or a vector or tensor of it."""
    in_container = AllOf((Kind("value semantics"), Part("Element", element.term)))
    return TypeConstraint(summary, AnyOf((element.term, in_container)))


def integer(width: int, signedness: str = "") -> TypeConstraint:
    """The integer type of a width."""
    word = {"": "signless", "s": "signed", "u": "unsigned"}[signedness]
    return exactly(t.IntegerType(width, signedness), f"{width}-bit {word} integer")


def any_integer(width: int) -> TypeConstraint:
    """An integer type of a width, of any signedness."""
    return TypeConstraint(f"{width}-bit integer", AllOf((Kind("integer"), Within("bit width", width, width))))


def float_of(width: int) -> TypeConstraint:
    """`f16`, `f32`, `f64`, `f80` or `f128`."""
    return exactly(t.FloatType(f"f{width}"), f"{width}-bit float")


ANY: Final = TypeConstraint("any type", Anything())
NONE_TYPE: Final = exactly(t.NONE, "none type")
INDEX: Final = exactly(t.INDEX, "index")
INTEGER: Final = kind("integer", "integer")
SIGNLESS: Final = kind("signless integer", "signless integer")
SIGNLESS_OR_INDEX: Final = TypeConstraint("signless integer or index", AnyOf((Kind("signless integer"), Kind("index"))))
FLOAT: Final = kind("float", "floating-point")
COMPLEX: Final = kind("complex", "complex-type")
SIGNLESS_LIKE: Final = like(SIGNLESS, "signless-integer")
SIGNLESS_OR_INDEX_LIKE: Final = like(SIGNLESS_OR_INDEX, "signless-integer-like")
FLOAT_LIKE: Final = like(FLOAT, "floating-point-like")
