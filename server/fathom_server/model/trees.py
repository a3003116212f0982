"""The trees of types, attributes and locations in a statement, and the arguments that it names, read off its shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.slices import paced
from fathom.syntax.events import AliasEvent, ErrorEvent, Event, LabelEvent, MetadataEvent, OpenEvent, OpEvent
from fathom.syntax.nodes import Argument, Node, ParsedOp, Ref, UntypedLiteral
from fathom.syntax.shapes import Shape


def trees_in(shape: Shape) -> Iterator[tuple[Node, int]]:
    """The trees of a statement, each with what its references are moved by to be tokens of the statement."""
    for event in paced(shape.events):
        match event:
            case LabelEvent(label, base):
                yield from ((tree, base) for argument in label.arguments for tree in _of_argument(argument))
            case AliasEvent(alias, base):
                yield alias.value, base
            case MetadataEvent(metadata, base):
                yield metadata, base
            case _:
                stretch = stretch_of(event)
                if stretch is not None:
                    parsed, shift, first = stretch
                    # What is a type of two things is one tree.
                    trees = {id(tree): tree for tree in _of_operation(parsed, first)}.values()
                    yield from ((tree, shift) for tree in trees if tree.start >= first)


def stretch_of(event: Event) -> tuple[ParsedOp, int, Ref] | None:
    """The operation that an event is about, what its references are moved by, and the first of them that stands in the
    text of the event; None for one that is about no operation of which anything is known."""
    match event:
        case OpEvent(parsed, base, first):
            return parsed, base - first, first
        case OpenEvent(open, base, _, first) if open.parsed is not None:
            return open.parsed, base - first, first
        case ErrorEvent(start=start, parsed=parsed, base=shift) if parsed is not None:
            return parsed, shift, start - shift
        case _:
            return None


def arguments_of(parsed: ParsedOp, first: Ref) -> Sequence[Argument]:
    """The arguments that an operation's own syntax names, at times twice; some may stand before `first`."""
    arguments = [argument for region in parsed.regions_from(first) for argument in region.arguments]
    return arguments + parsed.function.arguments if parsed.function is not None else arguments


def _of_operation(parsed: ParsedOp, first: Ref) -> Iterator[Node]:
    for group in parsed.types.values():
        yield from group
    for source in parsed.attributes.values():
        if isinstance(source, Node):
            yield source
        elif isinstance(source, UntypedLiteral):
            yield source.node
    for node in (parsed.attr_dict, parsed.properties, parsed.function_type, parsed.location):
        if node is not None:
            yield node
    for successor in parsed.successors:
        yield from successor.types
    if parsed.function is not None:
        yield from parsed.function.results
        yield from (attribute for attribute in parsed.function.result_attributes if attribute is not None)
    for argument in arguments_of(parsed, first):
        yield from _of_argument(argument)


def _of_argument(argument: Argument) -> Iterator[Node]:
    yield from (part for part in (argument.type, argument.attributes, argument.location) if isinstance(part, Node))
