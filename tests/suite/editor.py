"""`make suite-editor`: the files of MLIR's own tests in the real servers, Fathom's and `mlir-lsp-server`, and the
section of `docs/suite.md` that says which pieces they mark with an error.

`python -m tests.suite.editor [--only Dialect/GPU] [--show N]`: with `--only` the files whose path contains the text,
printed and not written; `--show` prints the first errors of N pieces that mlir-opt accepts.

Files are opened whole. A piece, between two lines `// -----`, counts by what `mlir-opt` says of it alone.
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.client import FATHOM, GIVE_UP, PEER, Client
from tests.conformance.compare import normalise
from tests.conformance.page import commonest, paragraph
from tests.suite.answers import ALLOW, Answer, Piece, answers, split
from tests.suite.pieces import DIALECTS, dialects_of, has_code
from tests.suite.pipelines import OPTIONS
from tests.suite.source import RELEASE, NoSource, mlir_source

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "suite.md"
TITLE = "## In the editor"
PUBLISH = "textDocument/publishDiagnostics"
BATCH = 40
"""How many files are open at a time."""
QUIET = 2.0
"""Seconds after which a server that says nothing more of what is open is taken to be done."""
BUSY = 0.2
"""Unless it is at work for more than this share of that time."""
KINDS = 12
ERROR = 1
"""The severity of an error, in the protocol."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a server says of a piece: its first error, if any, with the line in the file, from 1."""

    piece: Piece
    answer: Answer
    line: int = 0
    error: str = ""

    @property
    def group(self) -> str:
        if self.answer.generic is None:
            return REJECTED
        return OWN if dialects_of(self.piece, self.answer) <= DIALECTS else FOREIGN


OWN = "`mlir-opt` accepts, of these dialects alone"
FOREIGN = "`mlir-opt` accepts, with other dialects"
REJECTED = "`mlir-opt` rejects"
CRASHED = "the server ended"


# ---- asking a server


