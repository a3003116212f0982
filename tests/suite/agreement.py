"""Whether the command line and the editor say the same of a text in which something is wrong: by code, line and text of
the first error.

    python -m tests.suite.agreement [--files FOLDER] [--only Dialect/GPU] [--every N] [--show N] [--kind TEXT]

Without options the pieces of MLIR's own tests, between lines `// -----`; with `--files` the `.mlir` files of a folder,
with `--only` those whose path contains the text, with `--every` a fixed sample of one piece in N. `--show` prints the
first N disagreements, of the kinds that contain `--kind` if it is given.

Both are asked in this process: `fathom opt --allow-unregistered-dialect` as far as to what it reports, an open document
with the settings of an editor that says nothing of its own. A piece counts if the command line has an error about it.

The command line tells errors in the order in which they are found, by reading and then by verifying, the editor in that
of the text. They agree if the first that is told is shown, and the first that is shown is told. Where the command line
stops after reading, what the editor finds by verifying items that could be read is more: then nothing else is to be
shown in the line of the first that is told.

That a dialect is not described is an error for the command line where an operation of it is in a form of its own, and a
hint in the editor, which keeps the operation as it is written. Such errors are left out, and the first of the others
counts; a piece without another does not count. What the command line may only guess behind such an operation, it
guesses as the editor does.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fathom.context import Context, default_context
from fathom.diagnostics import UNKNOWN_OP, Diagnostic
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.messages.source import Source
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument
from tests.conformance.compare import normalise
from tests.conformance.workers import run
from tests.suite.answers import split
from tests.suite.editor import suite_texts
from tests.suite.passes import is_chosen
from tests.suite.pieces import has_code
from tests.suite.source import NoSource


@dataclass(frozen=True, slots=True)
class Error:
    """An error as both have it. `line` counts from 1; 0 where it is about no place."""

    code: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.line}: [{self.code}] {self.text}"


@dataclass(frozen=True, slots=True)
class Compared:
    """The errors of a piece, in the order in which each of the two tells them. Where the command line's are
    `is_of_text`, it verifies nothing."""

    piece: str
    printed: tuple[Error, ...]
    shown: tuple[Error, ...]
    is_of_text: bool = False

    @property
    def agrees(self) -> bool:
        first = self.printed[0]
        if first not in self.shown:
            return False
        beside = next(error for error in self.shown if error.line == first.line) if self.is_of_text else self.shown[0]
        return beside in self.printed

    @property
    def kind(self) -> str:
        """The same for pieces that differ for the same cause."""
        if self.agrees:
            return ""
        first = self.printed[0]
        if first in self.shown:
            return f"shows first: {normalise(self.shown[0].text)}"
        if not self.shown:
            return f"shows nothing: {normalise(first.text)}"
        there = [error for error in self.shown if error.line == first.line]
        if any(error.text == first.text for error in there):
            return f"another code: {normalise(first.text)}"
        if any(error.text == first.text for error in self.shown):
            return f"another line: {normalise(first.text)}"
        other = there[0].text if there else "nothing in the line"
        return f"{normalise(first.text)}, shows: {normalise(other)}"


def printed(text: str, context: Context) -> tuple[list[Error], bool]:
    """The errors that `fathom opt` tells of a text, in its order, and whether they are mistakes in the text."""
    loading = Loading(allow_unregistered=True, context=context)
    _, told = loading.told(Chunk(text, 0))
    return _errors(told, text), bool(told) and bool(loading.read(Chunk(text, 0))[1])


def shown(text: str, context: Context) -> list[Error]:
    """The errors that the editor shows of a text, in its order."""
    opened = OpenDocument(Document("file:///a.mlir", 0, text, context, Settings()))
    while opened.to_check:
        opened.check_first()
    opened.look_over()
    return errors_of(opened)


def errors_of(opened: OpenDocument) -> list[Error]:
    """The errors that are shown of what was looked at of a document."""
    tree = opened.document.tree
    errors: list[Error] = []
    for index, diagnostics in opened.found():
        errors += _errors(diagnostics, tree.text, tree.start(index))
    return errors


def _errors(diagnostics: Iterable[Diagnostic], text: str, start: int = 0) -> list[Error]:
    source = Source("", text)
    return [
        Error(
            diagnostic.code,
            source.location(diagnostic.span.start + start).line if diagnostic.span is not None else 0,
            diagnostic.message.partition("\n")[0],
        )
        for diagnostic in diagnostics
        if diagnostic.severity == "error" and diagnostic.code != UNKNOWN_OP
    ]


def compared(task: tuple[str, str]) -> Compared | None:
    """What both say of a piece, given by its name and its text; None for one that does not count."""
    name, text = task
    context = default_context()
    told, is_of_text = printed(text, context)
    return Compared(name, tuple(told), tuple(shown(text, context)), is_of_text) if told else None


def _ended(task: tuple[str, str]) -> Compared:
    return Compared(task[0], (Error("", 0, "the process ended"),), ())


def compare(tasks: Sequence[tuple[str, str]]) -> Iterator[Compared]:
    """What both say of the pieces that count, by name."""
    comparisons = (comparison for comparison in run(compared, tasks, _ended) if comparison is not None)
    return iter(sorted(comparisons, key=lambda comparison: comparison.piece))


def pieces(texts: dict[str, str], every: int = 1) -> list[tuple[str, str]]:
    """The pieces of files that have code, each with its name."""
    split_pieces = (piece for name, text in texts.items() for piece in split(name, text))
    return [(piece.name, piece.text) for piece in split_pieces if has_code(piece.text) and is_chosen(piece.name, every)]


def main() -> int:
    parser = argparse.ArgumentParser(description="the first error of the command line and of the editor")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="its .mlir files instead")
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample of one piece in N")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N disagreements")
    parser.add_argument("--kind", default="", metavar="TEXT", help="show those whose kind contains this")
    options = parser.parse_args()
    try:
        texts = suite_texts(options.only, options.files)
    except NoSource as problem:
        print(f"\n*** MLIR'S OWN FILES WERE NOT READ: {problem} ***\n", file=sys.stderr)
        return 2
    comparisons = list(compare(pieces(texts, options.every)))
    different = [comparison for comparison in comparisons if not comparison.agrees]
    for comparison in islice((candidate for candidate in different if options.kind in candidate.kind), options.show):
        print(f"==== {comparison.piece}: {comparison.kind}")
        print("".join(f"  - {error}\n" for error in comparison.printed[:2]), end="")
        print("".join(f"  + {error}\n" for error in comparison.shown[:2]), end="")
    for kind, count in Counter(comparison.kind for comparison in different).most_common(40):
        print(f"{count:5}  {kind}")
    print(f"{len(comparisons) - len(different):,} of {len(comparisons):,} rejected pieces agree")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
