"""Which types may be the elements of memrefs, vectors, tensors and complex numbers.

Source of the rules: *Builtin Dialect*, "Types", and the interfaces of types that the definitions of MLIR 22 name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import dialect_names
from fathom.elaborate.failure import ElaborationFailure
from fathom.ir import types as t
from fathom.ir.dialect_values import DialectType

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf
    from fathom.syntax.nodes import Node

_SCALARS: Final = (t.IntegerType, t.IndexType, t.FloatType)
_OF_TENSORS: Final = (*_SCALARS, t.ComplexType, t.VectorType)
_OF_MEMREFS: Final = (*_OF_TENSORS, t.MemRefType)
_LIBRARY: Final = t.__name__.partition(".")[0] + "."


def element_of_tensor(parts: Parts, node: Node, text: TextOf | None) -> t.Type:
    """The element type of a tensor: of the builtin ones some, of other dialects any."""
    element, at = _element(parts, node, text)
    if not isinstance(element, _OF_TENSORS) and _is_builtin(element):
        raise ElaborationFailure("invalid tensor element type", at)
    return element


def element_of_memref(parts: Parts, node: Node, text: TextOf | None) -> t.Type:
    """The element type of a memref; those of other dialects have an interface for that."""
    element, at = _element(parts, node, text)
    if not isinstance(element, _OF_MEMREFS) and _is_known_without(element, t.MEMREF_ELEMENT):
        raise ElaborationFailure("invalid memref element type", at)
    return element


def element_of_vector(parts: Parts, node: Node, text: TextOf | None) -> t.Type:
    """The element type of a vector; those of other dialects have an interface for that."""
    element, _ = _element(parts, node, text)
    if not isinstance(element, _SCALARS) and _is_known_without(element, t.VECTOR_ELEMENT):
        raise ElaborationFailure(f"failed to verify 'elementType': {t.VECTOR_ELEMENT} instance", node.start)
    return element


def element_of_complex(parts: Parts, node: Node, text: TextOf | None) -> t.Type:
    """The type of the parts of a complex number."""
    element, at = _element(parts, node, text)
    if not isinstance(element, (t.IntegerType, t.FloatType)):
        raise ElaborationFailure("invalid element type for complex", at)
    return element


def _element(parts: Parts, node: Node, text: TextOf | None) -> tuple[t.Type, int]:
    """The type inside of another, and where it begins."""
    inner = next(child for child in node.nodes if child.kind == "type")
    return parts.type(inner, text), inner.start


def _is_builtin(type_: t.Type) -> bool:
    return type(type_).__module__ == t.__name__ and not isinstance(type_, t.UnknownType)


def _is_known_without(type_: t.Type, interface: str) -> bool:
    """Whether it is known that the type has not this interface: all is known of those of MLIR, nothing of others, which
    code may give interfaces that no description says."""
    if isinstance(type_, DialectType):
        return interface not in type_.interfaces and type_.dialect in dialect_names()
    is_known = type(type_).__module__.startswith(_LIBRARY) and not isinstance(type_, t.UnknownType)
    return is_known and interface not in type_.interfaces
