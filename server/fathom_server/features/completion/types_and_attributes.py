"""Types and attributes where the parser would take one: builtin ones by their words, those of dialects by
their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.types import FunctionType
from fathom.irdl.lazy import possible_names
from fathom.syntax.grammar import is_simple_type
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.slots import callee_at, signature_of
from fathom_server.features.completion.suggestion import Kind, Suggestion
from fathom_server.features.completion.wanted import wanted_at
from fathom_server.model.aliases import aliases_for

_PLAIN: Final = (
    *("i32", "i64", "f32", "f64", "index", "i1", "i8", "i16", "f16", "bf16", "none", "si32", "ui32", "si8", "ui8"),
    *("si16", "ui16", "si64", "ui64", "tf32", "f80", "f128", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ"),
    *("f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "f6E3M2FN", "f6E2M3FN", "f4E2M1FN"),
)
_SNIPPETS: Final = {
    "memref": "memref<${1:4}x${2:f32}>",
    "tensor": "tensor<${1:4}x${2:f32}>",
    "vector": "vector<${1:4}x${2:f32}>",
    "complex": "complex<${1:f32}>",
    "tuple": "tuple<${1:i32}>",
    "dense": "dense<${1:0}>",
    "array": "array<${1:i64}: ${2:0}>",
    "affine_map": "affine_map<(${1:d0}) -> (${2:d0})>",
    "affine_set": "affine_set<(${1:d0}) : (${2:d0 >= 0})>",
    "strided": "strided<[${1:1}], offset: ${2:0}>",
    "dense_resource": "dense_resource<${1:key}>",
    "distinct": "distinct[${1:0}]<${2:unit}>",
}
_SHAPED: Final = ("memref", "tensor", "vector", "complex", "tuple")
_BEGIN_TYPES: Final = ("type", "type_parens")
"""The fragments that are types, and functions' types."""
_ATTRIBUTES: Final = ("true", "false", "unit", *list(_SNIPPETS)[5:])
_BY_SIGN: Final = {
    "!": ("type", "attribute", "EXCLAIM"),
    "#": ("alias", "attribute", "HASH", "DIALECT_HASH"),
}


def types(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The words with which types and attributes begin that the grammar would take: the near ones first, then types."""
    asked = inquiry.asked
    of_grammar = asked.unfinished.words if asked.unfinished is not None else ()
    possible = {word for word in of_grammar if word[0].isalpha()}
    if asked.takes("attribute"):
        possible.update(_ATTRIBUTES)
    if asked.takes("type", "attribute", "SIMPLE_TYPE"):
        possible.update(_PLAIN, _SHAPED)
    if (wanted := wanted_at(inquiry)) is not None:
        possible = {word for word in possible if wanted.takes(word)}
    yield from _types_of_values(inquiry)
    unfinished = asked.unfinished
    begins_attribute = unfinished is not None and unfinished.start == "attribute" and not unfinished.stack
    words = (*_ATTRIBUTES, *_PLAIN, *_SHAPED) if begins_attribute else (*_PLAIN, *_SHAPED, *_ATTRIBUTES)
    ordered = (*inquiry.near.ordered, *words, *of_grammar)
    yield from (_written(word) for word in dict.fromkeys(ordered) if word in possible)


def _types_of_values(inquiry: Inquiry) -> Iterator[Suggestion]:
    """Where a type begins, the whole types of the values that the statement names before it; the type of the function
    that it calls."""
    unfinished = inquiry.asked.unfinished
    if unfinished is None or unfinished.stack or unfinished.start not in _BEGIN_TYPES:
        return
    called = callee_at(inquiry)
    if called is not None and called.operation is not None:
        inputs, results = signature_of(called.operation)
        yield Suggestion(str(FunctionType(tuple(inputs), tuple(results))), "type", f"of `@{called.symbol.name}`")
    elif unfinished.start == "type":
        names = dict.fromkeys(token.text for token in inquiry.position.before if token.kind == "VALUE")
        known = {name: type for name in names if (type := inquiry.type_of(name)) is not None}
        yield from (Suggestion(str(type), "type", f"of `{name}`") for name, type in known.items())


def _written(word: str) -> Suggestion:
    """A word with what follows it, where it cannot stand alone."""
    kind: Kind = "type" if word in _SHAPED or is_simple_type(word) else "attribute"
    return Suggestion(word, kind, "", "", _SNIPPETS.get(word, ""), word in _SNIPPETS)


def aliases(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The aliases of types and of attributes, the near ones first."""
    known, wanted = aliases_for(inquiry.snapshot, inquiry.position.item), wanted_at(inquiry)
    for sign, names in (("!", known.types), ("#", known.attributes)):
        if sign == "!" and wanted is not None and not wanted.takes_types():
            continue
        if inquiry.position.sign == sign or (not inquiry.position.sign and inquiry.asked.takes(*_BY_SIGN[sign])):
            kind: Kind = "type" if sign == "!" else "attribute"
            near = (alias[1:] for alias in inquiry.near.ordered if alias.startswith(sign) and alias[1:] in names)
            for name in dict.fromkeys((*near, *names)):
                if sign == "!" or wanted is None or wanted.takes_alias(inquiry, f"#{name}"):
                    yield Suggestion(f"{sign}{name}", kind, "alias")


def dialect_values(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The types or attributes of dialects, the near ones first; before a dot is written, those of all dialects whose
    names begin so."""
    context, position = inquiry.snapshot.context, inquiry.position
    sign = position.sign
    kind: Kind = "type" if sign == "!" else "attribute"
    for word in inquiry.near.ordered:
        if word.startswith(position.word) and "." in word:
            yield Suggestion(word, kind)
    begun, dot, _ = position.word[1:].partition(".")
    for name in (begun,) if dot else context.dialect_names():
        dialect = context.dialect(name) if dot or not begun or name.startswith(begun) else None
        if dialect is None:
            continue
        for mnemonic in possible_names(dialect.types if sign == "!" else dialect.attributes):
            yield Suggestion(f"{sign}{name}.{mnemonic}", kind)
