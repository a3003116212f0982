"""Words that stand inside of an operation: keywords of its format, the cases of its enumerations, the types of
builtin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.irdl.interfaces import FunctionLike
from fathom_server.features.completion.position import Position
from fathom_server.features.completion.suggestion import Suggestion
from fathom_server.model.snapshot import Snapshot

_PLAIN: Final = ("index", "i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "none")
_SHAPED: Final = {
    "memref": "memref<${1:4}x${2:f32}>",
    "tensor": "tensor<${1:4}x${2:f32}>",
    "vector": "vector<${1:4}x${2:f32}>",
    "complex": "complex<${1:f32}>",
    "tuple": "tuple<${1:i32}>",
}
_ATTRIBUTES: Final = {
    "true": "true",
    "false": "false",
    "unit": "unit",
    "dense": "dense<${1:0}>",
    "array": "array<${1:i64}: ${2:0}>",
    "affine_map": "affine_map<(${1:d0}) -> (${2:d0})>",
    "affine_set": "affine_set<(${1:d0}) : (${2:d0 >= 0})>",
    "strided": "strided<[${1:1}], offset: ${2:0}>",
}
_KEYWORD: Final = re.compile(r"`([A-Za-z_][\w.]*)`")
_BEHIND_VALUE_SIGN: Final = re.compile(r"(?:[=<\[(,]|\bconstant)\s*$")
_BEHIND_TYPE_SIGN: Final = re.compile(r"(?::|->|[(<,]|\bto|\binto|x)\s*$")


def words(snapshot: Snapshot, position: Position) -> Iterator[Suggestion]:
    """The words that an operation of the line's name may have, and types where one can follow."""
    definition = position.operation(snapshot)
    if definition is not None:
        for each in definition.properties:
            yield from (Suggestion(case, "attribute", each.name) for case in each.constraint.cases)
        for keyword in dict.fromkeys(_KEYWORD.findall(definition.assembly or "")):
            yield Suggestion(keyword, "operation", f"keyword of `{definition.name}`")
    if _BEHIND_TYPE_SIGN.search(position.head):
        yield from (Suggestion(name, "type") for name in _PLAIN)
        yield from (Suggestion(name, "type", "", "", text, True) for name, text in _SHAPED.items())
    if _BEHIND_VALUE_SIGN.search(position.head):
        yield from (Suggestion(name, "attribute", "", "", text, True) for name, text in _ATTRIBUTES.items())
    if definition is not None and definition.interface(FunctionLike) is not None:
        yield from (
            Suggestion(name, "operation", f"keyword of `{definition.name}`") for name in ("attributes", "private")
        )
