"""`linalg.generic`, of which all stands in the text, and `linalg.yield`, with which bodies end.

Source of the rules: *'linalg' Dialect*, "linalg.generic"; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.linalg.structured import maps_in
from fathom.dialects.linalg.syntax import (
    NEVER_SHOWN,
    Parts,
    argument_names,
    parse_further_attributes,
    parse_parts,
    print_operands,
    resolve_parts,
    store,
)
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, dict_attr
from fathom.ir.operation import Operation
from fathom.irdl.cases import word_of
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.syntax.nodes import Node, Ref

TRAITS: Final = ("doc", "indexing_maps", "iterator_types", "library_call")
"""The attributes that stand in front."""
ITERATORS: Final = ("parallel", "reduction")


@record(frozen=False)
class _Text:
    traits: Node
    parts: Parts
    behind: Ref


def _parse(cursor: OpParser, parsed: ParsedOp) -> _Text:
    """`#traits ins(…) outs(…) attrs = {…} {region} -> tensor<4xf32>`."""
    traits = cursor.attribute()
    behind = cursor.here()
    text = _Text(traits, parse_parts(cursor, parsed), behind)
    if cursor.accept("attrs"):
        cursor.expect("=")
        parse_further_attributes(cursor, text.parts)
    cursor.region(parsed)
    text.parts.results = cursor.optional_arrow_types()
    return text


def _resolve(resolver: Resolver, parsed: ParsedOp, text: _Text) -> None:
    traits = resolver.attribute(text.traits)
    custom_op = f"custom op '{parsed.name}'"
    if not isinstance(traits, DictAttr):
        resolver.fail(f"{custom_op} invalid kind of attribute specified", text.traits.start)
    for name, value in traits.entries:
        store(resolver, name, value)
    iterators = resolver.properties.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        resolver.fail(f'{custom_op} expected "iterator_types" array attribute', text.traits.start)
    for element in iterators.elements:
        if isinstance(element, StringAttr) and element.value not in ITERATORS:
            resolver.fail(f"{custom_op} unexpected iterator_type ({element.value})", text.behind)
    names = [element.value for element in iterators.elements if isinstance(element, StringAttr)]
    resolver.properties["iterator_types"] = ArrayAttr(tuple(map(iterator_type, names)))
    resolve_parts(resolver, parsed, text.parts)
    resolver.result_types = resolver.types(text.parts.results)


def _print(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    entries = {**op.attributes, **op.properties}
    traits = {name: _shown(name, entries[name]) for name in TRAITS if name in entries}
    if traits:
        p.attribute(dict_attr(traits))
    print_operands(op, p)
    others = [(name, value) for name, value in entries.items() if name not in TRAITS and name not in NEVER_SHOWN]
    if others:
        p.write(" attrs = ")
        p.entries(others)
    if not op.regions[0].is_empty:
        p.write(" ")
        p.region(op.regions[0])
    p.arrow_types([result.type for result in op.results])


def _shown(name: str, value: Attribute) -> Attribute:
    """The kinds of loops stand in the text as strings."""
    if name != "iterator_types" or not isinstance(value, ArrayAttr):
        return value
    words = map(word_of, value.elements)
    return ArrayAttr(tuple(StringAttr(word) for word in words if word in ITERATORS))


def iterator_type(name: str) -> Attribute:
    """`#linalg.iterator_type<parallel>`."""
    return own_description("linalg").attributes["IteratorTypeAttr"].make_attribute(value=ITERATORS.index(name))


def _loops(op: Operation) -> str | None:
    value = op.properties.get("iterator_types")
    words = [word_of(element) for element in value.elements] if isinstance(value, ArrayAttr) else [""]
    return "".join(word[0] for word in words) if {*words} <= {*ITERATORS} else None


GENERIC: Final = OpCode(
    custom=CustomSyntax(_parse, _print, _resolve, completes=False, strings={"iterator_types": ITERATORS}),
    region_argument_names=argument_names("out"),
    interfaces=(Structured(lambda op: maps_in(op.properties.get("indexing_maps")), _loops),),
)


YIELD: Final = OpCode(custom=two_way("($values^ attr-dict `:` type($values)) : (attr-dict)?"))
