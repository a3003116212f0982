"""A long text of functions in shares, so that several processes read it: each its functions, with those that these
name, and white space for all others, so that what is read stands where it stands in the whole.

    func.func @f() {        func.func @f() {
      …                       …
    }                  ->   }                  ,
    func.func @g() {                                func.func @g() {
      …                                               …
    }                                               }

A text is divided by how it looks, and what was read by that is held against it: a share that does not hold these
functions and nothing else is not taken. Nor is one of which anything is to be said: then the whole is read.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.inputs.splitting import Chunk
from fathom.irdl.interfaces import symbol_name
from fathom.ops.func import FuncOp
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fathom.inputs.loading import Loading
    from fathom.ir.operation import Operation

_HEAD: Final = re.compile(r"(?:[ \t]*(?://[^\n]*)?\n)*(module\b[^\n]*\{[ \t]*\n)?(?:[ \t]*(?://[^\n]*)?\n)*")
"""What may stand before the first function: comments, and the line that begins the module around all."""
_TAIL: Final = re.compile(r"\n\}\s*\Z")
"""The end of that module."""
_WHOLE: Final = ("\n#", "\n!", "{-#", '@"', "::@")
"""What concerns all of a text, or hides names: aliases, resources, names in quotes, and those within another."""
_BESIDE: Final = ("//", "^")
"""How lines begin that stand no deeper than functions, besides those of these: comments, and labels."""
_NAME: Final = re.compile(r"@([A-Za-z_$.-][\w$.-]*)")
_MOST_READ: Final = 1.5
"""So many times its text may be read by all together: where functions name each other, some is read more than once."""


@record
class Share:
    """The text of functions of a chunk. `starts` tells where the operations in it begin, by their names; the `own` ones
    are those that it is about."""

    chunk: Chunk
    starts: Mapping[str, int]
    own: tuple[str, ...]


@record
class Shares:
    """The shares of a chunk, in order, and the names of all functions in it. The `sample` is a short one of its own:
    whoever works on it first knows what all need, and hands that on to its forks."""

    sample: Share
    parts: tuple[Share, ...]
    names: tuple[str, ...]


@record
class _Function:
    """Where the text of a function begins, and where the next one does; its name, and where that of its operation
    begins."""

    start: int
    end: int
    op: int
    name: str


def shares_of(chunk: Chunk, count: int) -> Shares | None:
    """A chunk in at most so many shares; None where it is not seen that it consists of functions."""
    text = chunk.text
    if count < 2 or text.startswith(("#", "!")) or any(mark in text for mark in _WHOLE):
        return None
    functions = _functions(text)
    if len(functions) < 2:
        return None
    named = _named(text, functions)
    first, last = functions[0].start, functions[-1].end
    divided: list[list[int]] = [[] for _ in range(count)]
    for index, each in enumerate(functions):
        # By where its middle stands.
        divided[(each.start + each.end - 2 * first) * count // (2 * (last - first))].append(index)
    parts = [(own, _with_named(own, named)) for own in divided if own]
    read = sum(functions[index].end - functions[index].start for _, present in parts for index in present)
    if len(parts) < 2 or read > _MOST_READ * (last - first):
        return None
    shortest = min(range(len(functions)), key=lambda index: functions[index].end - functions[index].start)
    sample = [shortest], _with_named([shortest], named)
    made = [_share(chunk, functions, own, present) for own, present in (sample, *parts)]
    return Shares(made[0], tuple(made[1:]), tuple(each.name for each in functions))


def read_share(loading: Loading, share: Share) -> tuple[Operation, list[Operation]] | None:
    """The module of a share and the operations that it is about; None if it is not what it looks like, or anything is
    to be said of it."""
    loaded, problems = loading.told(share.chunk)
    if problems or loaded.metadata.external:
        return None
    module = loaded.module
    if len(module.regions) != 1 or not module.regions[0].has_one_block:
        return None
    ops = list(module.regions[0].operations())
    found = [(symbol_name(op), op.span.start if op.span is not None else -1) for op in ops]
    if found != list(share.starts.items()) or not all(isinstance(op, FuncOp) for op in ops):
        return None
    own = frozenset(share.own)
    return module, [op for op in ops if symbol_name(op) in own]


def _functions(text: str) -> list[_Function]:
    """The functions at the top of a text, or of the module around it, in order; none where other things stand there."""
    head = _HEAD.match(text)
    start = head.end() if head is not None else 0
    tail = _TAIL.search(text, start) if head is not None and head[1] else None
    if head is not None and head[1] and tail is None:
        return []
    end = tail.start() + 1 if tail is not None else len(text)
    margin = re.compile(r"[ \t]*").match(text, start)
    indent = margin[0] if margin is not None else ""
    begins = re.compile(r"[ \t]*(func\.func)\b[^@\n]*@([A-Za-z_$.-][\w$.-]*)")
    found: list[re.Match[str]] = []
    # Line ends are looked for, since these are found fast.
    lines = re.compile(rf"\n{indent}(?=[^ \t}}\n])").finditer(text, start, end)
    for at in (start, *(line.start() + 1 for line in lines)):
        match = begins.match(text, at)
        if match is not None:
            found.append(match)
        elif not text.startswith(_BESIDE, at + len(indent)):
            return []
    if len({match[2] for match in found}) != len(found):
        return []
    ends = [*(match.start() for match in found), end]
    return [
        _Function(first, last, match.start(1), match[2])
        for match, (first, last) in zip(found, pairwise(ends), strict=True)
    ]


def _named(text: str, functions: Sequence[_Function]) -> list[set[int]]:
    """Of each function the others that it names."""
    numbers = {each.name: number for number, each in enumerate(functions)}
    found: list[set[int]] = []
    for number, each in enumerate(functions):
        if text.count("@", each.start, each.end) == 1:
            found.append(set())  # That is its own name.
            continue
        names = set(_NAME.findall(text, each.start, each.end))
        found.append({numbers[name] for name in names if name in numbers} - {number})
    return found


def _with_named(own: Iterable[int], named: Sequence[set[int]]) -> list[int]:
    """Functions, with those that they name, and that these name, in order."""
    present = set(own)
    rest = list(present)
    while rest:
        more = named[rest.pop()] - present
        present |= more
        rest += more
    return sorted(present)


def _share(chunk: Chunk, functions: Sequence[_Function], own: Iterable[int], present: Iterable[int]) -> Share:
    text = chunk.text
    pieces = [text[: functions[0].start]]
    at = functions[0].start
    kept = [functions[index] for index in present]
    for each in kept:
        pieces += (_blank(text, at, each.start), text[each.start : each.end])
        at = each.end
    pieces += (_blank(text, at, functions[-1].end), text[functions[-1].end :])
    names = tuple(functions[index].name for index in own)
    return Share(Chunk("".join(pieces), chunk.offset), {each.name: each.op for each in kept}, names)


def _blank(text: str, start: int, end: int) -> str:
    """White space for a part of a text, with as many lines."""
    lines = text.count("\n", start, end)
    return " " * (end - start - lines) + "\n" * lines
