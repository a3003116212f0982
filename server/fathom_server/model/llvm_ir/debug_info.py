"""What nodes of debug information stand for, in words: a place in the source, a function, a variable, a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

from fathom.llvmir.spelling import unescape
from fathom.records import record
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, key_of, tokens_in

MOST_NODES: Final = 48
"""So many nodes are gone through for one answer: they may refer to each other in a circle."""
MOST_TOKENS: Final = 400


@record
class Node:
    """A specialised node: its class, and its fields as they are written."""

    name: str
    fields: Mapping[str, str]

    def text(self, field: str) -> str:
        """A field that is a string, without its quotes."""
        return unescape(self.fields.get(field, "").strip('"'))


def node_of(snapshot: LlvmSnapshot, key: str) -> Node | None:
    """The specialised node with a number; None if it is another node, or there is none."""
    unit = snapshot.unit_of(key)
    if unit is None:
        return None
    tokens = islice(tokens_in(unit.text), MOST_TOKENS)
    name = next((token.text for token in tokens if token.kind is Kind.NODE), "")
    if not name:
        return None
    fields: dict[str, str] = {}
    field = ""
    for token in tokens:
        if token.kind is Kind.LABEL:
            field = token.text[:-1]
            fields[field] = ""
        elif token.text not in (",", "(", ")") and token.kind is not Kind.COMMENT:
            fields[field] = f"{fields.get(field, '')} {token.text}".strip()
    return Node(name[1:], fields)


def meaning_of(snapshot: LlvmSnapshot, key: str) -> str:
    """What a node stands for; empty if it is no debug information, or says nothing."""
    return _Meanings(snapshot).of(key)


class _Meanings:
    """What nodes of a file stand for."""

    def __init__(self, snapshot: LlvmSnapshot) -> None:
        self._snapshot = snapshot
        self._left = MOST_NODES

    def of(self, key: str) -> str:
        self._left -= 1
        node = node_of(self._snapshot, key_of(key)) if key[:1] == "!" and self._left > 0 else None
        say = _SAY.get(node.name) if node is not None else None
        return say(self, node) if node is not None and say is not None else ""

    def location(self, node: Node) -> str:
        line, column = node.fields.get("line", "0"), node.fields.get("column", "0")
        said = f"line {line}, column {column}" if column != "0" else f"line {line}"
        scope, inlined = self.of(node.fields.get("scope", "")), self.of(node.fields.get("inlinedAt", ""))
        return said + (f" of {scope}" if scope else "") + (f", inlined at {inlined}" if inlined else "")

    def subprogram(self, node: Node) -> str:
        return self._at(f"the function `{node.text('name') or node.text('linkageName')}`", node)

    def block(self, node: Node) -> str:
        return f"a block at line {node.fields.get('line', '0')} in {self.of(node.fields.get('scope', ''))}"

    def block_file(self, node: Node) -> str:
        return self.of(node.fields.get("scope", ""))

    def variable(self, node: Node) -> str:
        number = node.fields.get("arg", "0")
        what = (
            f"the argument {number}, `{node.text('name')}`" if number != "0" else f"the variable `{node.text('name')}`"
        )
        return self._at(what + self._typed(node), node)

    def global_variable(self, node: Node) -> str:
        return self._at(f"the global variable `{node.text('name')}`{self._typed(node)}", node)

    def global_expression(self, node: Node) -> str:
        return self.of(node.fields.get("var", ""))

    def label(self, node: Node) -> str:
        return self._at(f"the label `{node.text('name')}`", node)

    def basic_type(self, node: Node) -> str:
        size = node.fields.get("size", "")
        return f"the type `{node.text('name')}`" + (f" of {size} bits" if size else "")

    def composite_type(self, node: Node) -> str:
        kind = node.fields.get("tag", "").removeprefix("DW_TAG_").removesuffix("_type").replace("_", " ")
        name = node.text("name")
        base = self.of(node.fields.get("baseType", ""))
        return f"the {kind} type" + (f" `{name}`" if name else "") + (f" of {base}" if base else "")

    def derived_type(self, node: Node) -> str:
        kind = node.fields.get("tag", "").removeprefix("DW_TAG_").removesuffix("_type").replace("_", " ")
        name, base = node.text("name"), self.of(node.fields.get("baseType", "")) or "nothing"
        preposition = {"member": "of", "typedef": "for", "inheritance": "from"}.get(kind, "to")
        return f"a {kind}" + (f" `{name}`" if name else "") + f" {preposition} {base}"

    def subroutine_type(self, _node: Node) -> str:
        return "the type of a function"

    def file(self, node: Node) -> str:
        folder, name = node.text("directory"), node.text("filename")
        return f"`{folder}/{name}`" if folder and not name.startswith("/") else f"`{name}`"

    def unit(self, node: Node) -> str:
        language = node.fields.get("language", node.fields.get("sourceLanguageName", "")).removeprefix("DW_LANG_")
        by = f", compiled by {node.text('producer')}" if node.text("producer") else ""
        return f"{self.of(node.fields.get('file', ''))} in {language}{by}"

    def scope(self, node: Node) -> str:
        return f"the {node.name.removeprefix('DI').lower()} `{node.text('name')}`"

    def _at(self, what: str, node: Node) -> str:
        file, line = node_of(self._snapshot, key_of(node.fields.get("file", "!"))), node.fields.get("line", "")
        name = file.text("filename") if file is not None else ""
        return what + (f" at {name}:{line}" if name and line else f" at line {line}" if line else "")

    def _typed(self, node: Node) -> str:
        said = self.of(node.fields.get("type", ""))
        return f", {said}," if said else ""


_SAY: Final[Mapping[str, Callable[[_Meanings, Node], str]]] = {
    "DILocation": _Meanings.location,
    "DISubprogram": _Meanings.subprogram,
    "DILexicalBlock": _Meanings.block,
    "DILexicalBlockFile": _Meanings.block_file,
    "DILocalVariable": _Meanings.variable,
    "DIGlobalVariable": _Meanings.global_variable,
    "DIGlobalVariableExpression": _Meanings.global_expression,
    "DILabel": _Meanings.label,
    "DIBasicType": _Meanings.basic_type,
    "DICompositeType": _Meanings.composite_type,
    "DIDerivedType": _Meanings.derived_type,
    "DISubroutineType": _Meanings.subroutine_type,
    "DIFile": _Meanings.file,
    "DICompileUnit": _Meanings.unit,
    "DINamespace": _Meanings.scope,
    "DIModule": _Meanings.scope,
}
"""What says what a node of a class stands for."""
