"""`make pieces`: the pieces of MLIR's own tests through Fathom and mlir-opt 22, and the figures into `docs/pieces.md`.

`python -m tests.suite.pieces [--only Dialect/LLVMIR] [--dialects tensor,gpu] [--show N] [--kind TEXT] [--list]`: with
`--only` the files whose path contains the text, with `--dialects` the pieces that have operations of one of these,
printed and not written; `--show` prints the first N differences, of the kinds that contain
`--kind` if it is given; `--list` names each piece that differs.

A piece belongs to the dialects of its operations: of a piece that mlir-opt accepts, those in its generic form; of
another, those that stand in its text.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.asking import ask_fathom
from tests.conformance.compare import difference, normalise
from tests.conformance.page import commonest, paragraph, share
from tests.conformance.workers import run
from tests.oracles import find_tool, tool_version
from tests.suite import definitions
from tests.suite.answers import FORMS, SEPARATOR, Answer, Piece, answers, errors_in, split
from tests.suite.source import NoSource, mlir_source

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "docs" / "pieces.md"
KINDS = 25
"""How many kinds of difference the page shows of each form."""

DIALECTS = frozenset(
    ("builtin", "func", "arith", "cf", "scf", "memref", "llvm", "dlti", "math", "complex", "index", "ub", "affine")
)
"""Those that Fathom checks completely."""

ROAD = DIALECTS | frozenset(
    "vector tensor linalg bufferization gpu nvvm rocdl ptr x86vector amx arm_neon arm_sve".split()
)
"""Those on the way to the LLVM dialect."""

_REFUSED = "refused: "

REJECTED = "rejected"
"""The row for pieces that mlir-opt rejects, beside the two forms."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of these dialects in one form. `kind` is empty where Fathom says the same, and the same for pieces that
    differ for the same cause; `shown` is how they differ."""

    piece: str
    form: str
    dialects: frozenset[str]
    kind: str = ""
    shown: str = ""

    @property
    def is_refused(self) -> bool:
        return self.kind.startswith(_REFUSED)

    @property
    def has_unregistered(self) -> bool:
        return not self.dialects <= registered_dialects()

    def is_over(self, dialects: frozenset[str]) -> bool:
        """Whether all operations are of these dialects, or of such as mlir-opt does not know."""
        return not self.dialects & registered_dialects() - dialects


# ---- which pieces count


@functools.cache
def registered_dialects() -> frozenset[str]:
    tool = find_tool("mlir-opt")
    assert tool, "the measure needs mlir-opt 22"
    text = subprocess.run([tool, "--show-dialects"], capture_output=True, text=True, check=True).stdout
    return frozenset(text.partition(":")[2].strip().split(","))


_GENERIC_NAME = re.compile(r'^[^"]*"([\w.$-]+)"\(', re.MULTILINE)
_QUOTED_NAME = re.compile(r'"([\w.$-]+)"\s*\(')
_CUSTOM_NAME = re.compile(r"(?:^|[{}=)])[ \t]*([a-z_]\w*(?:\.\w+)+)(?![\w.]*[ \t]*[=,}])", re.MULTILINE)
_TYPE_OR_ATTRIBUTE = re.compile(r"[!#]([a-z_]\w*)[.<]")
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


def operations_in(generic: str) -> set[str]:
    """The names of the operations of a text in the generic form."""
    return set(_GENERIC_NAME.findall(generic))


def dialects_of(piece: Piece, answer: Answer) -> set[str]:
    """The dialects of a piece's operations; of one that is rejected, those of the types and attributes in it too."""
    if answer.generic is not None:
        return {name.partition(".")[0] for name in operations_in(answer.generic)}
    names = set(_QUOTED_NAME.findall(piece.text))
    bare = _COMMENT_OR_STRING.sub(lambda match: '""' if match[0][0] == '"' else "", piece.text)
    names.update(_CUSTOM_NAME.findall(bare))
    others = {name for name in _TYPE_OR_ATTRIBUTE.findall(bare) if name in registered_dialects()}
    return {name.partition(".")[0] for name in names} | others


def has_code(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("//") for line in text.split("\n")[1:]) or bool(
        text.partition("\n")[0].strip()
    )


# ---- one piece


