"""What a constraint says of a type or an attribute, as a term: data that can be read, compared, printed and composed.

A term is immutable, equal to another that says the same, and spells itself as a description does (`str(term)`).
`compiled()` makes of it, once, the function that a verifier runs. What no term can say is `Native`, a function with a
name; what nobody has said is `Unknown`, which is satisfied by anything and can be asked for.
Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import Final, TypeAlias

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.floats import to_float
from fathom.ir.strides import is_strided
from fathom.records import record

Test: TypeAlias = "Callable[[object], bool]"
"""A predicate on types or on attributes; anything else does not satisfy it."""


@record
class Term:
    """One of the classes below."""

    def compiled(self) -> Test:
        """The function that decides the term."""
        raise TypeError(f"{type(self).__name__} is no term")

    def parts(self) -> tuple[Term, ...]:
        """The terms that it is made of."""
        return ()

    def unknown(self) -> Iterator[str]:
        """The names in it that nothing defines, so that what it accepts is not checked as a whole."""
        for part in self.parts():
            yield from part.unknown()


# ---- what everything is made of


@record
class Anything(Term):
    """Satisfied by all."""

    def compiled(self) -> Test:
        return lambda _: True

    def __str__(self) -> str:
        return "true"


@record
class AnyOf(Term):
    """One of several terms."""

    terms: tuple[Term, ...]

    def compiled(self) -> Test:
        exact = [term.value for term in self.terms if isinstance(term, Exactly)]
        if exact and len(exact) == len(self.terms):
            values = frozenset(exact)
            return lambda value: value in values
        tests = tuple(term.compiled() for term in self.terms)
        return lambda value: any(test(value) for test in tests)

    def parts(self) -> tuple[Term, ...]:
        return self.terms

    def __str__(self) -> str:
        return f"Or<[{', '.join(map(str, self.terms))}]>"


@record
class AllOf(Term):
    """Each of several terms; a later one is asked only where the earlier ones hold."""

    terms: tuple[Term, ...]

    def compiled(self) -> Test:
        tests = tuple(term.compiled() for term in self.terms)
        return lambda value: all(test(value) for test in tests)

    def parts(self) -> tuple[Term, ...]:
        return self.terms

    def __str__(self) -> str:
        return f"And<[{', '.join(map(str, self.terms))}]>"


@record
class Not(Term):
    """Satisfied by what does not satisfy the other."""

    term: Term

    def compiled(self) -> Test:
        test = self.term.compiled()
        return lambda value: not test(value)

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"Neg<{self.term}>"


@record
class Exactly(Term):
    """One type or attribute and no other."""

    value: t.Type | a.Attribute

    def compiled(self) -> Test:
        value = self.value
        return lambda other: other == value

    def __str__(self) -> str:
        return f"Is<`{self.value}`>"


@record
class Native(Term):
    """What only code can say: a function, and the name that it goes by."""

    name: str
    test: Test

    def compiled(self) -> Test:
        return self.test

    def __str__(self) -> str:
        return self.name


@record
class Unknown(Term):
    """A constraint that is named and nowhere defined."""

    name: str

    def compiled(self) -> Test:
        return lambda _: True

    def unknown(self) -> Iterator[str]:
        yield self.name

    def __str__(self) -> str:
        return self.name


# ---- kinds


def _instance(*classes: type[object]) -> Test:
    return lambda value: isinstance(value, classes)


def _is_ranked(value: object) -> bool:
    return isinstance(value, t.ShapedType) and value.shape is not None


def _trailing_scalable(value: object) -> bool:
    return isinstance(value, t.VectorType) and value.scalable.count(True) == 1 and value.scalable[-1]


def _all_scalable(value: object) -> bool:
    return isinstance(value, t.VectorType) and bool(value.shape) and bool(value.scalable) and all(value.scalable)


def _dense_of(element: Test) -> Test:
    return lambda value: isinstance(value, a.DenseElementsAttr) and element(value.type.element)


TYPED: Final = (
    a.IntegerAttr,
    a.FloatAttr,
    a.StringAttr,
    a.DenseElementsAttr,
    a.DenseStringsAttr,
    a.DenseResourceAttr,
    a.SparseElementsAttr,
    a.DenseArrayAttr,
)
"""The attributes that have a type."""

KINDS: Final[Mapping[str, Test]] = {
    # types
    "complex": _instance(t.ComplexType),
    "fixed vector": lambda v: isinstance(v, t.VectorType) and not any(v.scalable),
    "float": _instance(t.FloatType),
    "function": _instance(t.FunctionType),
    "index": _instance(t.IndexType),
    "integer": _instance(t.IntegerType),
    "memref": lambda v: isinstance(v, t.MemRefType) and v.shape is not None,
    "none": _instance(t.NoneType),
    "ranked": lambda v: _is_ranked(v) or isinstance(v, t.UnknownType),
    "ranked tensor": lambda v: isinstance(v, t.TensorType) and v.shape is not None,
    "scalable vector": lambda v: isinstance(v, t.VectorType) and any(v.scalable),
    "shaped": _instance(t.ShapedType, t.UnknownType),
    "signed integer": lambda v: isinstance(v, t.IntegerType) and v.signedness == "s",
    "signless integer": lambda v: isinstance(v, t.IntegerType) and not v.signedness,
    "static shape": lambda v: isinstance(v, t.UnknownType) or (isinstance(v, t.ShapedType) and v.has_static_shape),
    "strided": lambda v: isinstance(v, t.MemRefType) and is_strided(v),
    "tensor": _instance(t.TensorType),
    "trailing scalable vector": _trailing_scalable,
    "tuple": _instance(t.TupleType),
    "unranked memref": lambda v: isinstance(v, t.MemRefType) and v.shape is None,
    "unranked or ranked memref": _instance(t.MemRefType),
    "unranked tensor": lambda v: isinstance(v, t.TensorType) and v.shape is None,
    "unsigned integer": lambda v: isinstance(v, t.IntegerType) and v.signedness == "u",
    "value semantics": _instance(t.VectorType, t.TensorType),
    "vector": _instance(t.VectorType),
    "vector of all scalable dimensions": _all_scalable,
    # attributes
    "affine map attribute": _instance(a.AffineMapAttr),
    "array attribute": _instance(a.ArrayAttr),
    "bool attribute": lambda v: isinstance(v, a.IntegerAttr) and v.type == t.I1,
    "dense array attribute": _instance(a.DenseArrayAttr),
    "dense float elements attribute": _dense_of(_instance(t.FloatType)),
    "dense integer elements attribute": _dense_of(_instance(t.IntegerType, t.IndexType)),
    "dense string elements attribute": _instance(a.DenseStringsAttr),
    "dictionary attribute": _instance(a.DictAttr),
    "elements attribute": _instance(*TYPED[3:], a.UnknownAttr),
    "flat symbol reference attribute": lambda v: isinstance(v, a.SymbolRefAttr) and not v.nested,
    "float attribute": _instance(a.FloatAttr),
    "integer attribute": _instance(a.IntegerAttr),
    "integer set attribute": _instance(a.IntegerSetAttr),
    "string attribute": _instance(a.StringAttr),
    "symbol reference attribute": _instance(a.SymbolRefAttr),
    "type attribute": _instance(a.TypeAttr),
    "typed attribute": lambda v: (
        isinstance(v, (*TYPED, a.UnknownAttr)) or (isinstance(v, DialectAttr) and "TypedAttr" in v.definition.traits)
    ),
    "unit attribute": _instance(a.UnitAttr),
}
"""The kinds of builtin types and attributes, by name."""


@record
class Kind(Term):
    """A builtin type or attribute of a kind of KINDS."""

    name: str

    def compiled(self) -> Test:
        return KINDS[self.name]

    def __str__(self) -> str:
        return f"Kind<{a.quote(self.name)}>"


# ---- parts


def is_kept(value: object) -> bool:
    """Whether a type or attribute is kept as it is written, so that nobody knows what it has and how much."""
    return isinstance(value, (t.UnknownType, a.UnknownAttr))


def _element(value: object) -> object:
    return value.element if isinstance(value, (t.ShapedType, t.ComplexType, a.DenseArrayAttr)) else None


def _element_or_self(value: object) -> object:
    return value.element if isinstance(value, t.ShapedType) else value


def _type(value: object) -> object:
    return getattr(value, "type", None) if isinstance(value, (a.TypeAttr, *TYPED)) else None


PARTS: Final[Mapping[str, Callable[[object], object]]] = {
    "Element": _element,
    "ElementOrSelf": _element_or_self,
    "TypeOf": _type,
}


@record
class Part(Term):
    """A part of a value, by its name in PARTS, satisfies a term: the element of a shaped type, the type of an
    attribute. A value without that part does not."""

    part: str
    term: Term

    def compiled(self) -> Test:
        part, test = PARTS[self.part], self.term.compiled()
        return lambda value: is_kept(value) or ((found := part(value)) is not None and test(found))

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"{self.part}<{self.term}>"


def _nested_tuple(value: t.TupleType) -> Iterator[t.Type]:
    for element in value.elements:
        if isinstance(element, t.TupleType):
            yield from _nested_tuple(element)
        else:
            yield element


@record
class Each(Term):
    """Each element of an array or tuple satisfies a term; of tuples in a tuple, their elements, if `nested`."""

    term: Term
    nested: bool = False

    def compiled(self) -> Test:
        test, nested = self.term.compiled(), self.nested

        def accepts(value: object) -> bool:
            if isinstance(value, t.TupleType):
                return all(map(test, _nested_tuple(value) if nested else value.elements))
            return isinstance(value, a.ArrayAttr) and all(map(test, value.elements))

        return accepts

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"{'EachNested' if self.nested else 'Each'}<{self.term}>"


# ---- numbers


def _rank(value: object) -> int | None:
    return len(value.shape) if isinstance(value, t.ShapedType) and value.shape is not None else None


def _length(value: object) -> int | None:
    if not isinstance(value, t.ShapedType) or not value.has_static_shape or not value.ranked_shape:
        return None
    return prod(value.ranked_shape)


def _count(value: object) -> int | None:
    if isinstance(value, a.ArrayAttr):
        return len(value.elements)
    return len(value.values) if isinstance(value, a.DenseArrayAttr) else None


def _bits(value: object) -> int | None:
    return value.width if isinstance(value, (t.IntegerType, t.FloatType)) else None


def _integer(value: object) -> int | None:
    return value.value if isinstance(value, a.IntegerAttr) else None


MEASURES: Final[Mapping[str, Callable[[object], int | None]]] = {
    "rank": _rank,
    "number of elements": _length,
    "bit width": _bits,
    "value": _integer,
    "count": _count,
}
"""What of a value is a number; None where it has no such number."""


def _measure(name: str, index: int | None) -> Callable[[object], int | None]:
    if index is None:
        return MEASURES[name]
    if name == "extent":

        def extent(value: object) -> int | None:
            shape = value.shape if isinstance(value, t.ShapedType) else None
            return shape[index] if shape is not None and -len(shape) <= index < len(shape) else None

        return extent

    def element(value: object) -> int | None:
        elements = value.elements if isinstance(value, a.ArrayAttr) else ()
        return _integer(elements[index]) if index < len(elements) else None

    return element


@record
class Within(Term):
    """A number lies between two bounds, each of which counts; None is no bound. With `index` the number is an extent
    of a shape, or an element of an array."""

    measure: str
    low: int | None = None
    high: int | None = None
    index: int | None = None

    def compiled(self) -> Test:
        measure, low, high = _measure(self.measure, self.index), self.low, self.high

        def accepts(value: object) -> bool:
            number = measure(value)
            is_within = number is not None and (low is None or number >= low) and (high is None or number <= high)
            return is_within or is_kept(value)

        return accepts

    def __str__(self) -> str:
        which = "" if self.index is None else f", {self.index}"
        if self.high is None:
            return f"AtLeast<{a.quote(self.measure)}, {self.low}{which}>"
        if self.low is None:
            return f"AtMost<{a.quote(self.measure)}, {self.high}{which}>"
        return f"Within<{a.quote(self.measure)}, {self.low}, {self.high}{which}>"


@record
class Among(Term):
    """A number is one of several, like `Within`."""

    measure: str
    numbers: tuple[int, ...]
    index: int | None = None

    def compiled(self) -> Test:
        measure, numbers = _measure(self.measure, self.index), frozenset(self.numbers)
        return lambda value: measure(value) in numbers or is_kept(value)

    def __str__(self) -> str:
        which = "" if self.index is None else f", {self.index}"
        return f"Among<{a.quote(self.measure)}, [{', '.join(map(str, self.numbers))}]{which}>"


@record
class OnlyBits(Term):
    """The value of an integer attribute has no bits beyond these."""

    bits: int

    def compiled(self) -> Test:
        others = ~self.bits
        return lambda value: isinstance(value, a.IntegerAttr) and not value.value & others

    def __str__(self) -> str:
        return f"OnlyBits<{self.bits}>"


@record
class Numbers(Term):
    """A dense array whose numbers are all at least `low`, and in order if it is `sorted`, strictly if `strict`."""

    low: int | None = None
    sorted: bool = False
    strict: bool = False

    def compiled(self) -> Test:
        low, is_sorted, strict = self.low, self.sorted, self.strict

        def accepts(value: object) -> bool:
            if not isinstance(value, a.DenseArrayAttr):
                return False
            type = value.element
            numbers = [to_float(n, type.name) for n in value.values] if isinstance(type, t.FloatType) else value.values
            if low is not None and any(number < low for number in numbers):
                return False
            return not is_sorted or all(x < y or (x == y and not strict) for x, y in pairwise(numbers))

        return accepts

    def __str__(self) -> str:
        low = "?" if self.low is None else str(self.low)
        return f"Numbers<{low}, {'strictly sorted' if self.strict else 'sorted' if self.sorted else 'any order'}>"


@record
class PowerOfTwo(Term):
    """An integer attribute whose value is a power of two."""

    def compiled(self) -> Test:
        return lambda value: isinstance(value, a.IntegerAttr) and value.value > 0 and value.value.bit_count() == 1

    def __str__(self) -> str:
        return "PowerOfTwo"


@record
class Shape(Term):
    """A shaped type of exactly this shape."""

    shape: tuple[int, ...]

    def compiled(self) -> Test:
        shape = self.shape
        return lambda value: isinstance(value, t.ShapedType) and value.shape == shape

    def __str__(self) -> str:
        return f"Shape<[{', '.join(map(str, self.shape))}]>"


# ---- of dialects


@record
class Named(Term):
    """A type or attribute that a dialect defines, by its full name: `llvm.ptr`. Its parameters may be anything."""

    name: str

    def compiled(self) -> Test:
        name = self.name
        dialect, _, mnemonic = name.partition(".")
        spelt = re.compile(rf"[!#]{dialect}(?:\.{re.escape(mnemonic)}(?![\w$.])|<)")

        def accepts(value: object) -> bool:
            if isinstance(value, (DialectType, DialectAttr)):
                return value.full_name == name
            # What a dialect has a class of its own for goes by its text, and so does what is kept as it is written.
            return isinstance(value, (t.Type, a.Attribute)) and spelt.match(str(value)) is not None

        return accepts

    def __str__(self) -> str:
        return f"Named<{a.quote(self.name)}>"


_IMPLEMENTED: Final[Mapping[str, tuple[type, ...]]] = {
    "BufferLikeType": (t.MemRefType,),
    "TensorLikeType": (t.TensorType,),
}
"""The builtin types that implement interfaces."""


@record
class Implements(Term):
    """A type or attribute whose definition names an interface or trait. One that is not known may have it."""

    interface: str

    def compiled(self) -> Test:
        interface = self.interface
        builtin = _IMPLEMENTED.get(interface, ())

        def accepts(value: object) -> bool:
            if isinstance(value, (t.UnknownType, a.UnknownAttr, *builtin)):
                return True
            return isinstance(value, (DialectType, DialectAttr)) and interface in value.definition.traits

        return accepts

    def __str__(self) -> str:
        return f"Implements<{a.quote(self.interface)}>"
