"""Hover: what a value, an operation or a type is, and what it becomes in the LLVM dialect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.meaning import Meanings
from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import BlockArgument, Operation, OpResult, Value
from fathom.ir.types import POISON, FunctionType, MemRefType, Type
from fathom.irdl.definition import OpDefinition
from fathom.passes.to_llvm.describe import Description, Field, describe
from fathom.records import record, replace
from fathom.syntax.events import AliasEvent, LabelEvent, OpenEvent, OpEvent
from fathom.syntax.nodes import Node, ParsedOp
from fathom.syntax.tree import Item
from fathom.text.beginnings import beginning, shortened
from fathom_server.features.lowered_lines import lowered_lines
from fathom_server.model.aliases import aliases_for
from fathom_server.model.outlines import declaration_of
from fathom_server.model.places import Spot, operation_at, spot_at, symbol_at, value_at
from fathom_server.model.snapshot import Snapshot

LONGEST_HEADER: Final = 4000
"""Of a symbol so many characters are shown, which may hold what it is initialised with."""


@record
class Hover:
    """Markdown about the text between two offsets."""

    markdown: str
    start: int
    end: int


LONGEST_LINE: Final = 2000
MOST_LINES: Final = 400
"""Of each line so many characters are shown, and so many lines."""


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What to say about an offset; None where there is nothing to say."""
    found = _hover(snapshot, offset)
    return replace(found, markdown=shortened(found.markdown, LONGEST_LINE, MOST_LINES)) if found is not None else None


def _hover(snapshot: Snapshot, offset: int) -> Hover | None:
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    match spot.token.kind:
        case "VALUE":
            value = value_at(snapshot, spot)
            return Hover(value_text(value, spot.token.text), spot.start, spot.end) if value is not None else None
        case "SYMBOL":
            text = _symbol_text(snapshot, spot)
            return Hover(text, spot.start, spot.end) if text is not None else None
        case "BARE" | "STRING":
            op = operation_at(snapshot, spot)
            if op is not None:
                return Hover(operation_text(snapshot, spot.item, op), spot.start, spot.end)
        case _:
            pass
    return _type_hover(snapshot, spot)


# ---- values


def value_text(value: Value, name: str) -> str:
    """A value: where it comes from, its type, and what the type becomes."""
    name = name.partition("#")[0]
    if value.type == POISON:
        return f"```mlir\n{name}\n```\nIts type is not known, since its definition is incomplete."
    lines = [f"```mlir\n{name} : {value.type}\n```", _origin(value), *type_lines(value.type)]
    return "\n\n".join(line for line in lines if line)


def _origin(value: Value) -> str:
    match value:
        case OpResult():
            count = len(value.op.results)
            which = f"result #{value.index} of" if count > 1 else "result of"
            return f"{which} `{value.op.name}`"
        case BlockArgument():
            op = value.block.parent.parent if value.block.parent is not None else None
            where = f" of `{op.name}`" if op is not None else ""
            return (
                f"argument #{value.index}{where}" if value.block.is_entry else f"argument #{value.index} of its block"
            )
        case _:
            return ""


# ---- types


def type_lines(type: Type) -> Iterator[str]:
    """What a type becomes in the LLVM dialect: for a memref its descriptor, field by field, and its arguments."""
    yield from description_lines(describe(type))


def description_lines(description: Description) -> Iterator[str]:
    type, converted = description.type, description.converted
    if description.signature is not None:
        yield f"LLVM dialect: `{description.signature}`"
    if converted is None:
        yield f"LLVM dialect: no conversion{f': {description.reason}' if description.reason else ''}"
        return
    if isinstance(type, FunctionType):
        yield f"as a value: `{converted}`"
        return
    if converted == type:
        yield "LLVM dialect: the same type"
    else:
        yield f"LLVM dialect: `{converted}`"
    if isinstance(type, MemRefType) and description.fields:
        yield "Descriptor:\n\n" + _table(description.fields)
        if description.arguments:
            yield f"In a signature: {_passed(description)}"


def signature_lines(op: Operation | None) -> Iterator[str]:
    """What the signature of a function becomes, and what its memrefs are passed as; nothing for other operations."""
    attribute = op.properties.get("function_type") if op is not None else None
    if not isinstance(attribute, TypeAttr):
        return
    yield from description_lines(describe(attribute.type))
    inputs: tuple[Type, ...] = getattr(attribute.type, "inputs", ())
    for type in dict.fromkeys(each for each in inputs if isinstance(each, MemRefType)):
        yield f"`{type}` is passed as {_passed(describe(type))}"


def _passed(description: Description) -> str:
    return ", ".join(f"`{field.type}` {field.name}" for field in description.arguments)


