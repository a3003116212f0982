"""What `{-# … #-}` says: the blobs of `dense_resource` attributes, and the resources of other tools.

Source of the rules: *MLIR Language Reference*, "External resources"; the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.parts import TextOf
from fathom.ir.attributes import quote
from fathom.ir.metadata import Metadata, spell_blob
from fathom.syntax.nodes import Node, Ref

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
                    mistakes.append(failure)
    return metadata, mistakes


def foreign_resources(node: Node, is_known: Callable[[str], bool]) -> list[ElaborationFailure]:
    """A mistake for each known dialect but the builtin one that is given resources: nothing could refer to them.

    Those of an unknown dialect are passed over.
    """
    sections = [s for part in node.nodes if str(part.leaves[0]) == "dialect_resources" for s in part.nodes]
    return [
        ElaborationFailure(f"unexpected 'resource' section for dialect '{name}'", section.nodes[0].start)
        for section in sections
        if section.nodes and (name := str(section.leaves[0])) != "builtin" and is_known(name)
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
        return spell_blob(_blob(key, literal, place))
    if literal.startswith('"'):
        return quote(unquote(literal))
    if literal not in ("true", "false"):
        raise ElaborationFailure(f"expected string value for key '{key}'", place)
    return literal


def _blob(key: str, literal: str, place: Ref) -> str:
    """The digits of a literal: four bytes of alignment, in little-endian order, and then the data."""
    message = f"expected hex string blob for key '{key}'"
    digits = literal[3:-1]
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        data = None
    if data is None or not literal.startswith('"0x') or (not digits.isalnum() and digits):
        raise ElaborationFailure(message, place)
    message += " to encode alignment in first 4 bytes"
    if len(data) < _ALIGNMENT:
        raise ElaborationFailure(message, place)
    alignment = int.from_bytes(data[:_ALIGNMENT], "little")
    if alignment & (alignment - 1):
        raise ElaborationFailure(f"{message}, but got non-power-of-2 value: {alignment}", place)
    return digits.upper() if len(data) > _ALIGNMENT else "00" * _ALIGNMENT
