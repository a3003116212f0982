"""The definitions of metadata nodes as texts, by the table of their classes."""

from __future__ import annotations

from collections.abc import Callable

from fathom.llvmir.metadata import (
    DIExpression,
    FieldValue,
    MDNode,
    MDTuple,
    Metadata,
    SpecializedMDNode,
    ValueAsMetadata,
)
from fathom.llvmir.node_kinds import Field, Form, NodeKind
from fathom.llvmir.values import ConstantInt
from fathom.text.escapes import escape

Spell = Callable[[Metadata | None], str]


def node_text(node: MDNode, spell: Spell) -> str:
    """What stands behind `!7 = `; `spell` is that of what a node refers to."""
    if isinstance(node, MDTuple):
        return f"{'distinct ' * node.is_distinct}!{{{', '.join(map(spell, node.operands))}}}"
    assert isinstance(node, SpecializedMDNode)
    parts: list[str] = []
    values = node.fields
    for name, field in node.kind.fields.items():
        value = values.get(name)
        if field.form is Form.BOUND:
            value = _bound(node.kind, value)
        if field.is_always or (value is not None and value != field.default):
            parts.append(f"{name}: {_value(field, value, spell)}")
    return f"{'distinct ' * node.is_distinct}!{node.kind.name}({', '.join(parts)})"


def _bound(kind: NodeKind, value: FieldValue) -> FieldValue:
    """A number, where metadata stands for one."""
    match value:
        case ValueAsMetadata(ConstantInt(_, number)):
            return number
        case DIExpression(("DW_OP_consts", int(number))) if kind.name == "DIGenericSubrange":
            return number
        case _:
            return value


def _value(field: Field, value: FieldValue, spell: Spell) -> str:
    if value is None:
        value = field.default
    match value:
        case None | Metadata():
            return spell(value)
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{escape(value)}"' if field.form is Form.STRING else value
        case tuple():
            return " | ".join(map(str, value)) or "0"
        case list():
            return f"{{{', '.join(map(spell, value))}}}"
        case _:
            return str(value)
