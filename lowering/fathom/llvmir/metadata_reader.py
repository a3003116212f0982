"""Reads metadata. Nodes are known before anything is read of them, so that they may refer to each other."""

from __future__ import annotations

from fathom.llvmir.metadata import (
    Attachments,
    DbgLabelRecord,
    DbgRecord,
    DbgVariableRecord,
    DIArgList,
    DIExpression,
    FieldValue,
    MDNode,
    MDString,
    MDTuple,
    Metadata,
    SpecializedMDNode,
    ValueAsMetadata,
)
from fathom.llvmir.node_kinds import NODES, Field, Form
from fathom.llvmir.spelling import unescape
from fathom.llvmir.types import METADATA
from fathom.llvmir.value_reader import ValueReader
from fathom.llvmir.values import MetadataAsValue, Value
from fathom.llvmir.words import DEBUG_RECORDS

_RECORDS = {f"#dbg_{kind}": kind for kind in DEBUG_RECORDS}


class MetadataReader(ValueReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.nodes: dict[str, MDNode] = {}
        """The nodes with a number, by their tokens."""
        self._strings: dict[str, MDString] = {}
        self._expressions: dict[tuple[str, ...], DIExpression] = {}

    def new_node(self, at: int) -> MDNode:
        """The node that is defined behind a place, without what is in it."""
        t = self.t
        is_distinct = t[at] == "distinct"
        token = t[at + is_distinct]
        if token == "!":
            return MDTuple([], is_distinct)
        kind = NODES.get(token[1:])
        if kind is None:
            self.p = at + is_distinct
            raise self.unexpected("a node")
        return SpecializedMDNode(kind, {}, is_distinct)

    def node(self) -> MDNode:
        """A node by its number."""
        known = self.nodes.get(self.t[self.p])
        if known is None:
            raise self.unexpected("the number of a node")
        self.p += 1
        return known

    def fill(self, node: MDNode) -> None:
        """Reads what is in a node."""
        self.accept("distinct")
        self.p += 1
        if isinstance(node, MDTuple):
            self.expect("{")
            node.operands = self._listed()
        elif isinstance(node, SpecializedMDNode):
            self._fields(node)

    def _listed(self) -> list[Metadata | None]:
        """Metadata up to a brace."""
        if self.accept("}"):
            return []
        listed = [self._maybe()]
        while self.accept(","):
            listed.append(self._maybe())
        self.expect("}")
        return listed

    def _fields(self, node: SpecializedMDNode) -> None:
        self.expect("(")
        if self.accept(")"):
            return
        known, fields = node.kind.fields, node.fields
        while True:
            field = known.get(self.t[self.p][:-1])
            if field is None:
                raise self.unexpected(f"a field of {node.kind.name}")
            self.p += 1
            fields[field.name] = self._field(field)
            if not self.accept(","):
                break
        self.expect(")")

    def _field(self, field: Field) -> FieldValue:
        token = self.t[self.p]
        match field.form:
            case Form.STRING:
                return unescape(self.string())
            case Form.METADATA:
                return self._maybe()
            case Form.BOUND if token[0] in "!n" or self.is_type():
                return self._maybe()
            case Form.FLAGS:
                return self._flags()
            case Form.LIST:
                self.expect("{")
                return self._listed()
            case Form.BOOL:
                if token not in ("true", "false"):
                    raise self.unexpected("true or false")
                self.p += 1
                return token == "true"
            case Form.WORD if not token.isdecimal():
                self.p += 1
                return token
            case _:
                return self.number()

    def _flags(self) -> tuple[str | int, ...]:
        flags: list[str | int] = []
        while True:
            token = self.t[self.p]
            self.p += 1
            flags.append(int(token) if token.isdecimal() else token)
            if not self.accept("|"):
                return () if flags == [0] else tuple(flags)

    def _maybe(self) -> Metadata | None:
        return None if self.accept("null") else self.metadata()

    def metadata(self) -> Metadata:
        """Metadata as others refer to it: a node, a string, an expression, a value."""
        token = self.t[self.p]
        if token[0] == "!":
            node = self.nodes.get(token)
            if node is not None:
                self.p += 1
                return node
            if token[1:2] == '"':
                self.p += 1
                string = self._strings.get(token)
                if string is None:
                    string = self._strings[token] = MDString(unescape(token[2:-1]))
                return string
            if token == "!DIExpression":
                return self._expression_node()
            if token == "!DIArgList":
                return self._argument_list()
            raise self.unexpected("metadata")
        return ValueAsMetadata(self.typed_value())

    def _expression_node(self) -> DIExpression:
        start = self.p = self.p + 1
        self.expect("(")
        t = self.t
        while t[self.p] not in (")", "\0"):
            self.p += 1
        words = tuple(t[start + 1 : self.p])
        self.expect(")")
        expression = self._expressions.get(words)
        if expression is None:
            elements = (word for word in words if word != ",")
            expression = DIExpression(tuple(int(element) if element.isdecimal() else element for element in elements))
            self._expressions[words] = expression
        return expression

    def _argument_list(self) -> DIArgList:
        self.p += 1
        self.expect("(")
        arguments: list[ValueAsMetadata] = []
        if not self.accept(")"):
            arguments.append(ValueAsMetadata(self.typed_value()))
            while self.accept(","):
                arguments.append(ValueAsMetadata(self.typed_value()))
            self.expect(")")
        return DIArgList(tuple(arguments))

    # ---- where it is used

    def metadata_value(self) -> Value:
        return MetadataAsValue(METADATA, self.metadata())

    def attachments(self) -> Attachments:
        """What is attached behind commas."""
        t = self.t
        attachments: list[tuple[str, MDNode]] = []
        while t[self.p] == "," and t[self.p + 1][0] == "!":
            self.p += 1
            attachments.append(self.attachment())
        return tuple(attachments)

    def attachment(self) -> tuple[str, MDNode]:
        """A kind of metadata, and the node."""
        kind = unescape(self.t[self.p][1:])
        self.p += 1
        return kind, self.node()

    def debug_record(self) -> DbgRecord:
        """`#dbg_…(…)`."""
        token = self.t[self.p]
        self.p += 1
        kind = _RECORDS.get(token)
        if kind is None and token != "#dbg_label":
            self.p -= 1
            raise self.unexpected("a debug record")
        self.expect("(")
        parts = [self.metadata()]
        while self.accept(","):
            parts.append(self.metadata())
        self.expect(")")
        if kind is None and len(parts) == 2:
            return DbgLabelRecord(*parts)
        if kind is not None and len(parts) == (7 if kind == "assign" else 4):
            location, variable, expression, *assigned, debug_loc = parts
            if not assigned:
                return DbgVariableRecord(kind, location, variable, expression, debug_loc)
            return DbgVariableRecord(kind, location, variable, expression, debug_loc, *assigned[:3])
        raise self.mistake("another number of parts than a debug record has")