def _table(fields: tuple[Field, ...]) -> str:
    rows = [f"| {index} | {field.name} | `{field.type}` | {field.text or ''} |" for index, field in enumerate(fields)]
    return "\n".join(["| # | field | type | value |", "|---|---|---|---|", *rows])


def _type_hover(snapshot: Snapshot, spot: Spot) -> Hover | None:
    """The smallest type whose text covers the spot."""
    piece = spot.piece
    meanings = Meanings(snapshot.context, aliases_for(snapshot, spot.item))
    tokens = piece.tokens()
    best: tuple[int, Node, int] | None = None
    for base, node in _nodes(piece.shape.events):
        for each in node.walk():
            first, last = base + each.start, base + each.end
            if each.kind in ("type", "plain_type") and first <= spot.index < last:
                if best is None or each.end - each.start <= best[0]:
                    best = (each.end - each.start, each, base)
    if best is None:
        return None
    _, node, base = best
    try:
        type = meanings.type(node, lambda ref: tokens[base + ref].text)
    except ElaborationFailure:
        return None
    spans = piece.token_spans()
    start = spot.item_start + spot.piece_start
    text = "\n\n".join([f"```mlir\n{type}\n```", *type_lines(type)])
    return Hover(text, start + spans[base + node.start][0], start + spans[base + node.end - 1][1])


def _nodes(events: tuple[object, ...]) -> Iterator[tuple[int, Node]]:
    """The trees of a statement, each with the token that its references count from."""
    for event in events:
        match event:
            case OpEvent(parsed, base, first):
                for node in parsed_nodes(parsed):
                    if node.start >= first:
                        yield base - first, node
            case OpenEvent(open, base, _, first) if open.parsed is not None:
                for node in parsed_nodes(open.parsed):
                    if node.start >= first:
                        yield base - first, node
            case LabelEvent(label, base):
                for argument in label.arguments:
                    if argument.type is not None:
                        yield base, argument.type
            case AliasEvent(alias, base):
                yield base, alias.value
            case _:
                pass


def parsed_nodes(parsed: ParsedOp) -> Iterator[Node]:
    """All trees of types and attributes of an operation."""
    for group in parsed.types.values():
        yield from group
    for source in parsed.attributes.values():
        if isinstance(source, Node):
            yield source
    for node in (parsed.attr_dict, parsed.properties, parsed.function_type):
        if node is not None:
            yield node
    for successor in parsed.successors:
        yield from successor.types
    arguments = [argument for region in parsed.regions for argument in region.arguments]
    if parsed.function is not None:
        arguments += parsed.function.arguments
        yield from parsed.function.results
    for argument in arguments:
        if argument.type is not None:
            yield argument.type


# ---- operations


def operation_text(snapshot: Snapshot, item: Item, op: Operation) -> str:
    """An operation: its signature, what it is, its definition, and what it is lowered to."""
    definition = op.definition
    parts = [f"```mlir\n{op.name}{_types_of(op)}\n```"]
    if definition is None:
        parts.append("This operation is not known to Fathom. It is kept as it is written.")
        return "\n\n".join(parts)
    if definition.summary:
        parts.append(definition.summary)
    if definition.description:
        parts.append(definition.description)
    parts += _definition_lines(definition)
    parts += signature_lines(op)
    lowered = lowered_lines(snapshot, item, op)
    if lowered:
        parts.append(f"Lowers to:\n\n```mlir\n{lowered}\n```")
    return "\n\n".join(parts)


def _types_of(op: Operation) -> str:
    if op.attribute("function_type") is not None:
        return ""
    operands = ", ".join(str(value.type) for value in op.operands)
    results = ", ".join(str(value.type) for value in op.results)
    return f" : ({operands}) -> ({results})"


def _definition_lines(definition: OpDefinition) -> Iterator[str]:
    if definition.assembly:
        yield f"Syntax: `` {definition.name} {definition.assembly} ``"
    rows = [f"| operand | {o.name} | {o.constraint.summary} |" for o in definition.operands]
    rows += [f"| attribute | {p.name} | {p.constraint.summary} |" for p in definition.properties]
    rows += [f"| result | {r.name} | {r.constraint.summary} |" for r in definition.results]
    if rows:
        yield "\n".join(["| | name | |", "|---|---|---|", *rows])
    if definition.traits:
        yield "Traits: " + ", ".join(trait.name for trait in definition.traits)


def _symbol_text(snapshot: Snapshot, spot: Spot) -> str | None:
    found = symbol_at(snapshot, spot)
    if found is None:
        return None
    text = beginning(found.item.text_between(found.start, found.end).rstrip().rstrip("{").rstrip(), LONGEST_HEADER)
    parts = [f"```mlir\n{text}\n```"]
    parts += signature_lines(declaration_of(snapshot, found))
    return "\n\n".join(parts)
