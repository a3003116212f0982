"""What a tool says of a text: diagnostics in the form of MLIR's and LLVM's tools, as data.

in.mlir:4:8: error: 'arith.addi' op requires the same type for all operands and results
in.mlir:3:8: note: see …
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from fathom.dumps.lines import plain
from fathom.records import record
from fathom.tools.locations import Place

Kind: TypeAlias = Literal["error", "warning", "remark", "note"]
MOST: Final = 200
"""So many diagnostics are read."""
LONGEST: Final = 4_000
"""Characters of a line that are looked at."""
_HEAD: Final = re.compile(r"(?P<kind>error|warning|remark|note): ")
_PLACE: Final = re.compile(r"(.*?):(\d{1,9})(?::(\d{1,9}))?: \Z")
_LOCATION: Final = re.compile(r"loc\(")
_IN_LOCATION: Final = re.compile(r'"((?:[^"\\]|\\.)*)":(\d{1,9}):(\d{1,9})')
_SHOWN_ALREADY: Final = "see current operation:"
"""A note that has the text of the operation which the message is about."""


@record
class Said:
    """A message about a place in the text that the tool was handed; None of one about anything else."""

    kind: Kind
    words: str
    place: Place | None


@record
class Message:
    """An error, a warning or a remark, with the notes that belong to it."""

    said: Said
    notes: tuple[Said, ...] = ()


def messages_in(said: bytes, file: str) -> list[Message]:
    """What a tool says that read a file, in its order. What is no such message is passed over."""
    heads: list[Said] = []
    for line in said.splitlines():
        if b": " not in line:
            continue
        read = _read(plain(line[: 4 * LONGEST])[:LONGEST], file)
        if read is not None:
            heads.append(read)
        if len(heads) >= MOST:
            break
    messages: list[Message] = []
    for head in heads:
        if head.kind != "note":
            messages.append(Message(head))
        elif messages and not head.words.startswith(_SHOWN_ALREADY):
            messages[-1] = Message(messages[-1].said, (*messages[-1].notes, head))
    return messages


def first_words(said: bytes) -> str:
    """The first line of what a tool says that has words in it."""
    for line in said[: 4 * LONGEST].splitlines():
        text = plain(line).strip()
        if text:
            return text[:LONGEST]
    return ""


def _read(line: str, file: str) -> Said | None:
    head = _HEAD.search(line)
    if head is None:
        return None
    before, message = line[: head.start()], line[head.end() :]
    kind: Kind = head["kind"]  # type: ignore[assignment]
    place = _PLACE.fullmatch(before)
    if place is not None and place[1] == file:
        return Said(kind, message, (int(place[2]), int(place[3] or 1)))
    inside = message if _LOCATION.match(message) else before
    if place is None and not _LOCATION.match(before):
        return None
    found = next((match for match in _IN_LOCATION.finditer(inside) if match[1] == file), None)
    if _LOCATION.match(message):
        message = message.partition("): ")[2] or message
    return Said(kind, message, (int(found[2]), int(found[3])) if found is not None else None)
