"""Attributes of debug information as nodes of LLVM IR.

Source of the rules: MLIR 22, `DebugTranslation`; what `mlir-translate` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.debug_info.correspondence import (
    ANNOTATION,
    DEFINITION,
    DISTINCT_TYPES,
    EMISSION_KINDS,
    EXPRESSION,
    NAME_TABLE_KINDS,
    NULL_TYPE,
    RECURSIVE,
    VIRTUALITY,
    Correspondence,
    Form,
    by_attribute,
)
from fathom.debug_info.fragments import joined
from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.llvmir.metadata import (
    DIExpression,
    FieldValue,
    MDString,
    Metadata,
    SpecializedMDNode,
)
from fathom.llvmir.node_flags import DI_FLAGS, DISP_FLAGS
from fathom.llvmir.node_kinds import NODES

if TYPE_CHECKING:
    from fathom.llvmir.unique_nodes import UniqueNodes

_NO_TAG: Final = "DW_TAG_null"
_GENERIC: Final = "DIGenericSubrange"


class DebugNodes:
    """The nodes of attributes, each made once. New compile units are added to `units`."""

    def __init__(self, unique: UniqueNodes, units: list[Metadata]) -> None:
        self._unique = unique
        self._units = units
        self._known: dict[Attribute, SpecializedMDNode] = {}
        self._by_id: dict[Parameter, SpecializedMDNode] = {}
        """Functions by what makes them distinct."""
        self._open: dict[Parameter, SpecializedMDNode] = {}
        """Those that refer to themselves, while they are made."""
        self._met: set[SpecializedMDNode] = set()
        """Those of them that something refers to."""

    def node(self, attribute: object) -> SpecializedMDNode | None:
        """The node of an attribute; None for none, and for what is none of debug information."""
        if not isinstance(attribute, DialectAttr):
            return None
        node = self._known.get(attribute)
        if node is not None:
            return node
        of = by_attribute().get(attribute.full_name)
        if of is None:
            return None
        identity = attribute.parameter("recId") if of.kind in RECURSIVE else None
        if identity is None:
            node = self._made(of, attribute, None)
        elif identity in self._open:
            self._met.add(self._open[identity])
            return self._open[identity]
        else:
            node = self._recursive(of, attribute, identity)
        self._known[attribute] = node
        return node

    def expression(self, attribute: object) -> DIExpression:
        """The expression of an attribute; an empty one for none."""
        elements: list[int | str] = []
        if isinstance(attribute, DialectAttr) and attribute.full_name == EXPRESSION:
            for operation in joined(_listed(attribute.parameters[0])):
                if isinstance(operation, DialectAttr):
                    opcode, arguments = operation.parameters
                    elements.append(str(opcode))
                    elements += (word for word in _listed(arguments) if isinstance(word, (int, str)))
        return DIExpression(tuple(elements))

    def _recursive(self, of: Correspondence, attribute: DialectAttr, identity: Parameter) -> SpecializedMDNode:
        """The node of one that may refer to itself. It is made first, and then what is in it."""
        start = SpecializedMDNode(NODES[of.kind])
        self._open[identity] = start
        node = self._made(of, attribute, start)
        del self._open[identity]
        return node

    def _made(self, of: Correspondence, attribute: DialectAttr, start: SpecializedMDNode | None) -> SpecializedMDNode:
        """The node; one that is distinct, or that something refers to by now, is `start`, if there is one."""
        identity = attribute.parameter("id") if of.kind == "DISubprogram" else None
        if identity is not None and identity in self._by_id:
            return self._by_id[identity]
        fields: dict[str, FieldValue] = {}
        last: list[tuple[str, Form, Parameter]] = []
        for part in of.parts:
            value = attribute.parameter(part.parameter)
            if part.form in (Form.NODES, Form.NOTES):
                last.append((part.field, part.form, value))
            else:
                fields[part.field] = self._field(of.kind, part.form, value)
        # A function may have been met among what it refers to.
        if identity is not None and identity in self._by_id:
            return self._by_id[identity]
        for field, form, value in last:
            fields[field] = self._field(of.kind, form, value)
        node = self._with(of, fields, start)
        if identity is not None:
            self._by_id[identity] = node
        return node

    def _with(
        self, of: Correspondence, fields: dict[str, FieldValue], start: SpecializedMDNode | None
    ) -> SpecializedMDNode:
        kind = NODES[of.kind]
        is_distinct = of.is_distinct
        tag = kind.fields.get("tag")
        if tag is not None:
            is_distinct = of.kind == "DICompositeType" and fields.get("tag") in DISTINCT_TYPES
            fields["tag"] = fields.get("tag") or _NO_TAG
        flags = fields.get("spFlags", ())
        if isinstance(flags, tuple) and flags:
            number = DISP_FLAGS.number(flags)
            is_distinct = bool(number & DEFINITION)
            if number & VIRTUALITY:
                fields["virtualIndex"] = 0
        given = {
            name: value for name, value in fields.items() if value is not None and value != kind.fields[name].default
        }
        if not is_distinct and (start is None or start not in self._met):
            return self._unique.node(of.kind, given)
        node = start or SpecializedMDNode(kind)
        node.fields.update(given)
        node.is_distinct = is_distinct
        if not is_distinct:
            self._unique.adopt(node)
        elif of.kind == "DICompileUnit":
            self._units.append(node)
        return node

    def _field(self, kind: str, form: Form, value: Parameter) -> FieldValue:
        match form:
            case Form.NODE:
                return self.node(value)
            case Form.TEXT | Form.NAME:
                return value.value if isinstance(value, StringAttr) else None
            case Form.EMISSION:
                return EMISSION_KINDS[_number(value)]
            case Form.TABLES:
                return NAME_TABLE_KINDS[_number(value)]
            case Form.FLAGS:
                return DI_FLAGS.words(_number(value))
            case Form.FUNCTION_FLAGS:
                return DISP_FLAGS.words(_number(value))
            case Form.EXPRESSION:
                return self.expression(value) if value is not None or kind == "DIGlobalVariableExpression" else None
            case Form.NODES:
                return self._unique.tuple(*map(self._element, _listed(value))) if value else None
            case Form.TYPES:
                return self._unique.tuple(*map(self._element, _listed(value)))
            case Form.NOTES:
                return self._unique.tuple(*map(self._element, _listed(value))) if value else None
            case Form.BOUND:
                return self._bound(kind, value)
            case Form.PLAIN | Form.WORD:
                return value if isinstance(value, (int, str)) else None

    def _element(self, value: Parameter) -> Metadata | None:
        """A node in a list, or the pair that says a name and a value."""
        if isinstance(value, DialectAttr) and value.full_name == ANNOTATION:
            texts = (MDString(text.value) for text in value.parameters if isinstance(text, StringAttr))
            return self._unique.tuple(*texts)
        return None if isinstance(value, DialectAttr) and value.full_name == NULL_TYPE else self.node(value)

    def _bound(self, kind: str, value: Parameter) -> FieldValue:
        match value:
            case IntegerAttr(number) if kind != _GENERIC:
                return number
            case DialectAttr(full_name=name) if name == EXPRESSION:
                return self.expression(value)
            case _:
                return self.node(value)


def _listed(value: Parameter) -> tuple[Parameter, ...]:
    return value if isinstance(value, tuple) else ()


def _number(value: Parameter) -> int:
    return value if isinstance(value, int) else 0