def findings_of(task: tuple[str, str, frozenset[str]]) -> list[Finding]:
    """Everything about the pieces of one file, given by its name and text; of those that have an operation of one of
    the dialects, if any are named."""
    file, text, wanted = task
    pieces = split(file, text)
    findings: list[Finding] = []
    for piece, answer in zip(pieces, answers(pieces), strict=True):
        if not has_code(piece.text):
            continue
        dialects = frozenset(dialects_of(piece, answer))
        if wanted and not dialects & wanted:
            continue
        if answer.generic is None:
            # A piece in the custom form of a dialect that nobody knows says nothing about these.
            if answer.error and "not found for custom op" not in answer.error:
                differs = compare_error(piece, FORMS["custom"], answer)
                findings.append(Finding(piece.name, REJECTED, dialects, *differs))
            continue
        for form, expected in (("custom", answer.custom), ("generic", answer.generic)):
            assert expected is not None, "an accepted piece has both forms"
            findings.append(Finding(piece.name, form, dialects, *compare_text(piece, FORMS[form], expected)))
    return findings


@functools.cache
def test_dialects() -> list[str]:
    """The options that make the dialects known that only MLIR's tests have."""
    return definitions.options(mlir_source())


def compare_text(piece: Piece, options: Sequence[str], expected: str) -> tuple[str, str]:
    """In what way `fathom opt` with these options does not print this, and how that shows; two empty texts if it
    does."""
    asked = ask_fathom(["opt", *options, *test_dialects()], piece.text)
    if asked.crash:
        return f"crashed: {asked.crash}", piece.text
    if asked.status:
        line, message = next(errors_in(asked.stderr), (0, asked.stderr))
        return f"{_REFUSED}{normalise(message)}", f"line {line}: {message}\n  {_line(piece.text, line)}"
    if asked.stdout == expected:
        return "", ""
    lines = difflib.unified_diff(
        expected.splitlines(), asked.stdout.splitlines(), "mlir-opt", "fathom", n=0, lineterm=""
    )
    kind = difference(_without_aliases(asked.stdout), _without_aliases(expected))
    return kind, "\n".join(list(lines)[2:20])


def _without_aliases(text: str) -> str:
    """A text whose first line that differs is that of the operation that is the cause; it itself, if it has none."""
    return re.sub(r"^[#!]\S+ = .*\n", "", text, flags=re.MULTILINE) or text


def compare_error(piece: Piece, options: Sequence[str], answer: Answer) -> tuple[str, str]:
    """In what way the first error of `fathom opt` is not mlir-opt's, and how that shows; two empty texts if it is."""
    asked = ask_fathom(["opt", *options, *test_dialects()], piece.text)
    if asked.crash:
        return f"crashed: {asked.crash}", piece.text
    line, message = next(errors_in(asked.stderr), (0, asked.stderr.strip())) if asked.status else (0, "accepted")
    if (line, message) == (answer.line, answer.error):
        return "", ""
    shown = f"- line {answer.line}: {answer.error}\n+ line {line}: {message}\n  {_line(piece.text, answer.line)}"
    if message == answer.error:
        return f"another line: {normalise(answer.error)}", shown
    return f"{normalise(message)}, expected: {normalise(answer.error)}", shown


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _ended(task: tuple[str, str, frozenset[str]]) -> list[Finding]:
    return [Finding(f"{task[0]}#0", form, frozenset(), "the process ended") for form in FORMS]


# ---- the page


def same(findings: Iterable[Finding], form: str) -> tuple[int, int]:
    """How many pieces of a form are the same, of how many."""
    those = [finding for finding in findings if finding.form == form]
    return sum(not finding.kind for finding in those), len(those)


def row(label: str, findings: Iterable[Finding]) -> str:
    listed = list(findings)
    printed = [finding for finding in listed if finding.form == "custom"]
    cells = [str(len(printed)), share(sum(not finding.is_refused for finding in printed), len(printed))]
    cells += [share(*same(listed, form)) for form in FORMS]
    right, whole = same(listed, REJECTED)
    return f"| {label} | {' | '.join([*cells, str(whole), share(right, whole)])} |"


