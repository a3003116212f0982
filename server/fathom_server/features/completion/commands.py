"""Passes, pipelines and their options in the commands of comments, `// RUN: mlir-opt %s --canonicalize`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from fathom.ir.operation import MODULE
from fathom.passes import find, find_pipeline, names, pipeline_names
from fathom.passes.definition import Declared
from fathom.passes.options import BOOL
from fathom.records import NamedTuple
from fathom.syntax.carried import LONG
from fathom.syntax.tree import SyntaxTree
from fathom_server.features.completion.suggestion import Completions, Suggestion

MOST_LINES: Final = 50
"""So many lines of one command are looked at."""

_COMMAND: Final = re.compile(r"[ \t]*//[^\n]*?RUN:")
_NAME: Final = re.compile(r"[\w.-]*$")
_ANCHORS: Final = (MODULE, "func.func", "gpu.module", "llvm.func", "any")


class _Open(NamedTuple):
    """The word of a command that is being typed: a flag and, behind `=`, what stands of its value; None where nothing
    does."""

    flag: str
    value: str | None


def in_command(tree: SyntaxTree, number: int, column: int) -> Completions | None:
    """What can stand in a command, at a column of a line; None where no command stands."""
    text = _text_before(tree, number, column)
    open = _open_word(text) if text is not None else None
    if open is None:
        return None
    match = _NAME.search(open.flag if open.value is None else open.value)
    word = match[0] if match is not None else ""
    if open.value is None:
        word = open.flag
        made = (Suggestion(f"--{name}", "pass", subject=name) for name in (*pipeline_names(), *names()))
        word = f"--{word.lstrip('-')}"
        start = len(open.flag)
    else:
        made, start = _in_value(open.flag.lstrip("-"), open.value[: len(open.value) - len(word)]), len(word)
    suggestions = tuple(suggestion for suggestion in made if suggestion.label.startswith(word))
    offset = tree.line_start(number) + column
    return Completions(offset - start, offset, suggestions, False)


def _text_before(tree: SyntaxTree, number: int, column: int) -> str | None:
    """The text of the command before a place, over the lines that it is on."""
    parts: list[str] = []
    for row in range(number, max(number - MOST_LINES, -1), -1):
        line = tree.line(row)
        match = _COMMAND.match(line) if len(line) < LONG else None
        if match is None or match.end() > (column if row == number else len(line)):
            break
        part = line[match.end() : column] if row == number else line[match.end() :].rstrip("\r\n \t")
        if row < number and not part.endswith("\\"):
            break
        parts.insert(0, part if row == number else part[:-1])
    return " ".join(parts) if parts else None


def _open_word(text: str) -> _Open | None:
    """The flag that a command ends in, if its program is named before."""
    quote, start = "", 0
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in " \t|;":
            start = index + 1
    word = text[start:]
    if not word.startswith("-") or not text[:start].strip():
        return None
    flag, equals, value = word.partition("=")
    return _Open(flag, value.lstrip("\"'") if equals else None)


def _in_value(flag: str, before: str) -> Iterator[Suggestion]:
    """What can stand in the value of a flag behind what is there: passes in a pipeline, else the options of a pass."""
    if flag != "pass-pipeline":
        yield from _options(_declared(flag), before)
        return
    opened = _last_open_brace(before)
    if opened is not None:
        match = _NAME.search(before[:opened])
        yield from _options(_declared(match[0]) if match is not None else None, before[opened + 1 :])
        return
    yield from (Suggestion(name, "pass", subject=name) for name in (*pipeline_names(), *names()))
    yield from (
        Suggestion(name, "operation", "the passes in parentheses run on it", "", f"{name}(") for name in _ANCHORS
    )


def _last_open_brace(text: str) -> int | None:
    """Where the brace stands that is still open."""
    opened: list[int] = []
    for index, character in enumerate(text):
        if character == "{":
            opened.append(index)
        elif character == "}" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _declared(name: str) -> type[Declared] | None:
    return find(name) or find_pipeline(name)


def _options(declared: type[Declared] | None, before: str) -> Iterator[Suggestion]:
    """The options of a pass that are not given yet, or the values of the one whose name stands before."""
    if declared is None:
        return
    given = before.split()
    asked = next((option for option in declared.options() if before.endswith(f"{option.name}=")), None)
    if asked is not None:
        cases: Iterable[tuple[str, str]] = (("true", ""), ("false", "")) if asked.kind is BOOL else asked.kind.cases
        yield from (Suggestion(case, "keyword", help) for case, help in cases)
        return
    for option in declared.options():
        if not any(word.startswith(f"{option.name}=") for word in given):
            yield Suggestion(option.name, "attribute", option.help, "", f"{option.name}=")
