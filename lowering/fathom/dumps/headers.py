"""The lines behind which tools print IR, and what they say.

    // -----// IR Dump After Canonicalizer (canonicalize) ('func.func' operation: @f) //----- //
    ; *** IR Dump After SROAPass on f ***
    # *** IR Dump After Finalize ISel (finalize-isel) ***:

Source of the rules: the printing of IR by MLIR's and LLVM's pass managers, of this and of former versions.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from fathom.records import record

Language: TypeAlias = Literal["mlir", "llvm", "mir"]
When: TypeAlias = Literal["before", "after", "start"]
Outcome: TypeAlias = Literal["", "failed", "unchanged", "filtered", "deleted", "invalidated", "ignored"]

MARK: Final = re.compile(rb"// IR Dump |\*\*\* IR (?=Dump |Pass |Deleted )")
"""What each of the lines has."""
LONGEST: Final = 4_000
"""Bytes that such a line may have."""
_LONGEST_PREFIX: Final = 160

_MLIR_HEAD: Final = "// -----// IR Dump "
_MLIR_TAIL: Final = " //----- //"
_LLVM_HEAD: Final = re.compile(
    r"(?P<comment>[;#/]+ )?\*\*\* IR (?P<what>Dump|Pass|Deleted) (?P<when>(?:Before|After|At Start) ?)?"
)
_LLVM_TAIL: Final = " ***"
_SUBJECT: Final = re.compile(r" \('(?P<operation>[^']*)' operation(?:: @(?P<symbol>.*))?\)\Z", re.DOTALL)
_OUTCOMES: Final[dict[str, Outcome]] = {
    "omitted because no change": "unchanged",
    "filtered out": "filtered",
    "(invalidated)": "invalidated",
    "invalidated": "invalidated",
    "ignored": "ignored",
}
_NUMBER: Final = re.compile(r"^\d+-(?=\D)")
"""How many passes ran before, if LLVM was asked to count."""


@record
class Header:
    """What a line says: the pass by the name of its class, or what it calls itself, and by its argument, if it says
    that; the operation that it ran on, by name and symbol, or the function. `prefix` is what a log put in front of the
    line."""

    name: str
    argument: str
    when: When
    outcome: Outcome
    language: Language
    operation: str
    symbol: str
    prefix: str

    @property
    def has_text(self) -> bool:
        """Whether IR follows."""
        return self.outcome in ("", "failed", "invalidated")


def header_of(line: str) -> Header | None:
    """What a line, without colours and line break, says of a dump; None if it is none that a tool writes."""
    at = line.find(_MLIR_HEAD)
    if at >= 0:
        return _of_mlir(line[at + len(_MLIR_HEAD) :], line[:at]) if _may_be_in_front(line[:at]) else None
    match = _LLVM_HEAD.search(line)
    if match is None or not _may_be_in_front(line[: match.start()]):
        return None
    return _of_llvm(match, line[match.end() :].rstrip(), line[: match.start()])


def _may_be_in_front(prefix: str) -> bool:
    """Whether a log may have put this in front of its lines, and it is no text of a program."""
    return len(prefix) <= _LONGEST_PREFIX and '"' not in prefix


def _of_mlir(rest: str, prefix: str) -> Header | None:
    """Of a header without its beginning."""
    when, _, named = rest.partition(" ")
    said = named.rstrip()
    if when not in ("Before", "After") or not said.endswith(_MLIR_TAIL):
        return None
    said = said.removesuffix(_MLIR_TAIL)
    subject = _SUBJECT.search(said)
    if subject is not None:
        said = said[: subject.start()]
    name, argument = _name_and_argument(said)
    failed = name.endswith(" Failed")
    return Header(
        name.removesuffix(" Failed"),
        argument,
        "before" if when == "Before" else "after",
        "failed" if failed else "",
        "mlir",
        subject["operation"] if subject is not None else "",
        (subject["symbol"] or "") if subject is not None else "",
        prefix,
    )


def _of_llvm(head: re.Match[str], rest: str, prefix: str) -> Header | None:
    """Of a header without its beginning."""
    when = (head["when"] or "").rstrip()
    said = f" {rest}".removesuffix(":")
    if not said.endswith(_LLVM_TAIL) or (head["what"] == "Pass") is not (not when):
        return None
    said = said.removesuffix(_LLVM_TAIL).lstrip()
    outcome: Outcome = "deleted" if head["what"] == "Deleted" else ""
    for ending, means in _OUTCOMES.items():
        if said.endswith(f" {ending}"):
            said, outcome = said.removesuffix(f" {ending}"), means
            break
    named, _, symbol = said.partition(" on ")
    name, argument = _name_and_argument(named)
    return Header(
        _NUMBER.sub("", name, count=1),
        argument,
        "start" if when == "At Start" else "before" if when == "Before" else "after",
        outcome,
        "mir" if (head["comment"] or "").startswith("#") else "llvm",
        "",
        symbol,
        prefix,
    )


def _name_and_argument(said: str) -> tuple[str, str]:
    """What a pass is called, and on a command line, if that stands behind it: `Canonicalizer (canonicalize)`."""
    name, bracket, argument = said.rpartition(" (")
    return (name, argument.removesuffix(")")) if bracket and argument.endswith(")") else (said, "")