def table(findings: list[Finding]) -> list[str]:
    lines = [
        "| pieces | accepted | by Fathom | custom form | generic form | rejected | first error |",
        "|---|---:|---:|---:|---:|---:|---:|",
        row("all", findings),
        row("on the way to the LLVM dialect", (finding for finding in findings if finding.is_over(ROAD))),
        row("only of what is checked completely", (finding for finding in findings if finding.is_over(DIALECTS))),
        row(
            "with operations that `mlir-opt` does not know",
            (finding for finding in findings if finding.has_unregistered),
        ),
    ]
    dialects = frozenset[str]().union(*(finding.dialects for finding in findings)) & registered_dialects()
    return [
        *lines,
        *(row(f"`{name}`", (finding for finding in findings if name in finding.dialects)) for name in sorted(dialects)),
        "",
    ]


def kinds(findings: Iterable[Finding], form: str, most: int = KINDS) -> list[str]:
    """A table of how pieces of a form differ, the commonest kinds first."""
    counts = Counter(finding.kind for finding in findings if finding.form == form and finding.kind)
    common = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ["| pieces | kind |", "|---:|---|", *commonest(common, most, "kinds"), ""]


def _names(dialects: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(dialects))


def report(findings: list[Finding]) -> str:
    """The text of `docs/pieces.md`."""
    lines = [
        "# Pieces of MLIR's tests",
        "",
        *paragraph(f"""
            The files of MLIR {tool_version("mlir-opt")}'s own test suite, cut at `{SEPARATOR}`, through Fathom and
            `mlir-opt` with `--allow-unregistered-dialect`. `make pieces` writes this page."""),
        *paragraph("""
            *Accepted* are the pieces that `mlir-opt` accepts, and how many of them Fathom does; *custom* and *generic
            form* say of how many Fathom prints the same text, byte for byte. Of the *rejected* ones, *first error* says
            of how many Fathom's first error has the same line and text. A piece stands in the row of each dialect of
            which it has an operation."""),
        *paragraph(f"""
            *On the way to the LLVM dialect* are {_names(ROAD)}; *checked completely* are {_names(DIALECTS)}. In both
            rows are the pieces with operations of these, and of dialects that `mlir-opt` does not know."""),
        *table(findings),
        "## The commonest kinds of difference",
        "",
        *paragraph("""
            One kind for each piece: the first error, or the operation of the first line that differs. In messages, `…`
            and `N` stand for what differs from piece to piece."""),
    ]
    for form, title in (("custom", "Custom form"), ("generic", "Generic form"), (REJECTED, "Rejected")):
        lines += [f"### {title}", "", *kinds(findings, form)]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fathom against mlir-opt 22 on the pieces of MLIR's own tests")
    parser.add_argument("--only", help="the files whose path contains this; nothing is written")
    parser.add_argument(
        "--dialects", default="", metavar="NAMES", help="only pieces with operations of these; nothing is written"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--kind", default="", help="show those whose kind contains this")
    parser.add_argument("--form", default="", help="show those in this form: custom, generic, rejected")
    parser.add_argument("--list", action="store_true", help="name each piece that differs")
    options = parser.parse_args()
    if tool_version("mlir-opt") is None:
        sys.exit("make pieces needs mlir-opt 22 (Debian's mlir-22-tools)")
    try:
        home = mlir_source() / "test"
    except NoSource as problem:
        sys.exit(f"make pieces needs MLIR's source: {problem}")

    wanted = frozenset(options.dialects.split(",")) if options.dialects else frozenset[str]()
    names = sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
    tasks = [
        (name, (home / name).read_text(encoding="utf-8", errors="surrogateescape"), wanted)
        for name in names
        if options.only is None or options.only in name
    ]
    findings: list[Finding] = []
    for done, of_piece in enumerate(run(findings_of, tasks, _ended), 1):
        findings += of_piece
        if sys.stderr.isatty():
            print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr)
    findings.sort(key=lambda finding: (finding.piece, finding.form))

    print("\n".join(table(findings)))
    for form in (*FORMS, REJECTED):
        print("\n".join([form, *kinds(findings, form)]))
    different = [
        finding
        for finding in findings
        if finding.kind and options.kind in finding.kind and finding.form.startswith(options.form)
    ]
    for finding in different if options.list else []:
        print(f"{finding.piece}: {finding.form}: {finding.kind}")
    for finding in different[: options.show]:
        print(f"==== {finding.piece}: {finding.form}: {finding.kind}\n{finding.shown}")
    if options.only is None and not wanted:
        REPORT.write_text(report(findings), encoding="utf-8")
        print(f"wrote {REPORT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
