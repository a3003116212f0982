"""Constants that are computed when a module is specialised: `spirv.SpecConstantOperation`, around another operation.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parser and verifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.build import create, with_defaults
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


@record
class _Text:
    """The operation that is wrapped: its name, and the dictionaries behind its operands."""

    name: Ref
    properties: Node | None
    attributes: Node | None


def _parse(parser: OpParser, parsed: ParsedOp) -> _Text:
    """`wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32 {…}`."""
    expect_keyword(parser, parsed, "wraps")
    if not parser.at_kind("string"):
        parser.fail("expected operation name in quotes")
    name = parser.string()
    parsed.operands["wrapped"] = parser.value_list()
    properties = None
    if parser.accept("<"):
        properties = parser.optional_dictionary()
        parser.expect(">")
    attributes = parser.optional_dictionary()
    parser.expect(":")
    parsed.types["inputs"], parsed.types["results"] = parser.functional_type()
    parser.attr_dict(parsed)
    return _Text(name, properties, attributes)


def _resolve(resolver: Resolver, parsed: ParsedOp, text: _Text) -> None:
    name = resolver.text(text.name).strip('"')
    operands = resolver.operand_list(parsed.operands["wrapped"], resolver.types(parsed.types["inputs"]))
    results = resolver.types(parsed.types["results"])
    resolver.result_types = results[:1]
    stated = resolver.entries(text.properties) if text.properties is not None else {}
    entries = resolver.entries(text.attributes) if text.attributes is not None else {}

    def imply(op: Operation, definitions: Definitions) -> None:
        definition = definitions.lookup(name)
        inherent = definition.property_map if definition is not None else {}
        properties = {**stated, **{key: value for key, value in entries.items() if key in inherent}}
        others = {key: value for key, value in entries.items() if key not in inherent}
        if definition is not None:
            properties = with_defaults(definition, properties)
        block = Block()
        op.add_region(Region((block,)))
        wrapped = Operation(name, operands, results, properties, others, span=op.span, definition=definition)
        block.append(wrapped)
        block.append(create(definitions, "spirv.mlir.yield", wrapped.results[:1], span=op.span))

    resolver.imply = imply


def _print(op: ops.SpecConstantOperationOp, p: OpPrinter) -> None:
    entry = op.body.first
    wrapped = entry.first if entry is not None else None
    p.write(" wraps ")
    if wrapped is None:
        return
    p.write(f'"{wrapped.name}"(')
    p.values(wrapped.operands)
    p.write(")")
    if wrapped.properties:
        p.write(f" <{{{p.spell_entries(wrapped.properties.items())}}}>")
    p.entries(list(wrapped.attributes.items()))
    p.write(" : ")
    p.functional_type([value.type for value in wrapped.operands], [result.type for result in wrapped.results])


_CONSTANTS: Final = ("spirv.Constant", "spirv.SpecConstantOperation", "spirv.mlir.referenceof")


@verifies("spirv.SpecConstantOperation", regions=True)
def _verify(op: ops.SpecConstantOperationOp) -> Complaint:
    entry = op.body.first
    if entry is None:
        return None
    if len(entry) != 2 or entry.first is None:
        return "expected exactly 2 nested ops"
    definition = entry.first.definition
    if definition is not None and all(trait.name != "UsableInSpecConstantOp" for trait in definition.traits):
        return "invalid enclosed op"
    for value in entry.first.operands:
        definer = value.defining_op
        if definer is None or (definer.definition is not None and definer.name not in _CONSTANTS):
            return "invalid operand, must be defined by a constant operation"
    return None


CODE: Final = {
    "SpecConstantOperation": OpCode(custom=CustomSyntax(_parse, _print, _resolve)),
}
