"""`make reach FILES=FOLDER`: how much of what another project has in its `.mlir` files is brought to LLVM IR by
`lower-to-llvm`, of what MLIR's own passes bring there.

    python -m tests.suite.reach FOLDER [--every N] [--only TEXT] [--class NAME] [--show N] [--kind TEXT] [--list]

A piece counts if mlir-opt 22 knows all its operations, and if one of several pipelines of its own passes makes what
mlir-translate 22 writes as LLVM IR. `--every` takes a fixed sample of one piece in N, `--only` the files whose path
contains the text, `--class` the pieces of one class. `--show` prints the first N pieces that are not brought there, of
the kinds that contain `--kind` if it is given; `--list` names each. Nothing is written; what a project has is its own.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.asking import ask_fathom
from tests.conformance.compare import normalise
from tests.conformance.page import share
from tests.conformance.workers import run
from tests.oracles import find_tool, tool_version
from tests.suite.answers import TIMEOUT, Piece, answers, errors_in, split
from tests.suite.foreign import texts_below
from tests.suite.passes import is_chosen
from tests.suite.pieces import has_code
from tests.suite.pipelines import OPTIONS
from tests.suite.source import cache_home

CLASSES = {"tensors": "tensor<", "memrefs": "memref<", "scalars": ""}
"""The classes of pieces, each with what a piece has in it that is of none before."""

_COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True, slots=True)
class Reached:
    """A piece that MLIR's passes bring to LLVM IR: its class, and what is in the way of Fathom's, which is empty if
    nothing is."""

    piece: str
    kind: str
    problem: str = ""
    shown: str = ""


# ---- what MLIR's own passes do


def reached_by_mlir(pieces: list[Piece]) -> list[Piece]:
    """Those that mlir-opt knows and one of its pipelines brings down."""
    known = answers(pieces, {"custom": []})
    waiting = [piece for piece, answer in zip(pieces, known, strict=True) if answer.custom and has_code(piece.text)]
    found: list[Piece] = []
    for options in OPTIONS.values():
        if not waiting:
            break
        made = answers(
            [Piece(each.file, n, 0, f"\n{each.text}") for n, each in enumerate(waiting)], {"custom": options}
        )
        down = {
            each.name
            for each, answer in zip(waiting, made, strict=True)
            if answer.custom and _translates(answer.custom)
        }
        found += [each for each in waiting if each.name in down]
        waiting = [each for each in waiting if each.name not in down]
    return sorted(found, key=lambda each: each.number)


def _translates(text: str) -> bool:
    """Whether mlir-translate writes a module as LLVM IR; asked once, as mlir-opt is."""
    key = hashlib.sha256(f"{tool_version('mlir-translate')}\n{text}".encode()).hexdigest()
    remembered = cache_home() / "fathom" / "translates" / key[:2] / key
    if remembered.exists():
        return bool(remembered.read_bytes())
    tool = find_tool("mlir-translate")
    assert tool, "the measure needs mlir-translate 22"
    command = [tool, "--mlir-to-llvmir", "-o", "/dev/null"]
    try:
        done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=TIMEOUT, check=False)
        written = done.returncode == 0
    except subprocess.TimeoutExpired:
        written = False
    remembered.parent.mkdir(parents=True, exist_ok=True)
    remembered.write_bytes(b"1" if written else b"")
    return written


# ---- what Fathom does


def class_of(piece: Piece) -> str:
    """The class of a piece, by what stands in it outside of comments."""
    code = _COMMENT.sub("", piece.text)
    return next(name for name, sign in CLASSES.items() if sign in code)


def reached_by_fathom(piece: Piece) -> Reached:
    """A piece through `lower-to-llvm` and to LLVM IR."""
    kind = class_of(piece)
    text = piece.text
    for command in (["opt", "--lower-to-llvm"], ["translate", "--mlir-to-llvmir"]):
        asked = ask_fathom(command, text)
        if asked.crash:
            return Reached(piece.name, kind, f"crashed: {asked.crash}", piece.text)
        if asked.status:
            _, message = next(errors_in(asked.stderr), (0, asked.stderr))
            return Reached(piece.name, kind, normalise(message), f"{asked.stderr[:1500]}\n{piece.text}")
        text = asked.stdout
    return Reached(piece.name, kind)


# ---- all of a folder


Task = tuple[str, str, str, int]


def reached(task: Task) -> list[Reached]:
    """What came of the pieces of one file, of a class if one is named."""
    file, text, kind, every = task
    chosen = [each for each in split(file, text) if is_chosen(each.name, every) and kind in ("", class_of(each))]
    return [reached_by_fathom(piece) for piece in reached_by_mlir(chosen)]


def _ended(task: Task) -> list[Reached]:
    return [Reached(f"{task[0]}#0", "scalars", "the process ended")]


def main() -> None:
    parser = argparse.ArgumentParser(description="what lower-to-llvm brings to LLVM IR of what MLIR's own passes do")
    parser.add_argument("folder", type=Path, help="the .mlir files below it")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample of one piece in N")
    parser.add_argument("--only", default="", metavar="TEXT", help="the files whose path contains this")
    parser.add_argument("--class", dest="kind", choices=list(CLASSES), default="", help="only pieces of this class")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are not brought there")
    parser.add_argument("--kind", dest="problem", default="", metavar="TEXT", help="of what is shown, this in its kind")
    parser.add_argument("--list", action="store_true", help="name each piece that is not brought there")
    options = parser.parse_args()
    if tool_version("mlir-opt") is None or tool_version("mlir-translate") is None:
        sys.exit("make reach needs mlir-opt 22 and mlir-translate 22 (Debian's mlir-22-tools)")
    texts = {name: text for name, text in texts_below(options.folder).items() if options.only in name}
    if not texts:
        sys.exit(f"{options.folder} has no such .mlir files")
    tasks: list[Task] = [(name, text, options.kind, options.every) for name, text in texts.items()]
    found = sorted((each for those in run(reached, tasks, _ended) for each in those), key=lambda each: each.piece)
    for name in CLASSES:
        those = [each for each in found if each.kind == name]
        print(f"{name}: {share(sum(not each.problem for each in those), len(those))} of {len(those)}")
    failed = [each for each in found if each.problem and options.problem in each.problem]
    for (kind, problem), count in Counter((each.kind, each.problem) for each in failed).most_common():
        print(f"{count:5} {kind}: {problem}")
    for each in failed if options.list else []:
        print(f"{each.piece}: {each.problem}")
    for each in failed[: options.show]:
        print(f"==== {each.piece}: {each.problem}\n{each.shown}")


if __name__ == "__main__":
    main()
