"""Whether each conflict that mlir-opt's `print-conflicts` shows on MLIR's own tests of One-Shot Bufferize is told at
the same operations: `python -m tests.suite.conflicts [--only TEXT]`, with the figures and all that differs.

Each command of the tests that runs `one-shot-bufferize` is taken with its options, each piece of its file by itself.
What Fathom tells is its account of the pass itself (`fathom.bufferization.account`), and not what is printed. Of an
operand with several conflicts mlir-opt shows the first that it meets, which depends on addresses; Fathom tells of all,
and of as many operands.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fathom.bufferization.account import Account
from fathom.bufferization.onlookers import looked_on_by
from fathom.bufferization.told import Rule, Which
from fathom.context import default_context
from fathom.elaborate import load
from fathom.pipeline.defaults import pipeline_of
from fathom.pipeline.lowering import run
from tests.oracles import run_tool
from tests.suite.answers import SEPARATOR
from tests.suite.source import NoSource, mlir_source

NAME = "one-shot-bufferize"
_OWN = frozenset(("test-analysis-only", "print-conflicts", "dump-alias-sets"))
_OPTIONS = re.compile(rf"{NAME}(?:=\"([^\"]*)\"|=(\S+)|\{{([^}}]*)\}})?")
_MARK = re.compile(r"\"([CW])_(\d+)\[([A-Z-]+): ([^\]]*)\]\"")
_LINE = re.compile(r"loc\(\"[^\"]*\":(\d+):\d+\)")

Told = tuple[str, ...]
"""A conflict: its rule, and what it is about, each with its line."""


@dataclass
class Found:
    """How many conflicts mlir-opt shows, and what differs."""

    pieces: int = 0
    shown: int = 0
    told: int = 0
    differences: list[str] = field(default_factory=list[str])


def files(mlir: Path) -> list[Path]:
    """The tests of One-Shot Bufferize."""
    return sorted(
        path
        for path in (mlir / "test" / "Dialect").rglob("*.mlir")
        if "one-shot" in path.name or (path.parts[-3:-1] == ("Bufferization", "Transforms"))
    )


def uses(text: str) -> list[str]:
    """The options with which a test runs the pass, without those that only show what was found."""
    commands = re.sub(r"\\\n// RUN:", " ", text)
    texts: dict[str, None] = {}
    for line in re.findall(r"^// RUN:.*", commands, re.MULTILINE):
        for match in _OPTIONS.finditer(line):
            words = next(filter(None, match.groups()), "").split()
            if not any(word.startswith("copy-before-write") for word in words):
                texts[" ".join(word for word in words if word.partition("=")[0] not in _OWN)] = None
    return list(texts)


def pieces(text: str) -> list[str]:
    """The pieces of a test, each of which is a module, without commands."""
    return [re.sub(r"// RUN:", "//", piece) for piece in text.split(SEPARATOR)]


def shown(piece: str, options: str) -> Counter[Told] | None:
    """The conflicts that mlir-opt shows; None where it rejects the piece."""
    flags = ("--mlir-print-debuginfo", "--mlir-print-local-scope", "--mlir-print-op-generic")
    asked = f"--{NAME}={options} test-analysis-only print-conflicts"
    answer = run_tool("mlir-opt", ["--allow-unregistered-dialect", asked, *flags], piece)
    if answer.status:
        return None
    parts: dict[tuple[str, str], dict[str, str]] = {}
    for line in answer.stdout.split("\n"):
        places = _LINE.findall(line)
        for letter, number, what, which in _MARK.findall(line):
            place = which if which.startswith("bbArg") else f"{which} in line {places[-1]}"
            parts.setdefault((letter, number), {})[what] = place
    return Counter(
        (Rule.READ_AFTER_WRITE.value, _line_of(part["CONFL-WRITE"]), _line_of(part["READ"]), part["DEF"])
        if letter == "C"
        else (Rule.NOT_WRITABLE.value, part["NOT-WRITABLE"])
        for (letter, _), part in parts.items()
    )


def _line_of(place: str) -> str:
    return place.rpartition(" ")[2]


def told(piece: str, options: str) -> tuple[set[Told], int]:
    """The conflicts in the account of the pass, each of which is told; and how many operands they keep from being in
    place."""
    context, account = default_context(), Account()
    module = load(piece, context).module
    with looked_on_by(account):
        run(pipeline_of(f"--{NAME}='{options}'", context.find_pass), module, context, verifying="never")

    def line(start: int) -> str:
        return str(piece.count("\n", 0, start) + 1)

    def value(which: Which) -> str:
        if which.is_argument:
            return f"bbArg {which.number}"
        return f"result {which.number} in line {line(which.of.start)}"

    reasons = [reason for operand in account.operands for reason in operand.reasons]
    count = sum(
        len(operand.reasons) if operand.reasons[0].rule is Rule.NOT_WRITABLE else 1
        for operand in account.operands
        if operand.reasons and operand.reasons[0].rule is not Rule.IN_PARALLEL
    )
    return {
        (reason.rule.value, line(reason.write.start), line(reason.read.start), value(reason.concerned))
        if reason.read is not None
        else (reason.rule.value, value(reason.concerned))
        for reason in reasons
    }, count


def compared(name: str, text: str) -> Iterator[tuple[str, Counter[Told], set[Told], int]]:
    """Each piece with each set of options, what mlir-opt shows, what is told, and of how many operands."""
    for options in uses(text):
        for number, piece in enumerate(pieces(text)):
            expected = shown(piece, options)
            if expected is not None:
                yield f"{name}#{number} [{options}]", expected, *told(piece, options)


def measure(paths: dict[str, str]) -> Found:
    """The figures of some files, by their names."""
    counts = Found()
    for name, text in paths.items():
        for label, expected, mine, count in compared(name, text):
            missed = [element for element in expected.elements() if element not in mine]
            counts.pieces += 1
            counts.shown += expected.total()
            counts.told += expected.total() - len(missed)
            counts.differences += [f"{label}: not told: {' | '.join(missing)}" for missing in missed]
            if count != expected.total():
                counts.differences.append(f"{label}: {count} are told of in the place of {expected.total()}")
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description="conflicts of One-Shot Bufferize, beside mlir-opt's")
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose path contains it")
    options = parser.parse_args()
    try:
        mlir = mlir_source()
    except NoSource as problem:
        print(problem)
        return 0
    texts = {str(path.relative_to(mlir / "test")): path.read_text(encoding="utf-8") for path in files(mlir)}
    counts = measure({name: text for name, text in texts.items() if options.only in name})
    print(f"{counts.told} of {counts.shown} conflicts that mlir-opt shows are told, on {counts.pieces} pieces")
    for difference in counts.differences:
        print(difference)
    return 1 if counts.differences else 0


if __name__ == "__main__":
    sys.exit(main())
