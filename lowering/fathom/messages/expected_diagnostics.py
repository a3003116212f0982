"""`--verify-diagnostics`: comments in a text say which messages are expected, and each message is held against them.

    // expected-error @+1 {{use of undeclared}}     // expected-note-re @above {{defined in {{.*}}}}

`mismatches` takes the text and the messages, and gives what is amiss as messages again. Source of the rules:
*Diagnostic Infrastructure*, "SourceMgr Diagnostic Verifier Handler"; observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fathom.ir.locations import FileLineColLoc, LocationAttr
from fathom.messages.message import UNKNOWN, Message, MessageSeverity, file_location
from fathom.messages.source import Source
from fathom.records import record
from fathom.text.encodings import utf8

_EXPECTED: Final = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$"
)

_WORDS: Final[dict[str, MessageSeverity]] = {
    "error": "error",
    "note": "note",
    "remark": "remark",
    "warning": "warning",
}


@record(frozen=False)
class Expectation:
    """One comment: the message it expects, on a line or (None) without a place, and where the comment stands."""

    severity: MessageSeverity
    text: str
    pattern: re.Pattern[str] | None
    line: int | None
    location: LocationAttr
    met: bool = False

    def matches(self, text: str) -> bool:
        """Whether it is this that was expected, whatever its severity."""
        return self.pattern.search(text) is not None if self.pattern is not None else self.text in text

    def complaint(self, text: str) -> Message:
        """A message about the comment."""
        return Message("error", text, self.location, marked=len(self.text))


def mismatches(source: Source, messages: Iterable[Message], *, only_expected: bool = False) -> list[Message]:
    """What is wrong with the expectations in a text and the messages about it: comments that cannot be understood,
    messages that nothing expects (unless `only_expected`), and expectations that no message meets."""
    expectations, complaints = read_expectations(source)
    for message in messages:
        for part in (message, *message.notes):
            complaints += _hold(part, expectations, source.name, only_expected)
    unmet = [expectation for expectation in expectations if not expectation.met]
    # Those without a place come last.
    unmet.sort(key=lambda expectation: expectation.line is None)
    return complaints + [
        expectation.complaint(f'expected {expectation.severity} "{expectation.text}" was not produced')
        for expectation in unmet
    ]


def _hold(message: Message, expectations: Sequence[Expectation], file: str, only_expected: bool) -> list[Message]:
    """What is wrong with one message."""
    place = file_location(message.location)
    near: Expectation | None = None
    for expectation in expectations:
        if not _is_at(expectation, place, file) or not expectation.matches(message.text):
            continue
        if expectation.severity == message.severity:
            expectation.met = True
            return []
        near = expectation
    if only_expected:
        return []
    if near is None:
        return [Message("error", f"unexpected {message.severity}: {message.text}", message.location)]
    text = f"'{message.severity}' diagnostic emitted when expecting a '{near.severity}'"
    return [Message("error", text, near.location)]


def _is_at(expectation: Expectation, place: FileLineColLoc | None, file: str) -> bool:
    if place is None:
        return expectation.line is None
    return place.file == file and expectation.line == place.line


def read_expectations(source: Source) -> tuple[list[Expectation], list[Message]]:
    """The expectations in a text, and complaints about those that cannot be understood."""
    expectations: list[Expectation] = []
    problems: list[Message] = []
    waiting: list[Expectation] = []
    """Those for the next line that is no expectation."""
    last_other = 1
    count = 0
    for number, line in enumerate(source.lines, 1):
        count = number
        match = _EXPECTED.search(line.rstrip())
        if match is None:
            for expectation in waiting:
                expectation.line = number
            waiting.clear()
            last_other = number
            continue
        column = len(utf8(line[: match.start()])) + 1
        new = Expectation(_WORDS[match[1]], match[4], None, number, FileLineColLoc(source.name, number, column))
        if match[2]:
            try:
                new.pattern = _pattern(new.text)
            except re.error as error:
                problems.append(new.complaint(str(error.msg)))
                continue
        expectations.append(new)
        match match[3]:
            case None:
                pass
            case "above":
                new.line = last_other
            case "below":
                waiting.append(new)
            case "unknown":
                new.line, new.location = None, UNKNOWN
            case offset:
                new.line = number + int(offset)
    for expectation in waiting:
        expectation.line = count
    return expectations, problems


def _pattern(text: str) -> re.Pattern[str]:
    """A text with expressions in double braces. Raises re.error, worded as LLVM words it."""
    parts: list[str] = []
    rest = text
    while rest:
        plain, opened, rest = rest.partition("{{")
        parts.append(re.escape(plain))
        if not opened:
            break
        expression, closed, rest = rest.partition("}}")
        if not closed:
            raise re.error("found start of regex with no end '}}'")
        parts.append(f"(?:{_checked(expression)})")
    return re.compile("".join(parts), re.DOTALL)


_CLASSES: Final = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "lower": "a-z",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
"""What Python's expressions lack of the extended ones of POSIX."""


def _checked(expression: str) -> str:
    for name, characters in _CLASSES.items():
        expression = expression.replace(f"[:{name}:]", characters)
    try:
        re.compile(expression)
    except re.error as error:
        raise re.error(f"invalid regex: {_reason(error.msg)}") from None
    return expression


def _reason(message: str) -> str:
    if "paren" in message or "subpattern" in message:
        return "parentheses not balanced"
    if "character set" in message:
        return "brackets ([ ]) not balanced"
    return "repetition-operator operand invalid" if "repeat" in message else message
