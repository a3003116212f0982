"""Nodes of LLVM IR as attributes of debug information, and `!DILocation(…)` as locations.

What MLIR has not is left out, and so is what cannot be without it. Source of the rules: MLIR 22, `DebugImporter`; what
`mlir-translate --import-llvm` prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from fathom.debug_info.correspondence import (
    BY_KIND,
    EMISSION_KINDS,
    LANGUAGES,
    NAME_TABLE_KINDS,
    RECURSIVE,
    TAKEN_FOR,
    Correspondence,
    Form,
    Part,
    definition_of,
)
from fathom.debug_info.cycles import Cycles
from fathom.dialects.llvm.attributes import cases
from fathom.ir.attributes import UNIT, Attribute, DistinctAttr, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, FusedLoc, LocationAttr, UnknownLoc
from fathom.ir.types import I64
from fathom.llvmir.metadata import (
    DIExpression,
    FieldValue,
    MDString,
    MDTuple,
    Metadata,
    SpecializedMDNode,
    ValueAsMetadata,
)
from fathom.llvmir.node_flags import DI_FLAGS, DISP_FLAGS
from fathom.llvmir.values import ConstantInt

MOST_NESTED: Final = 100
"""How deep attributes and locations may be nested; what is deeper is left out."""
_OPERATION: Final = "DW_OP_"
_VECTOR: Final = "DIFlagVector"


class DebugAttributes:
    """The attributes of nodes. With `drops_elements`, what a type is made of is left out, but for vectors. `numbers`
    are those of distinct attributes, which the module has not yet."""

    def __init__(self, numbers: Iterator[int], *, drops_elements: bool = False) -> None:
        self._numbers = numbers
        self._drops_elements = drops_elements
        self._ids: dict[SpecializedMDNode, DistinctAttr] = {}
        self._recursive_ids: dict[SpecializedMDNode, DistinctAttr] = {}
        self._attributes = Cycles(self._made, self._self, MOST_NESTED)

    def attribute(self, node: Metadata | None) -> DialectAttr | None:
        """The attribute of a node; None for none, and for what MLIR has not."""
        return self._attributes(node) if isinstance(node, SpecializedMDNode) else None

    def expression(self, expression: Metadata | None) -> DialectAttr | None:
        """The attribute of an expression."""
        if not isinstance(expression, DIExpression):
            return None
        steps: list[tuple[str, list[Parameter]]] = []
        for element in expression.elements:
            if isinstance(element, str) and element.startswith(_OPERATION):
                steps.append((element, []))
            elif steps:
                steps[-1][1].append(element)
        step = definition_of("DIExpressionElemAttr")
        operations = [step.make_attribute(opcode=opcode, arguments=tuple(of) or None) for opcode, of in steps]
        return definition_of("DIExpressionAttr").make_attribute(operations=tuple(operations) or None)

    def global_expression(self, node: SpecializedMDNode) -> DialectAttr | None:
        """What is said of a variable of the module."""
        of = BY_KIND["DIGlobalVariableExpression"]
        variable = self.attribute(node.metadata("var"))
        if variable is None:
            return None
        return of.definition.make_attribute(var=variable, expr=self.expression(node.metadata("expr") or DIExpression()))

    def location(self, node: Metadata | None) -> LocationAttr:
        """The location that a node is, in its scope, and where it is inlined."""
        within: list[LocationAttr] = []
        while isinstance(node, SpecializedMDNode) and len(within) < MOST_NESTED:
            scope = node.metadata("scope")
            file = scope.metadata("file") if isinstance(scope, SpecializedMDNode) else None
            name = file.text("filename") if isinstance(file, SpecializedMDNode) else ""
            # A file without a name is how MLIR calls the standard input.
            place = FileLineColLoc(name or "-", node.number("line"), node.number("column"))
            attribute = self.attribute(scope)
            within.append(place if attribute is None else FusedLoc((place,), attribute))
            node = node.metadata("inlinedAt")
        if not within:
            return UnknownLoc()
        location = within.pop()
        while within:
            location = CallSiteLoc(within.pop(), location)
        return location

    def function_location(self, subprogram: Metadata | None) -> LocationAttr:
        """The location of a function of which a node tells."""
        if not isinstance(subprogram, SpecializedMDNode):
            return UnknownLoc()
        file = subprogram.metadata("file")
        name = file.text("filename") if isinstance(file, SpecializedMDNode) else ""
        place = FileLineColLoc(name, subprogram.number("line"), 0)
        attribute = self.attribute(subprogram)
        return place if attribute is None else FusedLoc((place,), attribute)

    def _self(self, node: SpecializedMDNode) -> DialectAttr | None:
        """What stands for a node within itself."""
        if node.kind.name not in RECURSIVE:
            return None
        identity = self._recursive_ids.setdefault(node, self._distinct())
        return BY_KIND[node.kind.name].definition.make_attribute(recId=identity, isRecSelf=True)

    def _made(self, node: SpecializedMDNode) -> DialectAttr | None:
        of = BY_KIND.get(TAKEN_FOR.get(node.kind.name, node.kind.name))
        if of is None:
            return None
        values: dict[str, Parameter] = {}
        for part in of.parts:
            value = self._parameter(node, part)
            if value is None and part.is_needed and node.metadata(part.field) is not None:
                return None
            values[part.parameter] = value
        if _is_incomplete(of, values):
            return None
        if of.kind == "DICompileUnit" or (of.kind == "DISubprogram" and node.is_distinct):
            values["id"] = self._ids.get(node) or self._ids.setdefault(node, self._distinct())
        if self._attributes.is_repeated():
            values["recId"] = self._recursive_ids[node]
        return of.definition.make_attribute(**{name: value for name, value in values.items() if value is not None})

    def _distinct(self) -> DistinctAttr:
        return DistinctAttr(next(self._numbers), UNIT)

    def _parameter(self, node: SpecializedMDNode, part: Part) -> Parameter:
        match part.form:
            case Form.NODE:
                return self.attribute(node.metadata(part.field))
            case Form.TEXT:
                # MLIR gives a variable with a linkage name its name instead.
                is_linkage = node.kind.name == "DIGlobalVariable" and part.field == "linkageName"
                text = node.text("name" if is_linkage and node.text("linkageName") else part.field)
                return StringAttr(text) if text else None
            case Form.NAME:
                return StringAttr(node.text(part.field))
            case Form.PLAIN:
                return _plain(node[part.field])
            case Form.WORD:
                return node.text(part.field) or _language(node, part) or None
            case Form.EMISSION:
                return EMISSION_KINDS.index(node.text(part.field))
            case Form.TABLES:
                return NAME_TABLE_KINDS.index(node.text(part.field))
            case Form.FLAGS:
                flags = DI_FLAGS.number(node.flags(part.field))
                return flags if not flags & ~_all_flags() else 0
            case Form.FUNCTION_FLAGS:
                return DISP_FLAGS.number(node.flags(part.field)) or None
            case Form.EXPRESSION:
                return self.expression(node.metadata(part.field))
            case Form.NODES:
                return self._elements(node, part)
            case Form.TYPES:
                return self._all(node.listed(part.field), definition_of("DINullTypeAttr").make_attribute())
            case Form.NOTES:
                return tuple(_annotations(node.listed(part.field))) or None
            case Form.BOUND:
                return self._bound(node, part.field)

    def _elements(self, node: SpecializedMDNode, part: Part) -> Parameter:
        if node.kind.name == "DICompositeType" and self._drops_elements and _VECTOR not in node.flags("flags"):
            return None
        return self._all(node.listed(part.field), None)

    def _all(self, nodes: Iterable[Metadata | None], none: DialectAttr | None) -> Parameter:
        """The attributes of nodes, with `none` for no node; None where there are none, or one that MLIR has not."""
        attributes = [none if node is None else self.attribute(node) for node in nodes]
        return None if None in attributes else tuple(attributes) or None

    def _bound(self, node: SpecializedMDNode, field: str) -> Attribute | None:
        match node.fields.get(field):
            case int(number) | ValueAsMetadata(ConstantInt(_, number)) if node.kind.name == "DISubrange":
                return IntegerAttr(number, I64)
            case int(number):
                return self.expression(DIExpression(("DW_OP_consts", number)))
            case DIExpression() as expression:
                return self.expression(expression)
            case SpecializedMDNode() as variable if variable.kind.name in ("DILocalVariable", "DIGlobalVariable"):
                return self.attribute(variable)
            case _:
                return None


def _plain(value: FieldValue) -> Parameter:
    match value:
        case ValueAsMetadata(ConstantInt(_, number)):
            return number
        case bool() | int():
            return value
        case _:
            return None


def _language(node: SpecializedMDNode, part: Part) -> str:
    """The language of a compile unit that has it by another name."""
    name = node.text("sourceLanguageName").removeprefix("DW_LNAME_") if part.field == "language" else ""
    return f"DW_LANG_{LANGUAGES[name]}" if name in LANGUAGES else ""


def _annotations(nodes: Iterable[Metadata | None]) -> Iterator[DialectAttr]:
    """Names and their values, if these are strings."""
    for pair in nodes:
        match pair.operands if isinstance(pair, MDTuple) else ():
            case [MDString(name), MDString(value)]:
                yield definition_of("DIAnnotationAttr").make_attribute(name=StringAttr(name), value=StringAttr(value))
            case _:
                pass


def _is_incomplete(of: Correspondence, values: Mapping[str, Parameter]) -> bool:
    """Whether something is missing without which an attribute says nothing."""
    match of.kind:
        case "DICompositeType":
            return values.get("tag") == "DW_TAG_array_type" and values.get("baseType") is None
        case "DISubrange" | "DIGenericSubrange":
            return values.get("count") is None and values.get("upperBound") is None
        case _:
            return False


def _all_flags() -> int:
    """The flags that MLIR knows."""
    bits = 0
    for bit in cases("DIFlags").values():
        bits |= bit
    return bits
