"""`make editions`: the pieces of the suites of older releases of MLIR through Fathom in their edition, beside their
own mlir-opt, and the figures into `docs/editions.md`.

`python -m tests.editions.pieces [EDITION…] [--only Dialect/LLVMIR] [--dialects tensor,gpu] [--every K] [--show N]
[--kind TEXT] [--list]`: with editions those alone; with `--only` the files whose path contains the text; with
`--dialects` the pieces that have operations of one of these; with `--every` each K-th file. Only a run over everything
is written down.

A piece counts if its release's mlir-opt accepts it, with `-allow-unregistered-dialect` where the file's RUN lines have
that, and if all its operations that are registered are of the dialects of `ROAD`. It is read if `fathom opt --mlir=N`
takes it, and printed the same if its text is that of mlir-opt, byte for byte but
for empty lines at the end.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.editions.edition import OLDER
from tests.conformance.asking import ask_fathom
from tests.conformance.compare import difference, normalise
from tests.conformance.page import commonest, share
from tests.conformance.workers import run
from tests.editions.page import write
from tests.suite.answers import ALLOW, Answer, Piece, answers, errors_in, split
from tests.suite.pieces import has_code, operations_in
from tests.suite.source import cache_home

KINDS = 12
"""How many kinds of difference the page shows of each edition."""

ROAD = frozenset(
    (
        "builtin func std arith cf scf loop memref vector affine math complex tensor linalg bufferization llvm gpu nvvm"
    ).split()
)
"""The dialects on the way to LLVM IR, under all the names that they had."""

SOURCES = {"13": "13.0.1", "14": "14.0.6", "15": "15.0.6", "16": "16.0.6", "19": "19.1.7"}
"""The release of each edition whose suite is taken."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of an edition's suite. `refused` is why Fathom does not read it, `kind` how it prints another text, both
    empty where nothing is wrong; `shown` is how that looks."""

    edition: str
    piece: str
    dialects: frozenset[str]
    refused: str = ""
    kind: str = ""
    shown: str = ""


def tool_of(edition: str) -> str | None:
    """The mlir-opt of an edition; None where it is not installed."""
    return shutil.which(f"mlir-opt-{edition}")


def source_of(edition: str) -> Path | None:
    """The folder with the suite of an edition; None where it is not here."""
    home = Path(os.environ.get("FATHOM_MLIR_SOURCES") or cache_home() / "fathom-upstream")
    folder = home / SOURCES[edition] / "mlir" / "test"
    return folder if folder.exists() else None


@functools.cache
def registered(edition: str) -> frozenset[str]:
    """The dialects that an edition's mlir-opt has."""
    tool = tool_of(edition)
    assert tool, f"the measure needs mlir-opt-{edition}"
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"Available Dialects: ([\w, ]+)", text)
    assert found, "the help of mlir-opt names its dialects"
    return frozenset(found[1].replace(",", " ").split()) | {"builtin"}


_RUN = re.compile(r"^\s*//\s*RUN:(.*)$", re.MULTILINE)


def takes_unregistered(text: str) -> bool:
    """Whether the RUN lines of a file allow operations that nobody knows."""
    return any("allow-unregistered-dialect" in line for line in _RUN.findall(text))


def findings_of(task: tuple[str, str, str, frozenset[str]]) -> list[Finding]:
    """What there is to say of the pieces of a file: the edition, its name, its text, and the dialects that are wanted,
    if only some are."""
    edition, file, text, wanted = task
    allow = [ALLOW] if takes_unregistered(text) else []
    forms = {"custom": allow, "generic": [*allow, "--mlir-print-op-generic"]}
    tool = tool_of(edition)
    assert tool, f"the measure needs mlir-opt-{edition}"
    pieces = split(file, text)
    findings: list[Finding] = []
    for piece, answer in zip(pieces, answers(pieces, forms, tool), strict=True):
        dialects = dialects_of(answer)
        if not has_code(piece.text) or dialects is None or dialects & registered(edition) - ROAD:
            continue
        if not wanted or dialects & wanted:
            findings.append(compare(edition, piece, dialects, allow, answer.custom or ""))
    return findings


def dialects_of(answer: Answer) -> frozenset[str] | None:
    """The dialects of the operations of a piece; None where mlir-opt does not accept it."""
    if answer.generic is None or not answer.generic.strip():
        return None  # Of one that it refuses, an older one writes an empty line.
    names = operations_in(answer.generic)
    return frozenset(name.partition(".")[0] if "." in name else "builtin" for name in names)


