"""Unknown operations in custom form: their text is kept, with their operands as holes, and prints back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.ir.types import Speller
from fathom.syntax.nodes import ParsedOp, Ref

CUSTOM_TEXT = "$text"
"""The property under which an unknown operation keeps its text."""


@dataclass(frozen=True, slots=True)
class CustomText(Attribute):
    """The words after the name: a string as it stands, an operand by its index, a region or a successor by its own."""

    words: tuple[str | tuple[str, int], ...]

    def spell(self, of: Speller) -> str:
        return " ".join(word if isinstance(word, str) else f"<{word[0]} {word[1]}>" for word in self.words)


def keep_text(op: Operation, parsed: ParsedOp, token: Callable[[Ref], tuple[str, str]]) -> None:
    """Stores the words of the operation, from after its name to its end."""
    operands = {ref: index for index, ref in enumerate(parsed.operands.get("", []))}
    regions = {region.token: index for index, region in enumerate(parsed.regions)}
    successors = {successor.block: index for index, successor in enumerate(parsed.successors)}
    stop = parsed.location.start if parsed.location is not None else parsed.end
    words: list[str | tuple[str, int]] = []
    for ref in range(parsed.name_token + 1, stop):
        if ref in operands:
            words.append(("operand", operands[ref]))
        elif ref in regions:
            words.append(("region", regions[ref]))
        elif ref in successors:
            words.append(("successor", successors[ref]))
        else:
            words.append(token(ref)[1])
    op.properties[CUSTOM_TEXT] = CustomText(tuple(words))
