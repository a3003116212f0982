"""LLVM IR as LLVM prints it with debug locations: without them as it is shown, and where its lines come from."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Place: TypeAlias = tuple[int, int]
"""A line and a column, as a debug location says them."""
_VERSION: Final = re.compile(r'(!\d+ = !\{i32 \d+, !"Debug Info Version", i32 )3\}')
_LOCATION: Final = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?", re.MULTILINE)
_ATTACHED: Final = re.compile(r'"[^"]*"|,? !dbg !(\d+)')
_NUMBER: Final = re.compile(r'"[^"]*"|!(\d+)\b')
_NODE: Final = re.compile(r"!(\d+) = ")
_UNITS: Final = "!llvm.dbg.cu = "


def without_version(text: str) -> str:
    """A module whose debug information LLVM drops as it reads it, since it is of no version that LLVM knows."""
    return _VERSION.sub(r"\g<1>0}", text)


def places_of(text: str) -> list[Place | None]:
    """For each line of a module, where it comes from by its debug location."""
    places, found = _locations(text), list[Place | None]()
    for line in text.split("\n"):
        attached = _attached(line)
        found.append(places.get(attached) if attached else None)
    return found


def shown(text: str) -> tuple[str, list[Place | None]]:
    """A module without the debug information in it, as LLVM prints one that never had any; and where each line comes
    from."""
    places = _locations(text)
    lines: list[str] = []
    found: list[Place | None] = []
    nodes: list[tuple[str, str]] = []
    for line in text.split("\n"):
        if (node := _NODE.match(line)) is not None:
            nodes.append((node[1], line[node.end() :]))
        elif not line.startswith(_UNITS):
            attached = _attached(line)
            found.append(places.get(attached) if attached else None)
            lines.append(_ATTACHED.sub(lambda match: match[0] if match[1] is None else "", line) if attached else line)
    kept = _reached(lines, dict(nodes))
    numbers = {number: str(new) for new, number in enumerate(number for number, _ in nodes if number in kept)}
    if any(old != new for old, new in numbers.items()):
        lines = [_renumbered(line, numbers) if "!" in line else line for line in lines]
    # The last line is the empty one behind the metadata.
    end = lines.pop()
    lines += (f"!{numbers[number]} = {_renumbered(rest, numbers)}" for number, rest in nodes if number in numbers)
    if not numbers and lines and not lines[-1]:
        lines.pop()
    return "\n".join([*lines, end]), [*found, *[None] * (len(lines) + 1 - len(found))]


def _locations(text: str) -> dict[str, Place]:
    """The places of debug locations that name one, by their numbers."""
    return {number: (int(line), int(column or 0)) for number, line, column in _LOCATION.findall(text) if line != "0"}


def _attached(line: str) -> str:
    """The number of the location that is attached in a line; else the empty text."""
    if "!dbg !" not in line:
        return ""
    return next((match[1] for match in _ATTACHED.finditer(line) if match[1] is not None), "")


def _reached(lines: list[str], nodes: dict[str, str]) -> set[str]:
    """The numbers of the nodes that lines refer to, or nodes that these reach."""
    reached: set[str] = set()
    waiting = [number for line in lines if "!" in line for number in _numbers(line)]
    while waiting:
        number = waiting.pop()
        if number not in reached and number in nodes:
            reached.add(number)
            waiting += _numbers(nodes[number])
    return reached


def _numbers(text: str) -> list[str]:
    return [match[1] for match in _NUMBER.finditer(text) if match[1] is not None]


def _renumbered(text: str, numbers: dict[str, str]) -> str:
    return _NUMBER.sub(lambda match: match[0] if match[1] is None else f"!{numbers.get(match[1], match[1])}", text)
