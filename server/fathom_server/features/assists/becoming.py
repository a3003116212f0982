"""What operations of the source become by passes, as text: what did not change is written as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Block, Operation, Region, Span, Value
from fathom.ir.printing_flags import WRITTEN_FLAGS, PrintingFlags
from fathom.ir.types import Type
from fathom.records import record
from fathom.rewriting.type_converter import is_cast
from fathom.slices import paced
from fathom_server.features.assists.writing import (
    PlainPrinter,
    aliases_at,
    commented,
    comments_in,
    label_of,
    printed,
    unused,
)
from fathom_server.features.item_text import ItemText


@record
class Origin:
    """What a copy of operations was made from: the operations, values and blocks of the source."""

    operations: dict[Operation, Operation]
    values: dict[Value, Value]
    blocks: dict[Block, Block]


def origin_of(copies: Sequence[Operation], sources: Sequence[Operation]) -> Origin:
    """The origin of copies that nothing has changed yet, in the order of the text."""
    origin = Origin({}, {}, {})
    for copy, source in zip(copies, sources, strict=True):
        origin.operations[copy] = source
        origin.values.update(zip(copy.results, source.results, strict=True))
        for mine, theirs in zip(_blocks(copy), _blocks(source), strict=True):
            origin.blocks[mine] = theirs
            origin.values.update(zip(mine.arguments, theirs.arguments, strict=True))
    return origin


def _blocks(op: Operation) -> list[Block]:
    return [block for region in op.regions for block in region.blocks]


class _SourcePrinter(PlainPrinter):
    """A printer that writes operations as they are written in the source, where it has their text."""

    kept: dict[Operation, str]

    def op(self, op: Operation) -> None:
        text = self.kept.get(op)
        if text is None:
            super().op(op)
            return
        start = len(self.parts)
        self.write(text.replace("\n", f"\n{self.indent}"))
        if self.ranges is not None:
            self.ranges.append((op, start, len(self.parts)))


def rewritten(item: ItemText, source: Operation, op: Operation, origin: Origin) -> str:
    """The text of an operation that a copy of one of the source has become: what did not change is written as it was,
    and comments stand where what they are about does."""
    extent = item.extent(source)
    names = _names_of_copy(item, op, origin)
    printer = _SourcePrinter(names, WRITTEN_FLAGS, aliases=aliases_at(item))
    printer.kept = {}
    whole: list[Span] = []
    for inner in paced(op.walk()):
        mine = origin.operations.get(inner)
        if mine is not None and _is_as_it_was(item, inner, mine, names, origin):
            printer.kept[inner] = _flush(item, mine)
            whole.append(item.extent(mine))
    ranges = printed(printer, op, item, extent.start)
    text = "".join(printer.parts)
    by_place = {op.span.start: op for op in source.walk() if op.span is not None and item.known.sites_of(op)}
    places: dict[Operation, tuple[int, int]] = {source: (0, len(text))}
    for inner, start, end in paced(ranges):
        mine = origin.operations.get(inner) or (by_place.get(inner.span.start) if inner.span is not None else None)
        # A cast may stand far from what it was made for.
        if mine is not None and mine is not source and (inner in origin.operations or not is_cast(inner)):
            first, last = places.get(mine, (start, end))
            places[mine] = min(first, start), max(last, end)
    comments = [
        comment
        for comment in comments_in(item, extent.start, extent.end)
        if not any(span.start <= comment.start < span.end for span in whole)
    ]
    text = commented(item, text, places, comments, item.indent(extent.start))
    return text.replace("\r\n", "\n").replace("\n", item.line_break)


def _flush(item: ItemText, op: Operation) -> str:
    """The text of an operation with its lines as far in as its first one."""
    extent = item.extent(op)
    margin = item.indent(extent.start)
    first, *rest = item.text[extent.start : extent.end].splitlines()
    return "\n".join([first, *(line.removeprefix(margin) for line in rest)])


def _is_as_it_was(item: ItemText, op: Operation, source: Operation, names: Names, origin: Origin) -> bool:
    """Whether an operation with all inside it is what it was, and would be written with the same names."""
    pending = [(op, source)]
    while pending:
        op, source = pending.pop()
        operands = [names.values.get(value, "") for value in op.operands]
        labels = [names.blocks.get(block, "") for block in op.successors]
        is_same = (
            op.name == source.name
            and operands == [item.name(value) for value in source.operands]
            and labels == [label_of(item, block) for block in source.successors]
            and _named(op.results, names) == [(item.name(value), value.type) for value in source.results]
            and (op.properties, op.attributes) == (source.properties, source.attributes)
            and [origin.blocks.get(block) for block in _blocks(op)] == _blocks(source)
        )
        if not is_same:
            return False
        for mine, theirs in zip(_blocks(op), _blocks(source), strict=True):
            inside, former = list(mine), list(theirs)
            arguments = [(item.name(argument), argument.type) for argument in theirs.arguments]
            if (
                _named(mine.arguments, names) != arguments
                or [origin.operations.get(inner) for inner in inside] != former
            ):
                return False
            pending += zip(inside, former, strict=True)
    return True


def _named(values: Sequence[Value], names: Names) -> list[tuple[str, Type]]:
    return [(names.values.get(value, ""), value.type) for value in values]


def _names_of_copy(item: ItemText, root: Operation, origin: Origin) -> Names:
    """Names for what a copy has become: those of the source where a value is still there, those of values that are gone
    for what took their places, else new ones."""
    names = name_values(root, PrintingFlags())
    taken = {hole.partition("#")[0] for piece in item.item.pieces for hole in piece.holes() if hole[:1] in ("%", "^")}
    present = {value for op in paced(root.walk()) for value in _defined(op)}
    inherited = _inherited(item, root, origin, present)
    for op in paced(root.walk()):
        source = origin.operations.get(op)
        if op.results and source is not None and item.name(source.results[0]):
            site = item.known.sites_of(source)[0]
            groups = item.result_groups(source)
            names.results[op] = ", ".join(
                site.text(token) + (f":{len(values)}" if len(values) > 1 else "") for token, values in groups
            )
        elif op.results:
            single = inherited.get(op.results[0]) if len(op.results) == 1 else None
            fresh = single or unused(names.values[op.results[0]].partition("#")[0], taken)
            names.results[op] = fresh if len(op.results) == 1 else f"{fresh}:{len(op.results)}"
            for number, value in enumerate(op.results):
                names.values[value] = fresh if len(op.results) == 1 else f"{fresh}#{number}"
        for block in _blocks(op):
            mine = origin.blocks.get(block)
            label = label_of(item, mine) if mine is not None else ""
            names.blocks[block] = label or unused(names.blocks.get(block, "^bb0"), taken)
            for argument in block.arguments:
                if argument not in origin.values:
                    name = inherited.get(argument) or unused(names.values.get(argument, "%arg"), taken)
                    names.values[argument] = name
    for value, mine in origin.values.items():
        if item.name(mine):
            names.values[value] = item.name(mine)
    _keep_apart(root, names, taken)
    return names


def _keep_apart(root: Operation, names: Names, taken: set[str]) -> None:
    """Gives new names to values whose own a value in the same region, or in one around it, has, since they stood in
    regions that knew nothing of each other; labels too, in the same region."""
    pending: list[tuple[Region, frozenset[str]]] = [(region, frozenset()) for region in root.regions]
    while pending:
        region, around = pending.pop()
        known, labels = set(around), set[str]()
        for block in region.blocks:
            if names.blocks[block] in labels:
                names.blocks[block] = unused(names.blocks[block], taken)
            labels.add(names.blocks[block])
            for argument in block.arguments:
                if names.values[argument] in known:
                    names.values[argument] = unused(names.values[argument], taken)
                known.add(names.values[argument])
            for op in paced(block):
                bases = {names.values[value].partition("#")[0]: None for value in op.results}
                for base in bases:
                    if base in known:
                        _rename(op, base, unused(base, taken), names)
                known.update(names.values[value].partition("#")[0] for value in op.results)
        for block in region.blocks:
            pending += [(inner, frozenset(known)) for op in block for inner in op.regions]


def _rename(op: Operation, base: str, fresh: str, names: Names) -> None:
    for value in op.results:
        name, mark, number = names.values[value].partition("#")
        if name == base:
            names.values[value] = f"{fresh}{mark}{number}"
    groups = names.results[op].split(", ")
    renamed = [f"{fresh}{group.removeprefix(base)}" if group.partition(":")[0] == base else group for group in groups]
    names.results[op] = ", ".join(renamed)


def _defined(op: Operation) -> Iterator[Value]:
    yield from op.results
    for block in _blocks(op):
        yield from block.arguments


def _inherited(item: ItemText, root: Operation, origin: Origin, present: set[Value]) -> dict[Value, str]:
    """The names of values that are gone, for those that are new and used where they were."""
    kept = {origin.values[value] for value in present if value in origin.values}
    names: dict[Value, str] = {}
    given: set[str] = set()
    for op in paced(root.walk()):
        source = origin.operations.get(op)
        if source is None or len(source.operands) != len(op.operands):
            continue
        for value, former in zip(op.operands, source.operands, strict=True):
            name = item.name(former)
            if value in origin.values or former in kept or not name or "#" in name:
                continue
            if name not in given:
                given.add(names.setdefault(value, name))
    return names
