"""How the statements of a shape are laid out: where lines begin and how deep, and what stands between tokens.

All of it follows from the shape alone, so that it is worked out once for thousands of statements.
"""

from __future__ import annotations

from itertools import islice, takewhile
from typing import Final

from fathom.formatting.spacing import ANY, KEPT, RAW, Roles, gaps
from fathom.records import field, record
from fathom.syntax.events import (
    AliasEvent,
    BrokenEndEvent,
    ErrorEvent,
    Event,
    LabelEvent,
    MetadataEvent,
    OpenEvent,
    OpEvent,
    UnclosedEvent,
)
from fathom.syntax.nodes import Argument, ParsedOp
from fathom.syntax.shapes import Shape

IN_ONE_LINE: Final = frozenset(("vector.mask",))
"""Operations whose region MLIR prints on their line."""


@record
class Layout:
    """`starts` are the tokens that begin lines of their own, with how much deeper than the statement they stand;
    `gaps` what is to stand before each token, if no line begins there (`spacing.gaps`); `opening` are the lines on
    which a region begins, and `deepest` says how deep it goes. One that is `frozen` stays as it is written."""

    starts: dict[int, int]
    gaps: tuple[str | None, ...]
    opening: frozenset[int]
    deepest: int
    frozen: bool
    is_clean: bool
    """Whether nothing has to change between the tokens of it, if it is on one line."""


@record(frozen=False)
class _Marks:
    """What is found out about the tokens of a shape on the way through its events. `opened` are the braces of the
    regions that are open, with the names of their operations."""

    starts: dict[int, int] = field(default_factory=dict[int, int])
    roles: Roles = field(default_factory=Roles)
    depth: int = 0
    opened: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def layout_of(shape: Shape) -> Layout:
    """How a statement of this shape is laid out."""
    if shape.has_errors or any(
        isinstance(event, ErrorEvent | UnclosedEvent | BrokenEndEvent) for event in shape.events
    ):
        return Layout({}, (), frozenset(), 0, True, False)
    marks = _Marks()
    for event in shape.events:
        _mark(shape, event, marks)
    between = tuple(gaps(shape.tokens, marks.roles))
    starts = {index: depth for index, depth in marks.starts.items() if index < len(shape.tokens)}
    opening = frozenset(shape.tokens[index].line for index in marks.roles.braces if shape.tokens[index].text == "{")
    deepest = max(starts.values(), default=0)
    return Layout(starts, between, opening, deepest, False, _is_clean(shape, starts, between))


def _is_clean(shape: Shape, starts: dict[int, int], between: tuple[str | None, ...]) -> bool:
    if shape.lines != 1 or any(index for index in starts):
        return False
    tokens = shape.tokens
    for index in range(1, len(tokens)):
        width = tokens[index].column - tokens[index - 1].end
        wanted = between[index]
        if wanted in (KEPT, RAW) or (wanted is ANY and width <= 1) or (wanted is not None and width == len(wanted)):
            continue
        return False
    return True


def _mark(shape: Shape, event: Event, marks: _Marks) -> None:
    match event:
        case OpenEvent(open, base, brace, first, _):
            if first == 0:
                marks.starts[base] = marks.depth
            else:
                _close(shape, base - 1, marks)
            if open.parsed is not None:
                _mark_operation(shape, open.parsed, base, brace, first, marks)
            _open(shape, brace, open.parsed, marks)
        case OpEvent(parsed, base, first, ends_region):
            if ends_region:
                _close(shape, base - 1, marks)
            else:
                marks.starts[base] = marks.depth
            _mark_operation(shape, parsed, base, base - first + parsed.end, first, marks)
        case LabelEvent(label, base):
            marks.starts[base] = marks.depth - 1
            marks.roles.names |= _colons(shape, label.arguments, base)
            marks.roles.names.add(base + label.end - 1)
            marks.starts[base + label.end] = marks.depth
        case AliasEvent(_, base):
            marks.starts[base] = marks.depth
        case MetadataEvent(metadata, base):
            marks.starts[base] = marks.depth
            marks.roles.kept.update(range(base + 1, base + metadata.end))
        case _:
            pass


def _open(shape: Shape, brace: int, parsed: ParsedOp | None, marks: _Marks) -> None:
    marks.roles.braces.add(brace)
    marks.depth += 1
    marks.opened.append((brace, parsed.name if parsed is not None else ""))
    if brace + 1 < len(shape.tokens):
        marks.starts[brace + 1] = marks.depth


def _close(shape: Shape, brace: int, marks: _Marks) -> None:
    marks.roles.braces.add(brace)
    marks.depth -= 1
    marks.starts[brace] = marks.depth
    if not marks.opened:
        return
    opening, name = marks.opened.pop()
    if shape.tokens[opening].line != shape.tokens[brace].line:
        return
    # They were noted in the order of the text, and more than two are too many for one line.
    last = (index for index in reversed(marks.starts) if index < brace)
    inside = list(islice(takewhile(lambda index: index > opening, last), 2))
    if not inside or (name in IN_ONE_LINE and inside == [opening + 1]):
        for index in (*inside, brace):
            del marks.starts[index]


def _mark_operation(shape: Shape, parsed: ParsedOp, base: int, end: int, first: int, marks: _Marks) -> None:
    """Marks the tokens of an operation from its reference `first` on, which is token `base`, up to token `end`."""
    shift = base - first
    tokens = shape.tokens
    if not parsed.known:
        marks.roles.kept.update(range(max(base, shift + parsed.name_token + 1), min(end, len(tokens))))
    if first == 0:
        for group in parsed.result_groups:
            index = shift + group.token + 1
            if index < len(tokens) and tokens[index].text == ":":
                marks.roles.packs.add(index)
        if not parsed.generic:
            marks.roles.op_names.add(shift + parsed.name_token)
    if not parsed.generic:
        marks.roles.operations.update(dict.fromkeys(range(base, min(end, len(tokens))), parsed.name))
    arguments = [
        argument for region in parsed.regions_from(first) for argument in region.arguments if argument.token >= first
    ]
    marks.roles.doubtful |= _colons(shape, arguments, shift)
    if parsed.function is not None:
        marks.roles.names |= _colons(
            shape, [argument for argument in parsed.function.arguments if argument.token >= first], shift
        )


def _colons(shape: Shape, arguments: list[Argument], shift: int) -> set[int]:
    """The colons behind the names of arguments."""
    behind = {shift + argument.token + 1 for argument in arguments if argument.token >= 0}
    return {index for index in behind if index < len(shape.tokens) and shape.tokens[index].text == ":"}
