"""Why a test failed, read from what lit printed: one reason for each test, that of the first command that failed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fathom.passes.mlir import NAMES
from tests.conformance.compare import normalise
from tests.suite.execute import STAND_INS, Result
from tests.suite.warm import GAVE_UP


@dataclass(frozen=True, slots=True, order=True)
class Reason:
    """`kind` is one of a few; `detail` what stood in the way, such as the name of an option."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def reason(result: Result) -> Reason:
    """The reason why a test that failed did so."""
    if "Test is unsupported" in result.output:
        return Reason("not run here")
    command, output = _first_failure(result.output)
    program, negated = _program(command)
    if program not in STAND_INS and re.match(r"mlir-|tblgen-", program):
        return Reason("another tool", program)
    for pattern, kind in _PATTERNS:
        match = pattern.search(output)
        if match is not None:
            return Reason(kind, _detail(kind, match))
    if GAVE_UP in output:
        return Reason("no answer in time")
    if "exit status: -" in output:
        return Reason("crash")
    if negated:
        return Reason("accepted, and should not be")
    return Reason(f"{program} failed" if program else "unexplained")


_PATTERNS = tuple(
    (re.compile(pattern, re.MULTILINE), kind)
    for pattern, kind in (
        (r"Unknown command line argument '-*([\w-]+)", "unknown option"),
        (r"for the -*([\w-]+) option: not supported", "unknown option"),
        (r"error: '([\w-]+)' does not refer to a registered pass", "unknown pass"),
        (r"does not refer to a registered pass.*\n.*?'([\w-]+)'", "unknown pass"),
        (r"^.*?\| (?:\w+\.)*(\w+(?:Error|Exception|Exit)\b.*)", "crash"),
        (r"Dialect `([\w.]+)' not found for custom op", "unknown dialect"),
        (r"operation being parsed with an unregistered dialect.*\n.*?\"(\w+)\.", "unknown dialect"),
        (r"custom op '([\w.]+)' is unknown", "unknown operation"),
        (r"unregistered operation '([\w.]+)'", "unknown operation"),
        (r"unexpected (?:error|warning|note|remark): (.*)", "unexpected diagnostic"),
        (r"expected (?:error|warning|note|remark) \"(.*)\" was not produced", "missing diagnostic"),
        (r"^(?:# \| )?(?!.*CHECK).*?: error: (.*)", "error"),
        (r"error: [\w-]+: (?:expected string|.*is not on|excluded string|no match|multiple)()", "output differs"),
        (r"FileCheck error: '<stdin>' is empty()", "no output"),
    )
)
"""In the order in which they are tried; the first group is the detail."""


def _detail(kind: str, match: re.Match[str]) -> str:
    text = match[1].strip()
    if kind in ("unexpected diagnostic", "missing diagnostic", "error", "crash"):
        return normalise(text)[:160]
    return f"--{text}" if kind == "unknown option" else text


def of_pass(first: Reason) -> Reason:
    """An unknown option that mlir-opt has as a pass is an unknown pass."""
    if first.kind == "unknown option" and first.detail.lstrip("-") in NAMES:
        return Reason("unknown pass", first.detail.lstrip("-"))
    return first


def _first_failure(output: str) -> tuple[str, str]:
    """The first command that failed, with what it printed."""
    for section in re.split(r"^# executed command: ", output, flags=re.MULTILINE)[1:]:
        command, _, printed = section.partition("\n")
        if "# error: command" in printed:
            return command, printed
    return "", output


def _program(command: str) -> tuple[str, bool]:
    """The tool that a command calls, and whether its refusal is asked for."""
    words = [word for word in command.split() if "=" not in word and word not in ("env", "--crash")]
    negated = bool(words) and words[0].endswith("not")
    words = words[negated:]
    return (words[0].rpartition("/")[2] if words else ""), negated