def errors_of(command: Sequence[str], texts: Mapping[str, str]) -> dict[str, list[tuple[int, str]]]:
    """The errors that a server shows in each of the files, as their line, from 0, and their text."""
    errors: dict[str, list[tuple[int, str]]] = {}
    for batch in _batches(texts):
        try:
            errors |= _ask(command, batch, texts)
        except (RuntimeError, OSError, TimeoutError):
            for name in batch:
                try:
                    errors |= _ask(command, [name], texts)
                except (RuntimeError, OSError, TimeoutError):
                    errors[name] = [(0, CRASHED)]
        print(f"\r{len(errors)} of {len(texts)} files", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return errors


def _batches(names: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(names)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _ask(command: Sequence[str], names: Sequence[str], texts: Mapping[str, str]) -> dict[str, list[tuple[int, str]]]:
    return {
        name: [
            (diagnostic["range"]["start"]["line"], diagnostic["message"].partition("\n")[0])
            for diagnostic in of_text
            if diagnostic.get("severity", ERROR) == ERROR
        ]
        for name, of_text in diagnostics_of(command, names, texts).items()
    }


def diagnostics_of(
    command: Sequence[str], names: Sequence[str], texts: Mapping[str, str], options: Mapping[str, Any] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Opens some files in a fresh server, and waits until it is done with them: the diagnostics of each. TimeoutError
    if it says nothing of some."""
    diagnostics: dict[str, list[dict[str, Any]]] = {}
    uris = {f"file:///suite/{name}": name for name in names}
    with Client(command) as client:
        client.initialize(dict(options) if options is not None else None)
        for uri, name in uris.items():
            client.open(uri, texts[name])
        at_work = 0.0
        while True:
            message = client.receive(QUIET if len(diagnostics) == len(names) else GIVE_UP)
            # A server that is at work says nothing for a while; one that is not, and has said something of all files,
            # is done.
            at_work, before = client.at_work, at_work
            if message is None and (len(diagnostics) < len(names) or abs(at_work - before) < QUIET * BUSY):
                break
            if message is not None and message.method == PUBLISH and message.params["uri"] in uris:
                diagnostics[uris[message.params["uri"]]] = message.params["diagnostics"]
    if len(diagnostics) < len(names):
        raise TimeoutError
    return diagnostics


# ---- by piece


def by_piece(texts: Mapping[str, str], errors: Mapping[str, list[tuple[int, str]]]) -> Iterator[Found]:
    """What is said of each piece of code of the files."""
    for name, text in texts.items():
        pieces = split(name, text)
        starts = [piece.line for piece in pieces]
        first: dict[int, tuple[int, str]] = {}
        for line, message in sorted(errors[name]):
            first.setdefault(bisect_right(starts, line) - 1, (line + 1, message))
        for piece, answer in zip(pieces, answers(pieces), strict=True):
            if has_code(piece.text):
                yield Found(piece, answer, *first.get(piece.number, (0, "")))


def suite_texts(only: str | None, folder: Path | None = None) -> dict[str, str]:
    """The files of the suite, or of another folder, that are text, by their path in it."""
    folder = folder or mlir_source() / "test"
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*.mlir")):
        name = path.relative_to(folder).as_posix()
        if only is None or only in name:
            texts[name] = path.read_bytes().decode("utf-8", "replace")
    return texts


def ends_alike(found: Found) -> bool:
    """Whether one of the pipelines of mlir-opt's own passes ends with the error that Fathom shows of a piece."""
    alone = [Piece(found.piece.file, 0, 0, found.piece.text)]
    given = (answers(alone, {"custom": [ALLOW, *options]})[0] for options in OPTIONS.values())
    return any(answer.custom is None and normalise(answer.error) == normalise(found.error) for answer in given)


# ---- the page


def section(ours: list[Found], peer: list[Found]) -> list[str]:
    """The section about the editor, with its title."""
    files = len({piece_errors.piece.file for piece_errors in ours})
    lines = [
        TITLE,
        "",
        *paragraph(f"""
            All {files:,} `.mlir` files of MLIR {RELEASE}'s tests, each opened whole in the real servers, by the pieces
            between lines `// -----`. `mlir-opt --allow-unregistered-dialect` says which of them are right. *These
            dialects* are {", ".join(f"`{name}`" for name in sorted(DIALECTS))}; of what others define there are
            hints at most. `make suite-editor` writes this section."""),
        "| pieces that | number | Fathom marks with an error | `mlir-lsp-server` does |",
        "|---|---:|---:|---:|",
    ]
    for group in (OWN, FOREIGN, REJECTED):
        own = [mine for mine in ours if mine.group == group]
        marked, others = (sum(bool(mine.error) for mine in of if mine.group == group) for of in (ours, peer))
        lines.append(f"| {group} | {len(own):,} | {marked:,} | {others if peer else '–'} |")
    wrong = [mine for mine in ours if mine.error and mine.group != REJECTED]
    common = Counter(normalise(mine.error) for mine in wrong)
    if common:
        alike = sum(map(ends_alike, wrong))
        lines += ["", "The errors of the first two rows:", "", "| pieces | first error |", "|---:|---|"]
        lines += commonest(common.most_common(), KINDS, "kinds")
        lines += [
            "",
            *paragraph(f"""
                They come of lowering: {alike} of the {len(wrong)} are what `mlir-opt` says of the piece, too, when its
                own passes are to bring it to the LLVM dialect."""),
        ][:-1]
    return [*lines, ""]


def known_section(title: str = TITLE) -> list[str]:
    """The section of a title as `docs/suite.md` has it; nothing where it has none."""
    lines = PAGE.read_text(encoding="utf-8").split("\n") if PAGE.exists() else []
    if title not in lines:
        return []
    first = lines.index(title)
    last = next((at for at in range(first + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    return [*lines[first:last], *([] if lines[last - 1] == "" else [""])]


def write_section(new: list[str]) -> None:
    """Puts a section, which begins with its title, before *By folder*, the last one of the page."""
    text = PAGE.read_text(encoding="utf-8")
    old = "\n".join(known_section(new[0]))
    if old:
        text = text.replace(old, "\n".join(new))
    else:
        head, title, tail = text.partition("## By folder\n")
        text = head + "\n".join(new) + "\n" + title + tail
    PAGE.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="MLIR's own test files in the editor")
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text; writes nothing")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the errors of N accepted pieces")
    options = parser.parse_args()
    try:
        texts = suite_texts(options.only)
    except NoSource as problem:
        print(f"\n*** MLIR'S OWN FILES WERE NOT OPENED: {problem} ***\n", file=sys.stderr)
        return 2
    ours = list(by_piece(texts, errors_of(FATHOM, texts)))
    peer = list(by_piece(texts, errors_of([str(PEER)], texts))) if PEER.exists() else []
    for mine in islice((mine for mine in ours if mine.error and mine.group != REJECTED), options.show):
        print(f"{mine.piece.file}:{mine.line}: {mine.error}")
    new = section(ours, peer)
    print("\n".join(new))
    if options.only is None:
        write_section(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
