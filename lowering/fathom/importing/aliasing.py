"""Metadata of accesses to memory as attributes: types of TBAA, scopes of aliases, groups of accesses.

Source of the rules: *LLVM Language Reference*, "'tbaa' Metadata", "'noalias' and 'alias.scope' Metadata",
"'llvm.access.group' Metadata"; *'llvm' Dialect*, "Attributes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.importing.attributes import made
from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.llvmir.metadata import MDNode, MDString, MDTuple, Metadata, ValueAsMetadata
from fathom.llvmir.types import IntegerType
from fathom.llvmir.values import ConstantInt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.importing.state import Failed, ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter


def operands_of(node: MDNode) -> Sequence[Metadata | None]:
    """What a node holds, if it is a plain one."""
    return node.operands if isinstance(node, MDTuple) else ()


def integer_in(of: Metadata | None) -> ConstantInt | None:
    """The integer that is an operand of a node."""
    is_integer = isinstance(of, ValueAsMetadata) and isinstance(of.value, ConstantInt)
    return of.value if is_integer else None  # type: ignore[return-value, union-attr]


def unsigned(of: ConstantInt) -> int:
    """An integer without its sign, as 64 bits hold it."""
    width = of.type.bits if isinstance(of.type, IntegerType) else 64
    return of.value % (1 << width)


class Aliasing:
    """The attributes of such nodes, each made once. They are made before all operations, in the order in which the
    instructions have them, so that what is wrong with them is said first."""

    def __init__(self, module: ModuleImport) -> None:
        self._module: Final = module
        self.tbaa: Final[dict[MDNode, Attribute]] = {}
        self._tags: Final[dict[MDNode, ArrayAttr]] = {}
        self._scopes: Final[dict[MDNode, Attribute]] = {}
        self._groups: Final[dict[MDNode, Attribute]] = {}

    def _error(self, message: str, node: Metadata | None) -> Failed:
        module = self._module
        return module.error(f"{message}: {module.texts.node(node)}", module.place)

    # ---- types of accesses

    def add_tbaa(self, node: MDNode) -> None:
        """Makes the attribute of a tag, a type or a root, and those of what it refers to first. Raises Failed."""
        known = self.tbaa
        if node in known:
            return
        waiting = [node]
        seen: set[MDNode] = set()
        while waiting:
            current = waiting[-1]
            if current in known:
                waiting.pop()
                continue
            missing = [each for each in operands_of(current) if isinstance(each, MDNode) and each not in known]
            if missing:
                if current in seen:
                    raise self._error("has cycle in TBAA graph", current)
                seen.add(current)
                waiting += missing
                continue
            waiting.pop()
            known[current] = self._tbaa(current)

    def tag(self, node: MDNode) -> ArrayAttr | None:
        """The list that an access has of a tag; None for one that is not known."""
        known = self._tags.get(node)
        if known is None and (tag := self.tbaa.get(node)) is not None:
            known = self._tags[node] = ArrayAttr((tag,))
        return known

    def _tbaa(self, node: MDNode) -> Attribute:
        operands = operands_of(node)
        first = operands[0] if operands else None
        if len(operands) <= 1:
            return made("TBAARootAttr", id=StringAttr(first.text) if isinstance(first, MDString) else None)
        if isinstance(first, MDString):
            return made("TBAATypeDescriptorAttr", id=first.text, members=self._members(node, operands))
        tag = self._tag(node, operands)
        if tag is None:
            raise self._error("unsupported TBAA node format", node)
        return tag

    def _members(self, node: MDNode, operands: Sequence[Metadata | None]) -> tuple[Parameter, ...]:
        members: list[Parameter] = []
        for at in range(1, len(operands) // 2 * 2, 2):
            type = operands[at]
            if not isinstance(type, MDNode):
                self._error(f"operand '{at}' must be MDNode", node)
                break
            offset = 0
            if at + 1 < len(operands):
                number = integer_in(operands[at + 1])
                if number is None:
                    self._error(f"operand '{at + 1}' must be ConstantInt", node)
                    break
                offset = unsigned(number)
            members.append(made("TBAAMemberAttr", typeDesc=self.tbaa[type], offset=offset))
        return tuple(members)

    def _tag(self, node: MDNode, operands: Sequence[Metadata | None]) -> Attribute | None:
        if len(operands) not in (3, 4):
            return None
        base, access, number = operands[0], operands[1], integer_in(operands[2])
        if not isinstance(base, MDNode) or not isinstance(access, MDNode) or number is None:
            return None
        inner = operands_of(access)
        if not inner or not isinstance(inner[0], MDString):
            return None
        constant = None
        if len(operands) == 4:
            constant = integer_in(operands[3])
            if constant is None:
                raise self._error("operand '3' must be ConstantInt", node)
        return made(
            "TBAATagAttr",
            base_type=self.tbaa[base],
            access_type=self.tbaa[access],
            offset=unsigned(number),
            constant=constant is not None and constant.value != 0,
        )

    # ---- scopes

    def add_scopes(self, node: MDNode) -> None:
        """Makes the attributes of the scopes that a node lists. Raises Failed."""
        for scope in operands_of(node):
            if not isinstance(scope, MDNode):
                continue
            operands = operands_of(scope)
            domain = operands[1] if len(operands) > 1 else None
            if not _is_known(scope) or not isinstance(domain, MDNode) or not _is_text(scope, 2):
                raise self._error("unsupported alias scope node", scope)
            if not _is_known(domain) or not _is_text(domain, 1):
                raise self._error("unsupported alias domain node", domain)
            if scope in self._scopes:
                continue
            if domain not in self._scopes:
                identity = self._identity(domain)
                self._scopes[domain] = made("AliasScopeDomainAttr", id=identity, description=_text(domain, 1))
            description = _text(scope, 2)
            if description is not None and not description.value:
                description = None
            self._scopes[scope] = made(
                "AliasScopeAttr", id=self._identity(scope), domain=self._scopes[domain], description=description
            )

    def _identity(self, node: MDNode) -> Attribute:
        first = operands_of(node)[0]
        return StringAttr(first.text) if isinstance(first, MDString) else self._module.distinct()

    def scopes(self, node: MDNode) -> tuple[Attribute, ...] | None:
        """The scopes that a node lists; None if one of them is not known."""
        return _all(self._scopes, operands_of(node))

    # ---- groups

    def add_groups(self, node: MDNode) -> None:
        """Makes the attributes of the groups that a node is, or lists. Raises Failed."""
        operands = operands_of(node)
        for group in operands or (node,):
            if not isinstance(group, MDNode):
                raise self._error("unsupported access group node", node)
            if group in self._groups:
                continue
            if operands_of(group) or not isinstance(group, MDTuple) or not group.is_distinct:
                self._module.warn("expected an access group node to be empty and distinct", self._module.place)
                raise self._error("unsupported access group node", node)
            self._groups[group] = made("AccessGroupAttr", id=self._module.distinct())

    def groups(self, node: MDNode) -> tuple[Attribute, ...] | None:
        """The groups that a node is, or lists; None if one of them is not known."""
        return _all(self._groups, operands_of(node) or (node,))


def _all(known: dict[MDNode, Attribute], nodes: Sequence[Metadata | None]) -> tuple[Attribute, ...] | None:
    found = [known.get(node) for node in nodes if isinstance(node, MDNode)]
    complete = tuple(attribute for attribute in found if attribute is not None)
    return complete if len(complete) == len(nodes) else None


def _is_known(node: MDNode) -> bool:
    """Whether it begins with itself, or with a name."""
    operands = operands_of(node)
    return bool(operands) and (operands[0] is node or isinstance(operands[0], MDString))


def _is_text(node: MDNode, at: int) -> bool:
    operands = operands_of(node)
    return at >= len(operands) or isinstance(operands[at], MDString)


def _text(node: MDNode, at: int) -> StringAttr | None:
    operands = operands_of(node)
    text = operands[at] if at < len(operands) else None
    return StringAttr(text.text) if isinstance(text, MDString) else None
