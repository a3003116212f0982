"""Texts of modules that are linked as text: what stands in one can stand in another.

    define void @f() #0 {        numbers of attribute groups follow from the whole, all else from a function itself
    declare void @g() #1

So it is where nothing else has a number in the whole, or stands in front of it: no metadata but that of the module, no
types with names, no comdats. Of other modules there are no parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from fathom.llvmir.instructions import CallBase, Instruction
from fathom.llvmir.module import Function, GlobalVariable, Module
from fathom.llvmir.values import MetadataAsValue
from fathom.llvmir.writer import Written
from fathom.records import record

_GROUP: Final = re.compile(r" #(\d+)(?: \{)?$")
"""The number of an attribute group, at the end of a line."""
_DEFINITION: Final = re.compile(r"attributes #(\d+) = (.*)$")

Groups: TypeAlias = "tuple[tuple[int, str], ...]"
"""The lines of a part, by their indices in it, that end in the number of an attribute group, with what that says."""


@record
class LinkedPart:
    """A function or a variable in a text: its lines, and where they begin in that. The groups of attributes of its
    `head` are numbered before those that are used in any body."""

    lines: tuple[str, ...]
    start: int
    head: Groups = ()
    body: Groups = ()


@record
class Parts:
    """A text as its parts, by their names and in order, with what stands before all of them and behind."""

    front: tuple[str, ...]
    variables: dict[str, LinkedPart]
    functions: dict[str, LinkedPart]
    back: tuple[str, ...]


def parts_of(module: Module, written: Written) -> Parts | None:
    """The parts of a module that was written; None where it has none."""
    lines = written.lines
    if module.aliases or module.ifuncs or module.module_asm or not _stands_alone(module):
        return None
    known = {match[1]: match[2] for line in lines if (match := _DEFINITION.match(line)) is not None}
    at = front = lines.index("") if "" in lines else len(lines)
    variables, functions = dict[str, LinkedPart](), dict[str, LinkedPart]()
    while at < len(lines) and (not lines[at] or isinstance(written.origins[at], (Function, GlobalVariable))):
        origin = written.origins[at]
        if not isinstance(origin, (Function, GlobalVariable)):
            at += 1
            continue
        part = _part(origin, written, at, known)
        if part is None:
            return None
        (functions if isinstance(origin, Function) else variables)[origin.name] = part
        at += len(part.lines)
    behind = next((index for index in range(at, len(lines)) if lines[index].startswith("!")), len(lines))
    if any(line and _DEFINITION.match(line) is None for line in lines[at:behind]):
        return None
    if len(functions) != len(module.functions) or len(variables) != len(module.globals):
        return None
    return Parts(tuple(lines[:front]), variables, functions, tuple(lines[behind:]))


def numbered_groups(parts: Sequence[LinkedPart]) -> dict[str, int]:
    """The groups of attributes of a text that consists of these parts, variables first, each with its number."""
    numbers: dict[str, int] = {}
    for groups in (*(part.head for part in parts), *(part.body for part in parts)):
        for _, group in groups:
            numbers.setdefault(group, len(numbers))
    return numbers


def with_numbers(part: LinkedPart, numbers: Mapping[str, int]) -> tuple[str, ...]:
    """The lines of a part in a text in which groups have these numbers; what they say stands for those that have none,
    so that parts which are the same have the same lines."""
    if not part.head and not part.body:
        return part.lines
    lines = list(part.lines)
    for index, group in (*part.head, *part.body):
        match = _GROUP.search(lines[index])
        assert match is not None
        lines[index] = f"{lines[index][: match.start(1)]}{numbers.get(group, group)}{lines[index][match.end(1) :]}"
    return tuple(lines)


def _stands_alone(module: Module) -> bool:
    """Whether nothing in functions and variables refers to metadata."""
    if any(holder.metadata for holder in (*module.globals, *module.functions)):
        return False
    return not any(
        instruction.metadata or instruction.records or _passes_metadata(instruction)
        for function in module.functions
        for block in function.blocks
        for instruction in block.instructions
    )


def _passes_metadata(instruction: Instruction) -> bool:
    return isinstance(instruction, CallBase) and any(
        isinstance(operand, MetadataAsValue) for operand in instruction.operands
    )


def _part(of: Function | GlobalVariable, written: Written, start: int, known: dict[str, str]) -> LinkedPart | None:
    """A function or a variable whose lines begin at one; None where it has no name, or an attribute group is not told
    by the end of its line."""
    lines = written.lines
    last = start
    if isinstance(of, Function):
        while lines[last].startswith(";"):
            last += 1
    head = ((last, of.attributes if isinstance(of, GlobalVariable) else of.attributes.function),)
    if isinstance(of, Function) and of.blocks:
        first, last = last + 1, lines.index("}", last)
        body = [
            (index, origin.attributes.function)
            for index, origin in enumerate(written.origins[first:last], first)
            if isinstance(origin, CallBase)
        ]
    else:
        body = []
    try:
        of_head, of_body = (
            tuple((index - start, known[_number(lines[index])]) for index, group in groups if group.attributes)
            for groups in (head, body)
        )
    except KeyError:
        return None
    return LinkedPart(tuple(lines[start : last + 1]), start, of_head, of_body) if of.name else None


def _number(line: str) -> str:
    """The number of the group at the end of a line, empty for none."""
    match = _GROUP.search(line)
    return match[1] if match is not None else ""
