"""What nodes of debug information stand for, in words: a place in the source, a function, a variable, a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from fathom.debug_info.correspondence import BY_KIND
from fathom.debug_info.telling import Described, Step, told_of
from fathom.llvmir.spelling import unescape
from fathom.records import record
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, Token, key_of, tokens_in

MOST_NODES: Final = 48
"""So many nodes are gone through for one answer: they may refer to each other in a circle."""
MOST_TOKENS: Final = 400
_BETWEEN: Final = frozenset(",(){}|")


@record
class Node:
    """A node: its class, empty for a tuple; its fields as they are written, and what stands in it without a name."""

    kind: str
    fields: Mapping[str, str]
    values: tuple[str, ...]


def node_of(snapshot: LlvmSnapshot, key: str) -> Node | None:
    """The node with a number; None if there is none."""
    unit = snapshot.unit_of(key)
    if unit is None:
        return None
    tokens = islice(tokens_in(unit.text), MOST_TOKENS)
    kind = next((token.text[1:] for token in tokens if token.kind is Kind.NODE or token.text == "{"), "")
    fields: dict[str, str] = {}
    values: list[str] = []
    for token in _parts(tokens):
        if token.kind is Kind.LABEL:
            fields[token.text[:-1]] = ""
        elif fields:
            last = next(reversed(fields))
            fields[last] = f"{fields[last]} {token.text}".strip()
        else:
            values.append(token.text)
    return Node(kind, fields, tuple(values))


def _parts(tokens: Iterator[Token]) -> Iterator[Token]:
    return (token for token in tokens if token.kind is not Kind.COMMENT and token.text not in _BETWEEN)


def meaning_of(snapshot: LlvmSnapshot, key: str) -> str:
    """What a node stands for; empty if it is no debug information, or says nothing."""
    described = _Nodes(snapshot).described(key)
    return told_of(described) if described is not None else ""


class _Nodes:
    """The nodes of a file, of which no more than so many are asked for."""

    def __init__(self, snapshot: LlvmSnapshot) -> None:
        self._snapshot = snapshot
        self._left = MOST_NODES

    def described(self, key: str) -> _Described | None:
        """The node that a field refers to; None for one that is null."""
        if key[:1] != "!":
            return None
        self._left -= 1
        node = node_of(self._snapshot, key_of(key)) if self._left > 0 else None
        return _Described(node, self) if node is not None else None


@record
class _Described:
    """A node as whoever tells what it stands for asks for it: by the names of the attribute's parameters."""

    node: Node
    nodes: _Nodes

    @property
    def kind(self) -> str:
        return self.node.kind

    def text(self, name: str) -> str:
        return unescape(self._field(name).strip('"'))

    def number(self, name: str) -> int:
        said = self._field(name)
        return int(said) if _is_number(said) else int(said == "true")

    def inner(self, name: str) -> Described | None:
        return self.nodes.described(self._field(name))

    def listed(self, name: str) -> Sequence[Described | None]:
        listed = self.nodes.described(self._field(name))
        return [self.nodes.described(value) for value in listed.node.values] if listed is not None else ()

    def bound(self, name: str) -> int | Described | None:
        return int(said) if _is_number(said := self._field(name)) else self.inner(name)

    def steps(self) -> Sequence[Step]:
        steps: list[tuple[str, list[int | str]]] = []
        for value in self.node.values:
            if value.startswith("DW_OP_") or not steps:
                steps.append((value, []))
            else:
                steps[-1][1].append(int(value) if _is_number(value) else value)
        return [(opcode, tuple(arguments)) for opcode, arguments in steps]

    def _field(self, name: str) -> str:
        """What is written where the attribute has a parameter of a name."""
        said = self.node.fields.get(_FIELDS.get((self.kind, name), name), "")
        return said or self.node.fields.get(_RENAMED.get(name, ""), "")


_MOST_DIGITS: Final = 40


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS


_FIELDS: Final = {(kind, part.parameter): part.field for kind, known in BY_KIND.items() for part in known.parts}
"""The fields that stand for parameters."""
_RENAMED: Final = {"sourceLanguage": "sourceLanguageName"}
"""Fields that say the same in another way."""
