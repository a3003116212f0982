"""`make editions FOLDER=…`: the pieces of an MLIR's own suite through Fathom with that MLIR as the edition.

`python -m tests.editions.folders FOLDER [--only Dialect/LLVMIR] [--every K] [--list] [--show N] [--kind TEXT]
[--write NAME]`: FOLDER is a checkout with `mlir/test`; another one for the definitions, such as those of an
installation, can be named by `--definitions`. With `--write` the figures go into `docs/editions.md`, in the row of that
name.

There need not be an mlir-opt of that version. So a piece counts if it should be accepted by one: it and its file expect
no error, and it names only dialects of `ROAD` (`pieces.py`), of all that the MLIR has. It is read if `fathom opt
--mlir=FOLDER` takes it and verifies it, with `--allow-unregistered-dialect` where the file's RUN lines have that.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.editions.folder.layer import folder_edition, key_of
from fathom.editions.folder.places import find
from tests.conformance.asking import ask_fathom
from tests.conformance.compare import normalise
from tests.conformance.page import share
from tests.conformance.workers import run
from tests.editions.page import PAGE
from tests.editions.page import write as write_page
from tests.editions.pieces import ROAD, takes_unregistered
from tests.suite.answers import ALLOW, Piece, errors_in
from tests.suite.pieces import has_code

MEASURE = "editions FOLDER=…"
HEAD = ("| MLIR | definitions | pieces | read |", "|---|---|---:|---:|")


@dataclass(frozen=True, slots=True)
class Task:
    """A file of a suite, with what it is read by: the folder with the definitions, and all dialects of these."""

    folder: str
    dialects: frozenset[str]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of a suite; `refused` is why Fathom does not read it, empty if it does, and `shown` how that looks."""

    piece: str
    refused: str = ""
    shown: str = ""


_NO_CODE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')
_NAMED = re.compile(r'(?:(?<![\w.$@%#!^"-])|[!#"])([a-z_]\w*)(?:\.[a-zA-Z_]|<)')
_QUOTED = re.compile(r'"([a-z_]\w*)\.[\w.]+"[ ]*(?:\(|<\{)')
_ODD = re.compile(r"^\s*//\s*RUN:.*(?:\bnot\b|--irdl-file)", re.MULTILINE)
"""What RUN lines have in files that are to be refused, or with dialects of their own."""
_TOOL = re.compile(r"^\s*//\s*RUN:.*mlir-(?:opt|translate|runner|cpu-runner)", re.MULTILINE)


_SPLITS = re.compile(r"^\s*//\s*RUN:.*split-input-file", re.MULTILINE)
_CUT = re.compile(r"^// -----[ \t]*$", re.MULTILINE)


def pieces_of(name: str, text: str) -> list[Piece]:
    """The parts of a file, as its RUN lines have it cut."""
    parts = _CUT.split(text) if _SPLITS.search(text) else [text]
    return [Piece(name, number, 0, part) for number, part in enumerate(parts)]


def dialects_in(text: str) -> frozenset[str]:
    """The words of a text that may be names of dialects."""
    return frozenset(_NAMED.findall(_NO_CODE.sub(" ", text))) | frozenset(_QUOTED.findall(text))


def is_wanted(piece: Piece, dialects: frozenset[str]) -> bool:
    """Whether a piece should be read: it expects no error, and names no dialect but those of the road."""
    named = dialects_in(piece.text) & (dialects | {"test", "transform"})
    return has_code(piece.text) and "expected-error" not in piece.text and bool(named) and named <= ROAD


def findings_of(task: Task) -> list[Finding]:
    """What there is to say of the pieces of a file."""
    if _ODD.search(task.text) or not _TOOL.search(task.text):
        return []
    allow = [ALLOW] if takes_unregistered(task.text) else []
    return [
        _read(piece, [f"--mlir={task.folder}", *allow])
        for piece in pieces_of(task.name, task.text)
        if is_wanted(piece, task.dialects)
    ]


def _read(piece: Piece, options: Sequence[str]) -> Finding:
    asked = ask_fathom(["opt", *options], piece.text)
    if asked.crash:
        return Finding(piece.name, f"crashed: {asked.crash}", piece.text[:600])
    if not asked.status:
        return Finding(piece.name)
    line, message = next(errors_in(asked.stderr), (0, asked.stderr))
    lines = piece.text.split("\n")
    shown = f"line {line}: {message}\n  {lines[line - 1].strip() if 0 < line <= len(lines) else ''}"
    return Finding(piece.name, normalise(message), shown)


def _ended(task: Task) -> list[Finding]:
    return [Finding(f"{task.name}#0", "the process ended")]


def write(release: str, row: str) -> None:
    """Puts a row into the table of the page, in the place of that of the same release."""
    table = PAGE.read_text(encoding="utf-8").partition(f"make {MEASURE} -->")[2].partition("<!--")[0]
    rows = [line for line in table.split("\n") if line.startswith("| ") and line not in HEAD]
    kept = [line for line in rows if not line.startswith(f"| {release} ")]
    write_page(MEASURE, "\n".join((*HEAD, *sorted((*kept, row), reverse=True))))


def main() -> None:
    parser = argparse.ArgumentParser(description="the suite of an MLIR through Fathom with its definitions")
    parser.add_argument("folder", type=Path, help="a checkout, with mlir/test")
    parser.add_argument("--definitions", help="the folder with the definitions; the checkout by default")
    parser.add_argument("--only", help="the files whose path contains this")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="each K-th file")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are not read")
    parser.add_argument("--kind", default="", help="show those whose kind contains this")
    parser.add_argument("--list", action="store_true", help="name each piece that is not read")
    parser.add_argument("--write", metavar="NAME", help="write the figures down, for the MLIR of this name: 23.1.1")
    options = parser.parse_args()
    suite = options.folder / "mlir" / "test"
    if not suite.is_dir():
        sys.exit(f"there is no suite in '{options.folder}': it has no mlir/test")
    folder = options.definitions or str(options.folder)
    layer = folder_edition(key_of(find(folder)))
    dialects = frozenset(layer.dialect_names())
    for name in dialects & ROAD & frozenset(layer.defined):
        layer.said(name)
    names = sorted(str(path.relative_to(suite)) for path in suite.rglob("*.mlir"))
    chosen = [name for name in names if options.only is None or options.only in name][:: options.every]
    tasks = [
        Task(folder, dialects, name, (suite / name).read_text(encoding="utf-8", errors="surrogateescape"))
        for name in chosen
    ]
    findings = [finding for of_file in run(findings_of, tasks, _ended) for finding in of_file]
    findings.sort(key=lambda finding: finding.piece)
    refused = [finding for finding in findings if finding.refused]
    for kind, count in Counter(finding.refused for finding in refused).most_common(30):
        print(f"{count:5} {kind}")
    for finding in refused if options.list else []:
        print(f"{finding.piece}: {finding.refused}")
    for finding in [finding for finding in refused if options.kind in finding.refused][: options.show]:
        print(f"==== {finding.piece}: {finding.refused}\n{finding.shown}")
    read = share(len(findings) - len(refused), len(findings))
    print(f"{len(findings)} pieces, {read} read")
    if options.write and options.only is None and options.every == 1:
        write(options.write, f"| {options.write} | {len(layer.defined)} dialects | {len(findings):,} | {read} |")


if __name__ == "__main__":
    main()
