"""Terms that say of what kind a type or attribute is: a builtin one, one that a dialect defines, one with an interface.

Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.strides import is_strided
from fathom.irdl.terms import Term, Test
from fathom.records import record
from fathom.text.escapes import quote


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
        return f"Kind<{quote(self.name)}>"


@record
class Named(Term):
    """A type or attribute that a dialect defines, by its full name: `llvm.ptr`. Its parameters may be anything."""

    name: str

    def compiled(self) -> Test:
        # What is kept as it is written may say no more than its dialect.
        names = frozenset((self.name, self.name.partition(".")[0]))
        return lambda value: isinstance(value, (t.Type, a.Attribute)) and value.full_name in names

    def __str__(self) -> str:
        return f"Named<{quote(self.name)}>"


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
        return f"Implements<{quote(self.interface)}>"
