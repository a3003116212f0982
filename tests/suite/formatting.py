"""`make suite-format`: the files of MLIR's own tests and what mlir-opt prints of them, formatted, and the section of
`docs/suite.md` that says what came of it.

    python -m tests.suite.formatting [--only Dialect/GPU] [--every N] [--show N]

With `--only` the files whose path contains the text, and with `--every` a fixed sample of one file in N; what these
give is printed and not written. `--show` prints the first N findings.

A file is formatted whole. Then mlir-opt prints each of its pieces, between two lines `// -----`, in the generic form as
it did before; the tokens and comments are those that were there; and to format it again changes nothing. What mlir-opt
prints of a piece is formatted as well: that is to change nothing at all.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from fathom.context import default_context
from fathom.formatting.texts import MeaningChanged, formatted
from tests.conformance.page import commonest, paragraph, share
from tests.conformance.workers import run
from tests.suite.answers import FORMS, answers, split
from tests.suite.editor import suite_texts, write_section
from tests.suite.pieces import has_code
from tests.suite.source import RELEASE, NoSource

TITLE = "## Formatted"
KINDS = 12
GENERIC = {"custom": FORMS["generic"]}
"""The form in which mlir-opt is asked about a text that was formatted."""

_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|(//[^\n]*)')


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a file: its pieces that mlir-opt accepts, and the texts that it printed of them; how many of these
    were left as they are, byte for byte and but for blanks that mlir-opt puts twice or at the end of a line; and what
    went wrong, each with the piece."""

    pieces: int
    same: int
    printed: int
    unchanged: int
    nearly: int
    findings: tuple[tuple[str, str], ...] = ()


def result_of(task: tuple[str, str]) -> Result:
    """What came of the file of this name and text."""
    name, text = task
    findings: list[tuple[str, str]] = []
    pieces = split(name, text)
    known = answers(pieces)
    after = _formatted(name, text, findings)
    if comments_of(text) != comments_of(after):
        findings.append((name, "comments are not those that were there"))
    if _formatted(name, after, findings) != after:
        findings.append((name, "formatted again, it changes"))
    parts = split(name, after)
    if len(parts) != len(pieces):
        findings.append((name, "the pieces are not those that were there"))
    accepted = [
        piece for piece in zip(pieces, parts, known, strict=False) if has_code(piece[0].text) and piece[2].generic
    ]
    same = 0
    if accepted:
        given = answers(parts, GENERIC) if after != text else known
        for piece, part, answer in accepted:
            new = given[part.number].custom if after != text else answer.generic
            same += new == answer.generic
            if new != answer.generic:
                findings.append((piece.name, "mlir-opt prints something else" if new else "mlir-opt refuses it"))
    printed = [form for _, _, answer in accepted for form in (answer.custom, answer.generic) if form]
    left = [_is_left(name, form, findings) for form in printed]
    nearly = sum(kept is not None for kept in left)
    return Result(len(accepted), same, len(printed), sum(kept is True for kept in left), nearly, tuple(findings))


def _formatted(name: str, text: str, findings: list[tuple[str, str]]) -> str:
    try:
        return formatted(text, default_context())
    except MeaningChanged as fault:
        findings.append((name, str(fault)))
        return text


def _is_left(name: str, text: str, findings: list[tuple[str, str]]) -> bool | None:
    """Whether a text that mlir-opt printed is left as it is; None where more changes than blanks that it puts twice, or
    at the end of a line or of the text."""
    text = text.rstrip("\n") + "\n"
    after = _formatted(name, text, findings)
    if after == text:
        return True
    if after == re.sub(r"(?<=\S)  +(?!//)", " ", re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)):
        return False
    new, old = after.split("\n"), text.split("\n")
    line = next(
        (f"{one.strip()!r} for {other.strip()!r}" for one, other in zip(new, old, strict=False) if one != other), ""
    )
    findings.append((name, f"of what mlir-opt printed, {line[:200]}"))
    return None


def comments_of(text: str) -> list[str]:
    """The comments of a text, without white space behind them."""
    return [match[1].rstrip() for match in _COMMENT.finditer(text) if match[1]]


def results(texts: dict[str, str]) -> Iterator[Result]:
    """What came of each file, in no order."""
    tasks = list(texts.items())
    for number, result in enumerate(run(result_of, tasks, _ended), 1):
        print(f"\r{number} of {len(tasks)} files", end="", file=sys.stderr, flush=True)
        yield result
    print(file=sys.stderr)


def _ended(task: tuple[str, str]) -> Result:
    return Result(0, 0, 0, 0, 0, ((task[0], "the process ended"),))


def section(of_files: list[Result]) -> list[str]:
    """The section about formatting, with its title."""

    def total(part: Callable[[Result], int]) -> int:
        return sum(map(part, of_files))

    pieces, printed = total(lambda result: result.pieces), total(lambda result: result.printed)
    lines = [
        TITLE,
        "",
        *paragraph(f"""
            All {len(of_files):,} `.mlir` files of MLIR {RELEASE}'s tests, each formatted whole. *The same* are the
            pieces that `mlir-opt --mlir-print-op-generic` prints as before. What `mlir-opt` prints of these pieces, in
            both forms, is formatted too: *unchanged* says how much of it stays as it is, byte for byte, and *but for
            blanks* counts in what only loses blanks that `mlir-opt` puts twice or at the end of a line. `make
            suite-format` writes this section."""),
        "| pieces that `mlir-opt` accepts | the same | texts that it prints | unchanged | but for blanks |",
        "|---:|---:|---:|---:|---:|",
        f"| {pieces:,} | {total(lambda result: result.same):,} | {printed:,} |"
        f" {share(total(lambda result: result.unchanged), printed)} |"
        f" {share(total(lambda result: result.nearly), printed)} |",
    ]
    kinds = Counter(
        kind if not kind.startswith("of what") else "what `mlir-opt` printed changes"
        for result in of_files
        for _, kind in result.findings
    )
    if kinds:
        lines += ["", "| findings | kind |", "|---:|---|", *commonest(kinds.most_common(), KINDS, "kinds")]
    return [*lines, ""]


def main() -> int:
    parser = argparse.ArgumentParser(description="MLIR's own test files, formatted")
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text; writes nothing")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one file in N; writes nothing")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N findings")
    options = parser.parse_args()
    try:
        texts = suite_texts(options.only)
    except NoSource as problem:
        print(f"\n*** MLIR'S OWN FILES WERE NOT FORMATTED: {problem} ***\n", file=sys.stderr)
        return 2
    of_files = list(results(dict(islice(texts.items(), 0, None, options.every))))
    shown = sorted(finding for result in of_files for finding in result.findings)
    for name, what in shown[: options.show]:
        print(f"{name}: {what}")
    print("\n".join(section(of_files)))
    if options.only is None and options.every == 1:
        write_section(section(of_files))
    return int(any(result.same < result.pieces for result in of_files))


if __name__ == "__main__":
    sys.exit(main())