def compare(edition: str, piece: Piece, dialects: frozenset[str], allow: Sequence[str], expected: str) -> Finding:
    """Whether Fathom reads a piece in its edition, and prints it as mlir-opt does."""
    asked = ask_fathom(["opt", f"--mlir={edition}", *allow], piece.text)
    if asked.crash:
        return Finding(edition, piece.name, dialects, f"crashed: {asked.crash}", "crashed", piece.text[:600])
    if asked.status:
        line, message = next(errors_in(asked.stderr), (0, asked.stderr))
        lines = piece.text.split("\n")
        shown = f"line {line}: {message}\n  {lines[line - 1].strip() if 0 < line <= len(lines) else ''}"
        return Finding(edition, piece.name, dialects, normalise(message), "not read", shown)
    # Between parts, older ones write an empty line more.
    if asked.stdout.rstrip() == expected.rstrip():
        return Finding(edition, piece.name, dialects)
    changes = difflib.unified_diff(
        expected.splitlines(), asked.stdout.splitlines(), "mlir-opt", "fathom", n=0, lineterm=""
    )
    kind = difference(_without_aliases(asked.stdout), _without_aliases(expected))
    return Finding(edition, piece.name, dialects, "", kind, "\n".join(list(changes)[2:14]))


def _without_aliases(text: str) -> str:
    return re.sub(r"^[#!]\S+ = .*\n", "", text, flags=re.MULTILINE) or text


def _ended(task: tuple[str, str, str, frozenset[str]]) -> list[Finding]:
    return [Finding(task[0], f"{task[1]}#0", frozenset(), "the process ended", "the process ended")]


# ---- the page


def row(label: str, findings: Iterable[Finding]) -> str:
    """A row of a table: pieces, those that are read, those that are printed the same."""
    those = list(findings)
    read, same = sum(not each.refused for each in those), sum(not each.kind for each in those)
    return f"| {label} | {len(those)} | {share(read, len(those))} | {share(same, len(those))} |"


def table(findings: Sequence[Finding]) -> list[str]:
    """The figures of all editions."""
    lines = ["| edition | pieces | read | printed the same |", "|---|---:|---:|---:|"]
    return [
        *lines,
        *(
            row(f"{edition} ({SOURCES[edition]})", (each for each in findings if each.edition == edition))
            for edition in OLDER
            if any(each.edition == edition for each in findings)
        ),
        "",
    ]


def by_dialect(findings: Sequence[Finding]) -> list[str]:
    """The figures of the dialects of an edition; a piece stands in the row of each of its dialects."""
    names = sorted(frozenset[str]().union(*(each.dialects for each in findings)) & ROAD)
    lines = ["| dialect | pieces | read | printed the same |", "|---|---:|---:|---:|"]
    return [*lines, *(row(f"`{name}`", (e for e in findings if name in e.dialects)) for name in names), ""]


def kinds(findings: Sequence[Finding]) -> list[str]:
    """The commonest ways in which pieces of an edition are not read, or printed otherwise."""
    counts = Counter(each.refused or each.kind for each in findings if each.kind)
    common = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ["| pieces | kind |", "|---:|---|", *commonest(common, KINDS, "kinds"), ""]


def figures(findings: Sequence[Finding]) -> str:
    """The part of the page that is made."""
    lines = [*table(findings)]
    for edition in OLDER:
        those = [each for each in findings if each.edition == edition]
        if those:
            lines += [f"### MLIR {edition}", "", *by_dialect(those), *kinds(those)]
    return "\n".join(lines).rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description="Fathom in older editions beside their own mlir-opt")
    parser.add_argument("editions", nargs="*", help="those that are measured; all by default")
    parser.add_argument("--only", help="the files whose path contains this")
    parser.add_argument("--dialects", default="", metavar="NAMES", help="only pieces with operations of these")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="each K-th file")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--kind", default="", help="show those whose kind contains this")
    parser.add_argument("--list", action="store_true", help="name each piece that differs")
    options = parser.parse_args()
    wanted = frozenset(options.dialects.split(",")) if options.dialects else frozenset[str]()
    editions = options.editions or list(OLDER)
    tasks: list[tuple[str, str, str, frozenset[str]]] = []
    for edition in editions:
        home = source_of(edition)
        if home is None or tool_of(edition) is None:
            sys.exit(f"make editions needs mlir-opt-{edition}, and the source of MLIR {SOURCES[edition]}")
        names = sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
        chosen = [name for name in names if options.only is None or options.only in name][:: options.every]
        tasks += (
            (edition, name, (home / name).read_text(encoding="utf-8", errors="surrogateescape"), wanted)
            for name in chosen
        )
    findings: list[Finding] = []
    for done, of_file in enumerate(run(findings_of, tasks, _ended), 1):
        findings += of_file
        if sys.stderr.isatty():
            print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr)
    findings.sort(key=lambda finding: (finding.edition, finding.piece))
    print(figures(findings))
    different = [each for each in findings if each.kind and options.kind in (each.refused or each.kind)]
    for each in different if options.list else []:
        print(f"{each.edition} {each.piece}: {each.refused or each.kind}")
    for each in different[: options.show]:
        print(f"==== {each.edition} {each.piece}: {each.refused or each.kind}\n{each.shown}")
    if options.only is None and not wanted and options.every == 1 and not options.editions:
        write("editions", figures(findings))


if __name__ == "__main__":
    main()
