"""Metadata: strings, values, nodes, expressions, and the debug records that refer to them.

The classes of specialised nodes are data: `node_kinds`. Nodes are compared by identity, everything else by value. A
node may refer to itself.

Source of the rules: *LLVM Language Reference*, "Metadata"; *Source Level Debugging with LLVM*, "Debug records".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from fathom.llvmir.node_kinds import NodeKind
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.llvmir.values import Value


class Metadata:
    """Anything that metadata may refer to."""

    __slots__ = ()


@record
class MDString(Metadata):
    """`!"…"`."""

    text: str


@record
class ValueAsMetadata(Metadata):
    """A value: a constant, or in debug records and calls also one of the function's."""

    value: Value


@record
class DIExpression(Metadata):
    """`!DIExpression(…)`: operations as words, and their numbers."""

    elements: tuple[int | str, ...] = ()


@record
class DIArgList(Metadata):
    """`!DIArgList(…)`: the values that an expression combines."""

    arguments: tuple[ValueAsMetadata, ...]


@record(frozen=False, eq=False)
class MDNode(Metadata):
    """A node, which gets a number when it is written."""

    def nodes(self) -> Iterator[MDNode]:
        """The nodes that it refers to, in LLVM's order."""
        return iter(())


@record(frozen=False, eq=False)
class MDTuple(MDNode):
    """`!{…}`."""

    operands: list[Metadata | None] = field(repr=False)
    is_distinct: bool = False

    def nodes(self) -> Iterator[MDNode]:
        return (operand for operand in self.operands if isinstance(operand, MDNode))


FieldValue: TypeAlias = "int | str | bool | Metadata | tuple[str | int, ...] | list[Metadata | None] | None"
"""By the form of a field (`node_kinds.Form`)."""


@record(frozen=False, eq=False)
class SpecializedMDNode(MDNode):
    """`!DILocation(…)` and its like: fields by name. One that has its default need not be there."""

    kind: NodeKind
    fields: dict[str, FieldValue] = field(default_factory=dict[str, FieldValue], repr=False)
    is_distinct: bool = False

    def nodes(self) -> Iterator[MDNode]:
        of = self.fields.get
        for name in self.kind.operands:
            match of(name):
                case MDNode() as node:
                    yield node
                case list(listed):
                    yield from (metadata for metadata in listed if isinstance(metadata, MDNode))
                case _:
                    pass

    def __getitem__(self, name: str) -> FieldValue:
        """The value of a field, or its default."""
        value = self.fields.get(name)
        return value if value is not None else self.kind.fields[name].default

    def metadata(self, name: str) -> Metadata | None:
        """The metadata that is a field."""
        value = self.fields.get(name)
        return value if isinstance(value, Metadata) else None

    def text(self, name: str) -> str:
        """The string or the word that is a field; else the empty text."""
        value = self[name]
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        """The number that is a field; else 0."""
        value = self[name]
        return value if isinstance(value, int) else 0

    def flags(self, name: str) -> tuple[str | int, ...]:
        """The words of a field that are flags."""
        value = self[name]
        return value if isinstance(value, tuple) else ()

    def listed(self, name: str) -> list[Metadata | None]:
        """The elements of the tuple that is a field, or of the list."""
        value = self.fields.get(name)
        if isinstance(value, MDTuple):
            return value.operands
        return value if isinstance(value, list) else []


@record(frozen=False, eq=False)
class DbgRecord:
    """What is said of variables and labels before an instruction."""


@record(frozen=False, eq=False)
class DbgVariableRecord(DbgRecord):
    """`#dbg_value(…)`, `#dbg_declare(…)`, `#dbg_declare_value(…)`, `#dbg_assign(…)`."""

    kind: str
    """The word behind `dbg_` (`words.DEBUG_RECORDS`)."""
    location: Metadata
    variable: Metadata
    expression: Metadata
    debug_loc: Metadata
    assign_id: Metadata | None = None
    address: Metadata | None = None
    address_expression: Metadata | None = None


@record(frozen=False, eq=False)
class DbgLabelRecord(DbgRecord):
    """`#dbg_label(…)`."""

    label: Metadata
    debug_loc: Metadata


Attachments: TypeAlias = "tuple[tuple[str, MDNode], ...]"
"""Metadata that is attached to something, by kind."""
