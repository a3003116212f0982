"""Metadata of LLVM as operations, which MLIR 16 has in a table of their own.

    llvm.metadata @metadata {
      llvm.tbaa_root @root {id = "C++"}
      llvm.tbaa_type_desc @int {id = "int", members = {<@root, 0>}}
    }

Source of the rules: *'llvm' Dialect* of MLIR 16, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, DenseArrayAttr
from fathom.ir.types import I64
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp


def _parse_members(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`<@int, 0>, <@float, 4>`."""

    def member() -> tuple[Node, int]:
        parser.expect("<")
        name = parser.attribute()
        parser.expect(",")
        offset = parser.integer_literal()
        parser.expect(">")
        return name, offset

    members, offsets = arguments
    read = comma_separated(parser, member)
    numbers = tuple(offset for _, offset in read)
    parsed.attributes[members] = parser.composed_attribute(
        lambda _, attribute: ArrayAttr(tuple(attribute(name, None) for name, _ in read))
    )
    parsed.attributes[offsets] = parser.composed_attribute(lambda _, __: DenseArrayAttr(I64, numbers))


def _print_members(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    members, offsets = (op.properties.get(name) for name in arguments)
    if isinstance(members, ArrayAttr) and isinstance(offsets, DenseArrayAttr):
        pairs = zip(members.elements, offsets.values, strict=False)
        p.write(", ".join(f"<{p.spell(member)}, {offset}>" for member, offset in pairs))


DIRECTIVES: Final = {"TBAAMembers": CustomDirective(_parse_members, _print_members)}
CODE: Final = {"metadata": OpCode(custom=two_way("custom<Name>($sym_name) attr-dict-with-keyword $body"))}
