"""Assembly as LLVM prints it, for whatever machine, and where its instructions come from.

Source of the rules: LLVM 22, `MCAsmStreamer`: an instruction stands behind a tab; a directive begins with a dot;
`.loc FILE LINE COLUMN` is about the instructions up to the next one, and the line 0 is no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.llvm.codegen.printed import Place

_LOC: Final = re.compile(r"\s*\.loc\s+\d+\s+(\d+)(?:\s+(\d+))?")
_EDGE: Final = re.compile(r"[.$L_]*func_(?:begin|end)\d+:")
"""The labels around a function of which there are locations."""
_COMMENT: Final = re.compile(r"\s+(?:##?|//|;)(?:\s.*)?$")
"""What follows an instruction. An operand that begins so, as `#16` of AArch64, has no blank behind the sign."""
_LABEL: Final = re.compile(r"(\.?\$?L[A-Za-z_]*)\d+")
_NEAR: Final = 100
"""So many instructions apart, one can be another that was put elsewhere."""
_NO_INSTRUCTION: Final = ("#", "//", ";", ".")


def instructions(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are instructions, by their numbers from 0, without comments."""
    for number, line in enumerate(text.split("\n")):
        if (found := _instruction(line)) is not None:
            yield number, found


def places_in(text: str) -> list[Place | None]:
    """Where each line comes from by the directives in the text itself; only instructions come from somewhere."""
    found: list[Place | None] = []
    place: Place | None = None
    for line in text.split("\n"):
        at, new = _moved(line, place)
        place = new
        found.append(place if at and _instruction(line) is not None else None)
    return found


def transferred(located: str, shown: str) -> list[Place | None]:
    """Where each line of a text comes from, by that of the same code with locations."""
    places = places_in(located)
    before = [(places[number], _numberless(text)) for number, text in instructions(located)]
    after = [(number, _numberless(text)) for number, text in instructions(shown)]
    found: list[Place | None] = [None] * (shown.count("\n") + 1)
    for (number, _), place in zip(after, paired(before, [text for _, text in after]), strict=True):
        found[number] = place
    return found


def paired(before: Sequence[tuple[Place | None, str]], after: Sequence[str]) -> list[Place | None]:
    """Where each instruction comes from, by the same code of which that is known: they are paired in their order.
    Where the two part, what comes behind is paired by what agrees in its lines."""
    if [text for _, text in before] == list(after):
        return [place for place, _ in before]
    from difflib import SequenceMatcher

    found: list[Place | None] = [None] * len(after)
    matcher = SequenceMatcher(None, [text for _, text in before], after, autojunk=False)
    left: dict[str, list[int]] = {}
    late: list[tuple[int, int]] = []
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            for offset in range(end - start):
                found[first + offset] = before[start + offset][0]
            continue
        for at in range(start, end):
            left.setdefault(before[at][1], []).append(at)
        late += ((at, start) for at in range(first, last))
    # Of what stands in another order, the nearest that are the same belong together.
    for at, near in late:
        text = after[at]
        nearest = min(left.get(text, ()), key=lambda other: abs(other - near), default=None)
        if nearest is not None and abs(nearest - near) <= _NEAR:
            left[text].remove(nearest)
            found[at] = before[nearest][0]
    return found


def _moved(line: str, place: Place | None) -> tuple[bool, Place | None]:
    """Whether a line may be an instruction, and where what follows comes from."""
    match = _LOC.match(line)
    if match is not None:
        number = int(match[1])
        return False, (number, int(match[2] or 0)) if number else None
    if _EDGE.match(line):
        return False, None
    return True, place


def _instruction(line: str) -> str | None:
    """An instruction without its comment, if a line is one."""
    if not line.startswith("\t"):
        return None
    text = line[1:].lstrip()
    if not text or text.startswith(_NO_INSTRUCTION):
        return None
    return _COMMENT.sub("", text).rstrip()


def _numberless(text: str) -> str:
    """An instruction without the numbers of labels, which differ where there are more of these."""
    return _LABEL.sub(r"\1", text)
