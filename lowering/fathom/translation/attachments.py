"""The metadata that an instruction carries: what its access to memory may alias, and in which loops it depends on none.

An access has a tag of TBAA, scopes in which it is and in which it is not, groups of accesses that are parallel, and
annotations of the memory model. Source of the rules: *LLVM Language Reference*, "Metadata"; *'llvm' Dialect*,
"Attributes".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.property_values import elements_property
from fathom.llvmir.metadata import MDNode, MDTuple, Metadata
from fathom.translation.metadata import i64, quoted

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.translation.state import ModuleState

Attachments: TypeAlias = dict[str, MDNode]
"""The nodes by the kinds of metadata that they are."""
ACCESS: Final = frozenset({"access_groups", "alias_scopes", "noalias_scopes", "tbaa"})
"""The properties that say so, of whatever operation."""
MMRA: Final = "llvm.mmra"
"""The attribute that annotates any operation for the memory model."""


def access_attachments(module: ModuleState, op: Operation) -> Attachments:
    """What an operation says of its access to memory."""
    attachments: Attachments = {}
    if groups := elements_property(op, "access_groups"):
        nodes = [group_node(module, group) for group in groups]
        attachments["llvm.access.group"] = nodes[0] if len(nodes) == 1 else module.nodes.tuple(*nodes)
    if scopes := elements_property(op, "alias_scopes"):
        attachments["alias.scope"] = scopes_node(module, scopes)
    if scopes := elements_property(op, "noalias_scopes"):
        attachments["noalias"] = scopes_node(module, scopes)
    tags = elements_property(op, "tbaa")
    if len(tags) == 1:
        attachments["tbaa"] = _tbaa_node(module, tags[0])
    elif tags:
        message = "TBAA access tags were not translated, because LLVM IR only supports a single tag per instruction"
        module.diagnostics.append(Diagnostic(message, op.span, "warning", TRANSLATION, op=op))
    annotations = _annotations(op.attributes.get(MMRA))
    if annotations:
        nodes = [module.nodes.tuple(*(quoted(str(parameter)) for parameter in tag.parameters)) for tag in annotations]
        attachments["mmra"] = nodes[0] if len(nodes) == 1 else module.nodes.tuple(*nodes)
    return attachments


def _annotations(attribute: Attribute | None) -> list[DialectAttr]:
    elements = attribute.elements if isinstance(attribute, ArrayAttr) else (attribute,)
    return [element for element in elements if isinstance(element, DialectAttr)]


def group_node(module: ModuleState, group: Attribute) -> MDNode:
    """The node of a group of accesses."""
    node = module.attribute_nodes.get(group)
    if node is None:
        node = module.attribute_nodes[group] = MDTuple([], is_distinct=True)
    return node


def scopes_node(module: ModuleState, scopes: Sequence[Attribute]) -> MDNode:
    """The node that lists scopes."""
    return module.nodes.tuple(*(_scope_node(module, scope) for scope in scopes))


def _scope_node(module: ModuleState, scope: Attribute) -> MDNode:
    """A scope or a domain of scopes: what it is known by, its domain, its description. One that is known by no name is
    known by itself."""
    node = module.attribute_nodes.get(scope)
    if node is not None:
        return node
    name, *rest = scope.parameters if isinstance(scope, DialectAttr) else (None,)
    operands: list[Metadata] = []
    for further in rest:
        if isinstance(further, StringAttr):
            operands.append(quoted(further.value))
        elif isinstance(further, DialectAttr):
            operands.append(_scope_node(module, further))
    if isinstance(name, StringAttr):
        node = module.nodes.tuple(quoted(name.value), *operands)
    else:
        node = MDTuple([], is_distinct=True)
        node.operands += (node, *operands)
    module.attribute_nodes[scope] = node
    return node


def _tbaa_node(module: ModuleState, attribute: Attribute) -> MDNode:
    """A root, a type with its members, or the tag of an access."""
    node = module.attribute_nodes.get(attribute)
    if node is not None:
        return node
    parameters = attribute.parameters if isinstance(attribute, DialectAttr) else ()
    match attribute, parameters:
        case DialectAttr(name="tbaa_root"), (StringAttr(value=name),):
            node = module.nodes.tuple(quoted(name))
        case DialectAttr(name="tbaa_root"), _:
            node = MDTuple([], is_distinct=True)
            node.operands.append(node)
        case DialectAttr(name="tbaa_type_desc"), (name, tuple(members)):
            operands: list[Metadata] = [quoted(str(name))]
            for member in members:
                if isinstance(member, DialectAttr) and isinstance(member.parameters[0], Attribute):
                    operands += [_tbaa_node(module, member.parameters[0]), _offset(member.parameters[1])]
            node = module.nodes.tuple(*operands)
        case _, (Attribute() as base, Attribute() as access, offset, constant):
            nodes = _tbaa_node(module, base), _tbaa_node(module, access)
            node = module.nodes.tuple(*nodes, _offset(offset), *([i64(1)] if constant else []))
        case _:
            raise ValueError(attribute)
    module.attribute_nodes[attribute] = node
    return node


def _offset(value: object) -> Metadata:
    return i64(value if isinstance(value, int) else 0)
