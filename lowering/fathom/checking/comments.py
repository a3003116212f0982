r"""Claims: comments that say what a call of a function does.

    // FATHOM: run @gcd(1071, 462) == 21
    // FATHOM: run @scale([1.0, 2.0], 0.1) ~= [0.1, 0.2] within 1e-6; #0 == [1.0, 2.0]
    // FATHOM: run @at([1, 2, 3], 7) fails "out-of-bounds"
    // FATHOM: run @hello() prints "hello\n"

A claim stands in a comment of its own, and goes on in the next one behind a backslash. Behind the call come what is
expected of it, with semicolons between: the results (`==`, or `~=` with a tolerance), what argument number 0 holds
afterwards (`#0 == …`), what is printed, or with what it fails. A call of which nothing is expected has to end well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from fathom.elaborate.symbol_paths import read_numbered
from fathom.execution.argument_text import parse_arguments
from fathom.execution.outcome import ArgumentProblem, Json
from fathom.records import record
from fathom.text.comments import marked

MARK: Final = "FATHOM:"
TOLERANCE: Final = 1e-5
"""How far a number may be from one that it is to be near, where the claim does not say it."""
LONGEST: Final = 1 << 20
"""No claim has more characters."""

_CALL: Final = re.compile(r"run\s+(@[^(\"\s]*(?:\"(?:[^\"\\]|\\.)*\"[^(\"\s]*)*)\s*(?=\()")
_WITHIN: Final = re.compile(r"(?P<value>.*)\bwithin\s+(?P<tolerance>\S+)\s*", re.DOTALL)
_ARGUMENT: Final = re.compile(r"#(\d{1,4})\s*(?===|~=)")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}


@record
class Values:
    """What the results are, or what argument `argument` holds after the call. Numbers are to be equal, or, with a
    tolerance `t`, no further from those expected than `t` and `t` times these."""

    values: tuple[Json, ...]
    argument: int | None = None
    tolerance: float | None = None


@record
class Text:
    """What is printed, all of it, or a part of what is said when the call fails."""

    kind: Literal["prints", "fails"]
    text: str


Expectation: TypeAlias = "Values | Text"


@record
class Claim:
    """A claim that can be put to the test. `start` and `end` are where it stands in the text, `line` where it begins,
    from 0. `text` is what it says, without what makes it a comment."""

    start: int
    end: int
    line: int
    text: str
    function: str
    arguments: tuple[Json, ...]
    expected: tuple[Expectation, ...]

    @property
    def has_to_fail(self) -> bool:
        """Whether the call is expected to fail."""
        return any(isinstance(what, Text) and what.kind == "fails" for what in self.expected)


@record
class Unclear:
    """A comment that begins like a claim, and why it is none."""

    start: int
    end: int
    line: int
    text: str
    reason: str


@record
class Remark:
    """A comment that begins like a claim, as it is written, and where."""

    start: int
    end: int
    line: int
    text: str


def remarks_in(lines: Iterable[str]) -> Iterator[Remark]:
    """The comments of a text that begin like claims; each of its lines ends with its line break."""
    offset = start = end = first = 0
    parts: list[str] = []
    for number, line in enumerate(lines):
        said = marked(line, MARK) if MARK in line else None
        if said is None and parts:
            yield Remark(start, end, first, " ".join(parts))
            parts = []
        if said is not None:
            if not parts:
                start, first = offset + said.start, number
            end = offset + said.end
            parts.append(line[said.start : said.end])
            if not said.goes_on:
                yield Remark(start, end, first, " ".join(parts))
                parts = []
        offset += len(line)
    if parts:
        yield Remark(start, end, first, " ".join(parts))


def claims_in(lines: Iterable[str]) -> Iterator[Claim | Unclear]:
    """The claims of a text, in its order, and what is meant as such; each of its lines ends with its line break."""
    return map(read, remarks_in(lines))


def read(remark: Remark) -> Claim | Unclear:
    """The claim that a comment makes."""
    place = remark.start, remark.end, remark.line, remark.text
    try:
        return Claim(*place, *_claim(remark.text))
    except _Unclear as unclear:
        return Unclear(*place, str(unclear))


class _Unclear(Exception):
    """Why a comment cannot be read."""


def _claim(text: str) -> tuple[str, tuple[Json, ...], tuple[Expectation, ...]]:
    """The function, the arguments, and what is expected."""
    if len(text) > LONGEST:
        raise _Unclear("it is too long")
    call = _CALL.match(text)
    if call is None or not read_numbered(call[1])[0]:
        raise _Unclear("it does not begin with a call: run @f(1, [2, 3])")
    end = _end_of_brackets(text, call.end())
    arguments = _values(text[call.end() + 1 : end - 1])
    parts = [part.strip() for part in _split(text[end:], ";")]
    expected = tuple(map(_expectation, parts[1:] if not parts[0] else parts))
    if any(isinstance(what, Text) and what.kind == "fails" for what in expected) and len(expected) > 1:
        raise _Unclear("a call that fails gives nothing else")
    return call[1], arguments, expected


def _expectation(text: str) -> Expectation:
    for kind in ("prints", "fails"):
        if text.startswith(kind):
            rest = text[len(kind) :].strip()
            if not _STRING.fullmatch(rest):
                raise _Unclear(f'"{kind}" is to be followed by a text in double quotes')
            return Text("prints" if kind == "prints" else "fails", _unquoted(rest))
    number = None
    if (argument := _ARGUMENT.match(text)) is not None:
        number, text = int(argument[1]), text[argument.end() :]
    if not text.startswith(("==", "~=")):
        raise _Unclear(f"what is expected begins with ==, ~=, #0, fails or prints: {_beginning(text)}")
    is_near, rest, tolerance = text[0] == "~", text[2:], None
    if is_near:
        tolerance = TOLERANCE
        if (within := _WITHIN.fullmatch(rest)) is not None:
            rest, tolerance = within["value"], _tolerance(within["tolerance"])
    values = _values(rest)
    if not values:
        raise _Unclear(f"behind {text[:2]} stands no value")
    if number is not None and len(values) > 1:
        raise _Unclear(f"#{number} holds one value")
    return Values(values, number, tolerance)


def _tolerance(text: str) -> float:
    try:
        tolerance = float(text)
    except ValueError:
        tolerance = -1.0
    if not 0 <= tolerance < float("inf"):
        raise _Unclear(f'"within" is to be followed by a number: {_beginning(text)}')
    return tolerance


def _values(text: str) -> tuple[Json, ...]:
    try:
        return tuple(parse_arguments(text))
    except ArgumentProblem:
        raise _Unclear(f"values are such as 1, 2.5, [[1, 2], [3, 4]]: {_beginning(text)}") from None


def _unquoted(text: str) -> str:
    try:
        return json.loads(text)
    except ValueError:
        raise _Unclear(f"a text is written as in JSON: {_beginning(text)}") from None


def _beginning(text: str, shown: int = 40) -> str:
    text = text.strip()
    return f"'{text[:shown]}…'" if len(text) > shown else f"'{text}'"


def _marks(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """The characters of a text that do not stand in quotes, with their places, and the depth of brackets around each;
    of brackets the depth inside."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == '"':
            string = _STRING.match(text, at)
            if string is None:
                return
            at = string.end()
            continue
        depth += text[at] in _BRACKETS
        yield at, text[at], depth
        depth -= text[at] in _BRACKETS.values()
        at += 1


def _end_of_brackets(text: str, start: int) -> int:
    """Where the brackets end that begin at a place."""
    for at, letter, depth in _marks(text, start):
        if depth == 1 and letter in _BRACKETS.values():
            return at + 1
    raise _Unclear("the brackets of the call are not closed")


def _split(text: str, separator: str) -> Iterator[str]:
    """The parts of a text between separators outside of brackets and quotes."""
    last = 0
    for at, letter, depth in _marks(text):
        if letter == separator and depth == 0:
            yield text[last:at]
            last = at + 1
    yield text[last:]
