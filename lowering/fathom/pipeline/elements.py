"""How the text of a pipeline is made up: names, the options behind them in braces, and what they have in parentheses.

Source of the rules: *Pass Infrastructure*, "Textual Pass Pipeline Specification"; the words are those of mlir-opt 22.
"""

from __future__ import annotations

import re
from typing import Final

from fathom.records import field, record

_STOP: Final = re.compile(r"[,(){]")


@record(frozen=False)
class Element:
    """A name, `start` characters from the beginning of the text: of a pass with its options, or of the operation that
    those inside run on."""

    name: str
    start: int
    options: str = ""
    inner: list[Element] = field(default_factory=list["Element"])


class Malformed(Exception):
    """A text that is no pipeline: what is wrong, and where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def elements(text: str) -> list[Element]:
    """The elements of what stands in the outermost parentheses; white space may stand around names, and behind
    brackets. Raises Malformed."""
    levels: list[list[Element]] = [[]]
    position = 0
    while True:
        match = _STOP.search(text, position)
        end = match.start() if match is not None else len(text)
        name = text[position:end]
        element = Element(name.strip(), end - len(name.lstrip()))
        levels[-1].append(element)
        if match is None:
            break
        position = end
        if match[0] == "(":
            levels.append(element.inner)
            position += 1
            continue
        if match[0] == "{":
            closing = _closing_brace(text, position)
            element.options = text[position + 1 : closing]
            position = _behind_space(text, closing + 1)
        while text.startswith(")", position):
            position += 1
            if len(levels) == 1:
                message = "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline"
                raise Malformed(message, position - 1)
            levels.pop()
            position = _behind_space(text, position)
        if position == len(text):
            break
        if text[position] != ",":
            raise Malformed("expected ',' after parsing pipeline", position)
        position += 1
    if len(levels) > 1:
        raise Malformed("encountered unbalanced parentheses while parsing pipeline", position)
    return levels[0]


def _closing_brace(text: str, position: int) -> int:
    """Where the brace is that closes the one at `position`."""
    depth = 0
    for index in range(position, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return index
    raise Malformed("missing closing '}' while processing pass options", position)


def _behind_space(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip())
