"""Another name for what a `.ll` file defines, wherever it stands in the file; or why it cannot have it."""

from __future__ import annotations

from typing import Final

from fathom.llvmir.spelling import spell_name, unescape
from fathom_server.features.edits import Refusal, Renamable, Replacement
from fathom_server.model.llvm_ir.meaning import Meant, definition_of, meant_at, mentions_of, spot_at
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, key_of

LONGEST: Final = 1000
"""Characters that a new name may have."""
_RENAMED: Final = "%@$"
"""The sigils of what can have another name: metadata and groups of attributes have numbers, or names that mean
something."""
_INTRINSIC: Final = "@llvm."


def prepare(snapshot: LlvmSnapshot, offset: int) -> Renamable | None:
    """The name at an offset that can be another."""
    spot = spot_at(snapshot, offset)
    meant = meant_at(snapshot, spot) if spot is not None else None
    if spot is None or meant is None or _problem(snapshot, meant):
        return None
    is_label = spot.token.kind is Kind.LABEL
    return Renamable(spot.start + (not is_label), spot.end - is_label, meant.key[1:])


def rename(snapshot: LlvmSnapshot, offset: int, new_name: str) -> list[Replacement] | Refusal:
    """What gives another name to what is meant at an offset."""
    spot = spot_at(snapshot, offset)
    meant = meant_at(snapshot, spot) if spot is not None else None
    if meant is None:
        return Refusal("no name stands here")
    if problem := _problem(snapshot, meant):
        return Refusal(problem)
    name = _read(meant.key[0], new_name)
    if isinstance(name, Refusal):
        return name
    key = meant.key[0] + name
    owner = meant.function
    is_taken = owner.names.definition(key) is not None if owner is not None else snapshot.unit_of(key) is not None
    if key != meant.key and is_taken:
        return Refusal(f"'{key}' is defined already")
    return sorted(_replacements(snapshot, meant, name), key=lambda replacement: replacement.start)


def _replacements(snapshot: LlvmSnapshot, meant: Meant, name: str) -> list[Replacement]:
    text = snapshot.tree.text
    made: list[Replacement] = []
    for start, end, _ in mentions_of(snapshot, meant):
        is_label = text[end : end + 1] == ":" and text[start] not in _RENAMED
        made.append(Replacement(start + (not is_label), end, spell_name(name)))
    # A global in a comdat that is not named is in that of its own name.
    comdat = Meant(f"${meant.key[1:]}", None)
    if meant.key[0] == "@" and snapshot.unit_of(comdat.key) is not None:
        made += _replacements(snapshot, comdat, name)
    return made


def _problem(snapshot: LlvmSnapshot, meant: Meant) -> str:
    """Why what is meant keeps its name; empty if it need not."""
    if meant.key[0] not in _RENAMED:
        return f"'{meant.key}' has a number, or a name that means something to LLVM"
    if meant.key.startswith(_INTRINSIC):
        return f"'{meant.key}' is an intrinsic of LLVM"
    definition = definition_of(snapshot, meant)
    if definition is None:
        return f"nothing defines '{meant.key}'"
    written = snapshot.tree.text[definition.start : definition.end]
    if meant.key not in (key_of(written), key_of(f"{written}:")):
        return f"'{meant.key}' has no name where it is defined"
    return ""


def _read(sigil: str, written: str) -> str | Refusal:
    """The name that a person wrote, with its sigil or without, in quotes or not."""
    name = written.strip().removeprefix(sigil)
    if len(name) >= 2 and name[0] == name[-1] == '"':
        name = unescape(name[1:-1])
    if not name or len(name) > LONGEST or any(character < " " for character in name):
        return Refusal(f"a name has between 1 and {LONGEST} characters that can be seen")
    if name.isdecimal():
        return Refusal("LLVM counts what has no name: a number is none")
    return name
