"""Unknown operations in custom form: their text is kept, with their operands, regions and successors as holes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fathom.ir.attributes import Attribute
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText, Hole, Word
from fathom.ir.operation import BlockArgument, Operation, Value
from fathom.ir.types import Type
from fathom.syntax.nodes import ParsedOp, Ref


def keep_text(
    op: Operation,
    parsed: ParsedOp,
    arguments: Mapping[Ref, BlockArgument],
    words_of: Callable[[Ref, Ref], Iterable[tuple[str, bool]]],
    alias: Callable[[str], Type | Attribute | None],
) -> None:
    """Stores the words of the operation, from after its name to its end.

    `arguments` are the names in it that are arguments of its regions. `words_of` gives the texts of the tokens
    between two references, and whether white space stands before each; `alias` what the name of an alias stands for.
    """
    holes: dict[Ref, Hole] = {}
    uses = [ref for ref in parsed.operands.get("", []) if ref not in arguments]
    holes.update((ref, ("operand", index)) for index, ref in enumerate(uses))
    numbers = {region: index for index, region in enumerate(op.regions)}
    for ref, argument in arguments.items():
        number = numbers.get(argument.block.parent) if argument.block.parent is not None else None
        if number is not None and argument.block.is_entry:
            holes[ref] = ("argument", number, argument.index)
    holes.update((region.token, ("region", index)) for index, region in enumerate(parsed.regions))
    holes.update((successor.block, ("successor", index)) for index, successor in enumerate(parsed.successors))
    stop = parsed.location.start if parsed.location is not None else parsed.end
    first = parsed.name_token + 1
    texts = words_of(first, stop)
    words: list[tuple[bool, Word]] = []
    regions = {region.token for region in parsed.regions}
    before = ""
    for ref, (text, spaced) in enumerate(texts, first):
        meaning = alias(text) if text[0] in "#!" and "." not in text else None
        if ref in regions:
            # Beside a region blanks mean nothing, and stand as they are printed.
            spaced = before != "("
        elif ref - 1 in regions:
            spaced = text not in (",", ")")
        words.append((spaced, meaning or holes.get(ref, text)))
        before = text
    op.properties[CUSTOM_TEXT] = CustomText(tuple(words))


def drop_operand(op: Operation, value: Value) -> None:
    """Puts the name of an operand in the kept text of an operation, since it is that of no value."""
    text = op.properties.get(CUSTOM_TEXT)
    assert isinstance(text, CustomText), "only an unknown operation names what may be no value"
    left = [index for index, operand in enumerate(op.operands) if operand is not value]
    holes: dict[Word, Word] = {("operand", index): f"%{value.name_hint}" for index in range(len(op.operands))}
    holes |= {("operand", index): ("operand", number) for number, index in enumerate(left)}
    words = tuple((spaced, holes.get(word, word)) for spaced, word in text.words)
    op.properties[CUSTOM_TEXT] = CustomText(words)
    op.set_operands([op.operands[index] for index in left])
