"""What `{-# … #-}` says: the blobs of `dense_resource` attributes, and the resources of other tools.

Source of the rules: *MLIR Language Reference*, "External resources"; the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.parts import TextOf
from fathom.ir.attributes import Blob
from fathom.ir.metadata import Metadata, spell_blob
from fathom.syntax.carried import Carried, whole, width
from fathom.syntax.nodes import Node, Ref
from fathom.text.escapes import quote

_ALIGNMENT: Final = 4
"""How many bytes of a blob tell its alignment; without data they are zero."""


def read_metadata(node: Node, text: TextOf) -> tuple[Metadata, list[ElaborationFailure]]:
    """What a tree of kind `file_metadata` says, and the mistakes in it; an entry with a mistake is left out."""
    metadata = Metadata()
    mistakes: list[ElaborationFailure] = []
    for part in node.nodes:
        kind = str(part.leaves[0])
        if kind not in ("dialect_resources", "external_resources"):
            mistakes.append(ElaborationFailure(f"unknown key '{kind}' in file metadata dictionary", part.start))
            continue
        for section in part.nodes:
            owner = str(section.leaves[0])
            for entry in section.nodes:
                try:
                    _read_entry(entry, text, metadata, owner, is_external=kind == "external_resources")
                except ElaborationFailure as failure:
                    mistakes.append(failure.with_traceback(None))
    return metadata, mistakes


def resource_sections(node: Node) -> list[Node]:
    """The sections of a tree of kind `file_metadata` with the resources of dialects."""
    return [s for part in node.nodes if str(part.leaves[0]) == "dialect_resources" for s in part.nodes]


def foreign_resources(node: Node, is_known: Callable[[str], bool]) -> list[ElaborationFailure]:
    """A mistake for each known dialect but the builtin one that is given resources: nothing could refer to them.

    Those of an unknown dialect are passed over.
    """
    return [
        ElaborationFailure(f"unexpected 'resource' section for dialect '{name}'", section.leaves[2].ref + 1)
        for section in resource_sections(node)
        if (name := str(section.leaves[0])) != "builtin" and is_known(name)
    ]


def _read_entry(entry: Node, text: TextOf, metadata: Metadata, owner: str, *, is_external: bool) -> None:
    key_leaf, _, value_leaf = entry.leaves
    key = text(key_leaf.ref)
    key = unquote(key) if key.startswith('"') else key
    value = text(value_leaf.ref)
    if is_external:
        metadata.external.setdefault(owner, {})[key] = _external_value(key, value, value_leaf.ref)
    elif owner == "builtin":
        metadata.blobs[key] = _blob(key, value, value_leaf.ref)


def _external_value(key: str, literal: str, place: Ref) -> str:
    if literal.startswith('"0x'):
        return spell_blob(_blob(key, literal, place).digits())
    if literal.startswith('"'):
        return quote(unquote(literal))
    if literal not in ("true", "false"):
        raise ElaborationFailure(f"expected string value for key '{key}'", place)
    return literal


_DIGITS: Final = re.compile('"0x(?:[0-9a-fA-F]{2})*+"')


def _blob(key: str, literal: str, place: Ref) -> Blob:
    """The digits of a literal: four bytes of alignment, in little-endian order, and then the data."""
    message = f"expected hex string blob for key '{key}'"
    if isinstance(literal, Carried):
        is_blob = literal.literal.kind == "digits" and not literal.width % 2
    else:
        is_blob = _DIGITS.fullmatch(literal) is not None
    if not is_blob:
        raise ElaborationFailure(message, place)
    message += " to encode alignment in first 4 bytes"
    count = width(literal) - len('"0x"')
    if count < 2 * _ALIGNMENT:
        raise ElaborationFailure(message, place)
    alignment = int.from_bytes(bytes.fromhex(literal[3 : 3 + 2 * _ALIGNMENT]), "little")
    if alignment & (alignment - 1):
        raise ElaborationFailure(f"{message}, but got non-power-of-2 value: {alignment}", place)
    if count == 2 * _ALIGNMENT:
        return Blob(count, lambda: "00" * _ALIGNMENT)
    return Blob(count, lambda: whole(literal)[3:-1])
