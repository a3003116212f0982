"""The classes of types and attributes to which MLIR casts what it reads, before it verifies a constraint.

A text of another class is refused where it stands: "invalid kind of type specified". Source of the rules: the C++ types
that ODS's constraints name, and the parsers that MLIR 22 generates of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir import types as t
from fathom.irdl.kinds import KINDS, Implements, Kind, Named
from fathom.irdl.terms import AllOf, Exactly, NativeClass, Term

_CLASSES: Final[Mapping[str, str]] = {
    "complex": "complex",
    "fixed vector": "vector",
    "function": "function",
    "index": "index",
    "integer": "integer",
    "memref": "memref",
    "none": "none",
    "ranked tensor": "tensor",
    "scalable vector": "vector",
    "signed integer": "integer",
    "signless integer": "integer",
    "tensor": "",
    "trailing scalable vector": "vector",
    "tuple": "tuple",
    "unranked memref": "unranked_memref",
    "unranked or ranked memref": "",
    "unranked tensor": "unranked_tensor",
    "unsigned integer": "integer",
    "vector": "vector",
}
"""The classes that MLIR has for kinds of types, by their names in the builtin dialect; empty for one without a name."""


def stored_kind(term: Term) -> Kind | Named | Implements | NativeClass | None:
    """The class of types or attributes to which MLIR casts what it reads for a term, before it verifies the term."""
    match term:
        case Kind(name) if name in _CLASSES or name.endswith("attribute"):
            wide = _CLASSES.get(name, "")
            return Kind(wide if wide in KINDS and wide != "tensor" else name)
        case Named() | Implements() | NativeClass():
            return term
        case AllOf(terms) if terms:
            return stored_kind(terms[0])
        case Exactly(t.IntegerType()):
            return Kind("integer")
        case Exactly(t.IndexType()):
            return Kind("index")
        case _:
            return None


def class_name(kind: Kind | Named | Implements | NativeClass) -> str:
    """How messages name a class of types: `builtin.memref`; empty for one without a name."""
    if isinstance(kind, (Implements, NativeClass)):
        return ""
    if isinstance(kind, Named):
        return kind.name
    name = _CLASSES.get(kind.name, "")
    return f"builtin.{name}" if name else ""
